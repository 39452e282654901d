// ear.js: what the keys for the ear are, whether every new board has them, the lights, the sounds.

import { EAR } from "./keys.js";
import { button, make, OWN_KEYS, remember, remembered, uniqueId } from "./parts.js";
import { Sounds } from "./sounds.js";

export class Ear {
  // `darken(isDark)` hides the board, or shows it again.
  constructor(darken) {
    this.darken = darken;
    this.sounds = new Sounds();
    this.lights = this.switch("Lights off", (isOn) => darken(isOn));
    this.tones = this.switch("Sounds", (isOn) => this.sounds.turn(isOn));
    const switches = make("div", "c2048-bar");
    switches.append(this.lights, this.tones);
    this.element = make("div", "c2048-ear");
    this.element.append(switches, make("p", "", {}, EAR), this.always());
  }

  // A button that stays pressed until it is pressed again.
  switch(label, turn) {
    const made = button(label, label);
    made.addEventListener("click", () => {
      const isOn = made.getAttribute("aria-pressed") !== "true";
      made.setAttribute("aria-pressed", String(isOn));
      turn(isOn);
    });
    return made;
  }

  always() {
    const id = uniqueId("always");
    this.box = make("input", "c2048-always", { type: "checkbox", id, ...OWN_KEYS });
    this.box.addEventListener("change", () => remember("keys", this.box.checked ? "ear" : ""));
    const line = make("p");
    line.append(this.box, make("label", "", { for: id }, " Start every new board with these keys"));
    return line;
  }

  // With the keys of the eye there is nothing to say, and the lights are on.
  show(scheme) {
    this.element.hidden = scheme !== "ear";
    this.box.checked = remembered("keys") === "ear";
    this.lights.setAttribute("aria-pressed", "false");
    this.tones.setAttribute("aria-pressed", String(this.sounds.isOn));
    this.darken(false);
  }
}
