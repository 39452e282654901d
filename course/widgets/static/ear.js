// ear.js: what the keys for the ear are, and whether every new board has them.

import { EAR } from "./keys.js";
import { make, OWN_KEYS, remember, remembered, uniqueId } from "./parts.js";

export class Ear {
  constructor() {
    const id = uniqueId("always");
    this.box = make("input", "c2048-always", { type: "checkbox", id, ...OWN_KEYS });
    this.box.addEventListener("change", () => remember("keys", this.box.checked ? "ear" : ""));
    const line = make("p");
    line.append(this.box, make("label", "", { for: id }, " Start every new board with these keys"));
    this.element = make("div", "c2048-ear");
    this.element.append(make("p", "", {}, EAR), line);
  }

  // With the keys of the eye there is nothing to say.
  show(scheme) {
    this.element.hidden = scheme !== "ear";
    this.box.checked = remembered("keys") === "ear";
  }
}
