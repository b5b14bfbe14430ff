"use strict";
// Sorting: a button in each heading of a column; sums stand in the foot and stay there.
for (const table of document.querySelectorAll("table[data-sortable]")) {
  const heads = table.tHead.rows[table.tHead.rows.length - 1].cells;
  const body = table.tBodies[0];
  [...heads].forEach((head, column) => {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "sort";
    button.append(...head.childNodes);
    head.append(button);
    head.setAttribute("aria-sort", "none");
    button.addEventListener("click", () => {
      const numeric = head.classList.contains("n");
      const first = numeric ? "descending" : "ascending";
      const other = numeric ? "ascending" : "descending";
      const way = head.getAttribute("aria-sort") === first ? other : first;
      for (const one of heads) one.setAttribute("aria-sort", one === head ? way : "none");
      const sign = way === "ascending" ? 1 : -1;
      const keyed = [...body.rows].map((row, at) => ({ row, at, key: row.cells[column].dataset.sort }));
      const absent = (key) => key === "" || (numeric && Number.isNaN(Number(key)));
      keyed.sort((a, b) => {
        // What is absent stands last, whichever way.
        if (absent(a.key) || absent(b.key)) return absent(a.key) - absent(b.key) || a.at - b.at;
        const order = numeric ? Number(a.key) - Number(b.key) : a.key.localeCompare(b.key, undefined, { numeric: true });
        return sign * order || a.at - b.at;
      });
      body.append(...keyed.map((entry) => entry.row));
    });
  });
}

// Origins: every traced number is a button; a table is one stop of the Tab key, arrows go from number to number.
const data = JSON.parse(document.getElementById("traces").textContent);
const dialog = document.getElementById("trace");
const cell = (kind, text) => Object.assign(document.createElement(kind), { textContent: text === null ? "" : text });
const line = (kind, texts) => {
  const row = document.createElement("tr");
  row.append(...texts.map((text) => cell(kind, text)));
  return row;
};
const show = (number) => {
  const { title, folds } = data.cells[number];
  const table = dialog.querySelector("table");
  document.getElementById("trace-title").textContent = title;
  table.tHead.replaceChildren(line("th", data.columns));
  table.tBodies[0].replaceChildren(...folds.map((fold) => line("td", fold)));
  const at = data.columns.indexOf("run");
  const runs = [...new Set(folds.map((fold) => fold[at]))].filter((run) => run !== null).sort((a, b) => a - b);
  document.getElementById("trace-runs").textContent = runs.map((run) => `Run ${run}: ${data.runs[run - 1]}`).join("\n");
  dialog.showModal();
};
for (const table of document.querySelectorAll("main table")) {
  const all = () => [...table.querySelectorAll("button.v")];
  if (all().length) all()[0].tabIndex = 0;
  table.addEventListener("click", (event) => {
    const button = event.target.closest("button.v");
    if (button) show(Number(button.dataset.trace));
  });
  table.addEventListener("keydown", (event) => {
    const button = event.target.closest("button.v");
    const steps = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };
    if (!button || !(event.key in steps)) return;
    const [down, right] = steps[event.key];
    const place = button.closest("td, th");
    let row = place.parentElement.rowIndex, column = place.cellIndex, next = null;
    // Past words for what is absent and past marks to the next number, if there is one.
    do {
      row += down;
      column += right;
      const line = table.rows[row];
      if (!line || !line.cells[column]) return;
      next = line.cells[column].querySelector("button.v");
    } while (!next);
    event.preventDefault();
    for (const one of all()) one.tabIndex = -1;
    next.tabIndex = 0;
    next.focus();
  });
}
dialog.addEventListener("click", (event) => {
  if (event.target === dialog) dialog.close();
});
// On a phone the contents are closed: they would stand before everything else.
if (matchMedia("(max-width: 72rem)").matches) document.querySelector("details.toc").open = false;
