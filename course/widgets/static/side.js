// side.js: all that stands beside the board: numbers, buttons, a note, what is said, the keys.

import { Chance } from "./chance.js";
import { Controls } from "./controls.js";
import { Ear } from "./ear.js";
import { ending } from "./endings.js";
import { HELP } from "./keys.js";
import { Numbers } from "./numbers.js";
import { showNote } from "./note.js";
import { make, uniqueId } from "./parts.js";
import { Transcript } from "./transcript.js";

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

  // One announcement an action. The same words twice are said twice.
  say(text) {
    this.transcript.add(text);
    this.status.textContent = this.status.textContent === text ? `${text}\u00a0` : text;
  }
}
