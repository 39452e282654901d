// side.js: all that stands beside the board: numbers, buttons, a note, what is said, the keys.

import { EAR, HELP } from "./keys.js";
import { announce, pad } from "./live.js";
import { showNote } from "./note.js";
import { Numbers } from "./numbers.js";
import { button, make, OWN_KEYS, remember, remembered, uniqueId } from "./parts.js";
import { Sounds } from "./sounds.js";

const OFFERS = { continue: "Take the second chance (Y)", decline: "No, thanks (N)" };
const LONGEST = 300; // lines of the transcript

const CHANCE =
  "You have a second chance, once in a game: six small tiles are cleared, for 2048 points.";
const BACK = "Take a move back with Undo, or start a new game.";

export class Side {
  // `ask`, `toggle` and `darken` are what the buttons do; `leave` takes the focus of buttons that go.
  constructor(ask, toggle, darken, leave) {
    this.numbers = new Numbers();
    this.controls = new Controls(ask, toggle);
    this.note = make("div", "c2048-note");
    this.chance = new Chance(ask, leave);
    this.status = make("p", "c2048-status", { role: "status" });
    this.transcript = new Transcript();
    this.ear = new Ear(darken);
    this.help = make("p", "c2048-help", { id: uniqueId("help") });
    this.element = make("div", "c2048-side");
    const { numbers, controls, transcript, note, chance, status, ear, help } = this;
    const above = [numbers, controls].map((part) => part.element);
    const said = [chance.element, status, transcript.element];
    this.element.append(...above, note, ...said, ear.element, help);
  }

  // Numbers, buttons and the note, as the state of the game has them.
  show(state, note = state.note) {
    this.numbers.show(state);
    this.controls.show(state);
    this.chance.show(state);
    showNote(this.note, note ?? ending(state));
  }

  // What went wrong is told below the buttons: on a phone it has to be brought into view, once.
  bringNews(note) {
    const isNews = note?.title !== this.told;
    this.told = note?.title;
    if (note && isNews && note.kind !== "printed") this.note.scrollIntoView({ block: "nearest" });
  }

  showScheme(scheme) {
    this.controls.showScheme(scheme);
    this.ear.show(scheme);
    this.help.textContent = HELP[scheme];
  }

  // No answer: the note says so, and what to do.
  stall(note) {
    showNote(this.note, note);
    this.bringNews(note);
    this.say(note.lines.join(" "));
  }

  say(text) {
    this.transcript.add(text);
    announce(this.status, text);
  }
}

// The end of a game, or its goal, or nothing.
function ending({ over, won, goal, canContinue }) {
  if (over) return { kind: "over", title: "No move is left", lines: [canContinue ? CHANCE : BACK] };
  const words = `A tile of ${goal} is on the board. Play on as long as you like.`;
  return won ? { kind: "won", title: "You made it!", lines: [words] } : null;
}

// The buttons beside the board.
class Controls {
  // `ask(action)` asks Python; `toggle()` changes the keys from one scheme to the other.
  constructor(ask, toggle) {
    this.undo = this.button("Undo", "↶ Undo", () => ask({ do: "undo" }));
    this.fresh = this.button("New game", "New game", () => ask({ do: "new" }));
    this.scheme = this.button("Keys for the ear", "Keys for the ear", toggle);
    this.scheme.classList.add("c2048-scheme");
    const more = make("div", "c2048-more");
    more.append(this.undo, this.fresh, this.scheme);
    this.element = make("div", "c2048-controls");
    const { group } = pad("Slide", (direction) => ask({ do: "move", direction }));
    this.element.append(group, more);
  }

  button(label, text, press) {
    const made = button(label, text);
    made.addEventListener("click", press);
    return made;
  }

  show({ canUndo }) {
    this.undo.setAttribute("aria-disabled", String(!canUndo));
  }

  showScheme(scheme) {
    this.scheme.setAttribute("aria-pressed", String(scheme === "ear"));
  }
}

// The second chance of the special rules, while there is one: two buttons.
class Chance {
  // `ask(action)` asks Python; `leave()` takes the focus, where the buttons go that had it.
  constructor(ask, leave) {
    this.leave = leave;
    this.element = make("div", "c2048-chance", { role: "group", "aria-label": "Second chance" });
    for (const [choice, text] of Object.entries(OFFERS)) {
      const choose = button(text, text);
      choose.addEventListener("click", () => ask({ do: choice }));
      this.element.append(choose);
    }
    this.element.firstChild.classList.add("c2048-strong");
  }

  show({ canContinue }) {
    const hadFocus = this.element.contains(document.activeElement);
    this.element.hidden = !canContinue;
    if (hadFocus && !canContinue) this.leave();
  }
}

// What was said, line by line, for those who read along.
class Transcript {
  constructor() {
    this.list = make("ol");
    const group = { role: "group", "aria-label": "What was said", tabindex: "0", ...OWN_KEYS };
    this.element = make("div", "c2048-transcript", group);
    this.element.append(this.list);
  }

  add(text) {
    this.list.append(make("li", "", {}, text));
    if (this.list.childElementCount > LONGEST) this.list.firstElementChild.remove();
    // Where the last line is, is asked when the page is laid out anyway: else a key pays for it twice.
    requestAnimationFrame(() => this.follow());
  }

  // The last line is in sight.
  follow() {
    this.element.scrollTop = this.element.scrollHeight;
  }
}

// What the keys for the ear are, whether every new board has them, the lights, the sounds.
class Ear {
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
