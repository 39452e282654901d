// predict.js: a question, and answers to click.

import { button, make, View, widget } from "../parts/parts.js";
import { still, Tiles } from "../parts/tiles.js";

class PredictView extends View {
  constructor(model, el) {
    const ask = `What is ${model.get("question").call}?`;
    const group = { role: "group", "aria-label": ask, tabindex: "-1" };
    super(model, el, "c2048-column c2048-predict", group);
    this.question = model.get("question");
    const { shown, options } = this.question;
    this.root.append(make("p", "c2048-ask", {}, ask));
    if (shown.board) {
      this.tiles = new Tiles(shown.board, "The question");
      this.tiles.show(shown.board);
      this.root.append(this.tiles.strip());
      this.ends.push(() => this.tiles.stop());
    }
    this.buttons = options.map(({ text, board }, index) => {
      const choice = button("", () => this.answer(index), text, "c2048-answer");
      const picture = board ? still(board) : make("code", "", {}, text);
      choice.append(picture, make("span", "c2048-verdict"));
      return choice;
    });
    this.said = make("p", "c2048-said", { role: "status" });
    this.root.append(make("div", "c2048-row c2048-answers", {}, ...this.buttons), this.said);
  }

  // Gives the focus to the question; from there, Tab goes to the first answer.
  welcome() {
    this.root.focus({ preventScroll: true });
  }

  answer(chosen) {
    const { right, options, why, motion, after, shown } = this.question;
    this.buttons.forEach((choice, index) => {
      const verdict = index === right ? "✓ right" : index === chosen ? "✗ your answer" : "";
      choice.lastChild.textContent = verdict;
      choice.setAttribute("aria-label", `${options[index].text} ${verdict}`.trim());
      choice.classList.toggle("c2048-is-right", index === right);
      choice.classList.toggle("c2048-is-wrong", index === chosen && index !== right);
    });
    const start = chosen === right ? "Yes!" : `Not this time. It is ${options[right].text}.`;
    this.said.textContent = [start, why].filter(Boolean).join(" ");
    if (motion) {
      this.tiles.show(shown.board);
      this.tiles.show(after, { motion });
    }
  }
}

export default widget(PredictView);
