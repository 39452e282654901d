// offline.js: the course without a network. It is put before JupyterLite's own service worker, which
// goes on answering for the files of a notebook. `self.VERSION`, of these very files, is put before both.

const CACHE = `course-2048-${self.VERSION}`;
const ROOT = new URL(".", location);
const THEIRS = /\/api\/(drive|stdin|service-worker-heartbeat)/;

// A new version waits: a lesson that is open goes on with the files that it began with.
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

// A file of the site: the one that is kept, else it is fetched, and kept.
async function file(url) {
  const place = new URL(url.pathname.replace(/\/$/, "/index.html"), url);
  const cache = await caches.open(CACHE);
  const here = await cache.match(place);
  if (here) return here;
  const answer = await fetch(place, { cache: "no-cache" });
  if (answer.ok) await cache.put(place, answer.clone()).catch(() => {}); // a full storage keeps none
  return answer;
}

// All that is not kept yet is fetched. Who asked for it is told, once all is here.
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

// The landing page may ask for the new version, where no lesson is open.
async function takeOver() {
  if ((await self.clients.matchAll()).length <= 1) await self.skipWaiting();
}
