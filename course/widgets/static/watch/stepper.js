// stepper.js: a call of a function, line by line: its code, its variables, its printed lines.

import { make, OWN_KEYS, together, View, widget } from "../parts/parts.js";
import { columns, showNote, Tiles } from "../parts/tiles.js";
import { PlaybackControls } from "./playback_controls.js";

const SPEEDS = { slow: 2400, normal: 1200, fast: 400 }; // milliseconds between two steps
const HELP =
  "Keys: ←, →, Home and End step, Space plays or presses a button, Tab goes on, Escape goes to the next cell.";
const ENDINGS = { outside: "That gave back", return: "This call gave back" };

// The source of the function that runs, with the line that has run.
class Code {
  constructor(blocks) {
    this.blocks = blocks;
    this.way = make("div", "c2048-step-where");
    const about = { ...OWN_KEYS, role: "group", tabindex: "0" };
    this.box = make("div", "c2048-step-code c2048-program", about);
    this.box.hidden = !blocks.length;
  }

  // Shows the code of the innermost call, and which calls wait for it.
  show(step, states) {
    if (!this.blocks.length) return;
    const { block, lines } = states.at(-1);
    const { name: called, first, lines: code } = this.blocks[block];
    const way = states.map(({ name, lines: [line] }, index) =>
      index < states.length - 1 ? `${name}, line ${line}` : name,
    );
    const between = way.length + step.hidden - 3;
    if (between > 1) way.splice(1, way.length - 3, `… ${between} more calls …`);
    this.way.textContent = way.join(" ▸ ");
    if (this.block !== block) {
      this.block = block;
      this.box.setAttribute("aria-label", `The code of ${called}`);
      this.lines = code.map((parts, index) => this.line(first + index, parts));
      this.box.replaceChildren(...this.lines);
    }
    this.lines.forEach((line, index) => {
      const isHere = lines[0] <= first + index && first + index <= lines[1];
      line.classList.toggle("c2048-step-here", isHere);
      line.classList.toggle("c2048-step-failed", isHere && step.kind === "error");
      line.ariaCurrent = isHere ? "step" : null;
    });
    const line = this.lines[lines[0] - first];
    if (!line) return;
    const { box } = this;
    const top = line.offsetTop;
    if (top < box.scrollTop || top + line.offsetHeight > box.scrollTop + box.clientHeight) {
      box.scrollTop = top - box.clientHeight / 3;
    }
  }

  line(number, parts) {
    // The spaces at the start become an indent, because a long line might be broken at a space.
    const whole = parts.map(([part]) => part).join("");
    const [space] = whole.replaceAll("\t", "    ").match(/^ */);
    const text = make("code", "", { style: `--indent: ${space.length}ch` });
    for (const [part, kind] of parts) {
      const shown = breakable(text.textContent ? part : part.trimStart());
      text.append(...(kind ? [make("span", `c2048-py-${kind}`, {}, ...shown)] : shown));
    }
    const name = make("span", "c2048-step-number", {}, String(number));
    return make("div", "c2048-step-line", {}, name, text);
  }
}

// Variables and their values: tiles, objects, texts.
class Values {
  moving = [];

  // Stops all motion, because all values are drawn anew; new tiles move only in a step forward.
  clear(isForward = false) {
    this.isForward = isForward;
    for (const tiles of this.moving) tiles.stop();
    this.moving = [];
  }

  // Returns a list of variables with their values. A variable that the code uses as an index points
  // to its square; a pointer is [list, variable, depth], 0 for the outer index and 1 for the inner.
  list(variables, pointers = []) {
    const places = Object.fromEntries(
      variables.map(({ name, value }) => [name, value.kind === "text" ? Number(value.text) : NaN]),
    );
    const rows = variables.map((variable) => {
      const { name, value, marks, changed } = variable;
      const arrows = pointers
        .filter(([of, by]) => of === name && Number.isInteger(places[by]))
        .map(([, by, depth]) => ({ name: by, depth, place: places[by] }));
      const { motion, same, inside, outside } = variable;
      const how = { marks, arrows, motion: this.isForward ? motion : null };
      const shown = this.value(value, name, how);
      const list = same && `same list as ${same}`;
      const words = [changed, list, inside && "in brackets", outside && "from outside"];
      const remarks = words.map(
        (word) => word && make("span", "c2048-step-badge", { "data-word": word }, word),
      );
      const term = make("dt", "", {}, make("code", "", {}, name), ...remarks);
      const row = make("div", "c2048-step-row", {}, term, make("dd", "", {}, shown));
      row.classList.toggle("c2048-step-changed", Boolean(changed));
      row.classList.toggle("c2048-step-opened", value.kind === "object");
      return row;
    });
    return make("dl", "c2048-column c2048-step-list", {}, ...rows);
  }

  // Returns the element of a value. With a `motion`, its tiles move, from the board `before`.
  value(value, name, how = {}) {
    if (value.kind === "tiles") return this.tiles(value, name, how);
    if (value.kind !== "object") return make("code", "c2048-step-text", {}, value.text);
    const kind = make("span", "c2048-step-class", {}, value.name);
    return make("div", "c2048-step-object", {}, kind, this.list(value.fields));
  }

  tiles({ rows, is_line: isLine }, name, { marks = [], arrows = [], motion = null, before }) {
    const tiles = new Tiles(rows, name);
    tiles.table.classList.add("c2048-small");
    if (before) tiles.show(before);
    tiles.show(rows, { marks, motion });
    this.moving.push(tiles);
    // Returns the numbers of the squares at one edge, with the variables that point to them.
    const edge = (kind, list, depth) => {
      const places = [...list.keys()].map((at) => {
        const found = arrows.filter((arrow) => arrow.depth === depth && arrow.place === at);
        const names = found.map((arrow) => make("b", "", {}, arrow.name));
        return make("span", "", {}, ...names, make("span", "", {}, String(at)));
      });
      return make("div", `c2048-step-${kind}`, { "aria-hidden": "true" }, ...places);
    };
    const above = edge("columns", rows[0], isLine ? 0 : 1);
    const kind = isLine ? "c2048-step-tiles" : "c2048-step-tiles c2048-step-board";
    const inside = isLine ? [tiles.table, above] : [above, edge("rows", rows, 0), tiles.table];
    return make("div", kind, columns(rows), ...inside);
  }
}

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
    this.controls = new PlaybackControls(this, "Step", last, SPEEDS);
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
    play.addEventListener("click", () => this.controls.timer ?? this.tell());
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
    this.root.scrollIntoView({ block: "nearest" });
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
    this.tell();
    // As long as its width is the same, the body never shrinks, so that the page does not jump.
    const { clientWidth, offsetHeight } = this.body;
    if (clientWidth !== this.width) this.body.style.minHeight = "";
    else if (offsetHeight) this.body.style.minHeight = `${offsetHeight}px`;
    this.width = clientWidth;
  }

  // Shows a sentence on the step; screen readers say nothing while the steps play by themselves.
  tell() {
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
    if (waiting.length && step.hidden)
      waiting.splice(-1, 0, none(`${step.hidden} more calls wait.`));
    const now = state && this.call(state, state.name ? "Variables" : "The line");
    const cards = [step.gave && this.gave(step, result), now, ...waiting];
    this.cards.replaceChildren(...cards.filter(Boolean));
    if (this.letters.length) this.print.replaceChildren(this.printed(step));
    this.end.replaceChildren();
    if (!result?.again?.length) return;
    const again = this.values.list(result.again);
    this.end.append(card("Turned on and on", "c2048-step-again", again));
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

// Returns the parts of a text, which may be wrapped behind each opening bracket.
function breakable(text) {
  const parts = text.split(/(?<=[([])/);
  return parts.flatMap((part, index) => (index ? [make("wbr"), part] : [part]));
}

export default widget(StepperView);
