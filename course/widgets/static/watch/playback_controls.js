// playback_controls.js: steps to go through, one by one: back, play, forward, a slider, a speed.

import { button, make, OWN_KEYS } from "../parts/parts.js";

export class PlaybackControls {
  // `label` is the name for a step, such as "Move". `paces` are the milliseconds from step to step,
  // by the name of the speed. The view has a method `show(at, isForward)`, which draws a step.
  constructor(view, label, last, paces) {
    this.view = view;
    this.last = last;
    this.at = 0;
    this.timer = null;
    this.back = button("◀", () => this.goTo(this.at - 1), "Back");
    const toggle = () => (this.timer ? this.pause() : this.start());
    this.play = button("Play", toggle, "", "c2048-wide");
    this.forward = button("▶", () => this.goTo(this.at + 1), "Forward");
    this.buttons = [this.back, this.play, this.forward];
    const range = { type: "range", min: "0", max: last, value: "0", "aria-label": label };
    this.slider = make("input", "c2048-slider", { ...range, ...OWN_KEYS });
    this.slider.addEventListener("input", () => this.goTo(Number(this.slider.value)));
    const names = Object.keys(paces).map((name) => make("option", "", {}, name));
    this.speed = make("select", "c2048-button", { "aria-label": "Speed", ...OWN_KEYS }, ...names);
    this.speed.selectedIndex = 1;
    this.speed.addEventListener("change", () => this.timer && this.start());
    this.pace = () => paces[this.speed.value];
  }

  // Stops playing, and shows a step; for a number beyond the ends, the first or the last step.
  goTo(at) {
    this.pause();
    this.go(at);
  }

  go(at) {
    const isForward = at === this.at + 1;
    this.at = Math.max(0, Math.min(this.last, at));
    this.slider.value = String(this.at);
    this.back.setAttribute("aria-disabled", String(this.at === 0));
    this.forward.setAttribute("aria-disabled", String(this.at === this.last));
    this.view.show(this.at, isForward);
  }

  start() {
    if (this.at === this.last) this.go(0);
    this.play.textContent = "Pause";
    clearInterval(this.timer);
    this.timer = setInterval(() => {
      this.go(this.at + 1);
      if (this.at === this.last) this.pause();
    }, this.pace());
  }

  pause() {
    clearInterval(this.timer);
    this.timer = null;
    this.play.textContent = "Play";
  }
}
