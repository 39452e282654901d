// tiles.js: draws a board as a native table, and the way from one board to the next.

const GLIDE = 110; // milliseconds
const POP = 170;

class Tiles {
  constructor(height, width, label) {
    this.height = height;
    this.width = width;
    this.table = make("table", "c2048-board", { "aria-label": label });
    this.table.style.setProperty("--columns", width);
    this.cells = [];
    const body = make("tbody");
    for (let row = 0; row < height; row += 1) {
      const line = make("tr");
      const cells = [];
      for (let column = 0; column < width; column += 1) {
        const cell = make("td", "c2048-cell");
        cell.append(make("div", "c2048-square"));
        line.append(cell);
        cells.push(cell);
      }
      this.cells.push(cells);
      body.append(line);
    }
    this.table.append(body);
    this.moving = [];
    this.ghosts = [];
  }

  fits(board) {
    return board.length === this.height && board[0].length === this.width;
  }

  square(row, column) {
    return this.cells[row][column].firstChild;
  }

  // Shows a board at once; with a motion, the tiles find their way there.
  show(board, { motion = null, spawned = [], marks = [] } = {}) {
    this.stop();
    for (let row = 0; row < this.height; row += 1) {
      for (let column = 0; column < this.width; column += 1) {
        this.put(row, column, board[row][column]);
        this.cells[row][column].classList.remove("c2048-marked");
      }
    }
    for (const [row, column] of marks) this.cells[row][column].classList.add("c2048-marked");
    if (motion && !wantsNoMotion()) this.animate(board, motion, spawned);
  }

  put(row, column, value) {
    const square = this.square(row, column);
    const tile = square.firstChild;
    if (tile && tile.dataset.tile === String(value)) return;
    square.replaceChildren(value ? this.tile(value) : make("span", "c2048-hidden", {}, "0"));
  }

  tile(value) {
    const tile = make("div", "c2048-tile", { "data-tile": value }, String(value));
    tile.style.setProperty("--digits", String(value).length);
    return tile;
  }

  animate(board, motion, spawned) {
    const merged = new Set(motion.merged.map(String));
    for (const [row, column, toRow, toColumn, value] of motion.glides) {
      const meets = merged.has(String([toRow, toColumn]));
      const still = row === toRow && column === toColumn;
      if (still && !meets) continue;
      const tile = meets ? this.ghost(toRow, toColumn, value) : this.square(toRow, toColumn).firstChild;
      const away = `translate(calc(${column - toColumn} * (100% + var(--gap))), calc(${row - toRow} * (100% + var(--gap))))`;
      this.run(tile, [{ transform: away }, { transform: "none" }], GLIDE, 0, "ease-in-out", meets);
    }
    for (const [row, column] of motion.merged) {
      const tile = this.square(row, column).firstChild;
      this.run(tile, [{ transform: "scale(0.6)", opacity: 0 }, { opacity: 1, transform: "scale(1.14)", offset: 0.5 }, { transform: "none" }], POP, GLIDE, "ease-out");
    }
    for (const [row, column] of [...spawned, ...motion.appeared]) {
      const tile = this.square(row, column).firstChild;
      if (!tile.dataset.tile) continue;
      this.run(tile, [{ transform: "scale(0)", opacity: 0 }, { transform: "none", opacity: 1 }], POP, GLIDE, "ease-out");
    }
    for (const [row, column, value] of motion.vanished) {
      const ghost = this.ghost(row, column, value);
      this.run(ghost, [{ opacity: 1 }, { opacity: 0, transform: "scale(0.5)" }], 4 * POP, GLIDE, "ease-in", true);
    }
  }

  // A tile that is only seen on its way: it is gone from the board.
  ghost(row, column, value) {
    const ghost = this.tile(value);
    ghost.classList.add("c2048-ghost");
    ghost.setAttribute("aria-hidden", "true");
    this.square(row, column).append(ghost);
    this.ghosts.push(ghost);
    return ghost;
  }

  run(tile, frames, duration, delay, easing, isGhost = false) {
    tile.classList.add("c2048-moving");
    const animation = tile.animate(frames, { duration, delay, easing, fill: "backwards" });
    animation.onfinish = () => {
      tile.classList.remove("c2048-moving");
      if (isGhost) tile.remove();
    };
    this.moving.push(animation);
  }

  // The next board does not wait for the last one: what still moves is where it is going.
  stop() {
    for (const animation of this.moving) animation.cancel();
    for (const ghost of this.ghosts) ghost.remove();
    this.moving = [];
    this.ghosts = [];
  }
}

// A small board that never moves, for a button: its label says what is on it.
function still(board) {
  const picture = make("span", "c2048-still", { "aria-hidden": "true" });
  picture.style.setProperty("--columns", board[0].length);
  for (const value of board.flat()) {
    const square = make("span", "c2048-square");
    if (value) {
      const tile = make("span", "c2048-tile", { "data-tile": value }, String(value));
      tile.style.setProperty("--digits", String(value).length);
      square.append(tile);
    }
    picture.append(square);
  }
  return picture;
}
