// service_worker.js: lets the course work without a network, and tells Python of a full browser.
// The build puts JupyterLite's own worker below this file, and above it a line that sets
// `self.VERSION`, a hash of all files of the site.

const CACHE = `course-2048-${self.VERSION}`;
const ROOT = new URL(".", location);
const FULL = 507; // the status of the answer if a file cannot be saved
const THEIRS = /\/api\/(drive|stdin|service-worker-heartbeat)/;

// A new version of the worker waits, so that an open lesson keeps the files with which it began.
self.addEventListener("install", (event) => event.stopImmediatePropagation());

self.addEventListener("activate", (event) => event.waitUntil(forgetOthers()));

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  const isDrive = url.pathname.endsWith("/api/drive");
  const isFile = request.method === "GET" && !THEIRS.test(url.pathname);
  if (!isDrive && !(isFile && url.href.startsWith(ROOT.href))) return;
  event.stopImmediatePropagation();
  event.respondWith(isDrive ? handedOver(request) : file(url));
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

// Puts all files of the site into the cache. If this has completed the cache, tells the page that
// asked.
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

// Lets the new version of the worker take over, if no other page of the site is open.
async function takeOver() {
  if ((await self.clients.matchAll()).length <= 1) await self.skipWaiting();
}

// Passes on a request of Python to read or write a file: to the page, which has the files. If the
// page cannot save a file (see strip.js), Python gets an error, so that it does not wait for ever.
async function handedOver(request) {
  const asked = await request.json();
  const channel = new BroadcastChannel("/sw-api.v1");
  const answer = new Promise((resolve) => {
    channel.addEventListener("message", ({ data }) => {
      if (data.requestId === asked.requestId && "response" in data) resolve(data);
    });
  });
  channel.postMessage({ ...asked, pathname: new URL(request.url).pathname });
  const { response, failed } = await answer;
  channel.close();
  return failed ? new Response(null, { status: FULL }) : Response.json(response ?? null);
}
