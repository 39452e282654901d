// board.js: the live board. It sends every move to Python, and draws and says the answer.

import { button, make, OWN_KEYS, remember, remembered, wantsNoMotion } from "../parts/parts.js";
import { showNote } from "../parts/tiles.js";
import { Field, LEAVE, LETTERS, LiveView, liveWidget } from "./live_view.js";
import { Sounds } from "./sounds.js";

const HELP = {
  eye: `Arrow keys or W A S D slide, U takes back, ${LEAVE}`,
  ear: `Arrow keys read, Shift + arrow slides, S says the score, R the row, C the column, U takes back, ${LEAVE}`,
};
// Said when the keys are switched over. `HELP` names all keys, and `EAR` says the rest.
const EAR_ON = "Keys for the ear are on: the arrow keys read, Shift + arrow slides.";
const EAR =
  "Each square is read out by its name, such as B3, and its number. A new board starts without these keys, unless you tick the box.";

const READS = { s: "status", r: "row", c: "column" };
const ANSWERS = { y: "continue", n: "decline" }; // while there is a second chance

const CHANCE =
  "You have a second chance, once in a game: six small tiles are cleared, for 2048 points.";
const BACK = "Take a move back with Undo, or start a new game.";

const OFFERS = { continue: "Take the second chance (Y)", decline: "No, thanks (N)" };
const LONGEST = 300; // lines of the transcript
const NONE_YET = "–";

// The score, the best score so far, and the number of moves.
class Numbers {
  constructor() {
    const boxes = ["Score", "Best", "Moves"].map((name) => {
      const value = make("span", "c2048-value", {}, "0");
      return make("div", "c2048-number", {}, make("span", "c2048-name", {}, name), value);
    });
    [this.score, this.best, this.moves] = boxes.map((box) => box.lastChild);
    this.tile = make("span", "c2048-best-tile");
    this.best.after(this.tile);
    this.element = make("div", "c2048-row c2048-numbers", {}, ...boxes);
  }

  // Shows the numbers. The browser remembers the score and the largest tile of the best game by
  // these rules on a board of this size. Only games for which Python sets `counts` are remembered.
  show({ board, score, moves, rules, counts }) {
    const key = `best-${rules}-${board.length}x${board[0].length}`;
    const known = remembered(key)?.match(/^\[([\d.]+),(\d+)\]$/) ?? [];
    let [, best = 0, tile] = known.map(Number);
    if (counts && score > best) {
      [best, tile] = [score, Math.max(...board.flat())];
      remember(key, `[${best},${tile}]`);
    }
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

// All that was said, line by line, for those who read along.
class Transcript {
  constructor() {
    this.list = make("ol");
    const group = { role: "group", "aria-label": "What was said", tabindex: "0", ...OWN_KEYS };
    this.element = make("div", "c2048-transcript", group, this.list);
  }

  add(text) {
    this.list.append(make("li", "", {}, text));
    if (this.list.childElementCount > LONGEST) this.list.firstElementChild.remove();
    // The browser lays out the page once before the next frame; now, it would do so for each key.
    requestAnimationFrame(() => this.follow());
  }

  follow() {
    this.element.scrollTop = this.element.scrollHeight;
  }
}

// The part for playing by ear: a text on the keys, a box to keep them, switches for lights, sounds.
class Ear {
  constructor(view) {
    this.view = view;
    this.sounds = new Sounds();
    this.lights = this.switch("Lights off", (isDark) => view.darken(isDark));
    this.tones = this.switch("Sounds", (isOn) => this.sounds.turn(isOn));
    this.box = make("input", "c2048-always", { type: "checkbox", ...OWN_KEYS });
    this.box.addEventListener("change", () => remember("keys", this.box.checked ? "ear" : ""));
    const label = make("label", "", {}, this.box, " Start every new board with these keys");
    const switches = make("div", "c2048-bar", {}, this.lights, this.tones);
    const lines = [make("p", "", {}, EAR), make("p", "", {}, label)];
    this.element = make("div", "c2048-ear", {}, switches, ...lines);
  }

  // Returns a button that stays pressed until it is pressed again.
  switch(label, turn) {
    const made = button(label, () => {
      const isOn = made.getAttribute("aria-pressed") !== "true";
      made.setAttribute("aria-pressed", String(isOn));
      turn(isOn);
    });
    return made;
  }

  // Shows this part if the keys are those for the ear; the board becomes visible again.
  show(scheme) {
    this.element.hidden = scheme !== "ear";
    this.box.checked = remembered("keys") === "ear";
    this.lights.setAttribute("aria-pressed", "false");
    this.tones.setAttribute("aria-pressed", String(this.sounds.isOn));
    this.view.darken(false);
  }
}

class BoardView extends LiveView {
  constructor(model, el) {
    super(model, el, HELP);
    this.ends.push(() => this.switches.sounds.stop());
  }

  build() {
    this.field = new Field(this);
    this.numbers = new Numbers();
    this.undo = button("↶ Undo", () => this.ask({ do: "undo" }), "Undo");
    const fresh = button("New game", () => this.ask({ do: "new" }));
    const controls = this.controls("Slide", this.undo, fresh);
    const choices = Object.entries(OFFERS).map(([choice, text]) =>
      button(text, () => this.ask({ do: choice })),
    );
    choices[0].classList.add("c2048-strong");
    const group = { role: "group", "aria-label": "Second chance" };
    this.chance = make("div", "c2048-row c2048-chance", group, ...choices);
    this.transcript = new Transcript();
    this.switches = new Ear(this);
    const { chance, note, status, transcript, switches, help } = this;
    const said = [chance, status, transcript.element];
    this.side.append(this.numbers.element, controls, note, ...said, switches.element, help);
  }

  begin() {
    this.draw({});
    this.show();
  }

  slide(direction) {
    this.ask({ do: "move", direction });
  }

  // Makes a new field, because the board has another size: a learner's own game may change it.
  resize() {
    const old = this.field;
    const hadFocus = old.element.contains(document.activeElement);
    old.tiles.stop();
    this.field = new Field(this);
    this.field.place(old.cursor);
    old.element.replaceWith(this.field.element);
    if (hadFocus) this.field.focus();
  }

  setScheme(scheme) {
    super.setScheme(scheme);
    this.switches.show(this.scheme);
  }

  toggleScheme() {
    super.toggleScheme();
    if (this.scheme === "ear") this.say(EAR_ON);
    else remember("keys", "");
  }

  // Hides the board, or shows it again. Somebody who hides it wants to play at once.
  darken(isDark) {
    this.root.dataset.lights = isDark ? "off" : "on";
    if (!isDark) return;
    this.transcript.follow();
    this.field.focus();
  }

  press({ arrow, letter, isShifted }) {
    const isEar = this.scheme === "ear";
    const what = isEar && ((!isShifted && arrow) || READS[letter]);
    const direction = arrow ? isShifted === isEar && arrow : !isEar && LETTERS[letter];
    if (letter === "u") this.ask({ do: "undo" });
    else if (this.state.canContinue && ANSWERS[letter]) this.ask({ do: ANSWERS[letter] });
    else if (what) this.ask({ do: "read", what });
    else if (direction) this.slide(direction);
    else return false;
    return true;
  }

  receive(message, isMine) {
    const { kind, state, stopped, square, note, said, motion } = message;
    if (stopped) this.line = [];
    if (isMine) this.root.classList.remove("c2048-waiting");
    if (state) {
      this.state = { ...this.state, ...state };
      this.draw(message);
    }
    if (state || isMine) this.show(note);
    if (state && isMine) this.bringNews(note ?? this.state.note);
    if (square && isMine) this.field.place(square);
    if (isMine && this.scheme === "ear")
      this.switches.sounds.play(motion?.merged, this.state.board);
    if (said && (isMine || kind === "turn")) this.say(said);
  }

  draw({ motion, spawned, gained, celebrate }) {
    const { board, marks, over, goal } = this.state;
    if (!this.field.tiles.fits(board)) this.resize();
    this.field.tiles.show(board, { motion, spawned, marks });
    this.numbers.rise(gained);
    this.root.classList.toggle("c2048-over", Boolean(over));
    if (celebrate) this.field.cheer(goal);
  }

  show(note = this.state.note) {
    this.numbers.show(this.state);
    this.undo.setAttribute("aria-disabled", String(!this.state.canUndo));
    const hadFocus = this.chance.contains(document.activeElement);
    this.chance.hidden = !this.state.canContinue;
    if (hadFocus && this.chance.hidden) this.field.focus();
    showNote(this.note, note ?? ending(this.state));
  }

  // Scrolls a new note into view, once: it is below the buttons, and on a phone maybe out of sight.
  bringNews(note) {
    const isNews = note?.title !== this.told;
    this.told = note?.title;
    if (note && isNews && note.kind !== "printed") this.note.scrollIntoView({ block: "nearest" });
  }

  unanswered(isLate) {
    this.bringNews(super.unanswered(isLate));
  }

  say(text) {
    this.transcript.add(text);
    super.say(text);
  }
}

// Returns a note on the end of the game, or on its goal; `null` if neither is reached.
function ending({ over, won, goal, canContinue }) {
  if (over) return { kind: "over", title: "No move is left", lines: [canContinue ? CHANCE : BACK] };
  const words = `A tile of ${goal} is on the board. Play on as long as you like.`;
  return won ? { kind: "won", title: "You made it!", lines: [words] } : null;
}

export default liveWidget(BoardView);
