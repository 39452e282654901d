// live_view.js: the view of a board to play on. It sends Python one action after the other.

import { button, make, OWN_KEYS, remembered, View, wantsNoMotion, widget } from "../parts/parts.js";
import { columns, showNote, Tiles } from "../parts/tiles.js";

const ARROWS = { ArrowLeft: "left", ArrowRight: "right", ArrowUp: "up", ArrowDown: "down" };
export const LETTERS = { a: "left", d: "right", w: "up", s: "down" };
// The end of the help on the keys of a board.
export const LEAVE =
  document.body.dataset.notebook === "none"
    ? "Tab leaves the board."
    : "Tab leaves the board, Escape goes to the next cell.";
const SIGNS = { left: "←", up: "↑", right: "→", down: "↓" };

// Actions that are allowed while an answer is late, because a restarted kernel never answers.
const WAYS_OUT = new Set(["new", "undo"]);

const STOPS = document.querySelector("[data-jupyter-lite-root]")
  ? "In the browser, a loop that never ends is stopped after half a minute."
  : "Press ■ (interrupt the kernel) to stop it.";

const WAITING = {
  kind: "stuck",
  title: "Waiting",
  lines: [
    `Still waiting for your code … ${STOPS} After a restart of the kernel, run this cell again.`,
  ],
};

const LOST = {
  kind: "stuck",
  title: "This board is not connected",
  lines: ["The kernel was restarted or has ended. Run this cell again to play."],
};

const COLUMN_NAMES = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"; // columns beyond Z have no name
const LEAST = 24; // pixels; if a finger or a pointer moves less, it is a tap

// The view of a board; `help` has a text for each set of keys. A subclass adds five methods:
// `build()` makes `field`, the board itself, and fills `side` beside it; `begin()` shows the start;
// `press(key)` does what a key asks for, and returns true if it means something to the board;
// `slide(direction)` moves tiles; `receive(message, isMine)` shows an answer of Python.
export class LiveView extends View {
  constructor(model, el, help, className = "") {
    super(model, el, `c2048-play ${className}`, OWN_KEYS);
    this.words = help;
    this.state = model.get("state");
    this.line = []; // actions that are still to be sent
    this.isLate = false; // true while the answer to an action is late
    this.note = make("div", "c2048-note");
    this.status = make("p", "c2048-status", { role: "status" });
    this.help = make("p", "c2048-help", { id: `${this.name}-help` });
    this.back = button("", () => {
      this.ask({ do: "back" });
      this.field.focus();
    });
    this.ear = button("Keys for the ear", () => this.toggleScheme());
    this.side = make("div", "c2048-column c2048-side");
    this.build();
    this.root.append(this.field.element, this.side);
    this.setScheme(model.get("scheme") || remembered("keys") || "eye");
    this.begin();
    this.showBack();
    this.on("change:back", () => this.showBack());
    this.ends.push(() => this.field.tiles.stop());
  }

  showBack() {
    const text = this.model.get("back") ?? "";
    this.back.hidden = !text;
    this.back.textContent = text.replace(/ (?=moves?\))/, "\u00a0");
  }

  // Gives the focus to the board, whose cell somebody has just run.
  welcome() {
    this.field.focus({ preventScroll: true });
    this.root.scrollIntoView({ block: "nearest" });
    if (!this.back.hidden) this.say(`There is a button: ${this.model.get("back")}.`);
  }

  // Returns a button for each direction, with `verb` in its label, and more buttons.
  controls(verb, ...more) {
    this.ways = {};
    for (const [way, sign] of Object.entries(SIGNS)) {
      this.ways[way] = button(sign, () => this.slide(way), `${verb} ${way}`, `c2048-${way}`);
    }
    const group = { role: "group", "aria-label": verb };
    const pad = make("div", "c2048-pad", group, ...Object.values(this.ways));
    const others = make("div", "c2048-row c2048-more", {}, ...more, this.back, this.ear);
    return make("div", "c2048-row c2048-controls", {}, pad, others);
  }

  setScheme(scheme) {
    this.scheme = scheme === "ear" ? "ear" : "eye";
    this.root.dataset.keys = this.scheme;
    this.ear.setAttribute("aria-pressed", String(this.scheme === "ear"));
    this.help.textContent = this.words[this.scheme];
  }

  toggleScheme() {
    this.setScheme(this.scheme === "ear" ? "eye" : "ear");
  }

  key(event) {
    const { key, shiftKey: isShifted, target } = event;
    if (event.ctrlKey || event.altKey || event.metaKey) return false;
    const letter = key.length === 1 ? key.toLowerCase() : "";
    const isEnter = (key === "Enter" || key === " ") && this.field.element.contains(target);
    return this.press({ arrow: ARROWS[key], letter, isShifted, isEnter });
  }

  // Shows an answer of Python, and sends the next action even if the answer could not be drawn.
  hear(message, isMine) {
    try {
      this.receive(message, isMine);
    } catch (error) {
      console.error(error);
    }
    if (!isMine) return;
    this.isLate = false;
    this.next();
  }

  // Asks Python for something, after all that was asked for before. While an answer is late, most
  // actions are dropped instead.
  ask(action) {
    if (this.isLate && (this.patience || !WAYS_OUT.has(action.do))) return;
    this.line.push(action);
    if (!this.patience) this.next();
  }

  next() {
    const action = this.line.shift();
    if (action) this.send({ ...action, square: this.field.cursor });
  }

  // Drops all actions, and shows a note that no answer comes; returns the note.
  unanswered(isLate) {
    const note = isLate ? WAITING : LOST;
    this.rest();
    this.line = [];
    this.isLate = isLate;
    this.root.classList.toggle("c2048-waiting", isLate);
    showNote(this.note, note);
    this.say(note.lines.join(" "));
    return note;
  }
}

// Returns the object that the script of a board must export. The model keeps the state from each
// message for views that are opened later.
export const liveWidget = (Kind) =>
  widget(Kind, ({ model }) => {
    model.on("msg:custom", (message) => {
      if (message.state) model.set("state", { ...model.get("state"), ...message.state });
    });
  });

// The board that is played on, with its reading cursor, its banner, its swipes and taps.
export class Field {
  // `kind` is the class of the board's tiles, `name` the name of the game.
  constructor(view, kind = Tiles, name = "2048") {
    const [board, help] = [view.state.board, view.help.id];
    const [height, width] = [board.length, board[0].length];
    // A grid inside of the application gets the focus. If the application itself had the focus, the
    // screen reader Orca would read nothing of it, and would keep its keys. Orca passes the keys on
    // to a grid.
    const grid = { role: "grid", "aria-readonly": "true", "aria-describedby": help, tabindex: "0" };
    const label = `${name}, a board of ${height} by ${width} squares`;
    this.tiles = new kind(board, label, { ...grid, ...OWN_KEYS });
    const unheard = { "aria-hidden": "true" };
    this.banner = make("div", "c2048-banner", unheard);
    // The names of the columns and rows, for those who look while they listen.
    const letters = board[0].map((_, index) => make("span", "", {}, COLUMN_NAMES[index]));
    const digits = board.map((_, index) => make("span", "", {}, String(index + 1)));
    const inside = [
      make("div", "c2048-edge c2048-letters", unheard, ...letters),
      make("div", "c2048-edge c2048-digits", unheard, ...digits),
      this.tiles.table,
      make("div", "c2048-dark", unheard, "The lights are off"),
      this.banner,
    ];
    const about = { role: "application", "aria-label": name, ...columns(board) };
    this.element = make("div", "c2048-field", about, ...inside);
    this.hearPointer(view);
    this.place([0, 0]);
  }

  // Waits for clicks and swipes. A click gives the field the focus; a click that ends where it
  // began is also a tap. A swipe may end anywhere.
  hearPointer(view) {
    const { element } = this;
    let [start, end] = [null, [0, 0]];
    element.addEventListener("pointerdown", ({ clientX, clientY, pointerId }) => {
      start = end = [clientX, clientY];
      element.setPointerCapture(pointerId);
    });
    element.addEventListener("pointerup", ({ clientX, clientY }) => {
      const direction = start && swipeDirection(clientX - start[0], clientY - start[1]);
      start = null;
      if (direction) view.slide(direction);
    });
    element.addEventListener("pointercancel", () => {
      start = null;
    });
    element.addEventListener("click", ({ clientX, clientY }) => {
      this.focus();
      if (swipeDirection(clientX - end[0], clientY - end[1])) return;
      const found = document.elementFromPoint(clientX, clientY)?.closest(".c2048-cell");
      this.tiles.each((cell, square) => cell === found && view.tap?.(square));
    });
  }

  focus(options) {
    this.tiles.table.focus(options);
  }

  // Puts the reading cursor on a square; if there is no such square, on the nearest one.
  place([row, column]) {
    const { cells } = this.tiles;
    this.cursor = [within(row, cells), within(column, cells[0])];
    this.tiles.each((cell, square) =>
      cell.classList.toggle("c2048-cursor", String(square) === String(this.cursor)),
    );
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

// Returns the index of a list that is nearest to a value; 0 if the value is no number.
function within(index, list) {
  return Math.max(0, Math.min(list.length - 1, Math.trunc(index) || 0));
}

function swipeDirection(right, down) {
  if (Math.max(Math.abs(right), Math.abs(down)) < LEAST) return null;
  if (Math.abs(right) > Math.abs(down)) return right > 0 ? "right" : "left";
  return down > 0 ? "down" : "up";
}
