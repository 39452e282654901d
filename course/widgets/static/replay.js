// replay.js: a game to look through.

import { showNote } from "./note.js";
import { button, hideSaved, make, notebookKeys, OWN_KEYS } from "./parts.js";
import { Player } from "./player.js";
import { Tiles } from "./tiles.js";

const PACES = { Slow: 700, Normal: 220, Fast: 60 }; // milliseconds between two moves

class ReplayView {
  constructor(model, el) {
    this.model = model;
    this.frames = model.get("frames");
    this.at = 0;
    this.pace = PACES.Normal;
    this.build(el, model.get("note"));
    this.go(0);
    this.unhide = hideSaved(model);
    this.playOn = () => this.showBelow().catch(() => {});
    this.receive = (message) => showNote(this.note, message.note);
    model.on("change:below", this.playOn);
    model.on("msg:custom", this.receive);
    this.playOn();
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
    bar.append(...this.player.buttons, this.speed(), this.fromHere(), this.words);
    this.note = make("div", "c2048-note");
    showNote(this.note, note);
    this.below = make("div", "c2048-below");
    const end = make("p", "c2048-ending", {}, this.ending());
    this.root.append(end, strip, this.slider, bar, this.note, this.below);
    notebookKeys(this.root);
    el.replaceChildren(this.root);
  }

  // How the game ended, for those who do not look through all of it.
  ending() {
    const { board, score } = this.frames[this.last];
    const words = [`${this.last} moves`, `largest tile ${Math.max(...board.flat())}`];
    if (score != null) words.unshift(`score ${score}`);
    return `At the end: ${words.join(", ")}.`;
  }

  speed() {
    const choice = make("select", "c2048-button", { "aria-label": "Speed", ...OWN_KEYS });
    for (const name of Object.keys(PACES)) choice.append(make("option", "", {}, name));
    choice.value = "Normal";
    choice.addEventListener("keydown", (event) => event.stopPropagation());
    choice.addEventListener("change", () => {
      this.pace = PACES[choice.value];
      this.player.atNewPace();
    });
    return choice;
  }

  fromHere() {
    const ask = button("Play from here", "Play from here");
    ask.addEventListener("click", () => {
      this.player.pause();
      this.model.send({ do: "play", at: this.at });
    });
    return ask;
  }

  // Python has made a board that starts from here; the notebook draws it, as it draws every widget.
  async showBelow() {
    const id = this.model.get("below");
    if (!id) return;
    const manager = this.model.widget_manager;
    const view = await manager.create_view(await manager.get_model(id));
    this.board?.remove();
    this.board = view;
    this.below.replaceChildren(view.el);
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
    this.model.off("change:below", this.playOn);
    this.model.off("msg:custom", this.receive);
    this.board?.remove();
    this.unhide();
  }
}

export default {
  render({ model, el }) {
    const view = new ReplayView(model, el);
    return () => view.remove();
  },
};
