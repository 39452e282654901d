// transcript.js: what was said, line by line, for those who read along.

import { make, OWN_KEYS } from "./parts.js";

const LONGEST = 300; // lines

export class Transcript {
  constructor() {
    this.list = make("ol");
    const group = { role: "group", "aria-label": "What was said", tabindex: "0", ...OWN_KEYS };
    this.element = make("div", "c2048-transcript", group);
    this.element.append(this.list);
  }

  add(text) {
    this.list.append(make("li", "", {}, text));
    if (this.list.childElementCount > LONGEST) this.list.firstElementChild.remove();
    // Where the last line is, is asked when the page is laid out anyway: else a key pays for it twice.
    requestAnimationFrame(() => this.follow());
  }

  // The last line is in sight.
  follow() {
    this.element.scrollTop = this.element.scrollHeight;
  }
}
