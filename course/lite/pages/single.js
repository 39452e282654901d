// single.js: a lesson is open in one tab only. In two, each would write over the work of the other.

import { kept } from "./leaving.js";

const NAME = (path) => `course-2048 ${new URL(".", import.meta.url).pathname} ${path}`;
const PATIENCE = 2000; // ms; a page that is loaded anew waits for itself to be gone

// In a lesson: it is held as open, or the landing page says that it is open elsewhere.
export async function openedHere(root) {
  const path = new URLSearchParams(location.search).get("path");
  if (!path || !navigator.locks || !location.pathname.includes("/notebooks/")) return;
  const channel = new BroadcastChannel(NAME(path));
  try {
    const signal = AbortSignal.timeout(PATIENCE);
    await navigator.locks.request(NAME(path), { signal }, () => {
      channel.addEventListener("message", () => leave(root));
      return new Promise(() => {}); // held until this page is gone
    });
  } catch {
    location.replace(`${root}/index.html?open=${encodeURIComponent(path)}`);
  }
}

async function leave(root) {
  await kept();
  location.replace(`${root}/index.html`);
}

// On the landing page: which lesson was asked for, and is open elsewhere.
export function openElsewhere() {
  return new URLSearchParams(location.search).get("open");
}

// The other tab is asked to keep the work and to leave the lesson; returns once it has.
export async function closeElsewhere(path) {
  new BroadcastChannel(NAME(path)).postMessage("leave");
  await navigator.locks.request(NAME(path), () => {});
}
