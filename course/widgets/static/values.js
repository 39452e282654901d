// values.js: variables and what they hold: tiles, objects, texts.

import { make } from "./parts.js";
import { Tiles } from "./tiles.js";

export class Values {
  constructor() {
    this.moving = [];
  }

  // All is drawn anew: nothing of what was drawn moves any more, and what comes moves forward only.
  clear(isForward = false) {
    this.isForward = isForward;
    for (const tiles of this.moving) tiles.stop();
    this.moving = [];
  }

  list(variables, pointers) {
    const list = make("dl", "c2048-step-list");
    for (const variable of variables) {
      const row = make("div", "c2048-step-row");
      const name = make("dt");
      name.append(make("code", "", {}, variable.name));
      for (const word of this.remarks(variable))
        name.append(make("span", "c2048-step-badge", { "data-word": word }, word));
      const value = make("dd");
      const arrows = pointers
        .filter(([of]) => of === variable.name)
        .flatMap(([, by, depth]) => this.pointer(by, depth, variables));
      value.append(
        this.value(
          variable.value,
          variable.name,
          variable.marks || [],
          arrows,
          this.isForward ? variable : null,
        ),
      );
      row.classList.toggle("c2048-step-changed", Boolean(variable.changed));
      row.classList.toggle("c2048-step-opened", variable.value.kind === "object");
      row.append(name, value);
      list.append(row);
    }
    return list;
  }

  remarks(variable) {
    const remarks = variable.changed ? [variable.changed] : [];
    if (variable.same) remarks.push(`same list as ${variable.same}`);
    if (variable.inside) remarks.push("in brackets");
    if (variable.outside) remarks.push("from outside");
    return remarks;
  }

  // A variable that is used as a place in a list points to its square.
  pointer(name, depth, variables) {
    const found = variables.find((variable) => variable.name === name);
    const place = found?.value.kind === "text" ? Number(found.value.text) : NaN;
    return Number.isInteger(place) ? [{ name, depth, place }] : [];
  }

  value(value, name, marks, arrows, moved) {
    if (value.kind === "tiles") return this.tiles(value, name, marks, arrows, moved);
    if (value.kind === "object") {
      const part = make("div", "c2048-step-object");
      part.append(make("span", "c2048-step-class", {}, value.name), this.list(value.fields, []));
      return part;
    }
    return make("code", "c2048-step-text", {}, value.text);
  }

  tiles(value, name, marks, arrows, moved) {
    const { rows } = value;
    const tiles = new Tiles(rows.length, rows[0].length, name);
    tiles.table.classList.add("c2048-small");
    if (moved?.before) tiles.show(moved.before);
    tiles.show(rows, { marks, motion: moved?.motion || null });
    this.moving.push(tiles);
    const frame = make(
      "div",
      value.is_line ? "c2048-step-tiles" : "c2048-step-tiles c2048-step-board",
    );
    frame.style.setProperty("--columns", rows[0].length);
    const [atRows, atColumns] = value.is_line ? [1, 0] : [0, 1];
    const columns = make("div", "c2048-step-columns", { "aria-hidden": "true" });
    columns.append(
      ...rows[0].map((_, column) =>
        this.place(
          column,
          arrows.filter(({ depth }) => depth === atColumns),
        ),
      ),
    );
    const numbers = make("div", "c2048-step-rows", { "aria-hidden": "true" });
    numbers.append(
      ...rows.map((_, row) =>
        this.place(
          row,
          arrows.filter(({ depth }) => depth === atRows),
        ),
      ),
    );
    frame.append(...(value.is_line ? [tiles.table, columns] : [columns, numbers, tiles.table]));
    return frame;
  }

  // The number of a square, and the variables that point to it.
  place(number, arrows) {
    const place = make("span");
    for (const { name, place: at } of arrows)
      if (at === number) place.append(make("b", "", {}, name));
    place.append(make("span", "", {}, String(number)));
    return place;
  }
}
