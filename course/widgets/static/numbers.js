// numbers.js: score, best and moves.

import { make, remember, remembered, wantsNoMotion } from "./parts.js";

export class Numbers {
  constructor() {
    this.element = make("div", "c2048-numbers");
    this.score = this.number("Score");
    this.best = this.number("Best");
    this.moves = this.number("Moves");
  }

  number(name) {
    const box = make("div", "c2048-number");
    const value = make("span", "c2048-value", {}, "0");
    box.append(make("span", "c2048-name", {}, name), value);
    this.element.append(box);
    return value;
  }

  // The best score of a board of this size is remembered, unless a rule was broken on the way.
  show({ board, score, moves, fair }) {
    const key = `best-${board.length}x${board[0].length}`;
    const best = Math.max(Number(remembered(key)) || 0, fair ? score : 0);
    if (best) remember(key, best);
    this.score.textContent = String(score);
    this.best.textContent = String(best);
    this.moves.textContent = String(moves);
  }

  rise(gained) {
    if (!gained || wantsNoMotion()) return;
    const plus = make("span", "c2048-gain", { "aria-hidden": "true" }, `+${gained}`);
    this.score.parentElement.append(plus);
    plus.addEventListener("animationend", () => plus.remove());
  }
}
