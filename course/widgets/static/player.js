// player.js: back, play and forward, for a view that has at, last, pace and go(at).

import { button } from "./parts.js";

export class Player {
  constructor(view) {
    this.view = view;
    this.timer = null;
    this.back = button("Back", "◀");
    this.play = button("Play", "Play", "c2048-wide");
    this.forward = button("Forward", "▶");
    this.buttons = [this.back, this.play, this.forward];
    this.back.addEventListener("click", () => this.step(-1));
    this.forward.addEventListener("click", () => this.step(1));
    this.play.addEventListener("click", () => (this.timer ? this.pause() : this.start()));
  }

  step(by) {
    this.pause();
    this.view.go(this.view.at + by);
  }

  start() {
    const { view } = this;
    if (view.at === view.last) view.go(0);
    this.name("Pause");
    this.timer = setInterval(() => {
      view.go(view.at + 1);
      if (view.at === view.last) this.pause();
    }, view.pace);
  }

  pause() {
    clearInterval(this.timer);
    this.timer = null;
    this.name("Play");
    return false;
  }

  name(text) {
    this.play.textContent = text;
    this.play.setAttribute("aria-label", text);
  }

  atEnds(atFirst, atLast) {
    this.back.setAttribute("aria-disabled", String(atFirst));
    this.forward.setAttribute("aria-disabled", String(atLast));
  }
}
