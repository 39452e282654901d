// contest.js: what stands beside the board of a duel: the task, both players, the directions.

import { announce, pad } from "./live.js";
import { showNote } from "./note.js";
import { button, make, uniqueId } from "./parts.js";

const PLAYERS = { 1: "first", "-1": "second" };
const SHOWN = 8; // tiles of a player, the largest ones

const DUEL_HELP = {
  eye: "To place, walk with the arrow keys and press Enter, or click on a square. To push, press an arrow key or W A S D. Tab leaves the board.",
  ear: "Arrow keys read, Enter places, Shift + arrow pushes, S says how it stands, Tab leaves the board.",
};

export class Contest {
  // What the buttons do: `push(direction)`, `preview(direction or "")`, `fresh()`, `toggle()`.
  constructor({ push, preview, fresh, toggle }) {
    this.task = make("p", "c2048-task");
    this.players = make("div", "c2048-players");
    const { group, ways } = pad("Push", push);
    for (const [direction, way] of Object.entries(ways)) {
      for (const begin of ["pointerenter", "focus"])
        way.addEventListener(begin, () => preview(direction));
      for (const end of ["pointerleave", "blur"]) way.addEventListener(end, () => preview(""));
    }
    this.ways = ways;
    this.scheme = button("Keys for the ear", "Keys for the ear");
    this.scheme.addEventListener("click", toggle);
    this.fresh = button("New duel", "New duel");
    this.fresh.addEventListener("click", fresh);
    const more = make("div", "c2048-more");
    more.append(this.fresh, this.scheme);
    const controls = make("div", "c2048-controls");
    controls.append(group, more);
    this.ahead = make("p", "c2048-ahead");
    this.note = make("div", "c2048-note");
    this.status = make("p", "c2048-status", { role: "status" });
    this.help = make("p", "c2048-help", { id: uniqueId("help") });
    this.element = make("div", "c2048-side");
    const { task, players, ahead, note, status, help } = this;
    this.element.append(task, players, controls, ahead, note, status, help);
  }

  show(state) {
    const { task, round, rounds, phase, asked, legal, numbers, over } = state;
    this.task.textContent = task;
    this.players.replaceChildren(...["1", "-1"].map((player) => this.player(player, state)));
    this.turn(over ? 0 : state.player);
    for (const [direction, way] of Object.entries(this.ways)) {
      const may = asked && phase === "push" && legal.includes(direction);
      way.setAttribute("aria-disabled", String(!may));
    }
    const told = `Round ${round} of ${rounds}.`;
    const [now, ...next] = numbers;
    const then = next.length ? ` The next ones: ${next.join(", ")}.` : "";
    this.ahead.textContent = over ? told : `${told} Its number is ${now}.${then}`;
  }

  player(player, { tiles, mine, both }) {
    const box = make("div", "c2048-player", { "data-player": PLAYERS[player] });
    const you = !both && Number(player) === mine ? " (you)" : "";
    box.append(make("span", "c2048-name", {}, `${PLAYERS[player]} player${you}`));
    const sizes = tiles[player];
    const more = sizes.length > SHOWN ? " …" : "";
    const told = sizes.length ? sizes.slice(0, SHOWN).join(" ") + more : "no tiles";
    box.append(make("span", "c2048-sizes", {}, told));
    return box;
  }

  // Whose turn it is.
  turn(player) {
    for (const box of this.players.children) {
      box.classList.toggle("c2048-turn", box.dataset.player === PLAYERS[player]);
    }
  }

  showScheme(scheme) {
    this.scheme.setAttribute("aria-pressed", String(scheme === "ear"));
    this.help.textContent = DUEL_HELP[scheme];
  }

  // No answer: the note says so, and what to do.
  stall(note) {
    showNote(this.note, note);
    this.say(note.lines.join(" "));
  }

  say(text) {
    announce(this.status, text);
  }
}
