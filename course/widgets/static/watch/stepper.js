// stepper.js: a call of a function, line by line: its code, its variables, its printed lines.

import { showNote } from "../parts/note.js";
import { make, OWN_KEYS, together, View, widget } from "../parts/parts.js";
import { Code } from "./code.js";
import { PlaybackControls } from "./playback_controls.js";
import { Values } from "./values.js";

const SPEEDS = { slow: 2400, normal: 1200, fast: 400 }; // milliseconds between two steps
const HELP =
  "Keys: ←, →, Home and End step, Space plays or presses a button, Tab goes on, Escape goes to the next cell.";
const ENDINGS = { outside: "That gave back", return: "This call gave back" };

class StepperView extends View {
  constructor(model, el) {
    const run = model.get("run");
    const about = { role: "group", "aria-label": `${run.call}, step by step`, tabindex: "-1" };
    super(model, el, "c2048-column c2048-stepper", { ...OWN_KEYS, ...about });
    this.run = run;
    this.letters = Array.from(run.printed);
    this.values = new Values();
    this.code = new Code(run.blocks);
    const last = run.steps.length - 1;
    this.controls = new PlaybackControls("Step", last, SPEEDS, (at, isForward) =>
      this.show(at, isForward),
    );
    this.build(last);
    // If code is missing, there is nothing to see but the error, so it is shown at once.
    this.controls.go(last < 2 && run.steps[last].kind === "error" ? last : 0);
    this.ends.push(() => {
      this.controls.pause();
      this.values.clear();
    });
  }

  build(last) {
    const { buttons, slider, speed, play } = this.controls;
    play.addEventListener("click", () => this.controls.timer ?? this.say());
    this.count = make("span", "c2048-step-count");
    const call = make("code", "c2048-step-call", {}, this.run.call);
    const speedName = make("span", "c2048-step-speed-name", {}, "Speed ");
    const speeds = make("label", "c2048-step-speed", {}, speedName, speed);
    const bar = make("div", "c2048-bar c2048-step-bar", {}, ...buttons, slider, speeds);
    bar.hidden = !last;
    this.said = make("p", "c2048-step-said", { role: "status" });
    this.now = make("div", "c2048-step-now", {}, label("Now", "span"), this.said);
    this.print = make("div", "c2048-step-printed");
    const left = make("div", "c2048-step-left", {}, this.code.way, this.code.box, this.print);
    left.hidden = !this.run.blocks.length && !this.letters.length;
    this.cards = make("div", "c2048-column c2048-step-values");
    this.body = make("div", "c2048-step-body", {}, left, this.cards);
    this.end = make("div");
    this.note = make("div", "c2048-note");
    const help = make("p", "c2048-step-help", {}, HELP);
    help.hidden = !last;
    const head = make("div", "c2048-row c2048-step-head", {}, call, this.count);
    this.root.append(head, bar, this.now, this.body, this.end, this.note, help);
  }

  welcome() {
    this.root.focus({ preventScroll: true });
  }

  key(event) {
    const { key, target, ctrlKey, altKey, metaKey, shiftKey } = event;
    const isPress = key === " " && target.tagName === "BUTTON";
    if (ctrlKey || altKey || metaKey || shiftKey || isPress || target.tagName === "SELECT")
      return false;
    const { at, last, play } = this.controls;
    const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: last }[key];
    if (to !== undefined) this.controls.goTo(to);
    else if (key === " ") play.click();
    else return false;
    return true;
  }

  show(at, isForward) {
    const { last, slider } = this.controls;
    const step = this.run.steps[at];
    const states = step.stack.map((index) => this.run.states[index]);
    this.count.textContent = last ? `Step ${at} of ${last}` : "";
    slider.setAttribute("aria-valuetext", `${at} of ${last}`);
    this.now.dataset.kind = step.kind;
    this.code.show(step, states);
    this.showValues(step, states, isForward);
    const note = this.model.get("note");
    showNote(this.note, note && (at === last || note.kind === "printed") ? note : null);
    this.say();
    // While its width is the same, the body never gets less high: the page below must not jump.
    const { clientWidth, offsetHeight } = this.body;
    if (clientWidth !== this.width) this.body.style.minHeight = "";
    else if (offsetHeight) this.body.style.minHeight = `${offsetHeight}px`;
    this.width = clientWidth;
  }

  // Shows a sentence on the step. While the steps play by themselves, screen readers say nothing;
  // they read the step at which the playing stops.
  say() {
    const { at, last, timer } = this.controls;
    const { line, code, words } = this.run.steps[at];
    this.said.setAttribute("aria-live", timer !== null && at < last ? "off" : "polite");
    const parts = [
      line ? make("b", "", {}, `Line ${line}: `) : "",
      code ? make("span", "c2048-hidden", {}, `${code}. `) : "",
    ];
    this.said.replaceChildren(...parts, together(words));
  }

  showValues(step, states, isForward) {
    this.values.clear(isForward);
    const isEnd = this.controls.at === this.controls.last;
    const result = isEnd ? this.run.result : null;
    const state = states.at(-1);
    const waiting = states
      .slice(0, -1)
      .map((each) => this.call(each, `${each.name} waits in line ${each.lines[0]}`, true))
      .toReversed();
    if (waiting.length && step.hidden) {
      waiting.splice(-1, 0, none(`${step.hidden} more calls wait.`));
    }
    const now = state && this.call(state, state.name ? "Variables" : "The line");
    const cards = [step.gave && this.gave(step, result), now, ...waiting];
    this.cards.replaceChildren(...cards.filter(Boolean));
    if (this.letters.length) this.print.replaceChildren(this.printed(step));
    const again = result?.again?.length ? [this.values.list(result.again)] : [];
    const turned = again.map((list) => card("Turned on and on", "c2048-step-again", list));
    this.end.replaceChildren(...turned);
  }

  call({ block, variables }, title, waits = false) {
    const { pointers } = this.run.blocks[block] ?? {};
    const list = variables.length && this.values.list(variables, pointers);
    return card(title, waits ? "c2048-step-waits" : "", list || none("There are none yet."));
  }

  gave(step, result) {
    const title = ENDINGS[step.kind] ?? "Gave back";
    const marks = (result && this.model.get("note")?.marks) || [];
    const moved = result?.motion ? { motion: result.motion, before: result.before } : {};
    const value = this.values.value(step.gave, title, { marks, ...moved });
    return card(title, `c2048-step-gave${marks.length ? " c2048-step-wrong" : ""}`, value);
  }

  printed({ printed }) {
    if (!printed) return card("Printed", "", none("Nothing yet."));
    const { at } = this.controls;
    const before = at ? this.run.steps[at - 1].printed : 0;
    const old = this.letters.slice(0, before).join("");
    const fresh = make("mark", "", {}, this.letters.slice(before, printed).join(""));
    return card("Printed", "", make("pre", "c2048-code", {}, old, fresh));
  }
}

function label(text, kind = "div") {
  return make(kind, "c2048-step-label", {}, text);
}

function none(text) {
  return make("p", "c2048-step-none", {}, text);
}

function card(title, className, inside) {
  return make("section", `c2048-step-card ${className}`, {}, label(title), inside);
}

export default widget(StepperView);
