// numbers.js: score, best and moves.

import { make, remember, remembered, wantsNoMotion } from "./parts.js";

const NONE_YET = "–";

// A game is its score and its largest tile.
function known(key) {
  try {
    const [score, tile] = JSON.parse(remembered(key)).map(Number);
    return score > 0 && tile > 0 ? [score, tile] : [0, 0];
  } catch {
    return [0, 0];
  }
}

function better(one, other) {
  return other[0] > one[0] ? other : one;
}

function largest(board) {
  return Math.max(...board.flat());
}

export class Numbers {
  constructor() {
    this.element = make("div", "c2048-numbers");
    this.score = this.number("Score");
    this.best = this.number("Best");
    this.tile = make("span", "c2048-best-tile");
    this.best.after(this.tile);
    this.moves = this.number("Moves");
  }

  number(name) {
    const box = make("div", "c2048-number");
    const value = make("span", "c2048-value", {}, "0");
    box.append(make("span", "c2048-name", {}, name), value);
    this.element.append(box);
    return value;
  }

  // The best game by these rules on a board of this size is remembered, where Python says that this
  // one counts.
  show({ board, score, moves, rules, counts }) {
    const key = `best-${rules}-${board.length}x${board[0].length}`;
    const [best, tile] = counts ? better(known(key), [score, largest(board)]) : known(key);
    if (counts && best) remember(key, JSON.stringify([best, tile]));
    this.score.textContent = String(score);
    this.best.textContent = best ? String(best) : NONE_YET;
    this.tile.textContent = best ? `tile ${tile}` : "";
    this.moves.textContent = String(moves);
  }

  rise(gained) {
    if (!gained || wantsNoMotion()) return;
    const plus = make("span", "c2048-gain", { "aria-hidden": "true" }, `+${gained}`);
    this.score.parentElement.append(plus);
    plus.addEventListener("animationend", () => plus.remove());
  }
}
