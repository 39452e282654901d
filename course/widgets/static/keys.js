// keys.js: which key does what, in the two schemes. Any key not named here is left alone.

export const ARROWS = { ArrowLeft: "left", ArrowRight: "right", ArrowUp: "up", ArrowDown: "down" };
export const LETTERS = { a: "left", d: "right", w: "up", s: "down" };
const READS = { s: "status", r: "row", c: "column" };

const HELD =
  document.body.dataset.notebook === "none"
    ? ""
    : "While the board has the focus, Shift + Enter does not reach the notebook: press Escape first.";
export const HELP = {
  eye: `Arrow keys or W A S D slide, U takes back, Tab leaves the board. ${HELD}`,
  ear: `Arrow keys read, Shift + arrow slides, S says the score, R the row, C the column, U takes back, Tab leaves the board. ${HELD}`,
};
export const EAR =
  "Keys for the ear are on: the arrow keys walk over the squares, and each square is read out by its name, such as B3, and its number. To slide, hold Shift. A new board starts without them, unless you tick the box.";

const ANSWERS = { y: "continue", n: "decline" }; // while there is a second chance

// What a key asks for: { do: "move", direction }, { do: "read", what }, { do: "undo" } or null.
export function keyAction(event, scheme, canContinue = false) {
  if (event.ctrlKey || event.altKey || event.metaKey) return null;
  const arrow = ARROWS[event.key];
  const letter = event.key.length === 1 ? event.key.toLowerCase() : "";
  if (letter === "u") return { do: "undo" };
  if (canContinue && ANSWERS[letter]) return { do: ANSWERS[letter] };
  if (scheme === "ear") {
    if (arrow)
      return event.shiftKey ? { do: "move", direction: arrow } : { do: "read", what: arrow };
    return READS[letter] ? { do: "read", what: READS[letter] } : null;
  }
  const direction = arrow || LETTERS[letter];
  return direction && !(arrow && event.shiftKey) ? { do: "move", direction } : null;
}
