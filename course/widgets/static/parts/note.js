// note.js: the note beside a board or a line.

import { make, together, withCode } from "./parts.js";
import { still } from "./tiles.js";

// Returns a wrong answer as small boards. Screen readers leave them out, and read its sentences.
function drawing({ title, parts }) {
  const pictures = parts.map(({ label, board, text, marks }) => {
    const picture = board ? still(board, marks) : make("code", "", {}, text);
    return make("div", "c2048-part", {}, make("div", "c2048-label", {}, label), picture);
  });
  const name = make("code", "", {}, title);
  return make("div", "c2048-row c2048-drawing", { "aria-hidden": "true" }, name, ...pictures);
}

// Shows a note in its place: a title, sentences, the learner's code, a hint, and printed lines.
export function showNote(place, note) {
  place.dataset.kind = note ? note.kind : "";
  place.replaceChildren();
  if (!note) return;
  const { kind, title, lines, pictures = [], code, hint, printed = [] } = note;
  const drawn = new Set(pictures.flatMap((picture) => picture.lines));
  const said = (isDrawn, className) => {
    const chosen = lines.filter((_, number) => drawn.has(number) === isDrawn);
    return chosen.map((line) => make("p", className, {}, together(line)));
  };
  const inside = [
    make("p", "c2048-title", {}, title),
    ...said(true, "c2048-hidden"),
    ...pictures.map(drawing),
    ...said(false, ""),
    code && make("pre", "c2048-code", {}, code),
    hint && withCode("p", `Hint: ${hint}`, "c2048-hint"),
    printed.length && kind !== "printed" && make("p", "", {}, "Your code printed:"),
    printed.length && make("pre", "c2048-code", {}, printed.join("\n")),
  ];
  place.append(...inside.filter(Boolean));
}
