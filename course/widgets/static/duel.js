// duel.js: the duel. Every answer is asked of Python; what was played comes back step by step.

import { Contest } from "./contest.js";
import { DuelTiles } from "./dueltiles.js";
import { LOST, WAITING } from "./endings.js";
import { Field } from "./field.js";
import { focusWhenNew } from "./focus.js";
import { showNote } from "./note.js";
import {
  hideSaved,
  make,
  notebookKeys,
  OWN_KEYS,
  remembered,
  uniqueId,
  wantsNoMotion,
} from "./parts.js";
import { Queue } from "./queue.js";
import { onTap } from "./swipe.js";

const PAUSE = 420; // milliseconds between what two players do

const ARROWS = { ArrowLeft: "left", ArrowRight: "right", ArrowUp: "up", ArrowDown: "down" };
const LETTERS = { a: "left", d: "right", w: "up", s: "down" };
const HELP = {
  eye: "To place, walk with the arrow keys and press Enter, or click on a square. To push, press an arrow key or W A S D. Tab leaves the board.",
  ear: "Arrow keys read, Enter places, Shift + arrow pushes, S says how it stands, Tab leaves the board.",
};

class DuelView {
  constructor(model, el) {
    this.model = model;
    this.name = uniqueId("duel");
    this.state = model.get("state");
    this.queue = new Queue({
      send: (action) => model.send({ ...action, square: this.field.cursor, view: this.name }),
      late: () => this.stall(WAITING),
      lost: () => this.stall(LOST),
    });
    this.build(el);
    this.setScheme(model.get("scheme") || remembered("keys") || "eye");
    this.field.place(this.state.home ?? [0, 0]);
    this.show();
    this.receive = (message) => this.answer(message);
    model.on("msg:custom", this.receive);
    this.unhide = hideSaved(model);
    this.unwatch = focusWhenNew(model, this.root, () => this.field);
  }

  build(el) {
    this.root = make("div", "c2048 c2048-play c2048-duel", OWN_KEYS);
    this.contest = new Contest({
      push: (direction) => this.push(direction),
      preview: (direction) => this.preview(direction),
      fresh: () => this.queue.ask({ do: "new" }),
      toggle: () => this.setScheme(this.scheme === "ear" ? "eye" : "ear"),
    });
    const help = this.contest.help.id;
    const options = { kind: DuelTiles, name: "The duel" };
    this.field = new Field(this.state.board, help, (way) => this.push(way), options);
    onTap(this.field.element, (place) => this.tap(place));
    this.root.append(this.field.element, this.contest.element);
    this.root.addEventListener("keydown", (event) => this.key(event));
    notebookKeys(this.root);
    el.replaceChildren(this.root);
  }

  setScheme(scheme) {
    this.scheme = scheme === "ear" ? "ear" : "eye";
    this.root.dataset.keys = this.scheme;
    this.contest.showScheme(this.scheme, HELP[this.scheme]);
  }

  // --- what a person does

  push(direction) {
    if (this.state.phase === "push") this.queue.ask({ do: "answer", answer: direction });
    else if (this.state.asked) this.contest.say("Place a 2 first.");
  }

  put(square) {
    if (this.state.phase === "place") this.queue.ask({ do: "answer", answer: square });
    else if (this.state.asked) this.contest.say("Push first.");
  }

  tap({ clientX, clientY }) {
    const cell = document.elementFromPoint(clientX, clientY)?.closest(".c2048-cell");
    const row = this.field.tiles.cells.findIndex((cells) => cells.includes(cell));
    if (row < 0 || this.state.phase !== "place") return;
    this.field.place([row, this.field.tiles.cells[row].indexOf(cell)]);
    this.put(this.field.cursor);
  }

  // What a push would leave is seen before it is made.
  preview(direction) {
    const board = this.state.previews[direction];
    if (this.timer || !this.state.asked) return;
    this.root.classList.toggle("c2048-preview", Boolean(board));
    this.field.tiles.show(board ?? this.state.board);
  }

  key(event) {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const onField = this.field.element.contains(event.target);
    const letter = event.key.length === 1 ? event.key.toLowerCase() : "";
    const arrow = ARROWS[event.key];
    if (arrow) this.arrow(arrow, event.shiftKey);
    else if (onField && (event.key === "Enter" || event.key === " ")) this.put(this.field.cursor);
    else if (this.scheme === "ear" && letter === "s")
      this.queue.ask({ do: "read", what: "status" });
    else if (this.scheme === "eye" && LETTERS[letter]) this.push(LETTERS[letter]);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  arrow(direction, isShifted) {
    const walks = this.scheme === "ear" ? !isShifted : this.state.phase !== "push";
    if (!walks) this.push(direction);
    else this.queue.ask({ do: "read", what: direction });
  }

  // --- what comes back

  answer(message) {
    const isMine = (message?.view ?? this.name) === this.name;
    try {
      this.take(message ?? {}, isMine);
    } catch (error) {
      console.error(error);
    }
    if (isMine) this.queue.answered();
  }

  take({ state, steps, square, said, note }, isMine) {
    this.root.classList.remove("c2048-waiting");
    if (state) {
      this.state = state;
      this.play(steps ?? []);
      if (steps?.length) this.goHome();
    }
    if (note) showNote(this.contest.note, note);
    if (square && isMine) this.field.place(square);
    if (said && (isMine || state)) this.contest.say(said);
  }

  // Enter places at home at once. Whoever listens stays where they read.
  goHome() {
    const { asked, home } = this.state;
    if (asked && home && this.scheme === "eye") this.field.place(home);
  }

  // Each step is seen before the next one; whoever wants no motion sees the last one at once.
  play(steps) {
    clearTimeout(this.timer);
    this.timer = null;
    this.root.classList.remove("c2048-preview");
    const [step, ...more] = wantsNoMotion() ? [] : steps;
    if (!step) {
      this.show();
      return;
    }
    this.field.tiles.show(step.board, { motion: step.motion, spawned: step.spawned });
    this.field.tiles.mark([], null);
    this.contest.turn(step.player);
    if (more.length) this.timer = setTimeout(() => this.play(more), PAUSE);
    else this.show(step);
  }

  // The board as it stands, and what is to be done.
  show(step = null) {
    const { board, legal, home, phase, asked, over } = this.state;
    if (!step) this.field.tiles.show(board);
    this.field.tiles.mark(asked && phase === "place" ? legal : [], asked ? home : null);
    this.root.classList.toggle("c2048-over", Boolean(over));
    this.contest.show(this.state);
    showNote(this.contest.note, this.state.note);
  }

  stall(note) {
    this.root.classList.toggle("c2048-waiting", this.queue.isLate);
    showNote(this.contest.note, note);
    this.contest.say(note.lines.join(" "));
  }

  remove() {
    clearTimeout(this.timer);
    this.queue.stop();
    this.model.off("msg:custom", this.receive);
    this.field.tiles.stop();
    this.unhide();
    this.unwatch();
  }
}

export default {
  initialize({ model }) {
    model.on("msg:custom", (message) => {
      if (message?.state) model.set("state", message.state);
    });
  },
  render({ model, el }) {
    const view = new DuelView(model, el);
    return () => view.remove();
  },
};
