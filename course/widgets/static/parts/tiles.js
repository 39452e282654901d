// tiles.js: boards as HTML tables, whose tiles move; and the note beside a board or a line.

import { make, together, wantsNoMotion, withCode } from "./parts.js";

const GLIDE = 110; // milliseconds
const POP = 170;

const MERGES = [
  { transform: "scale(0.6)", opacity: 0 },
  { opacity: 1, transform: "scale(1.14)", offset: 0.5 },
  { transform: "none" },
];
const APPEARS = [
  { transform: "scale(0)", opacity: 0 },
  { transform: "none", opacity: 1 },
];
const VANISHES = [{ opacity: 1 }, { opacity: 0, transform: "scale(0.5)" }];

// Returns the attribute that tells the style how many columns there are.
export const columns = (board) => ({ style: `--columns: ${board[0].length}` });

// Returns a tile; in a duel, the tiles of the second player are negative.
function face(kind, value, className = "") {
  const owner = value > 0 ? "first" : "second";
  const size = Math.abs(value);
  const style = `--digits: ${String(value).length}; --face: var(--tile-${size})`;
  const facts = { "data-tile": size, "data-value": value, "data-owner": owner, style };
  return make(kind, `c2048-tile ${className}`, facts, String(value));
}

export class Tiles {
  constructor(board, label, more = {}) {
    this.cells = board.map((line) =>
      line.map(() => make("td", "c2048-cell", {}, make("div", "c2048-square"))),
    );
    const rows = this.cells.map((line) => make("tr", "", {}, ...line));
    const about = { "aria-label": label, ...columns(board), ...more };
    this.table = make("table", "c2048-board", about, make("tbody", "", {}, ...rows));
    this.moving = [];
    this.ghosts = [];
  }

  // Returns the table in a box that is as wide as its columns need.
  strip() {
    return make("div", "c2048-strip", columns(this.cells), this.table);
  }

  fits(board) {
    return board.length === this.cells.length && board[0].length === this.cells[0].length;
  }

  // Calls `act(cell, [row, column])` for each square.
  each(act) {
    for (const [row, line] of this.cells.entries()) {
      for (const [column, cell] of line.entries()) act(cell, [row, column]);
    }
  }

  square(row, column) {
    return this.cells[row][column].firstChild;
  }

  // Shows a board at once; or if there is a motion, lets the tiles move to their squares.
  show(board, { motion = null, spawned = [], marks = [] } = {}) {
    this.stop();
    const marked = new Set(marks.map(String));
    this.each((cell, [row, column]) => {
      cell.classList.toggle("c2048-marked", marked.has(`${row},${column}`));
      const value = board[row][column];
      const square = cell.firstChild;
      if (square.firstChild?.dataset.value === String(value)) return;
      square.replaceChildren(value ? face("div", value) : make("span", "c2048-hidden", {}, "0"));
    });
    if (motion && !wantsNoMotion()) this.animate(motion, spawned);
  }

  animate({ glides, merged, appeared, vanished }, spawned) {
    const meets = new Set(merged.map(String));
    for (const glide of glides) this.glide(glide, meets.has(String(glide.slice(2, 4))));
    for (const [row, column] of merged) this.run(this.square(row, column).firstChild, MERGES);
    for (const [row, column] of [...spawned, ...appeared]) {
      const tile = this.square(row, column).firstChild;
      if (tile.dataset.tile) this.run(tile, APPEARS);
    }
    const slowly = { duration: 4 * POP, easing: "ease-in" };
    for (const square of vanished) this.run(this.ghost(...square), VANISHES, slowly);
  }

  // Lets a tile glide to its square. If the tile `meets` another one there, it then disappears.
  glide([row, column, toRow, toColumn, value], meets) {
    if (row === toRow && column === toColumn && !meets) return;
    const tile = meets
      ? this.ghost(toRow, toColumn, value)
      : this.square(toRow, toColumn).firstChild;
    const [right, down] = [column - toColumn, row - toRow].map(
      (squares) => `calc(${squares} * (100% + var(--gap)))`,
    );
    const away = [{ transform: `translate(${right}, ${down})` }, { transform: "none" }];
    this.run(tile, away, { duration: GLIDE, delay: 0, easing: "ease-in-out" });
  }

  // Returns a ghost: a tile that is visible only while tiles move, and is not on the new board.
  ghost(row, column, value) {
    const ghost = face("div", value, "c2048-ghost");
    ghost.setAttribute("aria-hidden", "true");
    this.square(row, column).append(ghost);
    this.ghosts.push(ghost);
    return ghost;
  }

  // Runs an animation of a tile. Unless it is a glide, it begins once all glides have ended.
  run(tile, frames, timing = {}) {
    tile.classList.add("c2048-moving");
    const usual = { duration: POP, delay: GLIDE, easing: "ease-out", fill: "backwards" };
    const animation = tile.animate(frames, { ...usual, ...timing });
    animation.addEventListener("finish", () => {
      tile.classList.remove("c2048-moving");
      if (this.ghosts.includes(tile)) tile.remove();
    });
    this.moving.push(animation);
  }

  // Ends all movements at once, so that the next board does not have to wait for them.
  stop() {
    for (const animation of this.moving) animation.cancel();
    for (const ghost of this.ghosts) ghost.remove();
    this.moving = [];
    this.ghosts = [];
  }
}

// Returns a small board that never moves; screen readers leave it out. Marked squares are outlined.
export function still(board, marks = []) {
  const marked = new Set(marks.map(String));
  const squares = board.flatMap((line, row) =>
    line.map((value, column) => {
      const mark = marked.has(`${row},${column}`) ? " c2048-wrong" : "";
      return make("span", `c2048-square${mark}`, {}, value && face("span", value));
    }),
  );
  return make("span", "c2048-still", { "aria-hidden": "true", ...columns(board) }, ...squares);
}

// Returns a wrong answer as small boards. Screen readers skip them, and read sentences instead.
function drawing({ title, parts }) {
  const pictures = parts.map(({ label, board, text, marks }) => {
    const picture = board ? still(board, marks) : make("code", "", {}, text);
    return make("div", "c2048-part", {}, make("div", "c2048-label", {}, label), picture);
  });
  const name = make("code", "", {}, title);
  return make("div", "c2048-row c2048-drawing", { "aria-hidden": "true" }, name, ...pictures);
}

// Shows a note in the element `place`: a title, sentences, the learner's code, a hint, and printed
// lines.
export function showNote(place, note) {
  place.dataset.kind = note ? note.kind : "";
  place.replaceChildren();
  if (!note) return;
  const { kind, title, lines, pictures = [], code, hint, printed = [] } = note;
  const drawn = new Set(pictures.flatMap((picture) => picture.lines));
  const said = (isDrawn, className) => {
    const chosen = lines.filter((_, number) => drawn.has(number) === isDrawn);
    return chosen.map((line) => make("p", className, {}, together(line)));
  };
  const inside = [
    make("p", "c2048-title", {}, title),
    ...said(true, "c2048-hidden"),
    ...pictures.map(drawing),
    ...said(false, ""),
    code && make("pre", "c2048-code", {}, code),
    hint && withCode("p", `Hint: ${hint}`, "c2048-hint"),
    printed.length && kind !== "printed" && make("p", "", {}, "Your code printed:"),
    printed.length && make("pre", "c2048-code", {}, printed.join("\n")),
  ];
  place.append(...inside.filter(Boolean));
}
