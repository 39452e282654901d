// live.js: a board that is played on: what is asked of Python, one thing after the other, and answered.

import { button, hideSaved, make, notebookKeys, OWN_KEYS, remembered, uniqueId } from "./parts.js";

const SIGNS = { left: "←", up: "↑", right: "→", down: "↓" };
const PATIENCE = 2000; // milliseconds until an answer is late

// What may be asked while an answer is late: it may never come, where the kernel was started anew.
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

// The view of a board. A kind of board says in `build()` what its `field` and its `side` are; in
// `begin()`, how it starts; in `key(event)`, what a key asks for, and whether it asks for anything;
// in `take(message, isMine)`, what an answer changes.
export class LiveView {
  constructor(model, el) {
    this.model = model;
    this.name = uniqueId("view");
    this.state = model.get("state");
    this.queue = new Queue({
      send: (action) => model.send({ ...action, square: this.field.cursor, view: this.name }),
      late: () => this.stall(WAITING),
      lost: () => this.stall(LOST),
    });
    this.root = make("div", "c2048 c2048-play", OWN_KEYS);
    this.build();
    this.root.append(this.field.element, this.side.element);
    this.root.addEventListener("keydown", (event) => {
      if (!this.key(event)) return;
      event.preventDefault();
      event.stopPropagation();
    });
    notebookKeys(this.root);
    el.replaceChildren(this.root);
    this.setScheme(model.get("scheme") || remembered("keys") || "eye");
    this.begin();
    this.receive = (message) => this.answer(message);
    model.on("msg:custom", this.receive);
    this.unhide = hideSaved(model);
    this.unwatch = focusWhenNew(model, this.root, () => this.field);
  }

  setScheme(scheme) {
    this.scheme = scheme === "ear" ? "ear" : "eye";
    this.root.dataset.keys = this.scheme;
    this.side.showScheme(this.scheme);
  }

  // Whatever comes, and whatever of it can be drawn: the next question goes. A message that names
  // no view is for every view.
  answer(message) {
    const isMine = (message?.view ?? this.name) === this.name;
    try {
      this.take(message ?? {}, isMine);
    } catch (error) {
      console.error(error);
    }
    if (isMine) this.queue.answered();
  }

  // No answer comes: the board says so.
  stall(note) {
    this.root.classList.toggle("c2048-waiting", this.queue.isLate);
    this.side.stall(note);
  }

  remove() {
    this.queue.stop();
    this.model.off("msg:custom", this.receive);
    this.field.tiles.stop();
    this.unhide();
    this.unwatch();
  }
}

// The state comes with the messages; the model keeps it for the views that are still to come.
export function keepState({ model }) {
  model.on("msg:custom", (message) => {
    if (message?.state) model.set("state", { ...model.get("state"), ...message.state });
  });
}

// One announcement an action. The same words twice are said twice.
export function announce(status, text) {
  status.textContent = status.textContent === text ? `${text}\u00a0` : text;
}

// The buttons for the directions, by direction, in their group; `verb` is what they do, "Slide".
export function pad(verb, press) {
  const group = make("div", "c2048-pad", { role: "group", "aria-label": verb });
  const ways = {};
  for (const [direction, sign] of Object.entries(SIGNS)) {
    ways[direction] = button(`${verb} ${direction}`, sign, `c2048-${direction}`);
    ways[direction].addEventListener("click", () => press(direction));
    group.append(ways[direction]);
  }
  return { group, ways };
}

class Queue {
  // `send(action)` asks Python; `late()` and `lost()` tell that no answer comes, or none can come.
  constructor({ send, late, lost }) {
    this.send = send;
    this.late = late;
    this.lost = lost;
    this.line = []; // what is still to be asked
    this.patience = null; // runs while an answer is awaited
    this.isLate = false;
  }

  // Keys pressed fast wait in line; keys pressed while the code is plainly stuck do not.
  ask(action) {
    if (this.isLate && (this.patience || !WAYS_OUT.has(action.do))) return;
    this.line.push(action);
    if (!this.patience) this.next();
  }

  next() {
    const action = this.line.shift();
    if (!action) return;
    this.patience = setTimeout(() => this.giveUp(), PATIENCE);
    try {
      this.send(action);
    } catch {
      this.stop();
      this.isLate = false;
      this.lost();
    }
  }

  giveUp() {
    this.stop();
    this.isLate = true;
    this.late();
  }

  // An answer came, late or not: the next question goes.
  answered() {
    clearTimeout(this.patience);
    this.patience = null;
    this.isLate = false;
    this.next();
  }

  // Nothing more is asked, and no answer is awaited.
  stop() {
    clearTimeout(this.patience);
    this.patience = null;
    this.forget();
  }

  forget() {
    this.line = [];
  }
}

// A board that was never seen before is scrolled into view and given the focus, where somebody has
// just run its cell: no other cell waits for its turn, and nobody types elsewhere by now. A board of
// a page that was loaded anew is not new: Python remembers that it was seen.
function focusWhenNew(model, root, target) {
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
