// failed_saves.js: finds out if this browser could not save some work. For a file that Python
// wrote, Python gets an error, and does not wait for ever. For a notebook, the strip above the
// lesson says so, and JupyterLab opens no window.

const KNOWN = "ModalCancelError"; // JupyterLab opens no window for an error of this name

const asked = new Set(); // the numbers of the requests that are not answered yet

// Watches the files of Python, from now on; calls `tell` each time that a file could not be saved.
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

// Watches the notebooks, from now on; after each saving, calls `tell` with true if it has worked,
// and with false if not.
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
