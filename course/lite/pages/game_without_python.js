// game_without_python.js: a game without Python. `Match` has the methods of a widget's model, so
// the board of the lessons can show it.

const SIZE = 4;
const GOAL = 2048;
const STEPS = { left: [0, -1], right: [0, 1], up: [-1, 0], down: [1, 0] };

const empty = () => Array.from({ length: SIZE }, () => Array(SIZE).fill(0));
const name = ([row, column]) => `${"ABCD"[column]}${row + 1}`;
const inside = (index) => Math.min(Math.max(index, 0), SIZE - 1);
const spoken = (line) => line.map((tile) => tile || "zero").join(", ");

// Returns the squares of each line, beginning at the wall to which the tiles slide.
function lines(direction) {
  const order = [...Array(SIZE).keys()];
  if (direction === "right" || direction === "down") order.reverse();
  const isRow = direction === "left" || direction === "right";
  return [...Array(SIZE).keys()].map((line) =>
    order.map((index) => (isRow ? [line, index] : [index, line])),
  );
}

// Returns a board after a slide: { board, glides, merged, made }. `glides` has, for each tile, its
// row and column before and after the slide, and its value. `merged` are the squares of merges, and
// `made` the tiles that the merges made.
export function slide(before, direction) {
  const board = empty();
  const [glides, merged, made] = [[], [], []];
  for (const squares of lines(direction)) {
    let [end, isMerged] = [-1, true];
    for (const [row, column] of squares) {
      const tile = before[row][column];
      if (!tile) continue;
      const wall = end >= 0 ? squares[end] : null;
      const fits = wall && !isMerged && board[wall[0]][wall[1]] === tile;
      if (!fits) end += 1;
      isMerged = Boolean(fits);
      const [top, left] = squares[end];
      board[top][left] += tile;
      glides.push([row, column, top, left, tile]);
      if (!fits) continue;
      merged.push([top, left]);
      made.push(2 * tile);
    }
  }
  return { board, glides, merged, made };
}

export function isOver(board) {
  return Object.keys(STEPS).every((direction) => same(slide(board, direction).board, board));
}

function same(one, other) {
  return one.every((row, index) => row.every((tile, column) => tile === other[index][column]));
}

export class Match {
  // `chance()` returns a random number of at least 0 and less than 1, as `Math.random` does.
  constructor(chance = Math.random) {
    this.chance = chance;
    this.listeners = new Set();
    this.start();
  }

  // --- the methods of a model that a board calls

  get(trait) {
    return { state: this.state(), scheme: "", saved_id: "", is_new: false }[trait];
  }

  on(_, listen) {
    this.listeners.add(listen);
  }

  off(_, listen) {
    this.listeners.delete(listen);
  }

  send(action) {
    const answer = { view: action.view, ...this.answer(action) };
    for (const listen of this.listeners) listen(answer);
  }

  // --- the game

  start() {
    this.past = [];
    this.now = { board: empty(), score: 0, moves: 0 };
    this.spawn();
    this.spawn();
    return this.turn({ said: "New game." });
  }

  answer({ do: what, direction, what: part, square }) {
    if (what === "move") return this.move(direction);
    if (what === "read") return this.read(part, square);
    if (what === "undo") return this.undo();
    return what === "new" ? this.start() : { kind: "dropped" };
  }

  move(direction) {
    const before = this.now;
    const { board, glides, merged, made } = slide(before.board, direction);
    if (same(board, before.board)) return this.turn({ said: "Nothing moved." });
    const gained = made.reduce((sum, tile) => sum + tile, 0);
    this.past.push(before);
    this.now = { board, score: before.score + gained, moves: before.moves + 1 };
    const spawned = this.spawn();
    const isFirst = this.wins(this.now.board) && !this.past.some((past) => this.wins(past.board));
    const largest = [...new Set(made)].toSorted((a, b) => b - a);
    const said = [
      gained ? `Merged into ${largest.join(" and ")}. ${gained} points.` : "",
      `New ${this.now.board[spawned[0]][spawned[1]]} at ${name(spawned)}.`,
      isFirst ? "You win!" : "",
      isOver(this.now.board) ? "Game over." : "",
    ];
    const motion = { glides, merged, appeared: [], vanished: [] };
    const facts = { motion, spawned: [spawned], gained, celebrate: isFirst };
    return this.turn({ ...facts, said: said.filter(Boolean).join(" ") });
  }

  undo() {
    if (!this.past.length) return this.turn({ said: "There is nothing to take back." });
    this.now = this.past.pop();
    return this.turn({ said: "Undone." });
  }

  read(what, [row, column]) {
    const [down, right] = STEPS[what] ?? [0, 0];
    const square = [inside(row + down), inside(column + right)];
    const { board, score, moves } = this.now;
    const said = {
      row: `Row ${row + 1}: ${spoken(board[row])}`,
      column: `Column ${"ABCD"[column]}: ${spoken(board.map((line) => line[column]))}`,
      status: `Score ${score}, ${moves} ${moves === 1 ? "move" : "moves"}`,
    };
    const here = `${name(square)} ${board[square[0]][square[1]] || "zero"}`;
    return { kind: "read", square, said: said[what] ?? here, note: null };
  }

  // Puts a new tile on a free square: a 2 in nine of ten cases, or else a 4. Returns the square.
  spawn() {
    const board = this.now.board.map((row) => [...row]);
    const free = lines("left")
      .flat()
      .filter(([row, column]) => !board[row][column]);
    const [row, column] = free[Math.floor(this.chance() * free.length)];
    board[row][column] = this.chance() < 0.9 ? 2 : 4;
    this.now = { ...this.now, board };
    return [row, column];
  }

  wins(board) {
    return board.flat().some((tile) => tile >= GOAL);
  }

  state() {
    return {
      ...this.now,
      over: isOver(this.now.board),
      won: this.wins(this.now.board),
      goal: GOAL,
      rules: `classic-${GOAL}`,
      counts: true,
      canUndo: this.past.length > 0,
      canContinue: false,
      marks: [],
      note: null,
    };
  }

  turn(facts) {
    const still = { glides: [], merged: [], appeared: [], vanished: [] };
    const nothing = { motion: still, spawned: [], gained: 0, celebrate: false, stopped: false };
    return { kind: "turn", state: this.state(), ...nothing, ...facts };
  }
}
