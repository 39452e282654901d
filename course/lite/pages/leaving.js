// leaving.js: what was written in a lesson is kept before it is left, whichever way.

// What is open here, as JupyterLab knows it; nothing, before it is there.
export const lesson = () => window.jupyterapp?.shell?.currentWidget?.context;

let saving = null;

// Returns once all is kept. JupyterLab would take two savings at a time for two people's work.
export function kept() {
  saving ??= save().finally(() => (saving = null));
  return saving;
}

async function save() {
  try {
    await lesson()?.save();
  } catch {
    // The strip has told it.
  }
}

// From now on. A link to another lesson is followed here: JupyterLab would ask a server for it.
export function keepOnLeaving(root) {
  window.addEventListener("click", follow, { capture: true });
  document.addEventListener("visibilitychange", () => {
    if (document.hidden && lesson()?.model.dirty) kept();
  });

  async function follow(event) {
    const address = event.target.closest("a")?.href ?? "";
    const isBack = address === new URL(`${root}/index.html`, location).href;
    const path = address.split("/files/")[1] ?? "";
    if (!isBack && !path.endsWith(".ipynb")) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    await kept();
    location.assign(isBack ? address : `${root}/notebooks/index.html?path=${path}`);
  }
}
