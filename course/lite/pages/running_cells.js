// running_cells.js: how long Python has been running a cell of the open lesson.

import { lesson } from "./leaving.js";

const PATIENCE = 2000; // milliseconds
const ASKING = ".jp-Stdin-input"; // a line of input(), in which the learner types an answer

function isRunning() {
  const { session } = lesson()?.sessionContext ?? {};
  const cells = window.jupyterapp.shell.currentWidget?.content?.widgets ?? [];
  const runs = cells.some((cell) => cell.model.executionState === "running");
  return runs && session?.kernel?.status === "busy" && !document.querySelector(ASKING);
}

// Calls `tell(true)` when a cell has been running for two seconds, and `tell(false)` when it has
// ended. A move on a board is no cell: the board itself says that it waits.
export function watchCells(tell) {
  let since = null; // when the cell began
  let isLong = false;
  setInterval(() => {
    since = isRunning() ? (since ?? Date.now()) : null;
    const isNow = since !== null && Date.now() - since >= PATIENCE;
    if (isNow !== isLong) tell(isNow);
    isLong = isNow;
  }, 250);
}
