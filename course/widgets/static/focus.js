// focus.js: a new board takes the focus, so that its keys are its own.

// A board that was never seen before is scrolled into view and given the focus, where somebody has
// just run its cell: no other cell waits for its turn, and nobody types elsewhere by now. A board of
// a page that was loaded anew is not new: Python remembers that it was seen.
export function focusWhenNew(model, root, target) {
  if (!model.get("is_new")) return () => {};
  model.set("is_new", false);
  model.save_changes();
  // The element is put on the page some time after it is made: then it gets a size.
  const watch = new ResizeObserver(() => {
    if (!root.isConnected || !root.getClientRects().length) return;
    watch.disconnect();
    if (!isJustRun(root)) return;
    target().focus({ preventScroll: true });
    root.scrollIntoView({ block: "nearest" });
  });
  watch.observe(root);
  return () => watch.disconnect();
}

function isJustRun(root) {
  const cell = root.closest(".jp-Cell");
  const notebook = root.closest(".jp-Notebook");
  if (!cell || !notebook) return false;
  const others = [...notebook.querySelectorAll(".jp-Cell")].filter((other) => other !== cell);
  if (others.some(isWaiting)) return false;
  const active = document.activeElement;
  if (!active || active === document.body) return true;
  // Where a cell is typed in, the focus stays; so it does outside of this notebook.
  if (!notebook.contains(active) && !active.contains(notebook)) return false;
  return cell.contains(active) || !active.closest(".jp-Cell-inputWrapper .cm-editor, input");
}

function isWaiting(cell) {
  return cell.querySelector(".jp-InputPrompt")?.textContent.includes("*");
}
