// field.js: the board that is played on: its reading cursor, its banner, and who swipes or taps on it.

import { make, OWN_KEYS, wantsNoMotion } from "./parts.js";
import { Tiles } from "./tiles.js";

const COLUMN_NAMES = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"; // columns beyond Z have no name
const LEAST = 24; // pixels that a finger or a pointer is drawn; what is shorter is a tap

export class Field {
  // `help` is the id of the text that says which keys there are; `slide(direction)` is for swipes.
  constructor(board, help, slide, { kind = Tiles, name = "2048" } = {}) {
    const height = board.length;
    const width = board[0].length;
    this.tiles = new kind(height, width, `${name}, a board of ${height} by ${width} squares`);
    this.banner = make("div", "c2048-banner", { "aria-hidden": "true" });
    this.element = make("div", "c2048-field", { role: "application", "aria-label": name });
    this.takeKeys(help);
    this.element.style.setProperty("--columns", width);
    const dark = make("div", "c2048-dark", { "aria-hidden": "true" }, "The lights are off");
    this.element.append(...edges(height, width), this.tiles.table, dark, this.banner);
    onSwipe(this.element, slide);
    this.cursor = [0, 0];
    this.place([0, 0]);
  }

  // The focus is on a grid *inside* of the application: Orca tells nothing of an application that
  // has the focus itself, and keeps its keys; to a grid it hands them on.
  takeKeys(help) {
    const grid = { role: "grid", "aria-readonly": "true", "aria-describedby": help };
    for (const [name, value] of Object.entries({ ...grid, tabindex: "0", ...OWN_KEYS })) {
      this.tiles.table.setAttribute(name, value);
    }
    this.element.addEventListener("click", () => this.focus());
  }

  focus(options) {
    this.tiles.table.focus(options);
  }

  // The reading cursor stands on a square of the board, whatever is asked of it.
  place([row, column]) {
    this.cell().classList.remove("c2048-cursor");
    this.cursor = [within(row, this.tiles.height), within(column, this.tiles.width)];
    this.cell().classList.add("c2048-cursor");
  }

  cell() {
    const [row, column] = this.cursor;
    return this.tiles.cells[row][column];
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

// The names of columns and rows at the edges, for those who look while they listen.
function edges(height, width) {
  return [
    edge("letters", width, (index) => COLUMN_NAMES[index] ?? ""),
    edge("digits", height, (index) => String(index + 1)),
  ];
}

function edge(kind, count, name) {
  const names = make("div", `c2048-edge c2048-${kind}`, { "aria-hidden": "true" });
  for (let index = 0; index < count; index += 1) names.append(make("span", "", {}, name(index)));
  return names;
}

// The index nearest to one that may be outside, or no number at all.
function within(index, count) {
  return Math.max(0, Math.min(count - 1, Math.trunc(index) || 0));
}

// Calls `slide(direction)` for each swipe that begins on the element, wherever it ends.
function onSwipe(element, slide) {
  let start = null;
  element.addEventListener("pointerdown", (event) => {
    start = [event.clientX, event.clientY];
    element.setPointerCapture(event.pointerId);
  });
  element.addEventListener("pointerup", (event) => {
    if (!start) return;
    const direction = swipeDirection(event.clientX - start[0], event.clientY - start[1]);
    start = null;
    if (direction) slide(direction);
  });
  element.addEventListener("pointercancel", () => {
    start = null;
  });
}

// Calls `tap(event)` where a click began and ended at the same place, so that no swipe is one.
export function onTap(element, tap) {
  let start = [0, 0];
  element.addEventListener("pointerdown", (event) => {
    start = [event.clientX, event.clientY];
  });
  element.addEventListener("click", (event) => {
    if (!swipeDirection(event.clientX - start[0], event.clientY - start[1])) tap(event);
  });
}

function swipeDirection(right, down) {
  if (Math.max(Math.abs(right), Math.abs(down)) < LEAST) return null;
  if (Math.abs(right) > Math.abs(down)) return right > 0 ? "right" : "left";
  return down > 0 ? "down" : "up";
}
