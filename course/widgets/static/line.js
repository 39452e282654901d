// line.js: one line, stepped through with back, forward and play.

import { showNote } from "./note.js";
import { handOnSave, hideSaved, make, OWN_KEYS } from "./parts.js";
import { Player } from "./player.js";
import { Tiles } from "./tiles.js";

const STEP = 900; // milliseconds between two steps while it plays

class LineView {
  constructor(model, el) {
    this.model = model;
    this.steps = model.get("steps");
    this.at = 0;
    this.build(el);
    this.go(0);
    this.unhide = hideSaved(model);
  }

  build(el) {
    const width = this.steps[0].line.length;
    this.root = make("div", "c2048 c2048-steps", {
      ...OWN_KEYS,
      role: "group",
      "aria-label": "One line, step by step",
    });
    this.tiles = new Tiles(1, width, `Line of ${width} squares`);
    const field = make("div", "c2048-strip");
    field.style.setProperty("--columns", width);
    field.append(this.tiles.table);
    this.player = new Player(this);
    this.words = make("p", "c2048-words", { role: "status" });
    this.note = make("div", "c2048-note");
    const bar = make("div", "c2048-bar");
    bar.append(...this.player.buttons, this.words);
    this.root.append(field, bar, this.note);
    this.root.addEventListener("keydown", (event) => this.key(event));
    handOnSave(this.root);
    el.replaceChildren(this.root);
  }

  key(event) {
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!by || event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    event.stopPropagation();
    this.player.step(by);
  }

  get last() {
    return this.steps.length - 1;
  }

  go(at) {
    const { last } = this;
    const forward = at === this.at + 1;
    this.at = Math.max(0, Math.min(last, at));
    const step = this.steps[this.at];
    this.tiles.show([step.line], {
      motion: forward ? step.motion : null,
      marks: step.marks.map((column) => [0, column]),
    });
    this.words.textContent = last ? `${this.at} of ${last}: ${step.words}` : step.words;
    this.player.atEnds(this.at === 0, this.at === last);
    const note = this.model.get("note");
    showNote(this.note, note && (this.at === last || note.kind === "stuck") ? note : null);
  }

  remove() {
    this.player.pause();
    this.tiles.stop();
    this.unhide();
  }
}

LineView.prototype.pace = STEP;

export default {
  render({ model, el }) {
    const view = new LineView(model, el);
    return () => view.remove();
  },
};
