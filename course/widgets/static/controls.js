// controls.js: the buttons beside the board.

import { button, make } from "./parts.js";

const ARROW_SIGNS = { left: "←", up: "↑", right: "→", down: "↓" };

export class Controls {
  // `ask(action)` asks Python; `toggle()` changes the keys from one scheme to the other.
  constructor(ask, toggle) {
    this.undo = this.button("Undo", "↶ Undo", () => ask({ do: "undo" }));
    this.fresh = this.button("New game", "New game", () => ask({ do: "new" }));
    this.scheme = this.button("Keys for the ear", "Keys for the ear", toggle);
    this.scheme.classList.add("c2048-scheme");
    const more = make("div", "c2048-more");
    more.append(this.undo, this.fresh, this.scheme);
    this.element = make("div", "c2048-controls");
    this.element.append(this.pad(ask), more);
  }

  pad(ask) {
    const pad = make("div", "c2048-pad", { role: "group", "aria-label": "Slide" });
    for (const [direction, sign] of Object.entries(ARROW_SIGNS)) {
      const slide = this.button(`Slide ${direction}`, sign, () => ask({ do: "move", direction }));
      slide.classList.add(`c2048-${direction}`);
      pad.append(slide);
    }
    return pad;
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
