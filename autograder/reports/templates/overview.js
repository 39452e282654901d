"use strict";
// Lets a person sort the table of all students by any column, and show only some rows of it.
(() => {
  const table = document.getElementById("students");
  const body = table.tBodies[0];
  const heads = [...table.tHead.rows[0].cells];
  const [field, status] = ["field", "status"].map((id) => document.getElementById(id));
  const total = body.rows.length;

  function sortBy(place) {
    const head = heads[place];
    const isNumber = head.classList.contains("number");
    // At the first click, the most points come first, and names come in the order of the alphabet.
    const [first, second] = isNumber ? ["descending", "ascending"] : ["ascending", "descending"];
    const order = head.getAttribute("aria-sort") === first ? second : first;
    for (const each of heads) each.setAttribute("aria-sort", each === head ? order : "none");
    const sign = order === "ascending" ? 1 : -1;
    const value = (row) => row.cells[place].dataset.value;
    const compare = (one, other) =>
      isNumber
        ? Number(value(one)) - Number(value(other))
        : value(one).localeCompare(value(other), undefined, { numeric: true });
    body.append(...[...body.rows].toSorted((one, other) => sign * compare(one, other)));
  }

  function filter() {
    const words = field.value.trim().toLowerCase();
    for (const row of body.rows) row.hidden = !row.textContent.toLowerCase().includes(words);
    const shown = [...body.rows].filter((row) => !row.hidden).length;
    status.textContent = `${shown} of ${total} students are shown.`;
  }

  heads.forEach((head, place) => {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...head.childNodes);
    head.append(button);
    head.setAttribute("aria-sort", "none");
    button.addEventListener("click", () => sortBy(place));
  });
  field.addEventListener("input", filter);
  document.getElementById("filter").hidden = false;
})();
