// note.js: the note beside a board or a line.

import { make, together, withCode } from "./parts.js";
import { still } from "./tiles.js";

// A wrong answer as small boards. It is for the eye: the sentences that it stands for are read.
function drawing({ title, parts }) {
  const picture = make("div", "c2048-drawing", { "aria-hidden": "true" });
  picture.append(make("code", "", {}, title));
  for (const { label, board, text, marks } of parts) {
    const part = make("div", "c2048-part");
    part.append(make("div", "c2048-label", {}, label));
    part.append(board ? still(board, marks) : make("code", "", {}, text));
    picture.append(part);
  }
  return picture;
}

// A note beside a board or a line: a title, sentences, the learner's code, a hint, what was printed.
export function showNote(place, note) {
  place.dataset.kind = note ? note.kind : "";
  place.replaceChildren();
  if (!note) return;
  place.append(make("p", "c2048-title", {}, note.title));
  const pictures = note.pictures ?? [];
  const drawn = new Set(pictures.flatMap((picture) => picture.lines));
  const said = (isDrawn, className) => {
    const lines = note.lines.filter((_, number) => drawn.has(number) === isDrawn);
    return lines.map((line) => make("p", className, {}, together(line)));
  };
  place.append(...said(true, "c2048-hidden"), ...pictures.map(drawing), ...said(false, ""));
  if (note.code) place.append(make("pre", "c2048-code", {}, note.code));
  if (note.hint) {
    const hint = withCode("p", `Hint: ${note.hint}`);
    hint.className = "c2048-hint";
    place.append(hint);
  }
  if (!note.printed?.length) return;
  if (note.kind !== "printed") place.append(make("p", "", {}, "Your code printed:"));
  place.append(make("pre", "c2048-code", {}, note.printed.join("\n")));
}
