// board.js: the live board. It sends every move to Python, and draws and says the answer.

import { showNote } from "../parts/note.js";
import { button, remember } from "../parts/parts.js";
import { Field } from "./board_controls.js";
import { LEAVE, LETTERS, LiveView, liveWidget } from "./live_view.js";
import { Chance, Ear, Numbers, Transcript } from "./side_panel.js";

const HELP = {
  eye: `Arrow keys or W A S D slide, U takes back, ${LEAVE}`,
  ear: `Arrow keys read, Shift + arrow slides, S says the score, R the row, C the column, U takes back, ${LEAVE}`,
};
const EAR =
  "Keys for the ear are on: the arrow keys walk over the squares, and each square is read out by its name, such as B3, and its number. To slide, hold Shift. A new board starts without them, unless you tick the box.";

const READS = { s: "status", r: "row", c: "column" };
const ANSWERS = { y: "continue", n: "decline" }; // while there is a second chance

const CHANCE =
  "You have a second chance, once in a game: six small tiles are cleared, for 2048 points.";
const BACK = "Take a move back with Undo, or start a new game.";

class BoardView extends LiveView {
  constructor(model, el) {
    super(model, el, HELP);
    this.ends.push(() => this.switches.sounds.stop());
  }

  build() {
    this.slide = (direction) => this.ask({ do: "move", direction });
    this.field = this.newField();
    this.numbers = new Numbers();
    this.undo = button("↶ Undo", () => this.ask({ do: "undo" }), "Undo");
    const fresh = button("New game", () => this.ask({ do: "new" }));
    const controls = this.controls("Slide", this.slide, this.undo, fresh);
    this.chance = new Chance(
      (action) => this.ask(action),
      () => this.field.focus(),
    );
    this.transcript = new Transcript();
    this.switches = new Ear(EAR, (isDark) => this.darken(isDark));
    const { chance, note, status, transcript, switches, help } = this;
    const said = [chance.element, status, transcript.element];
    this.side.append(this.numbers.element, controls, note, ...said, switches.element, help);
  }

  begin() {
    this.draw({});
    this.show();
  }

  newField() {
    return new Field(this.state.board, this.help.id, { slide: this.slide });
  }

  // Makes a new field, because the board has another size: a learner's own game may change it.
  resize() {
    const old = this.field;
    const hadFocus = old.element.contains(document.activeElement);
    old.tiles.stop();
    this.field = this.newField();
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
    if (this.scheme === "ear") this.say(EAR);
    else remember("keys", "");
  }

  // Hides the board, or shows it again. Somebody who hides it wants to play at once.
  darken(isDark) {
    this.root.dataset.lights = isDark ? "off" : "on";
    if (!isDark) return;
    this.transcript.follow();
    this.field.focus();
  }

  // Does what a key asks for; returns false if the key asks for nothing here.
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

  // Shows the numbers, the buttons and the note that belong to the state of the game.
  show(note = this.state.note) {
    this.numbers.show(this.state);
    this.undo.setAttribute("aria-disabled", String(!this.state.canUndo));
    this.chance.show(this.state);
    showNote(this.note, note ?? ending(this.state));
  }

  // Scrolls a new note into view, once: it is below the buttons, and on a phone maybe out of sight.
  bringNews(note) {
    const isNews = note?.title !== this.told;
    this.told = note?.title;
    if (note && isNews && note.kind !== "printed") this.note.scrollIntoView({ block: "nearest" });
  }

  stall(isLate, note) {
    super.stall(isLate, note);
    this.bringNews(note);
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
