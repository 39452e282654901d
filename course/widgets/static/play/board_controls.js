// board_controls.js: the board that is played on: its reading cursor, its banner, and who swipes or taps on it.

import { make, OWN_KEYS, wantsNoMotion } from "../parts/parts.js";
import { columns, Tiles } from "../parts/tiles.js";

const COLUMN_NAMES = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"; // columns beyond Z have no name
const LEAST = 24; // pixels that a finger or a pointer is drawn; what is shorter is a tap

export class Field {
  // `help` is the id of the text that says which keys there are; `slide(direction)` is for swipes,
  // `tap([row, column])` for taps; `kind` are the tiles that it has.
  constructor(board, help, { slide, tap = () => {}, kind = Tiles, name = "2048" }) {
    const [height, width] = [board.length, board[0].length];
    this.tiles = new kind(board, `${name}, a board of ${height} by ${width} squares`);
    // The focus is on a grid *inside* of the application: Orca tells nothing of an application that
    // has the focus itself, and keeps its keys; to a grid it hands them on.
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

  // A click gives the focus. One that ends where it began is a tap; a swipe ends anywhere.
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

  // The reading cursor stands on a square of the board, whatever is asked of it.
  place([row, column]) {
    const { cells } = this.tiles;
    const cell = ([down, right]) => cells[down][right];
    cell(this.cursor).classList.remove("c2048-cursor");
    this.cursor = [within(row, cells), within(column, cells[0])];
    cell(this.cursor).classList.add("c2048-cursor");
  }

  // The goal is celebrated once; the game goes on meanwhile.
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

// The names of columns or rows at an edge, for those who look while they listen.
function edge(kind, names) {
  const spans = names.map((name) => make("span", "", {}, name));
  return make("div", `c2048-edge c2048-${kind}`, { "aria-hidden": "true" }, ...spans);
}

// The index nearest to one that may be outside of a list, or no number at all.
function within(index, list) {
  return Math.max(0, Math.min(list.length - 1, Math.trunc(index) || 0));
}

function swipeDirection(right, down) {
  if (Math.max(Math.abs(right), Math.abs(down)) < LEAST) return null;
  if (Math.abs(right) > Math.abs(down)) return right > 0 ? "right" : "left";
  return down > 0 ? "down" : "up";
}
