// failed_saves.js: what this browser could not keep. A file of Python's is an error in Python, not a wait;
// of a notebook the strip tells, and no window is in the way.

const KNOWN = "ModalCancelError"; // JupyterLab opens no window for an error of this name

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

// From now on; `tell` is called with whether a notebook was kept, each time that it is saved.
export function watchNotebooks(contents, tell) {
  const save = contents.save.bind(contents);
  contents.save = async (path, model) => {
    try {
      const kept = await save(path, model);
      if (model.type === "notebook") tell(true);
      return kept;
    } catch (error) {
      if (model.type !== "notebook") throw error;
      tell(false);
      throw Object.assign(new Error(error.message), { name: KNOWN });
    }
  };
}
