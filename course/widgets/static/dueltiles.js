// dueltiles.js: the board of a duel: whose territory, whose tile, and where a tile may be placed.

import { Tiles } from "./tiles.js";

export class DuelTiles extends Tiles {
  constructor(height, width, label) {
    super(height, width, label);
    for (const cells of this.cells) {
      for (const [column, cell] of cells.entries()) {
        cell.dataset.home = column < width / 2 ? "first" : "second";
      }
    }
  }

  // Where a tile may be placed; `home` is the one square in the own territory.
  mark(legal, home) {
    const may = new Set(legal.map(String));
    for (const [row, cells] of this.cells.entries()) {
      for (const [column, cell] of cells.entries()) {
        const name = String([row, column]);
        const kind = name === String(home) ? "home" : "away";
        if (may.has(name)) cell.dataset.legal = kind;
        else delete cell.dataset.legal;
      }
    }
  }
}
