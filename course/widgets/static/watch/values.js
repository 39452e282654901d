// values.js: variables and their values: tiles, objects, texts.

import { make } from "../parts/parts.js";
import { columns, Tiles } from "../parts/tiles.js";

export class Values {
  constructor() {
    this.moving = [];
  }

  // Stops all motion, because all values are drawn anew. The new tiles move only if the step is a
  // step forward.
  clear(isForward = false) {
    this.isForward = isForward;
    for (const tiles of this.moving) tiles.stop();
    this.moving = [];
  }

  // Returns a list of variables with their values. A variable that the code uses as an index of a
  // list points to its square. A pointer is [list, variable, depth]: two names, and 0 for the outer
  // index or 1 for the inner one.
  list(variables, pointers = []) {
    const places = Object.fromEntries(
      variables.map(({ name, value }) => [name, value.kind === "text" ? Number(value.text) : NaN]),
    );
    const rows = variables.map((variable) => {
      const { name, value, marks, changed } = variable;
      const arrows = pointers
        .filter(([of, by]) => of === name && Number.isInteger(places[by]))
        .map(([, by, depth]) => ({ name: by, depth, place: places[by] }));
      const moved = this.isForward ? variable : {};
      const shown = this.value(value, name, { marks, arrows, motion: moved.motion });
      const remarks = remarksOn(variable).map((word) =>
        make("span", "c2048-step-badge", { "data-word": word }, word),
      );
      const term = make("dt", "", {}, make("code", "", {}, name), ...remarks);
      const row = make("div", "c2048-step-row", {}, term, make("dd", "", {}, shown));
      row.classList.toggle("c2048-step-changed", Boolean(changed));
      row.classList.toggle("c2048-step-opened", value.kind === "object");
      return row;
    });
    return make("dl", "c2048-column c2048-step-list", {}, ...rows);
  }

  // Returns the element of a value. If `how` has a `motion`, its tiles move, from the board
  // `before` if `how` has one.
  value(value, name, how = {}) {
    if (value.kind === "tiles") return this.tiles(value, name, how);
    if (value.kind !== "object") return make("code", "c2048-step-text", {}, value.text);
    const kind = make("span", "c2048-step-class", {}, value.name);
    return make("div", "c2048-step-object", {}, kind, this.list(value.fields));
  }

  tiles({ rows, is_line: isLine }, name, { marks = [], arrows = [], motion = null, before }) {
    const tiles = new Tiles(rows, name);
    tiles.table.classList.add("c2048-small");
    if (before) tiles.show(before);
    tiles.show(rows, { marks, motion });
    this.moving.push(tiles);
    // Returns the numbers of the squares at one edge, with the variables that point to them.
    const edge = (kind, list, depth) => {
      const pointing = arrows.filter((arrow) => arrow.depth === depth);
      const places = [...list.keys()].map((at) => {
        const names = pointing.filter(({ place }) => place === at).map((arrow) => arrow.name);
        const found = names.map((each) => make("b", "", {}, each));
        return make("span", "", {}, ...found, make("span", "", {}, String(at)));
      });
      return make("div", `c2048-step-${kind}`, { "aria-hidden": "true" }, ...places);
    };
    const above = edge("columns", rows[0], isLine ? 0 : 1);
    const kind = isLine ? "c2048-step-tiles" : "c2048-step-tiles c2048-step-board";
    const inside = isLine ? [tiles.table, above] : [above, edge("rows", rows, 0), tiles.table];
    return make("div", kind, columns(rows), ...inside);
  }
}

function remarksOn({ changed, same, inside, outside }) {
  const remarks = [changed, same && `same list as ${same}`];
  return [...remarks, inside && "in brackets", outside && "from outside"].filter(Boolean);
}
