// side_panel.js: the parts beside the board: the numbers, the second chance, a list of all that was said,
// and the switches for playing by ear.

import {
  button,
  make,
  OWN_KEYS,
  remember,
  remembered,
  uniqueId,
  wantsNoMotion,
} from "../parts/parts.js";
import { Sounds } from "./sounds.js";

const OFFERS = { continue: "Take the second chance (Y)", decline: "No, thanks (N)" };
const LONGEST = 300; // lines of the transcript
const NONE_YET = "–";

// The score, the best score so far, and the number of moves.
export class Numbers {
  constructor() {
    [this.score, this.best, this.moves] = ["Score", "Best", "Moves"].map((name) => {
      const value = make("span", "c2048-value", {}, "0");
      make("div", "c2048-number", {}, make("span", "c2048-name", {}, name), value);
      return value;
    });
    this.tile = make("span", "c2048-best-tile");
    this.best.after(this.tile);
    const boxes = [this.score, this.best, this.moves].map((value) => value.parentElement);
    this.element = make("div", "c2048-row c2048-numbers", {}, ...boxes);
  }

  // Shows the numbers. The browser remembers the score and the largest tile of the best game by
  // these rules on a board of this size. Only a game that `counts`, as Python says, can be the
  // best.
  show({ board, score, moves, rules, counts }) {
    const key = `best-${rules}-${board.length}x${board[0].length}`;
    let [best, tile] = known(key);
    if (counts && score > best) {
      [best, tile] = [score, Math.max(...board.flat())];
      remember(key, JSON.stringify([best, tile]));
    }
    this.score.textContent = String(score);
    this.best.textContent = best ? String(best) : NONE_YET;
    this.tile.textContent = best ? `tile ${tile}` : "";
    this.moves.textContent = String(moves);
  }

  rise(gained) {
    if (!gained || wantsNoMotion()) return;
    const plus = make("span", "c2048-gain", { "aria-hidden": "true" }, `+${gained}`);
    this.score.parentElement.append(plus);
    plus.addEventListener("animationend", () => plus.remove());
  }
}

function known(key) {
  try {
    const [score, tile] = JSON.parse(remembered(key)).map(Number);
    return score > 0 && tile > 0 ? [score, tile] : [0, 0];
  } catch {
    return [0, 0];
  }
}

// Two buttons to take the second chance of the special rules or not, shown while there is one.
export class Chance {
  // `ask(action)` asks Python. `leave()` is called if the buttons vanish while they have the focus.
  constructor(ask, leave) {
    this.leave = leave;
    const choices = Object.entries(OFFERS).map(([choice, text]) =>
      button(text, () => ask({ do: choice })),
    );
    choices[0].classList.add("c2048-strong");
    const group = { role: "group", "aria-label": "Second chance" };
    this.element = make("div", "c2048-row c2048-chance", group, ...choices);
  }

  show({ canContinue }) {
    const hadFocus = this.element.contains(document.activeElement);
    this.element.hidden = !canContinue;
    if (hadFocus && !canContinue) this.leave();
  }
}

// What was said, line by line, for those who read along.
export class Transcript {
  constructor() {
    this.list = make("ol");
    const group = { role: "group", "aria-label": "What was said", tabindex: "0", ...OWN_KEYS };
    this.element = make("div", "c2048-transcript", group, this.list);
  }

  add(text) {
    this.list.append(make("li", "", {}, text));
    if (this.list.childElementCount > LONGEST) this.list.firstElementChild.remove();
    // To scroll, the browser must lay out the page. It does so before the next frame anyway; now,
    // it would do so once more for each key.
    requestAnimationFrame(() => this.follow());
  }

  // Scrolls to the last line.
  follow() {
    this.element.scrollTop = this.element.scrollHeight;
  }
}

// The part for playing by ear: a text on the keys, a box to have them on every new board, and
// switches for the lights and the sounds.
export class Ear {
  // `darken(isDark)` hides the board, or shows it again.
  constructor(text, darken) {
    this.darken = darken;
    this.sounds = new Sounds();
    this.lights = this.switch("Lights off", darken);
    this.tones = this.switch("Sounds", (isOn) => this.sounds.turn(isOn));
    const id = uniqueId("always");
    this.box = make("input", "c2048-always", { type: "checkbox", id, ...OWN_KEYS });
    this.box.addEventListener("change", () => remember("keys", this.box.checked ? "ear" : ""));
    const label = make("label", "", { for: id }, " Start every new board with these keys");
    const switches = make("div", "c2048-bar", {}, this.lights, this.tones);
    const lines = [make("p", "", {}, text), make("p", "", {}, this.box, label)];
    this.element = make("div", "c2048-ear", {}, switches, ...lines);
  }

  // Returns a button that stays pressed until it is pressed again.
  switch(label, turn) {
    const made = button(label, () => {
      const isOn = made.getAttribute("aria-pressed") !== "true";
      made.setAttribute("aria-pressed", String(isOn));
      turn(isOn);
    });
    return made;
  }

  // Shows this part if the keys are those for the ear, and hides it if not. The lights go on.
  show(scheme) {
    this.element.hidden = scheme !== "ear";
    this.box.checked = remembered("keys") === "ear";
    this.lights.setAttribute("aria-pressed", "false");
    this.tones.setAttribute("aria-pressed", String(this.sounds.isOn));
    this.darken(false);
  }
}
