// board.js: the live board. Every move is asked of Python; what comes back is drawn and said.

import { LOST, WAITING } from "./endings.js";
import { Field } from "./field.js";
import { focusWhenNew } from "./focus.js";
import { EAR, keyAction } from "./keys.js";
import {
  hideSaved,
  make,
  notebookKeys,
  OWN_KEYS,
  remember,
  remembered,
  uniqueId,
} from "./parts.js";
import { Queue } from "./queue.js";
import { Side } from "./side.js";

class BoardView {
  constructor(model, el) {
    this.model = model;
    this.name = uniqueId("view");
    this.state = model.get("state");
    this.queue = new Queue({
      send: (action) => model.send({ ...action, square: this.field.cursor, view: this.name }),
      late: () => this.stall(WAITING),
      lost: () => this.stall(LOST),
    });
    this.build(el);
    this.setScheme(model.get("scheme") || remembered("keys") || "eye");
    this.draw({});
    this.side.show(this.state);
    this.receive = (message) => this.answer(message);
    model.on("msg:custom", this.receive);
    this.unhide = hideSaved(model);
    this.unwatch = focusWhenNew(model, this.root, () => this.field);
  }

  // --- what is on the page

  build(el) {
    const ask = (action) => this.queue.ask(action);
    const leave = () => this.field.focus();
    this.root = make("div", "c2048 c2048-play", OWN_KEYS);
    this.side = new Side(
      ask,
      () => this.toggleScheme(),
      (isDark) => this.darken(isDark),
      leave,
    );
    this.field = this.newField();
    this.root.append(this.field.element, this.side.element);
    this.root.addEventListener("keydown", (event) => this.key(event));
    notebookKeys(this.root);
    el.replaceChildren(this.root);
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

  setScheme(scheme) {
    this.scheme = scheme === "ear" ? "ear" : "eye";
    this.root.dataset.keys = this.scheme;
    this.side.showScheme(this.scheme);
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
    if (!action) return;
    event.preventDefault();
    event.stopPropagation();
    this.queue.ask(action);
  }

  // --- what comes back

  // Whatever comes, and whatever of it can be drawn: the next question goes. A message that names
  // no view is for every view.
  answer(message) {
    const isMine = (message?.view ?? this.name) === this.name;
    try {
      this.take(message ?? {}, isMine);
    } catch (error) {
      console.error(error);
    }
    if (isMine) this.queue.answered();
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

  // No answer comes: the board says so.
  stall(note) {
    this.root.classList.toggle("c2048-waiting", this.queue.isLate);
    this.side.stall(note);
  }

  remove() {
    this.queue.stop();
    this.side.ear.sounds.stop();
    this.model.off("msg:custom", this.receive);
    this.field.tiles.stop();
    this.unhide();
    this.unwatch();
  }
}

export default {
  // The state comes with the messages; the model keeps it for the views that are still to come.
  initialize({ model }) {
    model.on("msg:custom", (message) => {
      if (message?.state) model.set("state", { ...model.get("state"), ...message.state });
    });
  },
  render({ model, el }) {
    const view = new BoardView(model, el);
    return () => view.remove();
  },
};
