// board.js: the live board. Every move is asked of Python; what comes back is drawn and said.

const PATIENCE = 2000; // milliseconds until the board says that it waits
const ARROW_SIGNS = { left: "←", up: "↑", right: "→", down: "↓" };
const WAITING =
  "Still waiting for your code … Press ■ (interrupt the kernel) to stop it. After a restart of the kernel, run this cell again.";

const CHANCE =
  "Take the second chance: six small tiles are cleared, for 2048 points. Or start a new game.";

class BoardView {
  constructor(model, el) {
    this.model = model;
    this.el = el;
    this.name = uniqueId("view");
    this.state = model.get("state");
    this.cursor = [0, 0];
    this.line = []; // what is still to be asked
    this.patience = null; // runs while an answer is awaited
    this.build();
    this.setScheme(model.get("scheme") || remembered("keys") || "eye");
    this.tiles.show(this.state.board, { marks: this.state.marks });
    this.write();
    this.receive = (message) => this.answer(message);
    model.on("msg:custom", this.receive);
    this.unhide = hideSaved(model, el);
  }

  // --- what is on the page

  build() {
    const height = this.state.board.length;
    const width = this.state.board[0].length;
    const help = uniqueId("help");
    this.root = make("div", "c2048 c2048-play", OWN_KEYS);
    this.tiles = new Tiles(height, width, `Board, ${height} by ${width}`);
    this.field = make("div", "c2048-field", {
      role: "application",
      "aria-label": `2048, a board of ${height} by ${width} squares`,
      "aria-describedby": help,
      tabindex: "0",
      ...OWN_KEYS,
    });
    this.field.style.setProperty("--columns", width);
    this.banner = make("div", "c2048-banner", { "aria-hidden": "true" });
    this.field.append(this.tiles.table, this.banner);
    this.help = make("p", "c2048-help", { id: help });
    this.status = make("p", "c2048-status", { role: "status" });
    this.note = make("div", "c2048-note");
    const side = make("div", "c2048-side");
    side.append(this.buildNumbers(), this.buildControls(), this.note, this.status, this.help);
    this.root.append(this.field, side);
    this.el.replaceChildren(this.root);
    this.listen();
  }

  // A game of the learner's own may change its size.
  rebuild() {
    const had = this.el.contains(document.activeElement);
    this.tiles.stop();
    this.build();
    this.setScheme(this.scheme);
    if (had) this.field.focus();
  }

  buildNumbers() {
    const numbers = make("div", "c2048-numbers");
    this.numbers = {};
    for (const name of ["Score", "Best", "Moves"]) {
      const box = make("div", "c2048-number");
      const value = make("span", "c2048-value", {}, "0");
      box.append(make("span", "c2048-name", {}, name), value);
      numbers.append(box);
      this.numbers[name] = value;
    }
    return numbers;
  }

  buildControls() {
    const controls = make("div", "c2048-controls");
    const pad = make("div", "c2048-pad", { role: "group", "aria-label": "Slide" });
    for (const [direction, sign] of Object.entries(ARROW_SIGNS)) {
      const slide = button(`Slide ${direction}`, sign, `c2048-${direction}`);
      slide.addEventListener("click", () => this.ask({ do: "move", direction }));
      pad.append(slide);
    }
    const more = make("div", "c2048-more");
    this.undo = button("Undo", "↶ Undo");
    this.undo.addEventListener("click", () => this.ask({ do: "undo" }));
    const fresh = button("New game", "New game");
    fresh.addEventListener("click", () => this.ask({ do: "new" }));
    this.chance = button("Second chance", "Second chance", "c2048-strong");
    this.chance.addEventListener("click", () => this.ask({ do: "continue" }));
    this.chance.hidden = true;
    this.schemeButton = button("Keys for the ear", "Keys for the ear", "c2048-scheme");
    this.schemeButton.addEventListener("click", () => {
      this.setScheme(this.scheme === "ear" ? "eye" : "ear");
      remember("keys", this.scheme);
    });
    more.append(this.chance, this.undo, fresh, this.schemeButton);
    controls.append(pad, more);
    return controls;
  }

  setScheme(scheme) {
    this.scheme = scheme === "ear" ? "ear" : "eye";
    this.root.dataset.keys = this.scheme;
    this.schemeButton.setAttribute("aria-pressed", String(this.scheme === "ear"));
    this.help.textContent = `${HELP[this.scheme]} ${HELD}`;
    this.placeCursor(this.cursor);
  }

  // --- hands

  listen() {
    this.root.addEventListener("keydown", (event) => {
      const action = keyAction(event, this.scheme);
      if (!action) return;
      event.preventDefault();
      event.stopPropagation();
      this.ask(action);
    });
    let start = null;
    this.field.addEventListener("pointerdown", (event) => {
      start = [event.clientX, event.clientY];
      this.field.setPointerCapture(event.pointerId); // a swipe may end beyond the board
    });
    this.field.addEventListener("pointerup", (event) => {
      if (!start) return;
      const direction = swipeDirection(event.clientX - start[0], event.clientY - start[1]);
      start = null;
      if (direction) this.ask({ do: "move", direction });
    });
    this.field.addEventListener("pointercancel", () => {
      start = null;
    });
  }

  // Asks Python, one thing after the other: an answer comes before the next question goes. Keys
  // pressed fast wait in line; keys pressed while the code is plainly stuck do not.
  ask(action) {
    if (this.root.classList.contains("c2048-waiting")) return;
    this.line.push(action);
    if (!this.patience) this.next();
  }

  next() {
    clearTimeout(this.patience);
    this.patience = null;
    const action = this.line.shift();
    if (!action) return;
    this.patience = setTimeout(() => this.wait(), PATIENCE);
    this.model.send({ ...action, square: this.cursor, view: this.name });
  }

  wait() {
    this.line = [];
    this.root.classList.add("c2048-waiting");
    this.writeNote({ kind: "stuck", title: "Waiting", lines: [WAITING] });
    this.say(WAITING);
  }

  // --- what comes back

  answer(message) {
    const mine = message.view === this.name;
    if (message.state) this.state = message.state;
    if (message.stopped) this.line = [];
    if (mine) this.root.classList.remove("c2048-waiting");
    if (message.kind === "turn") this.showTurn(message);
    if (message.kind === "read" && mine) this.placeCursor(message.square);
    if (message.kind === "dropped" && mine) this.write();
    if ("note" in message && mine) this.writeNote(message.note);
    if (message.said && (mine || message.kind === "turn")) this.say(message.said);
    if (mine) this.next();
  }

  showTurn(message) {
    const { state, motion, spawned, gained, celebrate } = message;
    if (!this.tiles.fits(state.board)) this.rebuild();
    this.tiles.show(state.board, { motion, spawned, marks: state.marks });
    this.write();
    if (gained && !wantsNoMotion()) this.rise(gained);
    this.root.classList.toggle("c2048-celebrate", celebrate);
    if (celebrate) this.cheer();
  }

  // Numbers, note, banner and buttons, as the state has them.
  write() {
    const { state } = this;
    const key = `best-${state.board.length}x${state.board[0].length}`;
    const best = Math.max(Number(remembered(key)) || 0, state.fair ? state.score : 0);
    if (best) remember(key, best);
    this.numbers.Score.textContent = String(state.score);
    this.numbers.Best.textContent = String(best);
    this.numbers.Moves.textContent = String(state.moves);
    this.undo.setAttribute("aria-disabled", String(!state.canUndo));
    this.chance.hidden = !state.canContinue;
    this.root.classList.toggle("c2048-over", state.over);
    this.root.classList.toggle("c2048-won", state.won);
    this.writeNote(state.note);
    this.placeCursor(this.cursor);
  }

  writeNote(note) {
    const { over, won, goal } = this.state;
    const end = { kind: "over", title: "No move is left", lines: [this.state.canContinue ? CHANCE : "Take a move back with Undo, or start a new game."] };
    const goalReached = { kind: "won", title: "You made it!", lines: [`A tile of ${goal} is on the board. Play on as long as you like.`] };
    showNote(this.note, note ?? (over ? end : won ? goalReached : null));
  }

  // The goal is celebrated once; the game goes on meanwhile.
  cheer() {
    if (wantsNoMotion()) return;
    this.banner.textContent = `${this.state.goal}!`;
    this.banner.onanimationend = () => {
      this.root.classList.remove("c2048-celebrate");
      this.banner.textContent = "";
    };
  }

  rise(gained) {
    const plus = make("span", "c2048-gain", { "aria-hidden": "true" }, `+${gained}`);
    this.numbers.Score.parentElement.append(plus);
    plus.addEventListener("animationend", () => plus.remove());
  }

  // One announcement an action. The same words twice are said twice.
  say(text) {
    this.status.textContent = this.status.textContent === text ? `${text}\u00a0` : text;
  }

  placeCursor([row, column]) {
    const old = this.tiles.table.querySelector(".c2048-cursor");
    if (old) old.classList.remove("c2048-cursor");
    this.cursor = [row, column];
    const cell = this.tiles.cells[row]?.[column];
    if (cell && this.scheme === "ear") cell.classList.add("c2048-cursor");
  }

  remove() {
    clearTimeout(this.patience);
    this.model.off("msg:custom", this.receive);
    this.tiles.stop();
    this.unhide();
  }
}

export default {
  // The state comes with the messages; the model keeps it for the views that are still to come.
  initialize({ model }) {
    model.on("msg:custom", (message) => {
      if (message.state) model.set("state", message.state);
    });
  },
  render({ model, el }) {
    const view = new BoardView(model, el);
    return () => view.remove();
  },
};
