// replay.js: a game to look through.

import { button, make, OWN_KEYS, View, widget } from "../parts/parts.js";
import { showNote, Tiles } from "../parts/tiles.js";
import { PlaybackControls } from "./playback_controls.js";

const PACES = { Slow: 700, Normal: 220, Fast: 60 }; // milliseconds between two moves

class ReplayView extends View {
  constructor(model, el) {
    const group = { role: "group", "aria-label": "Replay of a game", ...OWN_KEYS };
    super(model, el, "c2048-column c2048-replay", group);
    this.frames = model.get("frames");
    this.tiles = new Tiles(this.frames[0].board, "Board of the replay");
    const last = this.frames.length - 1;
    this.controls = new PlaybackControls(this, "Move", last, PACES);
    const { slider, speed, buttons } = this.controls;
    for (const part of [slider, speed]) {
      part.addEventListener("keydown", (event) => event.stopPropagation());
    }
    const fromHere = button("Play from here", () => {
      this.controls.pause();
      model.send({ do: "play", at: this.controls.at });
    });
    this.words = make("p", "c2048-words");
    const bar = make("div", "c2048-bar", {}, ...buttons, speed, fromHere, this.words);
    this.note = make("div", "c2048-note");
    showNote(this.note, model.get("note"));
    this.below = make("div", "c2048-below");
    // The end of the game in words, for those who do not look through all of it.
    const { board, score } = this.frames[last];
    const points = score == null ? "" : `score ${score}, `;
    const largest = Math.max(...board.flat());
    const ending = `At the end: ${points}${last} moves, largest tile ${largest}.`;
    const end = make("p", "c2048-ending", {}, ending);
    this.root.append(end, this.tiles.strip(), slider, bar, this.note, this.below);
    this.controls.go(0);
    const playOn = () => this.showBelow().catch(() => {});
    this.on("change:below", playOn);
    playOn();
    this.ends.push(() => {
      this.controls.pause();
      this.tiles.stop();
      this.board?.remove();
    });
  }

  hear(message) {
    showNote(this.note, message.note ?? this.model.get("note"));
  }

  // Shows the live board that Python has made to play on from here; the notebook draws it.
  async showBelow() {
    const id = this.model.get("below");
    if (!id) return;
    const manager = this.model.widget_manager;
    const view = await manager.create_view(await manager.get_model(id));
    this.board?.remove();
    this.board = view;
    this.below.replaceChildren(view.el);
  }

  show(at, isForward) {
    const { board, score, direction, motion, spawned } = this.frames[at];
    this.tiles.show(board, isForward ? { motion, spawned } : {});
    const points = score == null ? "" : `score ${score}`;
    const words = [`Move ${at} of ${this.controls.last}`, direction, points];
    this.words.textContent = words.filter(Boolean).join(", ");
    this.controls.slider.setAttribute("aria-valuetext", this.words.textContent);
  }
}

export default widget(ReplayView);
