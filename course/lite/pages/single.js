// single.js: lets a lesson be open in one tab only. Two tabs would overwrite each other's work.

import { kept } from "./leaving.js";

const NAME = (path) => `course-2048 ${new URL(".", import.meta.url).pathname} ${path}`;
const PATIENCE = 2000; // ms; if a page is loaded again, the old page may hold the lock for a moment

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

// Returns the path of the lesson that was asked for but is open in another tab, or `null`. The
// landing page calls this.
export function openElsewhere() {
  return new URLSearchParams(location.search).get("open");
}

// Asks the other tab to save the work and to leave the lesson; returns once it has left.
export async function closeElsewhere(path) {
  new BroadcastChannel(NAME(path)).postMessage("leave");
  await navigator.locks.request(NAME(path), () => {});
}
