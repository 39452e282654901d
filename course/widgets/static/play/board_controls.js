// board_controls.js: the board that is played on, with its reading cursor, its banner, its swipes and taps.

import { make, OWN_KEYS, wantsNoMotion } from "../parts/parts.js";
import { columns, Tiles } from "../parts/tiles.js";

const COLUMN_NAMES = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"; // columns beyond Z have no name
const LEAST = 24; // pixels; if a finger or a pointer moves less, it is a tap

export class Field {
  // `help` is the id of the text that says which keys there are. `slide(direction)` is called for a
  // swipe, `tap([row, column])` for a tap. `kind` is the class of the board's tiles.
  constructor(board, help, { slide, tap = () => {}, kind = Tiles, name = "2048" }) {
    const [height, width] = [board.length, board[0].length];
    this.tiles = new kind(board, `${name}, a board of ${height} by ${width} squares`);
    // A grid inside of the application gets the focus. If the application itself had the focus, the
    // screen reader Orca would read nothing of it, and would keep its keys. Orca passes the keys on
    // to a grid.
    const grid = { role: "grid", "aria-readonly": "true", "aria-describedby": help, tabindex: "0" };
    for (const [key, value] of Object.entries({ ...grid, ...OWN_KEYS })) {
      this.tiles.table.setAttribute(key, value);
    }
    const unheard = { "aria-hidden": "true" };
    this.banner = make("div", "c2048-banner", unheard);
    this.element = make(
      "div",
      "c2048-field",
      { role: "application", "aria-label": name, ...columns(board) },
      edge(
        "letters",
        [...board[0].keys()].map((index) => COLUMN_NAMES[index]),
      ),
      edge(
        "digits",
        [...board.keys()].map((index) => String(index + 1)),
      ),
      this.tiles.table,
      make("div", "c2048-dark", unheard, "The lights are off"),
      this.banner,
    );
    this.hearPointer(slide, tap);
    this.cursor = [0, 0];
    this.place([0, 0]);
  }

  // Waits for clicks and swipes. A click gives the field the focus; a click that ends where it
  // began is also a tap. A swipe may end anywhere.
  hearPointer(slide, tap) {
    const { element } = this;
    let [start, end] = [null, [0, 0]];
    element.addEventListener("pointerdown", ({ clientX, clientY, pointerId }) => {
      start = end = [clientX, clientY];
      element.setPointerCapture(pointerId);
    });
    element.addEventListener("pointerup", ({ clientX, clientY }) => {
      const direction = start && swipeDirection(clientX - start[0], clientY - start[1]);
      start = null;
      if (direction) slide(direction);
    });
    element.addEventListener("pointercancel", () => {
      start = null;
    });
    element.addEventListener("click", ({ clientX, clientY }) => {
      this.focus();
      if (swipeDirection(clientX - end[0], clientY - end[1])) return;
      const found = document.elementFromPoint(clientX, clientY)?.closest(".c2048-cell");
      this.tiles.each((cell, square) => cell === found && tap(square));
    });
  }

  focus(options) {
    this.tiles.table.focus(options);
  }

  // Puts the reading cursor on a square; if there is no such square, on the nearest one.
  place([row, column]) {
    const { cells } = this.tiles;
    const cell = ([down, right]) => cells[down][right];
    cell(this.cursor).classList.remove("c2048-cursor");
    this.cursor = [within(row, cells), within(column, cells[0])];
    cell(this.cursor).classList.add("c2048-cursor");
  }

  // Celebrates the goal with a banner; the game goes on meanwhile.
  cheer(goal) {
    if (wantsNoMotion()) return;
    const { banner, element } = this;
    banner.textContent = `${goal}!`;
    element.classList.add("c2048-celebrate");
    const end = () => {
      banner.textContent = "";
      element.classList.remove("c2048-celebrate");
    };
    element.addEventListener("animationend", end, { once: true });
  }
}

// Returns the names of the columns or rows at an edge, for those who look while they listen.
function edge(kind, names) {
  const spans = names.map((name) => make("span", "", {}, name));
  return make("div", `c2048-edge c2048-${kind}`, { "aria-hidden": "true" }, ...spans);
}

// Returns the index of a list that is nearest to a value; 0 if the value is no number.
function within(index, list) {
  return Math.max(0, Math.min(list.length - 1, Math.trunc(index) || 0));
}

function swipeDirection(right, down) {
  if (Math.max(Math.abs(right), Math.abs(down)) < LEAST) return null;
  if (Math.abs(right) > Math.abs(down)) return right > 0 ? "right" : "left";
  return down > 0 ? "down" : "up";
}
