// puzzle_lines.js: the order and the indentation of a puzzle's lines, and the dragging of a line.

const NEAR = 5; // pixels; if the pointer moves less, it is a click

export class Arrangement {
  // At first, all `count` lines are in the program, indented `base` times. If there is a snapshot
  // `before`, the lines are as in this snapshot.
  constructor(count, base, deepest, before = null) {
    this.base = base;
    this.deepest = deepest;
    this.bin = [];
    this.rows = Array.from({ length: count }, (_, id) => ({ id, indent: base }));
    if (before) this.restore(before);
  }

  snapshot() {
    return structuredClone({ rows: this.rows, bin: this.bin });
  }

  restore(before) {
    Object.assign(this, structuredClone(before));
  }

  // Returns the place of a line: its list, its index there, and the line itself.
  find(id) {
    const list = this.rows.some((row) => row.id === id) ? "rows" : "bin";
    const index = this[list].findIndex((row) => row.id === id);
    return { list, index, row: this[list][index] };
  }

  // Puts a line at a place of a list; returns true if this has changed anything.
  put(id, list, index, indent) {
    const now = this.find(id);
    const kept = Math.min(Math.max(indent, this.base), this.deepest);
    if (now.list === list && now.index === index && now.row.indent === kept) return false;
    this[now.list].splice(now.index, 1);
    this[list].splice(index, 0, { id, indent: kept });
    return true;
  }

  // Returns the place of a line in words: "Position 3 of 7, indented twice."
  words(id) {
    const { list, index, row } = this.find(id);
    const place = `${index + 1} of ${this[list].length}`;
    return list === "bin" ? `Line ${place} in the bin.` : `Position ${place}, ${indented(row)}.`;
  }
}

export function indented({ indent }) {
  const often = ["not indented", "indented once", "indented twice"];
  return often[indent] ?? `indented ${indent} times`;
}

// Lets a line follow the mouse, the pen or the finger.
export class Dragging {
  // A finger takes a line by its grip only: anywhere else, a finger scrolls the page.
  constructor(puzzle) {
    this.puzzle = puzzle;
    this.held = null;
    const root = puzzle.boxes;
    root.addEventListener("pointerdown", (event) => this.down(event));
    root.addEventListener("pointermove", (event) => this.follow(event));
    root.addEventListener("pointerup", () => this.release(true));
    root.addEventListener("pointercancel", () => this.release(false));
  }

  down({ target, pointerType, button, clientX, clientY, pointerId }) {
    const line = target.closest("[data-line]");
    const isTaken = pointerType === "mouse" || target.closest(".c2048-grip");
    if (!line || !isTaken || button !== 0 || this.held) return;
    this.held = { line, x: clientX, y: clientY, pointerId, isMoving: false };
  }

  follow({ clientX, clientY, pointerId }) {
    const { held, puzzle } = this;
    if (!held || pointerId !== held.pointerId) return;
    const id = Number(held.line.dataset.line);
    if (!held.isMoving) {
      if (Math.hypot(clientX - held.x, clientY - held.y) < NEAR) return;
      held.isMoving = true;
      puzzle.boxes.setPointerCapture(pointerId);
      puzzle.pickUp(id);
    }
    const list = clientY > puzzle.lists.bin.getBoundingClientRect().top ? "bin" : "rows";
    const above = [...puzzle.lists[list].children].filter((line) => {
      const { top, height } = line.getBoundingClientRect();
      return line !== held.line && top + height / 2 < clientY;
    });
    puzzle.drag(id, list, above.length, clientX - held.x);
  }

  // Lets go of a line; returns true if the line was being dragged.
  release(isKept) {
    const wasMoving = Boolean(this.held?.isMoving);
    this.held = null;
    if (wasMoving) this.puzzle.drop(isKept);
    return wasMoving;
  }
}
