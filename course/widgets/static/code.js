// code.js: the source of the function that runs, with the line that has run.

import { make, OWN_KEYS } from "./parts.js";

export class Code {
  constructor(blocks) {
    this.blocks = blocks;
    this.way = make("div", "c2048-step-where");
    this.box = make("div", "c2048-step-code", { ...OWN_KEYS, role: "group", tabindex: "0" });
    this.parts = [this.way, this.box];
    this.box.hidden = !blocks.length;
  }

  // Shows the code of the innermost call, and which calls wait for it.
  show(step, states) {
    if (!this.blocks.length) return;
    const state = states[states.length - 1];
    this.showWay(states, step.hidden);
    this.take(state.block);
    const { first } = this.blocks[state.block];
    const [start, end] = state.lines;
    this.lines.forEach((line, index) => {
      const isHere = start <= first + index && first + index <= end;
      line.classList.toggle("c2048-step-here", isHere);
      line.classList.toggle("c2048-step-failed", isHere && step.kind === "error");
      if (isHere) line.setAttribute("aria-current", "step");
      else line.removeAttribute("aria-current");
    });
    this.intoView(this.lines[start - first]);
  }

  take(block) {
    if (this.block === block) return;
    this.block = block;
    const { name, first, lines } = this.blocks[block];
    this.box.setAttribute("aria-label", `The code of ${name}`);
    this.lines = lines.map((parts, index) => this.line(first + index, parts));
    this.box.replaceChildren(...this.lines);
  }

  line(number, parts) {
    const line = make("div", "c2048-step-line");
    const text = make("code");
    // Spaces at the start would be a place to break a long line at.
    const [space] = parts
      .map(([part]) => part)
      .join("")
      .replaceAll("\t", "    ")
      .match(/^ */);
    text.style.setProperty("--indent", `${space.length}ch`);
    for (const [part, kind] of parts) {
      const shown = text.textContent ? part : part.trimStart();
      text.append(kind ? make("span", `c2048-py-${kind}`, {}, shown) : shown);
    }
    line.append(make("span", "c2048-step-number", {}, String(number)), text);
    return line;
  }

  showWay(states, hidden) {
    const way = states.map(({ name, lines }, index) =>
      index < states.length - 1 ? `${name}, line ${lines[0]}` : name,
    );
    const between = way.length + hidden - 3;
    if (between > 1) way.splice(1, way.length - 3, `… ${between} more calls …`);
    this.way.textContent = way.join(" ▸ ");
  }

  intoView(line) {
    if (!line) return;
    const { box } = this;
    const top = line.offsetTop;
    if (top < box.scrollTop || top + line.offsetHeight > box.scrollTop + box.clientHeight) {
      box.scrollTop = top - box.clientHeight / 3;
    }
  }
}
