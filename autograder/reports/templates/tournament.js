"use strict";
// Steps through the games that the page holds as JSON. The rules are those of course/rules/duel.py.
const at = (id) => document.getElementById(id);

(() => {
  const HEIGHT = 4;
  const WIDTH = 8;
  const PHASES = [
    [1, "places"],
    [-1, "places"],
    [1, "pushes"],
    [-1, "pushes"],
  ];
  const WAYS = { le: "left", ri: "right", up: "up", do: "down" };
  const data = JSON.parse(document.getElementById("replays").textContent);
  const [first, second, slider] = [at("first"), at("second"), at("step")];
  const [status, cells] = [at("status"), [...document.querySelectorAll("#board td")]];
  let shown = null;

  const territory = (square) => (square % WIDTH < WIDTH / 2 ? 1 : -1);

  // Returns the squares of each line, beginning at the side to which tiles are pushed.
  function lines(way) {
    const isFlat = way === "le" || way === "ri";
    const [count, length] = isFlat ? [HEIGHT, WIDTH] : [WIDTH, HEIGHT];
    return Array.from({ length: count }, (_, line) => {
      const squares = Array.from({ length }, (__, step) =>
        isFlat ? line * WIDTH + step : step * WIDTH + line,
      );
      return way === "ri" || way === "do" ? squares.toReversed() : squares;
    });
  }

  function pushLine(board, squares, player) {
    let eater = -1;
    for (let place = 0; place < squares.length; place += 1) {
      let tile = board[squares[place]];
      if (tile * player <= 0) continue;
      let front = place;
      const isFree = (square) => board[square] === 0 && territory(square) === player;
      while (front > 0 && isFree(squares[front - 1])) front -= 1;
      board[squares[place]] = 0;
      const ahead = front > 0 ? Math.abs(board[squares[front - 1]]) : 0;
      if (ahead === Math.abs(tile) && front - 1 !== eater) {
        front -= 1;
        tile *= 2;
        eater = front;
      }
      board[squares[front]] = tile;
    }
  }

  // Returns the boards of a game: before the first phase, and after each phase.
  function boardsOf(answers) {
    const boards = [Array.from({ length: HEIGHT * WIDTH }, () => 0)];
    for (let step = 0; step * 2 < answers.length; step += 1) {
      const board = [...boards[step]];
      const answer = answers.slice(step * 2, step * 2 + 2);
      const [player] = PHASES[step % PHASES.length];
      if (answer in WAYS) lines(answer).forEach((line) => pushLine(board, line, player));
      else if (answer !== "--") {
        const square = Number(answer[0]) * WIDTH + Number(answer[1]);
        board[square] = 2 * territory(square);
      }
      boards.push(board);
    }
    return boards;
  }

  const named = (player) => data.names[shown.game[player === 1 ? 0 : 1]];

  function said(step) {
    if (step === 0) return "The board is empty.";
    const [player, does] = PHASES[(step - 1) % PHASES.length];
    const round = Math.floor((step - 1) / PHASES.length) + 1;
    const answer = shown.answers.slice(step * 2 - 2, step * 2);
    const square = `in row ${Number(answer[0]) + 1}, column ${Number(answer[1]) + 1}`;
    const what = answer in WAYS ? `pushes ${WAYS[answer]}` : `places a 2 ${square}`;
    const skips = does === "places" ? "has no square to fill" : "has nothing to push";
    return `Round ${round}: ${named(player)} ${answer === "--" ? skips : what}.`;
  }

  function ending() {
    const [, , , winner, reason, detail] = shown.game;
    if (winner === 0) return "The game ends in a draw.";
    if (!detail) return `${named(winner)} wins.`;
    return `${named(winner)} wins. ${named(-winner)}: ${reason}, ${detail}`;
  }

  function draw() {
    const step = Number(slider.value);
    const last = shown.boards.length - 1;
    shown.boards[step].forEach((tile, square) => {
      const cell = cells[square];
      const isNew = step > 0 && tile !== 0 && tile !== shown.boards[step - 1][square];
      const owner = tile > 0 ? "first" : "second";
      cell.className = tile === 0 ? "" : `${owner}${isNew ? " new" : ""}`;
      cell.querySelector(".mark").textContent = tile === 0 ? "" : tile > 0 ? "●" : "◥";
      cell.querySelector(".tile").textContent = tile === 0 ? "" : String(Math.abs(tile));
      cell.querySelector(".ear").textContent = tile === 0 ? "empty" : `, ${owner} player`;
    });
    status.textContent = `${said(step)}${step === last ? ` ${ending()}` : ""}`;
    slider.setAttribute("aria-valuetext", `step ${step} of ${last}`);
    at("count").textContent = `${step} of ${last}`;
    for (const id of ["to-start", "back"]) at(id).disabled = step === 0;
    for (const id of ["forward", "to-end"]) at(id).disabled = step === last;
  }

  function go(step) {
    slider.value = String(step);
    draw();
  }

  function choose() {
    const [one, other] = [Number(first.value), Number(second.value)];
    const game = data.games.find((each) => each[0] === one && each[1] === other);
    at("replay").hidden = game === undefined;
    at("nobody").hidden = game !== undefined;
    if (game === undefined) return;
    shown = { game, answers: game[2], boards: boardsOf(game[2]) };
    slider.max = String(shown.boards.length - 1);
    go(0);
  }

  // Begin with a game of the two best agents, if they played each other.
  const begin = data.games.find(([one, other]) => one === 0 && other === 1) ?? data.games[0];
  for (const [select, chosen] of [
    [first, begin?.[0] ?? 0],
    [second, begin?.[1] ?? 1],
  ]) {
    data.names.forEach((name, place) => select.add(new Option(name, String(place))));
    select.value = String(chosen);
    select.addEventListener("change", choose);
  }
  slider.addEventListener("input", draw);
  at("to-start").addEventListener("click", () => go(0));
  at("back").addEventListener("click", () => go(Number(slider.value) - 1));
  at("forward").addEventListener("click", () => go(Number(slider.value) + 1));
  at("to-end").addEventListener("click", () => go(Number(slider.max)));
  at("replays-section").hidden = false;
  choose();
})();
