// endings.js: what the note beside a board says when Python says nothing.

const CHANCE =
  "You have a second chance, once in a game: six small tiles are cleared, for 2048 points.";
const BACK = "Take a move back with Undo, or start a new game.";

const STOPS = document.querySelector("[data-jupyter-lite-root]")
  ? "In the browser, a loop that never ends is stopped after half a minute."
  : "Press ■ (interrupt the kernel) to stop it.";

export const WAITING = {
  kind: "stuck",
  title: "Waiting",
  lines: [
    `Still waiting for your code … ${STOPS} After a restart of the kernel, run this cell again.`,
  ],
};

export const LOST = {
  kind: "stuck",
  title: "This board is not connected",
  lines: ["The kernel was restarted or has ended. Run this cell again to play."],
};

// The end of a game, or its goal, or nothing.
export function ending({ over, won, goal, canContinue }) {
  if (over) return { kind: "over", title: "No move is left", lines: [canContinue ? CHANCE : BACK] };
  const words = `A tile of ${goal} is on the board. Play on as long as you like.`;
  return won ? { kind: "won", title: "You made it!", lines: [words] } : null;
}
