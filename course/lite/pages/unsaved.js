// unsaved.js: a file of Python's that this browser could not keep is an error in Python, not a wait.

const asked = new Set(); // the numbers of what is not answered yet

// From now on; `tell` is called each time.
export function watchFiles(tell) {
  const channel = new BroadcastChannel("/sw-api.v1");
  channel.addEventListener("message", ({ data }) => {
    if ("response" in data) asked.delete(data.requestId);
    else asked.add(data.requestId);
  });
  window.addEventListener("unhandledrejection", ({ reason }) => {
    if (!(reason instanceof DOMException)) return;
    for (const requestId of asked) channel.postMessage({ requestId, response: null, failed: true });
    asked.clear();
    tell();
  });
}
