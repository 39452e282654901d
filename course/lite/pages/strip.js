// strip.js: above a lesson, the way back to all lessons, and a word while Python is still loading.

import { openedHere } from "./single.js";
import { trouble } from "./storage.js";
import { watchFiles } from "./unsaved.js";

const LOADING = "Python is loading. Read on meanwhile.";
const READY = "Python is ready.";
const ALL_KEPT = "All works without a network now.";
const NOT_SAVED =
  "This browser is full: your last changes are not saved. Choose File, then Download, before you close this page.";
const ROOT = document.getElementById("jupyter-config-data").dataset.jupyterLiteRoot;

const style = document.createElement("link");
style.rel = "stylesheet";
style.href = new URL("strip.css", import.meta.url);
const strip = document.createElement("nav");
strip.id = "strip-2048";
strip.setAttribute("aria-label", "The course");
const back = document.createElement("a");
back.href = `${ROOT}/index.html`;
back.textContent = "← All lessons";
const said = document.createElement("span");
said.setAttribute("role", "status");
const warning = document.createElement("strong");
warning.setAttribute("role", "alert");
warning.hidden = true;
strip.append(back, said, warning);
document.head.append(style);
document.body.append(strip);

// JupyterLab takes the room that the strip leaves; it measures it when the window changes.
new ResizeObserver(() => {
  document.documentElement.style.setProperty("--strip-2048", `${strip.offsetHeight}px`);
  window.dispatchEvent(new Event("resize"));
}).observe(strip);

function warn(text) {
  warning.textContent = text;
  warning.hidden = !text;
}

// What is open here; a page without a notebook has nothing to wait for.
const context = () => window.jupyterapp?.shell?.currentWidget?.context;

// Each time that the notebook is saved, it is told whether that worked, and will work again.
async function told(_, state) {
  if (state === "failed") warn(NOT_SAVED);
  if (state === "completed") warn(await trouble());
}

const listen = () => context()?.saveState.connect(told); // no notebook is listened to twice

const watch = setInterval(() => {
  if (!context()) return;
  said.textContent ||= LOADING;
  if (!["idle", "busy"].includes(context().sessionContext.session?.kernel?.status)) return;
  clearInterval(watch);
  window.jupyterapp.shell.currentChanged.connect(listen);
  listen();
  said.textContent = READY;
  setTimeout(() => said.textContent === READY && (said.textContent = ""), 6000);
  navigator.serviceWorker?.ready.then(({ active }) => active.postMessage("keep all"));
}, 300);

navigator.serviceWorker?.addEventListener("message", ({ data }) => {
  if (data === "all is kept") said.textContent = ALL_KEPT;
});

openedHere(ROOT);
watchFiles(() => warn(NOT_SAVED));
// Whoever comes by a link of their own has not seen the landing page.
trouble().then(warn);
