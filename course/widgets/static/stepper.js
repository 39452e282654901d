// stepper.js: a call of a function, line by line: its code, its variables, what it printed.

import { Code } from "./code.js";
import { showNote } from "./note.js";
import { hideSaved, make, notebookKeys, OWN_KEYS, together } from "./parts.js";
import { Player } from "./player.js";
import { Values } from "./values.js";

const SPEEDS = { slow: 2400, normal: 1200, fast: 400 }; // milliseconds between two steps
const HELP =
  "Keys: ← and → for one step, Home and End, the space bar plays, Tab leaves. While this has the focus, Shift + Enter does not reach the notebook: press Escape first.";

class StepperView {
  constructor(model, el) {
    this.model = model;
    this.run = model.get("run");
    this.letters = Array.from(this.run.printed);
    this.at = 0;
    this.pace = SPEEDS.normal;
    this.values = new Values();
    this.code = new Code(this.run.blocks);
    this.build(el);
    this.go(this.first);
    this.unhide = hideSaved(model);
  }

  get last() {
    return this.run.steps.length - 1;
  }

  // Where code is missing, that is all there is to see, and it is seen at once.
  get first() {
    const { last, run } = this;
    return last < 2 && run.steps[last].kind === "error" ? last : 0;
  }

  // What there is.

  build(el) {
    const name = `${this.run.call}, step by step`;
    this.root = make("div", "c2048 c2048-stepper", {
      ...OWN_KEYS,
      role: "group",
      "aria-label": name,
      tabindex: "-1",
    });
    this.count = make("span", "c2048-step-count");
    const head = make("div", "c2048-step-head");
    head.append(make("code", "c2048-step-call", {}, this.run.call), this.count);
    this.print = make("div", "c2048-step-printed");
    const left = make("div", "c2048-step-left");
    left.append(...this.code.parts, this.print);
    left.hidden = !this.run.blocks.length && !this.letters.length;
    this.cards = make("div", "c2048-step-values");
    this.body = make("div", "c2048-step-body");
    this.body.append(left, this.cards);
    this.end = make("div");
    this.note = make("div", "c2048-note");
    const help = make("p", "c2048-step-help", {}, HELP);
    help.hidden = !this.last;
    this.root.append(head, this.controls(), this.sentence(), this.body, this.end, this.note, help);
    this.root.addEventListener("keydown", (event) => this.key(event));
    notebookKeys(this.root);
    el.replaceChildren(this.root);
  }

  controls() {
    this.player = new Player(this);
    this.player.play.addEventListener("click", () => this.playing() || this.say());
    this.slider = make("input", "c2048-slider", {
      type: "range",
      min: "0",
      max: String(this.last),
      value: "0",
      "aria-label": "Step",
      ...OWN_KEYS,
    });
    this.slider.addEventListener("input", () => {
      this.player.pause();
      this.go(Number(this.slider.value));
    });
    const bar = make("div", "c2048-bar c2048-step-bar");
    bar.append(...this.player.buttons, this.slider, this.speed());
    bar.hidden = !this.last;
    return bar;
  }

  speed() {
    const label = make("label", "c2048-step-speed");
    label.append(make("span", "c2048-step-speed-name", {}, "Speed "));
    const choice = make("select", "c2048-button", { ...OWN_KEYS });
    for (const name of Object.keys(SPEEDS))
      choice.append(make("option", "", { value: name }, name));
    choice.value = "normal";
    choice.addEventListener("change", () => {
      this.pace = SPEEDS[choice.value];
      if (!this.playing()) return;
      this.player.pause();
      this.player.start();
    });
    label.append(choice);
    return label;
  }

  sentence() {
    this.now = make("div", "c2048-step-now");
    this.said = make("p", "c2048-step-said", { role: "status" });
    this.now.append(make("span", "c2048-step-label", {}, "Now"), this.said);
    return this.now;
  }

  // What is done.

  key(event) {
    if (event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) return;
    if (
      event.target.tagName === "SELECT" ||
      (event.key === " " && event.target.tagName === "BUTTON")
    )
      return;
    const to = { ArrowLeft: this.at - 1, ArrowRight: this.at + 1, Home: 0, End: this.last }[
      event.key
    ];
    if (to === undefined && event.key !== " ") return;
    event.preventDefault();
    event.stopPropagation();
    if (to === undefined) {
      this.player.play.click();
      return;
    }
    this.player.pause();
    this.go(to);
  }

  playing() {
    return this.player.timer !== null;
  }

  go(at) {
    const isForward = at === this.at + 1;
    this.at = Math.max(0, Math.min(this.last, at));
    const step = this.run.steps[this.at];
    const states = step.stack.map((index) => this.run.states[index]);
    this.count.textContent = this.last ? `Step ${this.at} of ${this.last}` : "";
    this.slider.value = String(this.at);
    this.slider.setAttribute("aria-valuetext", `${this.at} of ${this.last}`);
    this.player.atEnds(this.at === 0, this.at === this.last);
    this.now.dataset.kind = step.kind;
    this.code.show(step, states);
    this.showValues(step, states, isForward);
    const note = this.model.get("note");
    showNote(this.note, note && (this.at === this.last || note.kind === "printed") ? note : null);
    this.say();
    this.steady();
  }

  // One sentence a step. While it plays by itself nothing is read out; where it stops, that is.
  say() {
    const step = this.run.steps[this.at];
    const isQuiet = this.playing() && this.at < this.last;
    this.said.setAttribute("aria-live", isQuiet ? "off" : "polite");
    const parts = step.line ? [make("b", "", {}, `Line ${step.line}: `)] : [];
    if (step.code) parts.push(make("span", "c2048-hidden", {}, `${step.code}. `));
    this.said.replaceChildren(...parts, together(step.words));
  }

  // The page below does not jump: what is shown keeps the height it once needed.
  steady() {
    const { clientWidth, offsetHeight } = this.body;
    if (clientWidth !== this.width) this.body.style.minHeight = "";
    else if (offsetHeight) this.body.style.minHeight = `${offsetHeight}px`;
    this.width = clientWidth;
  }

  // The values.

  showValues(step, states, isForward) {
    this.values.clear(isForward);
    const parts = [];
    const isEnd = this.at === this.last;
    if (step.gave) parts.push(this.gave(step, isEnd ? this.run.result : null));
    const state = states[states.length - 1];
    if (state) parts.push(this.call(state, state.name ? "Variables" : "The line"));
    states
      .slice(0, -1)
      .toReversed()
      .forEach((waiting, index) => {
        const isFirst = index === states.length - 2;
        if (isFirst && step.hidden)
          parts.push(make("p", "c2048-step-none", {}, `${step.hidden} more calls wait.`));
        parts.push(this.call(waiting, `${waiting.name} waits in line ${waiting.lines[0]}`, true));
      });
    if (this.letters.length) this.print.replaceChildren(this.printed(step));
    const boards = isEnd ? this.run.result?.again || [] : [];
    this.end.replaceChildren(...(boards.length ? [this.again(boards)] : []));
    this.cards.replaceChildren(...parts);
  }

  card(title, className = "") {
    const card = make("section", `c2048-step-card ${className}`);
    card.append(make("div", "c2048-step-label", {}, title));
    return card;
  }

  call(state, title, waits = false) {
    const card = this.card(title, waits ? "c2048-step-waits" : "");
    const pointers = this.run.blocks[state.block]?.pointers || [];
    if (state.variables.length) card.append(this.values.list(state.variables, pointers));
    else card.append(make("p", "c2048-step-none", {}, "There are none yet."));
    return card;
  }

  gave(step, result) {
    const title =
      { outside: "That gave back", return: "This call gave back" }[step.kind] || "Gave back";
    const card = this.card(title, "c2048-step-gave");
    const marks = (result && this.model.get("note")?.marks) || [];
    card.classList.toggle("c2048-step-wrong", marks.length > 0);
    card.append(this.values.value(step.gave, title, marks, [], result?.motion ? result : null));
    return card;
  }

  printed(step) {
    const card = this.card("Printed");
    const before = this.at ? this.run.steps[this.at - 1].printed : 0;
    const [old, fresh] = [this.letters.slice(0, before), this.letters.slice(before, step.printed)];
    const text = make("pre", "c2048-code");
    text.append(old.join(""), make("mark", "", {}, fresh.join("")));
    card.append(step.printed ? text : make("p", "c2048-step-none", {}, "Nothing yet."));
    return card;
  }

  again(boards) {
    const card = this.card("Turned on and on", "c2048-step-again");
    card.append(this.values.list(boards, []));
    return card;
  }

  remove() {
    this.player.pause();
    this.values.clear();
    this.unhide();
  }
}

export default {
  render({ model, el }) {
    const view = new StepperView(model, el);
    return () => view.remove();
  },
};
