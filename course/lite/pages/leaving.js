// leaving.js: saves a lesson before the learner leaves it, by a link or in any other way.

// Returns the context that JupyterLab has of the open notebook; `undefined` while JupyterLab loads.
export const lesson = () => window.jupyterapp?.shell?.currentWidget?.context;

let saving = null;

// Saves the notebook, and returns once it is saved. It is never saved twice at the same time,
// because JupyterLab would believe that two people have changed it.
export function kept() {
  saving ??= save().finally(() => (saving = null));
  return saving;
}

async function save() {
  try {
    await lesson()?.save();
  } catch {
    // The strip above the lesson has shown the error.
  }
}

// Saves the lesson whenever it is left, from now on. Links to other lessons are followed here,
// because JupyterLab would ask a server for them.
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
