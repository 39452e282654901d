// parsons_puzzle.js: a puzzle, in which the learner puts the lines of a program in order.

import { button, make, OWN_KEYS, View, widget, withCode } from "../parts/parts.js";
import { Tiles } from "../parts/tiles.js";
import { Arrangement, Dragging, indented } from "./puzzle_lines.js";

const KEYS =
  "Up and down choose a line, also in the bin. Space picks it up and puts it down. While it is " +
  "picked up, the arrows move and indent it, and Escape puts it back. Delete throws it into the " +
  "bin. While none is picked up, Escape goes to the next cell.";
export const NONE = "There is no answer. Run this cell again to go on.";
export const LATE =
  "Still waiting for an answer. If you started the kernel anew, run this cell again.";

// The last arrangement of the lines of each puzzle: a notebook may draw the same puzzle anew.
const lastSeen = new WeakMap();

export class PuzzleView extends View {
  constructor(model, el) {
    const { title, name } = model.get("puzzle");
    const heading = `${title}: a puzzle about ${name}`;
    super(model, el, "c2048-column c2048-puzzle", { role: "group", "aria-label": heading });
    this.puzzle = model.get("puzzle");
    const { lines, base, deepest } = this.puzzle;
    this.lines = new Arrangement(lines.length, base, deepest, lastSeen.get(model));
    this.current = this.lines.rows[0]?.id ?? 0;
    this.before = null; // the arrangement from before a line was picked up
    this.marked = null;
    // The element of a line has a grip for fingers, its number in the program, and its text.
    const unheard = { "aria-hidden": "true" };
    this.options = lines.map((text, id) => {
      const grip = make("span", "c2048-grip", unheard, "⠿");
      const parts = [grip, make("span", "c2048-place", unheard), make("code", "", {}, text)];
      const about = { role: "option", "data-line": id, ...OWN_KEYS };
      return make("li", "c2048-line", about, ...parts);
    });
    this.build(heading);
    this.listen();
    this.draw();
    this.ends.push(() => this.tiles?.stop());
  }

  build(heading) {
    const { task, given } = this.puzzle;
    const ask = make("p", "c2048-ask", {}, heading);
    const bin = listbox("Bin, for lines that do not belong", "c2048-bin");
    this.lists = { rows: listbox("Your program"), bin };
    const head = make("pre", "c2048-given", {}, given.join("\n"));
    this.binName = make("p", "c2048-bin-name", { "aria-hidden": "true" });
    this.boxes = make("div", "c2048-boxes", {}, head, this.lists.rows, this.binName, bin);
    const tools = [
      button("↑", () => this.step(-1), "Move the line up"),
      button("↓", () => this.step(1), "Move the line down"),
      button("←", () => this.shift(-1), "Indent the line less"),
      button("→", () => this.shift(1), "Indent the line more"),
      button("Bin", () => this.change(), "Line into the bin, or out of it"),
      button("Check", () => this.check(), "Check my program", "c2048-strong c2048-wide"),
    ];
    const about = { role: "toolbar", "aria-label": "The chosen line" };
    const bar = make("div", "c2048-bar", about, ...tools);
    this.note = make("div", "c2048-note");
    this.played = make("div", "c2048-played");
    const summary = make("summary", "", {}, "Keys");
    const help = make("details", "c2048-help", {}, summary, make("p", "", {}, KEYS));
    help.addEventListener("toggle", () => help.scrollIntoView({ block: "nearest" }));
    this.status = make("p", "c2048-hidden", { role: "status" });
    this.root.append(ask, withCode("p", task), this.boxes, bar, this.note, this.played);
    this.root.append(help, this.status);
  }

  listen() {
    const chosen = ({ type, target }) => {
      const line = target.closest("[data-line]");
      if (line && !(type === "focusin" && this.isDrawing)) this.choose(Number(line.dataset.line));
    };
    this.boxes.addEventListener("click", chosen);
    this.boxes.addEventListener("focusin", chosen);
    this.boxes.addEventListener("focusout", () => {
      if (this.before && !this.isDrawing && !this.dragging.held) this.drop();
    });
    this.dragging = new Dragging(this);
  }

  // Draws the lines in their present order. No element is made anew: a finger may hold it.
  draw() {
    const hadFocus = this.boxes.contains(document.activeElement);
    this.isDrawing = true;
    for (const [name, list] of Object.entries(this.lists)) {
      const wanted = this.lines[name].map((row) => this.options[row.id]);
      if (wanted.some((line, at) => line !== list.children[at]) || !wanted.length) {
        list.replaceChildren(...wanted);
      }
      for (const [index, row] of this.lines[name].entries()) this.dress(row, index, name);
    }
    const count = this.lines.bin.length;
    this.binName.textContent = count ? "Bin" : "Bin: drop lines here that do not belong";
    if (hadFocus) this.options[this.current].focus();
    this.isDrawing = false;
    lastSeen.set(this.model, this.lines.snapshot());
  }

  dress(row, index, name) {
    const line = this.options[row.id];
    const text = this.puzzle.lines[row.id];
    const isCurrent = row.id === this.current;
    const isWrong = row.id === this.marked ? ", not right yet" : "";
    const label = name === "bin" ? text : `Line ${index + 1}: ${text}, ${indented(row)}${isWrong}`;
    line.setAttribute("aria-label", label);
    line.setAttribute("aria-selected", isCurrent);
    line.tabIndex = isCurrent ? 0 : -1; // so Tab leads to the buttons, and they act on this line
    line.classList.toggle("c2048-held", isCurrent && this.before !== null);
    line.classList.toggle("c2048-is-wrong", row.id === this.marked);
    line.style.setProperty("--indent", name === "bin" ? 0 : row.indent);
    line.children[1].textContent = name === "bin" ? "" : index + 1;
  }

  choose(id) {
    if (id === this.current && this.options[id].contains(document.activeElement)) return;
    if (id !== this.current && this.before && !this.dragging.held) this.drop();
    this.current = id;
    this.draw();
    if (document.activeElement !== this.options[id]) this.options[id].focus();
  }

  pickUp(id) {
    this.current = id;
    this.before = this.lines.snapshot();
    this.draw();
    this.options[id].focus();
    this.say(`Line picked up. ${this.lines.words(id)}`);
  }

  // Lets go of the line where it is now, or puts it back.
  drop(isKept = true) {
    if (!isKept) this.lines.restore(this.before);
    this.before = null;
    this.draw();
    this.say(`Line ${isKept ? "dropped" : "put back"}. ${this.lines.words(this.current)}`);
  }

  drag(id, list, index, right) {
    const step = parseFloat(getComputedStyle(this.lists.rows).getPropertyValue("--step-px")) || 32;
    const start = [...this.before.rows, ...this.before.bin].find((row) => row.id === id).indent;
    if (this.lines.put(id, list, index, start + Math.round(right / step))) this.changed();
  }

  step(by) {
    const { list, index, row } = this.lines.find(this.current);
    const whole = list === "bin" ? "in the bin" : "of the program";
    if (!this.lines[list][index + by])
      this.say(`It is the ${by < 0 ? "first" : "last"} line ${whole} already.`);
    else if (this.lines.put(this.current, list, index + by, row.indent)) this.changed();
  }

  shift(by) {
    const { list, index, row } = this.lines.find(this.current);
    const head = this.puzzle.given.at(-1).trim();
    if (list === "bin") this.say("Lines in the bin are not indented.");
    else if (this.lines.put(this.current, list, index, row.indent + by)) this.changed();
    else this.say(by < 0 ? `It has to stand below ${head}` : "It cannot be indented further.");
  }

  // Moves the chosen line into the bin, and chooses the line that takes its place; or, if the line
  // is in the bin, moves it out.
  change() {
    const id = this.current;
    const { list, index, row } = this.lines.find(id);
    const other = list === "rows" ? "bin" : "rows";
    this.before = null;
    this.lines.put(id, other, this.lines[other].length, row.indent);
    const next = this.lines.rows[index] ?? this.lines.rows.at(-1);
    if (list === "rows" && next) this.current = next.id;
    this.changed();
    const start = list === "rows" ? "Line put into the bin." : "Line taken out of the bin.";
    this.say(`${start} ${this.lines.words(id)}`);
  }

  changed() {
    if (this.note.dataset.kind === "right") this.clear();
    this.draw();
    this.say(this.lines.words(this.current));
  }

  key({ key, altKey, ctrlKey, metaKey, target }) {
    if (key === "Escape" && this.dragging.release(false)) return true;
    if (!target.closest("[data-line]") || ctrlKey || metaKey) return false;
    const isHeld = this.before !== null || altKey;
    const acts = {
      ArrowUp: () => (isHeld ? this.step(-1) : this.walk(-1)),
      ArrowDown: () => (isHeld ? this.step(1) : this.walk(1)),
      ArrowLeft: () => this.shift(-1),
      ArrowRight: () => this.shift(1),
      " ": () => this.pick(),
      Enter: () => this.pick(),
      Delete: () => this.change(),
      Backspace: () => this.change(),
      Escape: this.before && (() => this.drop(false)),
    };
    acts[key]?.();
    return Boolean(acts[key]);
  }

  pick() {
    if (this.before) this.drop();
    else if (this.lines.find(this.current).list === "bin") this.change();
    else this.pickUp(this.current);
  }

  // Chooses the line above or below; the bin is below the program.
  walk(by) {
    const all = [...this.lines.rows, ...this.lines.bin];
    const next = all[all.findIndex((row) => row.id === this.current) + by];
    if (next) this.choose(next.id);
  }

  check() {
    if (this.before) this.drop();
    this.clear();
    const rows = this.lines.rows.map((row) => [row.id, row.indent]);
    this.asked = rows.map(([id]) => id);
    this.send({ rows });
  }

  unanswered(isLate) {
    this.tell("stuck", isLate ? LATE : NONE);
  }

  hear({ kind, right, sentence, line, shown, said }, isMine) {
    if (!isMine) return;
    if (kind === "note") this.tell("stuck", said);
    if (kind !== "judged") return;
    this.clear();
    this.marked = line === null ? null : this.asked[line - 1];
    this.draw();
    this.tell(right ? "right" : "wrong", sentence);
    if (right) this.play(shown);
  }

  tell(kind, sentence) {
    this.note.dataset.kind = kind;
    const sign = { right: "✓ ", wrong: "✗ " }[kind] ?? "";
    this.note.replaceChildren(withCode("p", `${sign}${sentence}`));
    this.say(sentence.replaceAll("`", ""));
  }

  // Shows what the program does. The tiles glide only once they are on the page.
  play({ call, text, before, after, motion }) {
    const gives = text !== null && !after ? [" gives ", make("code", "", {}, text)] : [];
    this.played.append(make("p", "c2048-call", {}, make("code", "", {}, call), ...gives));
    const boards = Object.entries({ Before: before, After: after }).filter(([, board]) => board);
    const strips = boards.map(([label, board]) => {
      const tiles = new Tiles(board, label);
      tiles.show((motion && before) || board);
      if (board === after) requestAnimationFrame(() => tiles.show(after, { motion }));
      this.tiles = tiles;
      return tiles.strip();
    });
    if (strips[1]) strips.splice(1, 0, make("span", "c2048-arrow", { "aria-hidden": "true" }, "→"));
    if (strips.length) this.played.append(make("div", "c2048-bar c2048-two", {}, ...strips));
  }

  clear() {
    this.tiles?.stop();
    this.marked = null;
    this.note.dataset.kind = "";
    this.note.replaceChildren();
    this.played.replaceChildren();
  }
}

function listbox(label, more = "") {
  return make("ul", `c2048-column c2048-lines ${more}`, { role: "listbox", "aria-label": label });
}

export default widget(PuzzleView);
