// board.js: the live board. Every move is asked of Python; what comes back is drawn and said.

import { Field } from "./field.js";
import { EAR, keyAction } from "./keys.js";
import { keepState, LiveView } from "./live.js";
import { remember } from "./parts.js";
import { Side } from "./side.js";

class BoardView extends LiveView {
  build() {
    const ask = (action) => this.queue.ask(action);
    const leave = () => this.field.focus();
    this.side = new Side(
      ask,
      () => this.toggleScheme(),
      (isDark) => this.darken(isDark),
      leave,
    );
    this.field = this.newField();
  }

  begin() {
    this.draw({});
    this.side.show(this.state);
  }

  newField() {
    const slide = (direction) => this.queue.ask({ do: "move", direction });
    return new Field(this.state.board, this.side.help.id, slide);
  }

  // A game of the learner's own may change its size.
  resize() {
    const old = this.field;
    const hadFocus = old.element.contains(document.activeElement);
    old.tiles.stop();
    this.field = this.newField();
    this.field.place(old.cursor);
    old.element.replaceWith(this.field.element);
    if (hadFocus) this.field.focus();
  }

  // Whoever puts the lights off wants to play at once.
  darken(isDark) {
    this.root.dataset.lights = isDark ? "off" : "on";
    if (!isDark) return;
    this.side.transcript.follow();
    this.field.focus();
  }

  toggleScheme() {
    this.setScheme(this.scheme === "ear" ? "eye" : "ear");
    if (this.scheme === "ear") this.side.say(EAR);
    else remember("keys", "");
  }

  key(event) {
    const action = keyAction(event, this.scheme, this.state.canContinue);
    if (action) this.queue.ask(action);
    return Boolean(action);
  }

  take(message, isMine) {
    const { kind, state, stopped, square, note, said, motion } = message;
    if (stopped) this.queue.forget();
    if (isMine) this.root.classList.remove("c2048-waiting");
    if (state) {
      this.state = { ...this.state, ...state };
      this.draw(message);
    }
    if (state || isMine) this.side.show(this.state, note);
    if (state && isMine) this.side.bringNews(note ?? this.state.note);
    if (square && isMine) this.field.place(square);
    if (isMine && this.scheme === "ear")
      this.side.ear.sounds.play(motion?.merged, this.state.board);
    if (said && (isMine || kind === "turn")) this.side.say(said);
  }

  draw({ motion, spawned, gained, celebrate }) {
    const { board, marks, over, goal } = this.state;
    if (!this.field.tiles.fits(board)) this.resize();
    this.field.tiles.show(board, { motion, spawned, marks });
    this.side.numbers.rise(gained);
    this.root.classList.toggle("c2048-over", Boolean(over));
    if (celebrate) this.field.cheer(goal);
  }

  remove() {
    this.side.ear.sounds.stop();
    super.remove();
  }
}

export default {
  initialize: keepState,
  render({ model, el }) {
    const view = new BoardView(model, el);
    return () => view.remove();
  },
};
