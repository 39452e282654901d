// code.js: the source of the function that runs, with the line that has run.

import { make, OWN_KEYS } from "../parts/parts.js";

// Returns the parts of a text, which may be wrapped behind each opening bracket.
function breakable(text) {
  const parts = text.split(/(?<=[([])/);
  return parts.flatMap((part, index) => (index ? [make("wbr"), part] : [part]));
}

export class Code {
  constructor(blocks) {
    this.blocks = blocks;
    this.way = make("div", "c2048-step-where");
    this.box = make("div", "c2048-step-code c2048-program", {
      ...OWN_KEYS,
      role: "group",
      tabindex: "0",
    });
    this.box.hidden = !blocks.length;
  }

  // Shows the code of the innermost call, and which calls wait for it.
  show(step, states) {
    if (!this.blocks.length) return;
    const { block, lines } = states.at(-1);
    const { first } = this.blocks[block];
    this.showWay(states, step.hidden);
    if (this.block !== block) this.take(block);
    this.lines.forEach((line, index) => {
      const isHere = lines[0] <= first + index && first + index <= lines[1];
      line.classList.toggle("c2048-step-here", isHere);
      line.classList.toggle("c2048-step-failed", isHere && step.kind === "error");
      if (isHere) line.setAttribute("aria-current", "step");
      else line.removeAttribute("aria-current");
    });
    this.intoView(this.lines[lines[0] - first]);
  }

  take(block) {
    this.block = block;
    const { name, first, lines } = this.blocks[block];
    this.box.setAttribute("aria-label", `The code of ${name}`);
    this.lines = lines.map((parts, index) => this.line(first + index, parts));
    this.box.replaceChildren(...this.lines);
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
