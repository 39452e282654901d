// puzzle.js: the lines of a program are put in order, by keys, by hand or by ear.

import { Arrangement, indented } from "./arrangement.js";
import { Dragging } from "./dragging.js";
import { button, hideSaved, make, notebookKeys, OWN_KEYS, uniqueId, withCode } from "./parts.js";
import { Tiles } from "./tiles.js";

const PATIENT = 2000; // milliseconds until an answer is late

const HELP =
  "Keys: up and down choose a line. Space picks it up and puts it down. While it is picked up, " +
  "the arrows move and indent it, and Escape puts it back. Delete throws it into the bin.";
const LOST = "There is no answer. Run this cell again to go on.";
const LATE = "Still waiting for an answer. If you started the kernel anew, run this cell again.";

// What the lines were like when the puzzle was last seen: a notebook may draw it anew.
const lastSeen = new WeakMap();

class PuzzleView {
  constructor(model, el) {
    this.model = model;
    this.puzzle = model.get("puzzle");
    const { lines, base, deepest } = this.puzzle;
    this.lines = new Arrangement(lines.length, base, deepest, lastSeen.get(model));
    this.id = uniqueId("puzzle");
    this.current = this.lines.rows[0]?.id ?? 0;
    this.before = null; // the arrangement from before a line was picked up
    this.marked = null;
    this.build(el);
    this.draw();
    this.unhide = hideSaved(model);
    this.heard = (content) => this.hear(content);
    model.on("msg:custom", this.heard);
  }

  build(el) {
    const { title, name, task, given } = this.puzzle;
    const heading = uniqueId("title");
    this.root = make("div", "c2048 c2048-puzzle", { role: "group", "aria-labelledby": heading });
    const ask = make("p", "c2048-ask", { id: heading }, `${title}: a puzzle about ${name}`);
    this.head = make("pre", "c2048-given", {}, given.join("\n"));
    this.lists = {
      rows: this.list("Your program"),
      bin: this.list("Bin, for lines that do not belong", "c2048-bin"),
    };
    this.binName = make("p", "c2048-bin-name", { "aria-hidden": "true" });
    this.boxes = make("div", "c2048-boxes");
    this.boxes.append(this.head, this.lists.rows, this.binName, this.lists.bin);
    this.try = button("Check my program", "Check", "c2048-strong c2048-wide");
    this.try.addEventListener("click", () => this.check());
    this.note = make("div", "c2048-note");
    this.played = make("div", "c2048-played");
    this.said = make("p", "c2048-hidden", { role: "status" });
    const help = make("details", "c2048-help");
    help.append(make("summary", "", {}, "Keys"), make("p", "", {}, HELP));
    this.root.append(ask, withCode("p", task), this.boxes, this.tools(), this.note, this.played);
    this.root.append(help, this.said);
    this.root.addEventListener("keydown", (event) => this.key(event));
    this.listen();
    notebookKeys(this.root);
    el.replaceChildren(this.root);
  }

  list(label, more = "") {
    return make("ul", `c2048-lines ${more}`, { role: "listbox", "aria-label": label });
  }

  tools() {
    const bar = make("div", "c2048-bar", { role: "toolbar", "aria-label": "The chosen line" });
    const tools = [
      ["Move the line up", "↑", () => this.step(-1)],
      ["Move the line down", "↓", () => this.step(1)],
      ["Indent the line less", "←", () => this.shift(-1)],
      ["Indent the line more", "→", () => this.shift(1)],
      ["Line into the bin, or out of it", "Bin", () => this.change()],
    ];
    for (const [label, text, act] of tools) {
      const tool = button(label, text);
      tool.addEventListener("click", act);
      bar.append(tool);
    }
    bar.append(this.try);
    return bar;
  }

  listen() {
    this.boxes.addEventListener("click", ({ target }) => {
      const line = target.closest("[data-line]");
      if (line) this.choose(Number(line.dataset.line));
    });
    this.boxes.addEventListener("focusin", ({ target }) => {
      const line = target.closest("[data-line]");
      if (line && !this.isDrawing) this.choose(Number(line.dataset.line));
    });
    this.boxes.addEventListener("focusout", () => {
      if (this.before && !this.isDrawing && !this.dragging.held) this.drop();
    });
    this.dragging = new Dragging({
      root: this.boxes,
      lists: this.lists,
      start: (id) => this.take(id),
      move: (id, list, index, right) => this.drag(id, list, index, right),
      end: (isKept) => (isKept ? this.drop() : this.putBack()),
    });
  }

  // The lines as they stand now; the same elements stay, so that a finger keeps what it holds.
  draw() {
    const hadFocus = this.boxes.contains(document.activeElement);
    this.isDrawing = true;
    this.options ??= this.puzzle.lines.map((text, id) => this.option(text, id));
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

  option(text, id) {
    const line = make("li", "c2048-line", { role: "option", "data-line": id, ...OWN_KEYS });
    line.append(
      make("span", "c2048-grip", { "aria-hidden": "true" }, "⠿"),
      make("span", "c2048-place", { "aria-hidden": "true" }),
      make("code", "", {}, text),
    );
    return line;
  }

  dress(row, index, name) {
    const line = this.options[row.id];
    const text = this.puzzle.lines[row.id];
    const isCurrent = row.id === this.current;
    const isWrong = row.id === this.marked ? ", not right yet" : "";
    const label = name === "bin" ? text : `Line ${index + 1}: ${text}, ${indented(row)}${isWrong}`;
    line.setAttribute("aria-label", label);
    line.setAttribute("aria-selected", isCurrent);
    line.tabIndex = isCurrent || (index === 0 && this.isElsewhere(name)) ? 0 : -1;
    line.classList.toggle("c2048-held", isCurrent && this.before !== null);
    line.classList.toggle("c2048-is-wrong", row.id === this.marked);
    line.style.setProperty("--indent", name === "bin" ? 0 : row.indent);
    line.children[1].textContent = name === "bin" ? "" : index + 1;
  }

  isElsewhere(name) {
    return this.lines.find(this.current).list !== name;
  }

  say(words) {
    this.said.textContent = words === this.said.textContent ? `${words}\u00a0` : words;
  }

  choose(id) {
    if (id === this.current && this.options[id].contains(document.activeElement)) return;
    if (id !== this.current && this.before && !this.dragging.held) this.drop();
    this.current = id;
    this.draw();
    if (document.activeElement !== this.options[id]) this.options[id].focus();
  }

  take(id) {
    this.current = id;
    this.before = this.lines.snapshot();
    this.draw();
    this.options[id].focus();
    this.say(`Line picked up. ${this.lines.words(id)}`);
  }

  drop() {
    this.before = null;
    this.draw();
    this.say(`Line dropped. ${this.lines.words(this.current)}`);
  }

  putBack() {
    this.lines.restore(this.before);
    this.before = null;
    this.draw();
    this.say(`Line put back. ${this.lines.words(this.current)}`);
  }

  drag(id, list, index, right) {
    const step = parseFloat(getComputedStyle(this.lists.rows).getPropertyValue("--step-px")) || 32;
    const start = [...this.before.rows, ...this.before.bin].find((row) => row.id === id).indent;
    if (this.lines.put(id, list, index, start + Math.round(right / step))) this.changed();
  }

  step(by) {
    if (this.lines.moveBy(this.current, by)) return this.changed();
    const { list } = this.lines.find(this.current);
    const whole = list === "bin" ? "in the bin" : "of the program";
    return this.say(`It is the ${by < 0 ? "first" : "last"} line ${whole} already.`);
  }

  shift(by) {
    if (this.lines.indentBy(this.current, by)) return this.changed();
    const { list } = this.lines.find(this.current);
    if (list === "bin") return this.say("Lines in the bin are not indented.");
    const head = this.puzzle.given.at(-1).trim();
    return this.say(by < 0 ? `It has to stand below ${head}` : "It cannot be indented further.");
  }

  // Into the bin, or out of it. The line that takes its place is the next to be chosen.
  change() {
    const { list, index } = this.lines.find(this.current);
    const id = this.current;
    this.before = null;
    this.lines.change(id);
    const next = this.lines.rows[Math.min(index, this.lines.rows.length - 1)];
    if (list === "rows" && next) this.current = next.id;
    this.changed();
    const start = list === "rows" ? "Line put into the bin." : "Line taken out of the bin.";
    this.say(`${start} ${this.lines.words(id)}`);
  }

  changed() {
    this.clearRight();
    this.draw();
    this.say(this.lines.words(this.current));
  }

  key(event) {
    const { key, altKey, ctrlKey, metaKey, target } = event;
    if (key === "Escape" && this.dragging.release(false)) return this.used(event);
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
      Escape: this.before && (() => this.putBack()),
    };
    if (!acts[key]) return false;
    acts[key]();
    return this.used(event);
  }

  used(event) {
    event.preventDefault();
    event.stopPropagation();
    return true;
  }

  pick() {
    if (this.before) return this.drop();
    return this.isElsewhere("rows") ? this.change() : this.take(this.current);
  }

  walk(by) {
    const { list, index } = this.lines.find(this.current);
    const next = this.lines[list][index + by];
    if (next) this.choose(next.id);
  }

  check() {
    if (this.before) this.drop();
    this.clear();
    clearTimeout(this.patience);
    this.patience = setTimeout(() => this.tell("stuck", LATE), PATIENT);
    const rows = this.lines.rows.map((row) => [row.id, row.indent]);
    this.asked = rows.map(([id]) => id);
    try {
      this.model.send({ rows, view: this.id });
    } catch {
      clearTimeout(this.patience);
      this.tell("stuck", LOST);
    }
  }

  hear({ kind, view, right, sentence, line, shown }) {
    if (view !== this.id) return;
    clearTimeout(this.patience);
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

  play({ call, text, before, after, motion }) {
    const words = make("p", "c2048-call");
    words.append(make("code", "", {}, call));
    if (text !== null && !after) words.append(" gives ", make("code", "", {}, text));
    this.played.append(words);
    if (!before && !after) return;
    const boards = make("div", "c2048-two");
    if (before) boards.append(this.board(before, "Before"));
    if (before && after) boards.append(make("span", "c2048-arrow", { "aria-hidden": "true" }, "→"));
    if (after) boards.append(this.board(after, "After", motion && { from: before, motion }));
    this.played.append(boards);
  }

  board(board, label, moved = null) {
    const strip = make("div", "c2048-strip");
    strip.style.setProperty("--columns", board[0].length);
    const tiles = new Tiles(board.length, board[0].length, label);
    strip.append(tiles.table);
    if (moved) tiles.show(moved.from);
    this.tiles = tiles;
    // Tiles glide only where they can be seen.
    requestAnimationFrame(() => tiles.show(board, { motion: moved?.motion ?? null }));
    return strip;
  }

  clearRight() {
    if (this.note.dataset.kind === "right") this.clear();
  }

  clear() {
    this.tiles?.stop();
    this.marked = null;
    this.note.dataset.kind = "";
    this.note.replaceChildren();
    this.played.replaceChildren();
  }

  remove() {
    clearTimeout(this.patience);
    this.model.off("msg:custom", this.heard);
    this.tiles?.stop();
    this.unhide();
  }
}

export default {
  render({ model, el }) {
    const view = new PuzzleView(model, el);
    return () => view.remove();
  },
};
