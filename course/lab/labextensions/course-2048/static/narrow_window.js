// narrow_window.js: an extension of JupyterLab that closes the file browser when JupyterLab starts
// in a narrow window, as on a phone: otherwise the lesson would have no room beside it.

const NARROW = "(max-width: 700px)";

const plugin = {
  id: "course-2048:narrow-window",
  autoStart: true,
  activate(app) {
    // JupyterLab opens the file browser at its first start, once it has restored its layout.
    app.restored.then(() => {
      if (window.matchMedia(NARROW).matches) app.shell.collapseLeft();
    });
  },
};

// JupyterLab looks for its extensions here. There is no bundler, because nothing else is needed.
const extensions = (window._JUPYTERLAB ??= {}); // oxlint-disable-line no-underscore-dangle
extensions["course-2048"] = {
  init: () => {},
  get: async () => () => ({ __esModule: true, default: plugin }),
};
