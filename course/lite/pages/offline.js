// offline.js: the part of the service worker that lets the course work without a network. The build
// puts this script before JupyterLite's own worker, which still answers requests for the files of a
// notebook. Before both, the build puts `self.VERSION`, a digest of all files of the site.

const CACHE = `course-2048-${self.VERSION}`;
const ROOT = new URL(".", location);
const THEIRS = /\/api\/(drive|stdin|service-worker-heartbeat)/;

// A new version of the worker waits, so that an open lesson keeps the files with which it began.
self.addEventListener("install", (event) => event.stopImmediatePropagation());

self.addEventListener("activate", (event) => event.waitUntil(forgetOthers()));

self.addEventListener("fetch", (event) => {
  const url = new URL(event.request.url);
  const isOurs = url.href.startsWith(ROOT.href) && !THEIRS.test(url.pathname);
  if (!isOurs || event.request.method !== "GET") return;
  event.stopImmediatePropagation();
  event.respondWith(file(url));
});

self.addEventListener("message", (event) => {
  if (event.data === "keep all") event.waitUntil(keepAll(event.source));
  if (event.data === "take over") event.waitUntil(takeOver());
});

async function forgetOthers() {
  const names = await caches.keys();
  const old = names.filter((name) => name.startsWith("course-2048-") && name !== CACHE);
  await Promise.all(old.map((name) => caches.delete(name)));
}

// Returns a file of the site from the cache; a missing file is fetched, and put into the cache.
async function file(url) {
  const place = new URL(url.pathname.replace(/\/$/, "/index.html"), url);
  const cache = await caches.open(CACHE);
  const here = await cache.match(place);
  if (here) return here;
  const answer = await fetch(place, { cache: "no-cache" });
  if (answer.ok) await cache.put(place, answer.clone()).catch(() => {}); // the storage may be full
  return answer;
}

// Fetches all files that are not in the cache yet. If some files were missing, and now none is, a
// message tells this to the page that asked.
async function keepAll(asker) {
  const names = await (await file(new URL("offline.json", ROOT))).json();
  const places = names.map((name) => new URL(name, ROOT));
  const before = await kept();
  for (const place of places) await file(place);
  const now = await kept();
  if (now.size === before.size || places.some((place) => !now.has(place.href))) return;
  asker.postMessage("all is kept");
}

async function kept() {
  const cache = await caches.open(CACHE);
  return new Set((await cache.keys()).map((request) => request.url));
}

// Lets the new version of the worker take over, if no other page of the site is open. The landing
// page asks for this.
async function takeOver() {
  if ((await self.clients.matchAll()).length <= 1) await self.skipWaiting();
}
