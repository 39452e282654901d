// hint_button.js: a button that gives one hint with each press, and at last the puzzle.

import { button, make, View, widget, withCode } from "../parts/parts.js";
import { LATE, NONE, PuzzleView } from "./parsons_puzzle.js";

class HintView extends View {
  constructor(model, el) {
    super(model, el, "c2048-column c2048-hints");
    const name = model.get("exercise");
    this.list = make("div", "c2048-column", { tabindex: "-1" });
    this.trouble = make("p", "c2048-trouble");
    this.ask = button("Hint", () => this.next(), `Hint for ${name}`, "c2048-strong c2048-wide");
    this.place = make("div", "", { tabindex: "-1", role: "group", "aria-label": "Puzzle" });
    this.status = make("p", "c2048-hidden", { role: "status" });
    const bar = make("div", "c2048-bar", {}, this.ask);
    this.root.append(this.list, bar, this.trouble, this.place, this.status);
    this.draw(model.get("hints"), model.get("puzzle"), model.get("has_more"));
    this.ends.push(() => this.puzzle?.remove());
  }

  next() {
    if (this.patience) return; // a double click asks once
    this.trouble.textContent = "";
    this.send({ do: "hint" });
  }

  unanswered(isLate) {
    this.tell(isLate ? LATE : NONE);
  }

  tell(words) {
    this.rest();
    this.trouble.textContent = words;
    this.say(words);
  }

  // A hint is drawn in all views.
  hear({ kind, hints, puzzle, has_more: more, said }, isMine) {
    this.trouble.textContent = "";
    if (isMine && kind === "note") this.tell(said);
    if (kind !== "hinted") return;
    this.draw(hints, puzzle, more);
    if (!isMine) return;
    if (puzzle.lines) {
      this.say(`${puzzle.title}: a puzzle about ${puzzle.name}.`);
      this.place.focus();
    } else {
      const { title, text } = hints.at(-1);
      this.say(`${title}. ${text.replaceAll("`", "")}`);
      if (!more) this.list.focus();
    }
  }

  // Draws all hints so far, and the puzzle once.
  draw(hints, puzzle, more) {
    const notes = hints.map(({ title, text }) => {
      const heading = make("strong", "", {}, `${title}. `);
      const note = withCode("p", text);
      note.prepend(heading);
      return make("div", "c2048-note", {}, note);
    });
    this.list.replaceChildren(...notes);
    this.ask.hidden = !more;
    if (puzzle.lines && !this.puzzle) {
      this.model.set("puzzle", puzzle);
      this.puzzle = new PuzzleView(this.model, this.place);
    }
  }
}

export default widget(HintView);
