// duel.js: the duel. Every answer is asked of Python; what was played comes back step by step.

import { Contest } from "./contest.js";
import { Field, onTap } from "./field.js";
import { ARROWS, LETTERS } from "./keys.js";
import { keepState, LiveView } from "./live.js";
import { showNote } from "./note.js";
import { wantsNoMotion } from "./parts.js";
import { Tiles } from "./tiles.js";

const PAUSE = 420; // milliseconds between what two players do

// The board of a duel: whose territory, whose tile, and where a tile may be placed.
class DuelTiles extends Tiles {
  constructor(height, width, label) {
    super(height, width, label);
    for (const cells of this.cells) {
      for (const [column, cell] of cells.entries()) {
        cell.dataset.home = column < width / 2 ? "first" : "second";
      }
    }
  }

  // Where a tile may be placed; `home` is the one square in the own territory.
  mark(legal, home) {
    const may = new Set(legal.map(String));
    for (const [row, cells] of this.cells.entries()) {
      for (const [column, cell] of cells.entries()) {
        const name = String([row, column]);
        const kind = name === String(home) ? "home" : "away";
        if (may.has(name)) cell.dataset.legal = kind;
        else delete cell.dataset.legal;
      }
    }
  }
}

class DuelView extends LiveView {
  build() {
    this.root.classList.add("c2048-duel");
    this.side = new Contest({
      push: (direction) => this.push(direction),
      preview: (direction) => this.preview(direction),
      fresh: () => this.queue.ask({ do: "new" }),
      toggle: () => this.setScheme(this.scheme === "ear" ? "eye" : "ear"),
    });
    const options = { kind: DuelTiles, name: "The duel" };
    const push = (direction) => this.push(direction);
    this.field = new Field(this.state.board, this.side.help.id, push, options);
    onTap(this.field.element, (place) => this.tap(place));
  }

  begin() {
    this.field.place(this.state.home ?? [0, 0]);
    this.show();
  }

  // --- what a person does

  push(direction) {
    if (this.state.phase === "push") this.queue.ask({ do: "answer", answer: direction });
    else if (this.state.asked) this.side.say("Place a 2 first.");
  }

  put(square) {
    if (this.state.phase === "place") this.queue.ask({ do: "answer", answer: square });
    else if (this.state.asked) this.side.say("Push first.");
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
    if (event.ctrlKey || event.altKey || event.metaKey) return false;
    const onField = this.field.element.contains(event.target);
    const letter = event.key.length === 1 ? event.key.toLowerCase() : "";
    const arrow = ARROWS[event.key];
    if (arrow) this.arrow(arrow, event.shiftKey);
    else if (onField && (event.key === "Enter" || event.key === " ")) this.put(this.field.cursor);
    else if (this.scheme === "ear" && letter === "s")
      this.queue.ask({ do: "read", what: "status" });
    else if (this.scheme === "eye" && LETTERS[letter]) this.push(LETTERS[letter]);
    else return false;
    return true;
  }

  arrow(direction, isShifted) {
    const walks = this.scheme === "ear" ? !isShifted : this.state.phase !== "push";
    if (!walks) this.push(direction);
    else this.queue.ask({ do: "read", what: direction });
  }

  // --- what comes back

  take({ state, steps, square, said, note }, isMine) {
    this.root.classList.remove("c2048-waiting");
    if (state) {
      this.state = state;
      this.play(steps ?? []);
      if (steps?.length) this.goHome();
    }
    if (note) showNote(this.side.note, note);
    if (square && isMine) this.field.place(square);
    if (said && (isMine || state)) this.side.say(said);
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
    this.side.turn(step.player);
    if (more.length) this.timer = setTimeout(() => this.play(more), PAUSE);
    else this.show(step);
  }

  // The board as it stands, and what is to be done.
  show(step = null) {
    const { board, legal, home, phase, asked, over } = this.state;
    if (!step) this.field.tiles.show(board);
    this.field.tiles.mark(asked && phase === "place" ? legal : [], asked ? home : null);
    this.root.classList.toggle("c2048-over", Boolean(over));
    this.side.show(this.state);
    showNote(this.side.note, this.state.note);
  }

  remove() {
    clearTimeout(this.timer);
    super.remove();
  }
}

export default {
  initialize: keepState,
  render({ model, el }) {
    const view = new DuelView(model, el);
    return () => view.remove();
  },
};
