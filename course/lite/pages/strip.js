// strip.js: the strip above a lesson. It has a link back to all lessons, and says if Python is
// still loading, and if work cannot be saved.

import { keepOnLeaving, lesson } from "./leaving.js";
import { watchCells } from "./running_cells.js";
import { openedHere } from "./single.js";
import { trouble } from "./storage.js";
import { watchFiles, watchNotebooks } from "./failed_saves.js";

const TITLE = "2048, written by you";
const LOADING = "Python is loading. Read on meanwhile.";
const READY = "Python is ready.";
const ALL_KEPT = "All works without a network now.";
const STILL_RUNNING =
  "Still running … In the browser, a loop that never ends is stopped after a minute.";
const NOT_SAVED =
  "This browser is full: your last changes are not saved. Choose File, then Download, before you close this page.";
const ROOT = document.getElementById("jupyter-config-data").dataset.jupyterLiteRoot;

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
document.body.append(strip);

// JupyterLab takes the room below the strip, and measures it anew when the window changes its size.
new ResizeObserver(() => {
  document.documentElement.style.setProperty("--strip-2048", `${strip.offsetHeight}px`);
  window.dispatchEvent(new Event("resize"));
}).observe(strip);

function warn(text) {
  warning.textContent = text;
  warning.hidden = !text;
}

// Shows or hides the warning after each saving of a notebook; `isKept` is true if that has worked.
async function told(isKept) {
  warn(isKept ? await trouble() : NOT_SAVED);
}

// Gives the page the title of its lesson, also after JupyterLab has given it another title.
function name() {
  const file = lesson()?.path.split("/").at(-1).replace(".ipynb", "");
  const title = `${file} · ${TITLE}`;
  if (file && document.title !== title) document.title = title;
}

new MutationObserver(name).observe(document.querySelector("title"), { childList: true });

const watch = setInterval(() => {
  if (!lesson()) return; // a page without a notebook has nothing to wait for
  name();
  said.textContent ||= LOADING;
  if (!["idle", "busy"].includes(lesson().sessionContext.session?.kernel?.status)) return;
  clearInterval(watch);
  watchNotebooks(window.jupyterapp.serviceManager.contents, told);
  said.textContent = READY;
  setTimeout(() => said.textContent === READY && (said.textContent = ""), 6000);
  watchCells((isLong) => {
    if (isLong) said.textContent = STILL_RUNNING;
    else if (said.textContent === STILL_RUNNING) said.textContent = "";
  });
  navigator.serviceWorker?.ready.then(({ active }) => active.postMessage("keep all"));
}, 300);

navigator.serviceWorker?.addEventListener("message", ({ data }) => {
  if (data === "all is kept") said.textContent = ALL_KEPT;
});

openedHere(ROOT);
keepOnLeaving(ROOT);
watchFiles(() => warn(NOT_SAVED));
// The landing page shows the same warning, but somebody may have come here by a direct link.
trouble().then(warn);
