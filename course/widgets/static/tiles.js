// tiles.js: draws a board as a native table, and the way from one board to the next.

import { make, wantsNoMotion } from "./parts.js";

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

// A tile. In a duel, those of the second player are negative: they have the colour of their size.
function face(kind, value) {
  const owner = value > 0 ? "first" : "second";
  const facts = { "data-tile": Math.abs(value), "data-value": value, "data-owner": owner };
  const tile = make(kind, "c2048-tile", facts, String(value));
  tile.style.setProperty("--digits", String(value).length);
  return tile;
}

export class Tiles {
  constructor(height, width, label) {
    this.height = height;
    this.width = width;
    this.table = make("table", "c2048-board", { "aria-label": label });
    this.table.style.setProperty("--columns", width);
    this.cells = [];
    const body = make("tbody");
    for (let row = 0; row < height; row += 1) {
      const line = make("tr");
      const cells = [];
      for (let column = 0; column < width; column += 1) {
        const cell = make("td", "c2048-cell");
        cell.append(make("div", "c2048-square"));
        line.append(cell);
        cells.push(cell);
      }
      this.cells.push(cells);
      body.append(line);
    }
    this.table.append(body);
    this.moving = [];
    this.ghosts = [];
  }

  fits(board) {
    return board.length === this.height && board[0].length === this.width;
  }

  square(row, column) {
    return this.cells[row][column].firstChild;
  }

  // Shows a board at once; with a motion, the tiles find their way there.
  show(board, { motion = null, spawned = [], marks = [] } = {}) {
    this.stop();
    for (let row = 0; row < this.height; row += 1) {
      for (let column = 0; column < this.width; column += 1) {
        this.put(row, column, board[row][column]);
        this.cells[row][column].classList.remove("c2048-marked");
      }
    }
    for (const [row, column] of marks) this.cells[row]?.[column]?.classList.add("c2048-marked");
    if (motion && !wantsNoMotion()) this.animate(motion, spawned);
  }

  put(row, column, value) {
    const square = this.square(row, column);
    if (square.firstChild?.dataset.value === String(value)) return;
    square.replaceChildren(value ? face("div", value) : make("span", "c2048-hidden", {}, "0"));
  }

  animate(motion, spawned) {
    const meets = new Set(motion.merged.map(String));
    for (const glide of motion.glides) this.glide(glide, meets.has(String(glide.slice(2, 4))));
    for (const [row, column] of motion.merged) {
      this.run(this.square(row, column).firstChild, MERGES, { duration: POP, delay: GLIDE });
    }
    for (const [row, column] of [...spawned, ...motion.appeared]) {
      const tile = this.square(row, column).firstChild;
      if (tile.dataset.tile) this.run(tile, APPEARS, { duration: POP, delay: GLIDE });
    }
    for (const [row, column, value] of motion.vanished) {
      const timing = { duration: 4 * POP, delay: GLIDE, easing: "ease-in" };
      this.run(this.ghost(row, column, value), VANISHES, timing);
    }
  }

  // A tile finds its way to its square; one that meets another there is gone when it arrives.
  glide([row, column, toRow, toColumn, value], meets) {
    if (row === toRow && column === toColumn && !meets) return;
    const tile = meets
      ? this.ghost(toRow, toColumn, value)
      : this.square(toRow, toColumn).firstChild;
    const right = `calc(${column - toColumn} * (100% + var(--gap)))`;
    const down = `calc(${row - toRow} * (100% + var(--gap)))`;
    const away = [{ transform: `translate(${right}, ${down})` }, { transform: "none" }];
    this.run(tile, away, { duration: GLIDE, easing: "ease-in-out" });
  }

  // A tile that is only seen on its way: it is gone from the board.
  ghost(row, column, value) {
    const ghost = face("div", value);
    ghost.classList.add("c2048-ghost");
    ghost.setAttribute("aria-hidden", "true");
    this.square(row, column).append(ghost);
    this.ghosts.push(ghost);
    return ghost;
  }

  run(tile, frames, timing) {
    tile.classList.add("c2048-moving");
    const animation = tile.animate(frames, { easing: "ease-out", fill: "backwards", ...timing });
    animation.addEventListener("finish", () => {
      tile.classList.remove("c2048-moving");
      if (this.ghosts.includes(tile)) tile.remove();
    });
    this.moving.push(animation);
  }

  // The next board does not wait for the last one: what still moves is where it is going.
  stop() {
    for (const animation of this.moving) animation.cancel();
    for (const ghost of this.ghosts) ghost.remove();
    this.moving = [];
    this.ghosts = [];
  }
}

// A small board that never moves; what is on it is said elsewhere. Marked squares are outlined.
export function still(board, marks = []) {
  const picture = make("span", "c2048-still", { "aria-hidden": "true" });
  picture.style.setProperty("--columns", board[0].length);
  const marked = new Set(marks.map(String));
  for (const [index, value] of board.flat().entries()) {
    const place = [Math.floor(index / board[0].length), index % board[0].length];
    const square = make("span", `c2048-square${marked.has(String(place)) ? " c2048-wrong" : ""}`);
    if (value) square.append(face("span", value));
    picture.append(square);
  }
  return picture;
}
