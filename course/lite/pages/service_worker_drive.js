// service_worker_drive.js: a part of the service worker. When Python reads or writes a file, this part passes the
// request on to the page, which has the files, and passes the page's answer back to Python. If the
// page cannot save a file, Python gets an error; JupyterLite's own worker would wait for ever. See
// strip.js.

const FULL = 507;

self.addEventListener("fetch", (event) => {
  if (!new URL(event.request.url).pathname.endsWith("/api/drive")) return;
  event.stopImmediatePropagation();
  event.respondWith(handedOver(event.request));
});

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
