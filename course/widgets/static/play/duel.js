// duel.js: the duel. It sends each answer to Python, and shows the steps that come back.

import { button, make, wantsNoMotion } from "../parts/parts.js";
import { showNote, Tiles } from "../parts/tiles.js";
import { Field, LEAVE, LETTERS, LiveView, liveWidget } from "./live_view.js";

const PAUSE = 420; // milliseconds between two steps
const PLAYERS = { 1: "first", "-1": "second" };
const SHOWN = 8; // tiles of a player, the largest ones

const DUEL_HELP = {
  eye: `To place, walk with the arrow keys and press Enter, or click on a square. To push, press an arrow key or W A S D. ${LEAVE}`,
  ear: `Arrow keys read, Enter places, Shift + arrow pushes, S says how it stands, ${LEAVE}`,
};

// The board of a duel, which shows whose territory a square is in, and if it may be placed on.
class DuelTiles extends Tiles {
  constructor(board, label, more) {
    super(board, label, more);
    this.each((cell, [, column]) => {
      cell.dataset.home = column < board[0].length / 2 ? "first" : "second";
    });
  }

  // Marks the squares on which a tile may be placed; `home` is the one in the own territory.
  mark(legal, home) {
    const may = new Set(legal.map(String));
    this.each((cell, square) => {
      delete cell.dataset.legal;
      const kind = String(square) === String(home) ? "home" : "away";
      if (may.has(String(square))) cell.dataset.legal = kind;
    });
  }
}

class DuelView extends LiveView {
  constructor(model, el) {
    super(model, el, DUEL_HELP, "c2048-duel");
    this.ends.push(() => clearTimeout(this.timer));
  }

  build() {
    this.field = new Field(this, DuelTiles, "The duel");
    this.task = make("p", "c2048-task");
    this.players = make("div", "c2048-row c2048-players");
    this.ahead = make("p", "c2048-ahead");
    const fresh = button("New duel", () => this.ask({ do: "new" }));
    const controls = this.controls("Push", fresh);
    const { task, players, ahead, note, status, help } = this;
    this.side.append(task, players, controls, ahead, note, status, help);
    for (const [direction, way] of Object.entries(this.ways)) {
      for (const begin of ["pointerenter", "focus"])
        way.addEventListener(begin, () => this.preview(direction));
      for (const end of ["pointerleave", "blur"]) way.addEventListener(end, () => this.preview(""));
    }
  }

  begin() {
    this.field.place(this.state.home ?? [0, 0]);
    this.play([]);
  }

  // --- what a person does

  slide(direction) {
    if (this.state.phase === "push") this.ask({ do: "answer", answer: direction });
    else if (this.state.asked) this.say("Place a 2 first.");
  }

  put(square) {
    if (this.state.phase === "place") this.ask({ do: "answer", answer: square });
    else if (this.state.asked) this.say("Push first.");
  }

  tap(square) {
    if (this.state.phase !== "place") return;
    this.field.place(square);
    this.put(square);
  }

  // Shows the board as a push would leave it; or if `direction` is "", the present board.
  preview(direction) {
    const board = this.state.previews[direction];
    if (this.timer || !this.state.asked) return;
    this.root.classList.toggle("c2048-preview", Boolean(board));
    this.field.tiles.show(board ?? this.state.board);
  }

  press({ arrow, letter, isShifted, isEnter }) {
    const isEar = this.scheme === "ear";
    const walks = isEar ? !isShifted : this.state.phase !== "push";
    if (arrow && walks) this.ask({ do: "read", what: arrow });
    else if (arrow) this.slide(arrow);
    else if (isEnter) this.put(this.field.cursor);
    else if (isEar && letter === "s") this.ask({ do: "read", what: "status" });
    else if (!isEar && LETTERS[letter]) this.slide(LETTERS[letter]);
    else return false;
    return true;
  }

  // --- what comes back

  receive({ state, steps = [], square, said, note }, isMine) {
    this.root.classList.remove("c2048-waiting");
    if (state) {
      this.state = state;
      this.play(steps);
      // The cursor goes to the square at home, so that Enter places a tile there. But somebody who
      // plays by ear stays on the square that was read last.
      const { asked, home } = state;
      if (steps.length && asked && home && this.scheme === "eye") this.field.place(home);
    }
    if (note) showNote(this.note, note);
    if (square && isMine) this.field.place(square);
    if (said && (isMine || state)) this.say(said);
  }

  // Shows the steps one after the other, with pauses; without motion, only the board at the end.
  play(steps) {
    clearTimeout(this.timer);
    this.timer = null;
    this.root.classList.remove("c2048-preview");
    const [step, ...more] = wantsNoMotion() ? [] : steps;
    this.field.tiles.show(step?.board ?? this.state.board, step);
    if (!more.length) {
      this.show();
      return;
    }
    this.field.tiles.mark([], null);
    this.turn(step.player);
    this.timer = setTimeout(() => this.play(more), PAUSE);
  }

  // Shows whose turn it is, and what the person has to do.
  show() {
    const { legal, home, phase, asked, over, round, numbers } = this.state;
    this.field.tiles.mark(asked && phase === "place" ? legal : [], asked ? home : null);
    this.root.classList.toggle("c2048-over", Boolean(over));
    this.task.textContent = this.state.task;
    this.players.replaceChildren(this.player(1), this.player(-1));
    this.turn(over ? 0 : this.state.player);
    for (const [direction, way] of Object.entries(this.ways)) {
      const may = asked && phase === "push" && legal.includes(direction);
      way.setAttribute("aria-disabled", String(!may));
    }
    const [now, ...next] = numbers;
    const then = next.length ? ` The next ones: ${next.join(", ")}.` : "";
    const number = over ? "" : ` Its number is ${now}.${then}`;
    this.ahead.textContent = `Round ${round} of ${this.state.rounds}.${number}`;
    showNote(this.note, this.state.note);
  }

  player(player) {
    const { mine, both, tiles } = this.state;
    const name = `${PLAYERS[player]} player${!both && player === mine ? " (you)" : ""}`;
    const sizes = tiles[player];
    const more = sizes.length > SHOWN ? " …" : "";
    const told = sizes.length ? sizes.slice(0, SHOWN).join(" ") + more : "no tiles";
    const inside = [make("span", "c2048-name", {}, name), make("span", "c2048-sizes", {}, told)];
    return make("div", "c2048-player", { "data-player": PLAYERS[player] }, ...inside);
  }

  // Marks the player whose turn it is; with 0, neither.
  turn(player) {
    for (const box of this.players.children) {
      box.classList.toggle("c2048-turn", box.dataset.player === PLAYERS[player]);
    }
  }
}

export default liveWidget(DuelView);
