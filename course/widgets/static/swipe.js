// swipe.js: a finger or a pointer that is drawn over the board, or taps on it.

const LEAST = 24; // pixels; what is shorter is a tap

// Calls `slide(direction)` for each swipe that begins on the element, wherever it ends.
export function onSwipe(element, slide) {
  let start = null;
  element.addEventListener("pointerdown", (event) => {
    start = [event.clientX, event.clientY];
    element.setPointerCapture(event.pointerId);
  });
  element.addEventListener("pointerup", (event) => {
    if (!start) return;
    const direction = swipeDirection(event.clientX - start[0], event.clientY - start[1]);
    start = null;
    if (direction) slide(direction);
  });
  element.addEventListener("pointercancel", () => {
    start = null;
  });
}

// Calls `tap(event)` where a click began and ended at the same place, so that no swipe is one.
export function onTap(element, tap) {
  let start = [0, 0];
  element.addEventListener("pointerdown", (event) => {
    start = [event.clientX, event.clientY];
  });
  element.addEventListener("click", (event) => {
    if (!swipeDirection(event.clientX - start[0], event.clientY - start[1])) tap(event);
  });
}

function swipeDirection(right, down) {
  if (Math.max(Math.abs(right), Math.abs(down)) < LEAST) return null;
  if (Math.abs(right) > Math.abs(down)) return right > 0 ? "right" : "left";
  return down > 0 ? "down" : "up";
}
