// strip.js: in a lesson, the way back to all lessons, and a word while Python is still loading.

import { trouble } from "./storage.js";

const WORDS = {
  loading: "Python is loading. Read on; your cells run as soon as it is there.",
  ready: "Python is ready.",
};
const ROOT = document.getElementById("jupyter-config-data").dataset.jupyterLiteRoot;

const strip = document.createElement("div");
strip.id = "strip-2048";
strip.style.cssText =
  "position:fixed;left:12px;bottom:12px;z-index:900;display:flex;gap:12px;align-items:center;" +
  "max-width:calc(100vw - 48px);padding:6px 14px;border:1px solid #6e573c;border-radius:999px;" +
  "background:#fff8ea;color:#1b1b1b;font:15px/1.4 system-ui,sans-serif";
const back = document.createElement("a");
back.href = `${ROOT}/index.html`;
back.textContent = "← All lessons";
back.style.color = "#0b57d0";
const said = document.createElement("span");
said.setAttribute("role", "status");
said.textContent = WORDS.loading;
strip.append(back, said);
document.body.append(strip);

// Whoever comes by a link of their own has not seen the landing page.
async function warn() {
  const warning = await trouble();
  if (!warning) return;
  const place = document.createElement("strong");
  place.setAttribute("role", "alert");
  place.textContent = warning;
  strip.style.borderRadius = "12px";
  strip.append(place);
}
warn();

// The kernel of the notebook that is open; a page without one has nothing to wait for.
function kernel() {
  return window.jupyterapp?.shell?.currentWidget?.context?.sessionContext?.session?.kernel;
}

const watch = setInterval(() => {
  if (!["idle", "busy"].includes(kernel()?.status)) return;
  clearInterval(watch);
  said.textContent = WORDS.ready;
  setTimeout(() => said.remove(), 4000);
}, 300);
