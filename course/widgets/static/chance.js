// chance.js: the second chance of the special rules, while there is one: two buttons.

import { button, make } from "./parts.js";

const OFFERS = { continue: "Take the second chance (Y)", decline: "No, thanks (N)" };

export class Chance {
  // `ask(action)` asks Python; `leave()` takes the focus, where the buttons go that had it.
  constructor(ask, leave) {
    this.leave = leave;
    this.element = make("div", "c2048-chance", { role: "group", "aria-label": "Second chance" });
    for (const [choice, text] of Object.entries(OFFERS)) {
      const choose = button(text, text);
      choose.addEventListener("click", () => ask({ do: choice }));
      this.element.append(choose);
    }
    this.element.firstChild.classList.add("c2048-strong");
  }

  show({ canContinue }) {
    const hadFocus = this.element.contains(document.activeElement);
    this.element.hidden = !canContinue;
    if (hadFocus && !canContinue) this.leave();
  }
}
