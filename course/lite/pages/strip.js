// strip.js: the strip above a lesson. It has a link back to all lessons, and says if Python is
// still loading, if a cell runs for long, and if work cannot be saved.

import { element, putHandInButton } from "./hand_in.js";
import { keepOnLeaving, lesson, openedHere, saveInTurn } from "./single_tab.js";
import { trouble } from "./storage.js";

const TITLE = "2048, written by you";
const LOADING = "Python is loading. Read on meanwhile.";
const READY = "Python is ready.";
const ALL_KEPT = "All works without a network now.";
const STILL_RUNNING =
  "Still running … In the browser, a loop that never ends is stopped after a minute.";
const NOT_SAVED =
  "This browser is full: your last changes are not saved. Choose File, then Download, before you close this page.";
const ROOT = document.getElementById("jupyter-config-data").dataset.jupyterLiteRoot;
const PATIENCE = 2000; // milliseconds
const ASKING = ".jp-Stdin-input"; // a line of input(), in which the learner types an answer
const KNOWN = "ModalCancelError"; // JupyterLab opens no window for an error of this name

const back = element("a", { href: `${ROOT}/index.html`, textContent: "← All lessons" });
const said = element("span", { role: "status" });
const warning = element("strong", { role: "alert", hidden: true });
const about = { id: "strip-2048", ariaLabel: "The course" };
const strip = element("nav", about, back, said, warning);
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

// Gives the page the title of its lesson, also after JupyterLab has given it another title.
function name() {
  const file = lesson()?.path.split("/").at(-1).replace(".ipynb", "");
  const title = `${file} · ${TITLE}`;
  if (file && document.title !== title) document.title = title;
}

function isRunning() {
  const { session } = lesson()?.sessionContext ?? {};
  const cells = window.jupyterapp.shell.currentWidget?.content?.widgets ?? [];
  const runs = cells.some((cell) => cell.model.executionState === "running");
  return runs && session?.kernel?.status === "busy" && !document.querySelector(ASKING);
}

// Sentence → true if it holds now, else false. The strip shows the first sentence that holds.
const holds = new Map([STILL_RUNNING, READY, ALL_KEPT, LOADING].map((text) => [text, false]));

function say(text, isTrue) {
  holds.set(text, isTrue);
  const now = [...holds.keys()].find((each) => holds.get(each)) ?? "";
  if (said.textContent !== now) said.textContent = now;
}

// Says that a cell runs for long, until the cell has ended. A board says by itself that it waits.
function watchCells() {
  let since = null; // when the cell began
  setInterval(() => {
    since = isRunning() ? (since ?? Date.now()) : null;
    say(STILL_RUNNING, since !== null && Date.now() - since >= PATIENCE);
  }, 250);
}

const asked = new Set(); // the numbers of the requests that are not answered yet

// Warns if a file that Python writes could not be saved; Python then gets an error.
function watchFiles() {
  const channel = new BroadcastChannel("/sw-api.v1");
  channel.addEventListener("message", ({ data }) => {
    if ("response" in data) asked.delete(data.requestId);
    else asked.add(data.requestId);
  });
  window.addEventListener("unhandledrejection", ({ reason }) => {
    if (!(reason instanceof DOMException)) return;
    for (const requestId of asked) channel.postMessage({ requestId, response: null, failed: true });
    asked.clear();
    warn(NOT_SAVED);
  });
}

// Warns if a notebook could not be saved; JupyterLab opens no window then.
function watchNotebooks(contents) {
  const save = contents.save.bind(contents);
  contents.save = async (path, model) => {
    try {
      const kept = await save(path, model);
      if (model.type === "notebook") trouble().then(warn);
      return kept;
    } catch (error) {
      if (model.type !== "notebook") throw error;
      warn(NOT_SAVED);
      throw Object.assign(new Error(error.message), { name: KNOWN });
    }
  };
}

new MutationObserver(name).observe(document.querySelector("title"), { childList: true });

const watch = setInterval(() => {
  if (!lesson()) return; // a page without a notebook has nothing to wait for
  name();
  say(LOADING, true);
  if (!["idle", "busy"].includes(lesson().sessionContext.session?.kernel?.status)) return;
  clearInterval(watch);
  saveInTurn();
  const { handIn } = document.querySelector("script[data-hand-in]")?.dataset ?? {};
  if (handIn && lesson().path.includes("/")) putHandInButton(strip, handIn);
  watchNotebooks(window.jupyterapp.serviceManager.contents);
  say(LOADING, false);
  say(READY, true);
  setTimeout(say, 6000, READY, false);
  watchCells();
  navigator.serviceWorker?.ready.then(({ active }) => active.postMessage("keep all"));
}, 300);

navigator.serviceWorker?.addEventListener("message", ({ data }) => {
  if (data === "all is kept") say(ALL_KEPT, true);
});

openedHere(ROOT);
keepOnLeaving(ROOT);
watchFiles();
// The landing page shows the same warning, but somebody may have come here by a direct link.
trouble().then(warn);
