// predict.js: a question, and answers to click.

import { button, hideSaved, make, notebookKeys, uniqueId } from "./parts.js";
import { still, Tiles } from "./tiles.js";

class PredictView {
  constructor(model, el) {
    this.question = model.get("question");
    this.build(el);
    this.unhide = hideSaved(model);
  }

  build(el) {
    const { call, shown, options } = this.question;
    const title = uniqueId("question");
    this.root = make("div", "c2048 c2048-predict", { role: "group", "aria-labelledby": title });
    this.root.append(make("p", "c2048-ask", { id: title }, `What is ${call}?`));
    if (shown.board) this.root.append(this.strip(shown.board));
    const answers = make("div", "c2048-answers");
    this.buttons = options.map((option, index) => {
      const choice = button(option.text, "", "c2048-answer");
      choice.append(option.board ? still(option.board) : make("code", "", {}, option.text));
      choice.append(make("span", "c2048-verdict"));
      choice.addEventListener("click", () => this.answer(index));
      answers.append(choice);
      return choice;
    });
    this.said = make("p", "c2048-said", { role: "status" });
    this.root.append(answers, this.said);
    notebookKeys(this.root);
    el.replaceChildren(this.root);
  }

  strip(board) {
    const width = board[0].length;
    const strip = make("div", "c2048-strip");
    strip.style.setProperty("--columns", width);
    this.tiles = new Tiles(board.length, width, "The question");
    this.tiles.show(board);
    strip.append(this.tiles.table);
    return strip;
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

  remove() {
    this.tiles?.stop();
    this.unhide();
  }
}

export default {
  render({ model, el }) {
    const view = new PredictView(model, el);
    return () => view.remove();
  },
};
