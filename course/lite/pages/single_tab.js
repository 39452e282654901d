// single_tab.js: saves a lesson before it is left, and lets it be open in one tab only: two tabs
// would overwrite each other's work.

const NAME = (path) => `course-2048 ${new URL(".", import.meta.url).pathname} ${path}`;
const PATIENCE = 2000; // ms; if a page is loaded again, the old page may hold the lock for a moment

// Returns the context that JupyterLab has of the open notebook; `undefined` while JupyterLab loads.
export const lesson = () => window.jupyterapp?.shell?.currentWidget?.context;

// From now on, lets each save of a notebook wait for the save before it. If two ran at once,
// JupyterLab would believe that two people have changed the notebook, and ask whose to keep.
export function saveInTurn() {
  const contexts = Object.getPrototypeOf(lesson());
  const save = contexts.save;
  let last = Promise.resolve();
  contexts.save = function () {
    const saved = last.then(() => save.call(this));
    last = saved.catch(() => {}); // after an error, the next save runs all the same
    return saved;
  };
}

// Saves the notebook; returns once it is saved, or cannot be saved.
async function kept() {
  try {
    await lesson()?.save();
  } catch {
    // The strip above the lesson has shown the error.
  }
}

// From now on, saves the lesson whenever it is left. This function also follows links to other
// lessons, because JupyterLab would ask a server for them.
export function keepOnLeaving(root) {
  window.addEventListener("click", follow, { capture: true });
  document.addEventListener("visibilitychange", () => {
    if (document.hidden && lesson()?.model.dirty) kept();
  });

  async function follow(event) {
    const address = event.target.closest("a")?.href ?? "";
    const isBack = address === new URL(`${root}/index.html`, location).href;
    const path = address.split("/files/")[1] ?? "";
    if (!isBack && !path.endsWith(".ipynb")) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    await kept();
    location.assign(isBack ? address : `${root}/notebooks/index.html?path=${path}`);
  }
}

// Marks the lesson of this page as open. If it is open in another tab already, goes to the landing
// page, which says so.
export async function openedHere(root) {
  const path = new URLSearchParams(location.search).get("path");
  if (!path || !navigator.locks || !location.pathname.includes("/notebooks/")) return;
  const channel = new BroadcastChannel(NAME(path));
  try {
    const signal = AbortSignal.timeout(PATIENCE);
    await navigator.locks.request(NAME(path), { signal }, () => {
      channel.addEventListener("message", () => leave(root));
      return new Promise(() => {}); // the lock is held until this page is gone
    });
  } catch {
    location.replace(`${root}/index.html?open=${encodeURIComponent(path)}`);
  }
}

async function leave(root) {
  await kept();
  location.replace(`${root}/index.html`);
}

// Asks the other tab to save the work and to leave the lesson; returns once it has left.
export async function closeElsewhere(path) {
  new BroadcastChannel(NAME(path)).postMessage("leave");
  await navigator.locks.request(NAME(path), () => {});
}
