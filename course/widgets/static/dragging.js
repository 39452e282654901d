// dragging.js: a line follows the mouse, the pen or the finger.

const NEAR = 5; // pixels: until then it is a click

export class Dragging {
  // `start(id)`, `move(id, list, index, right)` and `end(isKept)` tell what happens; `right` is how
  // many pixels the line was drawn to the right. A finger takes a line by its grip, because
  // anywhere else it scrolls the page.
  constructor({ root, lists, start, move, end }) {
    this.root = root;
    this.lists = lists;
    this.start = start;
    this.move = move;
    this.end = end;
    this.held = null;
    root.addEventListener("pointerdown", (event) => this.down(event));
    root.addEventListener("pointermove", (event) => this.follow(event));
    root.addEventListener("pointerup", () => this.release(true));
    root.addEventListener("pointercancel", () => this.release(false));
  }

  down(event) {
    const line = event.target.closest("[data-line]");
    const isTaken = event.pointerType === "mouse" || event.target.closest(".c2048-grip");
    if (!line || !isTaken || event.button !== 0 || this.held) return;
    const { clientX: x, clientY: y, pointerId } = event;
    this.held = { id: Number(line.dataset.line), x, y, pointerId, isMoving: false };
  }

  follow({ clientX, clientY, pointerId }) {
    const held = this.held;
    if (!held || pointerId !== held.pointerId) return;
    if (!held.isMoving) {
      if (Math.hypot(clientX - held.x, clientY - held.y) < NEAR) return;
      held.isMoving = true;
      this.root.setPointerCapture(pointerId);
      this.start(held.id);
    }
    const list = clientY > this.lists.bin.getBoundingClientRect().top ? "bin" : "rows";
    const others = [...this.lists[list].children].filter((line) => !this.isHeld(line));
    const above = others.filter((line) => middle(line) < clientY);
    this.move(held.id, list, above.length, clientX - held.x);
  }

  isHeld(line) {
    return Number(line.dataset.line) === this.held.id;
  }

  // Lets go; returns whether a line was on its way.
  release(isKept) {
    const wasMoving = Boolean(this.held?.isMoving);
    this.held = null;
    if (wasMoving) this.end(isKept);
    return wasMoving;
  }
}

function middle(line) {
  const { top, height } = line.getBoundingClientRect();
  return top + height / 2;
}
