// stepper.js: a call of a function, line by line: its code, its variables, what it printed.

import { handOnSave, hideSaved, make, OWN_KEYS, showNote, together } from "./parts.js";
import { Player } from "./player.js";
import { Tiles } from "./tiles.js";

const SPEEDS = { slow: 2400, normal: 1200, fast: 400 }; // milliseconds between two steps
const HELP =
  "Keys: ← and → for one step, Home and End, the space bar plays, Tab leaves. While this has the focus, Shift + Enter does not reach the notebook.";

class StepperView {
  constructor(model, el) {
    this.model = model;
    this.run = model.get("run");
    this.letters = Array.from(this.run.printed);
    this.at = 0;
    this.pace = SPEEDS.normal;
    this.drawn = [];
    this.build(el);
    this.go(0);
    this.unhide = hideSaved(model);
  }

  get last() {
    return this.run.steps.length - 1;
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
    this.where = make("div", "c2048-step-where");
    this.code = make("div", "c2048-step-code", { ...OWN_KEYS, role: "group", tabindex: "0" });
    const left = make("div", "c2048-step-left");
    left.append(this.where, this.code);
    left.hidden = !this.run.blocks.length && !this.letters.length;
    this.values = make("div", "c2048-step-values");
    this.body = make("div", "c2048-step-body");
    this.body.append(left, this.values);
    this.print = make("div", "c2048-step-printed");
    left.append(this.print);
    this.end = make("div");
    this.note = make("div", "c2048-note");
    const help = make("p", "c2048-step-help", {}, HELP);
    help.hidden = !this.last;
    this.root.append(head, this.controls(), this.sentence(), this.body, this.end, this.note, help);
    this.root.addEventListener("keydown", (event) => this.key(event));
    handOnSave(this.root);
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
    const label = make("label", "c2048-step-speed", {}, "Speed ");
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
    this.at = Math.max(0, Math.min(this.last, at));
    const step = this.run.steps[this.at];
    const states = step.stack.map((index) => this.run.states[index]);
    this.count.textContent = this.last ? `Step ${this.at} of ${this.last}` : "";
    this.slider.value = String(this.at);
    this.slider.setAttribute("aria-valuetext", `${this.at} of ${this.last}`);
    this.player.atEnds(this.at === 0, this.at === this.last);
    this.now.dataset.kind = step.kind;
    this.showCode(step, states);
    this.showValues(step, states);
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

  // The code.

  showCode(step, states) {
    if (!this.run.blocks.length) return;
    const state = states[states.length - 1];
    this.showWay(states, step.hidden);
    if (this.block !== state.block) {
      this.block = state.block;
      const { name, first, lines } = this.run.blocks[state.block];
      this.code.setAttribute("aria-label", `The code of ${name}`);
      this.lines = lines.map((parts, index) => this.codeLine(first + index, parts));
      this.code.replaceChildren(...this.lines);
    }
    const { first } = this.run.blocks[state.block];
    const [start, end] = state.lines;
    this.lines.forEach((line, index) => {
      const isNow = start <= first + index && first + index <= end;
      line.classList.toggle("c2048-step-here", isNow);
      line.classList.toggle("c2048-step-failed", isNow && step.kind === "error");
      if (isNow) line.setAttribute("aria-current", "step");
      else line.removeAttribute("aria-current");
    });
    this.intoView(this.lines[start - first]);
  }

  codeLine(number, parts) {
    const line = make("div", "c2048-step-line");
    const text = make("code");
    const written = parts.map(([part]) => part).join("");
    text.style.setProperty("--indent", `${written.length - written.trimStart().length + 4}ch`);
    for (const [part, kind] of parts)
      text.append(kind ? make("span", `c2048-py-${kind}`, {}, part) : part);
    line.append(make("span", "c2048-step-number", {}, String(number)), text);
    return line;
  }

  // The calls that wait, and the one that runs.
  showWay(states, hidden) {
    const way = states.map(({ name, lines }, index) =>
      index < states.length - 1 ? `${name}, line ${lines[0]}` : name,
    );
    const between = way.length + hidden - 3;
    if (between > 1) way.splice(1, way.length - 3, `… ${between} more calls …`);
    this.where.textContent = way.join(" ▸ ");
  }

  intoView(line) {
    if (!line) return;
    const { code } = this;
    const top = line.offsetTop - code.offsetTop;
    if (top < code.scrollTop || top + line.offsetHeight > code.scrollTop + code.clientHeight) {
      code.scrollTop = top - code.clientHeight / 3;
    }
  }

  // The values.

  showValues(step, states) {
    for (const tiles of this.drawn) tiles.stop();
    this.drawn = [];
    const parts = [];
    const isEnd = this.at === this.last;
    if (step.gave) parts.push(this.gave(step, isEnd ? this.run.result : null));
    const state = states[states.length - 1];
    if (state) parts.push(this.call(state, state.name ? "Variables" : "The line"));
    states
      .slice(0, -1)
      .reverse()
      .forEach((waiting, index) => {
        const isFirst = index === states.length - 2;
        if (isFirst && step.hidden)
          parts.push(make("p", "c2048-step-none", {}, `${step.hidden} more calls wait.`));
        parts.push(this.call(waiting, `${waiting.name} waits in line ${waiting.lines[0]}`, true));
      });
    if (this.letters.length) this.print.replaceChildren(this.printed(step));
    const boards = isEnd ? this.run.result?.again || [] : [];
    this.end.replaceChildren(...(boards.length ? [this.again(boards)] : []));
    this.values.replaceChildren(...parts);
  }

  card(title, className = "") {
    const card = make("section", `c2048-step-card ${className}`);
    card.append(make("div", "c2048-step-label", {}, title));
    return card;
  }

  call(state, title, waits = false) {
    const card = this.card(title, waits ? "c2048-step-waits" : "");
    const pointers = this.run.blocks[state.block]?.pointers || [];
    if (state.variables.length) card.append(this.list(state.variables, pointers));
    else card.append(make("p", "c2048-step-none", {}, "There are none yet."));
    return card;
  }

  gave(step, result) {
    const title =
      { outside: "That gave back", return: "This call gave back" }[step.kind] || "Gave back";
    const card = this.card(title, "c2048-step-gave");
    const marks = (result && this.model.get("note")?.marks) || [];
    card.classList.toggle("c2048-step-wrong", marks.length > 0);
    card.append(this.value(step.gave, title, marks, [], result?.motion ? result : null));
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
    card.append(this.list(boards, []));
    return card;
  }

  list(variables, pointers) {
    const list = make("dl", "c2048-step-list");
    for (const variable of variables) {
      const row = make("div", "c2048-step-row");
      const name = make("dt");
      name.append(make("code", "", {}, variable.name));
      for (const word of this.remarks(variable))
        name.append(make("span", "c2048-step-badge", { "data-word": word }, word));
      const value = make("dd");
      const arrows = pointers
        .filter(([of]) => of === variable.name)
        .flatMap(([, by, depth]) => this.pointer(by, depth, variables));
      value.append(
        this.value(variable.value, variable.name, variable.marks || [], arrows, variable),
      );
      row.classList.toggle("c2048-step-changed", Boolean(variable.changed));
      row.classList.toggle("c2048-step-opened", variable.value.kind === "object");
      row.append(name, value);
      list.append(row);
    }
    return list;
  }

  remarks(variable) {
    const remarks = variable.changed ? [variable.changed] : [];
    if (variable.same) remarks.push(`same list as ${variable.same}`);
    if (variable.inside) remarks.push("in brackets");
    if (variable.outside) remarks.push("from outside");
    return remarks;
  }

  // A variable that is used as a place in a list points to its square.
  pointer(name, depth, variables) {
    const found = variables.find((variable) => variable.name === name);
    const place = found?.value.kind === "text" ? Number(found.value.text) : NaN;
    return Number.isInteger(place) ? [{ name, depth, place }] : [];
  }

  value(value, name, marks, arrows, moved) {
    if (value.kind === "tiles") return this.tiles(value, name, marks, arrows, moved);
    if (value.kind === "object") {
      const part = make("div", "c2048-step-object");
      part.append(make("span", "c2048-step-class", {}, value.name), this.list(value.fields, []));
      return part;
    }
    return make("code", "c2048-step-text", {}, value.text);
  }

  tiles(value, name, marks, arrows, moved) {
    const { rows } = value;
    const tiles = new Tiles(rows.length, rows[0].length, name);
    tiles.table.classList.add("c2048-small");
    if (moved?.before) tiles.show(moved.before);
    tiles.show(rows, { marks, motion: moved?.motion || null });
    this.drawn.push(tiles);
    const frame = make(
      "div",
      value.is_line ? "c2048-step-tiles" : "c2048-step-tiles c2048-step-board",
    );
    frame.style.setProperty("--columns", rows[0].length);
    const [atRows, atColumns] = value.is_line ? [1, 0] : [0, 1];
    const columns = make("div", "c2048-step-columns", { "aria-hidden": "true" });
    columns.append(
      ...rows[0].map((_, column) =>
        this.place(
          column,
          arrows.filter(({ depth }) => depth === atColumns),
        ),
      ),
    );
    const numbers = make("div", "c2048-step-rows", { "aria-hidden": "true" });
    numbers.append(
      ...rows.map((_, row) =>
        this.place(
          row,
          arrows.filter(({ depth }) => depth === atRows),
        ),
      ),
    );
    frame.append(...(value.is_line ? [tiles.table, columns] : [columns, numbers, tiles.table]));
    return frame;
  }

  // The number of a square, and the variables that point to it.
  place(number, arrows) {
    const place = make("span");
    for (const { name, place: at } of arrows)
      if (at === number) place.append(make("b", "", {}, name));
    place.append(make("span", "", {}, String(number)));
    return place;
  }

  remove() {
    this.player.pause();
    for (const tiles of this.drawn) tiles.stop();
    this.unhide();
  }
}

export default {
  render({ model, el }) {
    const view = new StepperView(model, el);
    return () => view.remove();
  },
};
