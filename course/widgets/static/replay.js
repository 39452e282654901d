// replay.js: a game to look through.

import { handOnSave, hideSaved, make, OWN_KEYS, showNote } from "./parts.js";
import { Player } from "./player.js";
import { Tiles } from "./tiles.js";

const PACE = 220; // milliseconds between two moves while it plays

class ReplayView {
  constructor(model, el) {
    this.frames = model.get("frames");
    this.at = 0;
    this.build(el, model.get("note"));
    this.go(0);
    this.unhide = hideSaved(model);
  }

  build(el, note) {
    const { board } = this.frames[0];
    const width = board[0].length;
    this.root = make("div", "c2048 c2048-replay", {
      role: "group",
      "aria-label": "Replay of a game",
      ...OWN_KEYS,
    });
    this.tiles = new Tiles(board.length, width, "Board of the replay");
    const strip = make("div", "c2048-strip");
    strip.style.setProperty("--columns", width);
    strip.append(this.tiles.table);
    this.slider = make("input", "c2048-slider", {
      type: "range",
      min: "0",
      max: String(this.frames.length - 1),
      value: "0",
      "aria-label": "Move",
      ...OWN_KEYS,
    });
    this.slider.addEventListener("input", () => {
      this.player.pause();
      this.go(Number(this.slider.value));
    });
    this.slider.addEventListener("keydown", (event) => event.stopPropagation());
    this.player = new Player(this);
    this.words = make("p", "c2048-words");
    const bar = make("div", "c2048-bar");
    bar.append(...this.player.buttons, this.words);
    const place = make("div", "c2048-note");
    showNote(place, note);
    this.root.append(strip, this.slider, bar, place);
    handOnSave(this.root);
    el.replaceChildren(this.root);
  }

  get last() {
    return this.frames.length - 1;
  }

  go(at) {
    const forward = at === this.at + 1;
    this.at = Math.max(0, Math.min(this.last, at));
    const frame = this.frames[this.at];
    this.tiles.show(frame.board, forward ? { motion: frame.motion, spawned: frame.spawned } : {});
    this.slider.value = String(this.at);
    const words = [`Move ${this.at} of ${this.last}`];
    if (frame.direction) words.push(frame.direction);
    if (frame.score != null) words.push(`score ${frame.score}`);
    this.words.textContent = words.join(", ");
    this.slider.setAttribute("aria-valuetext", this.words.textContent);
    this.player.atEnds(this.at === 0, this.at === this.last);
  }

  remove() {
    this.player.pause();
    this.tiles.stop();
    this.unhide();
  }
}

ReplayView.prototype.pace = PACE;

export default {
  render({ model, el }) {
    const view = new ReplayView(model, el);
    return () => view.remove();
  },
};
