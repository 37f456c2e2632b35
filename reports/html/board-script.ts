import { SHADES, SYMBOL } from "./parts.ts";

export const BOARD_SCRIPT = `
(() => {
  "use strict";
  const form = document.getElementById("filters");
  const status = document.getElementById("filters-status");
  const value = (name) => form.elements[name]?.value ?? "";
  const apply = () => {
    const [chapter, level, cell, vendor, label] = ["chapter", "level", "cell", "vendor", "label"].map(value);
    const keeps = (part) =>
      (vendor === "" || part.dataset.vendor === vendor) &&
      (label === "" || part.dataset.labels.split(" ").includes(label));
    const wanted = cell === "fail" ? ["fail", "warn"] : [cell];
    let rows = 0;
    let columns = 0;
    for (const table of document.querySelectorAll("table[data-board]")) {
      const kept = [...table.tHead.rows[0].cells].map((part, index) => index === 0 || keeps(part));
      columns += kept.filter(Boolean).length - 1;
      for (const row of table.rows) {
        const cells = [...row.cells];
        for (const [index, part] of cells.entries()) part.hidden = !kept[index];
        if (row.parentElement === table.tHead) continue;
        const fits = (part) => !part.hidden && wanted.some((name) => part.classList.contains(name));
        row.hidden =
          (chapter !== "" && row.dataset.chapter !== chapter) ||
          (level !== "" && row.dataset.level !== level) ||
          (cell !== "" && !cells.some(fits));
        if (!row.hidden) rows += 1;
      }
    }
    for (const row of document.querySelectorAll("[data-service]")) row.hidden = !keeps(row);
    const any = [chapter, level, cell, vendor, label].some((each) => each !== "");
    status.textContent = any ? rows + " requirements and " + columns + " services are shown." : "";
  };
  form.hidden = false;
  form.addEventListener("input", apply);
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("reset", () => setTimeout(apply));
})();
`;

export const BOARD_STYLES = `
main > .filters { padding-top: 1.4rem; margin-bottom: 0; }
.differences td, .differences th { width: 50%; }
.services td, .services th { min-width: 8rem; }
.services th { min-width: 12rem; }
.services .badge { white-space: normal; overflow-wrap: normal; }
.trend { display: block; }
.board .turned { writing-mode: vertical-rl; transform: rotate(180deg); display: inline-block; white-space: nowrap; max-height: 15rem;
  overflow: hidden; text-overflow: ellipsis; }
.board thead th + th a { writing-mode: inherit; transform: none; display: inline; }
.board thead th + th { padding: 0.6rem 0.3rem; vertical-align: bottom; text-align: center; }
.board th:first-child { width: 22rem; min-width: 15rem; }
.scroll:has(.board) { max-height: 92vh; overflow: auto; }
.board thead th { position: sticky; top: 0; background: var(--panel); z-index: 2; }
.board thead th:first-child { z-index: 3; }
.board td { width: 2.4rem; min-width: 2.2rem; }
.board { border-collapse: separate; border-spacing: 0; }
.board summary { padding: 0; }
.board summary code { display: inline; }
.board td { position: relative; }
.board td::before, .key::before { font-weight: 700; }
${SHADES.map((shade) => `.board .${shade}::before, .key.${shade}::before { content: "${SYMBOL[shade]}"; }`).join("\n")}
.board .pass::before, .key.pass::before { color: var(--pass); }
.board td a { position: absolute; inset: 0; }
.board td a:hover { box-shadow: inset 0 0 0 2px currentColor; }
.board .pass.doubtful { color: var(--skip); background: var(--skip-bg); }
.board .pass.doubtful::before { color: var(--skip); }
.key { color: var(--tone); background: var(--tone-bg); border-radius: 0.25rem; padding: 0.08rem 0.5rem; font-size: 0.82rem; }
.key::before { margin-right: 0.35rem; }
[hidden] { display: none !important; }
@media (max-width: 40rem) {
  .board th:first-child { min-width: 9rem; max-width: 10rem; }
  .services td, .services th { min-width: 8.5rem; }
  .services th:first-child { min-width: 10rem; }
}
@page { size: landscape; }
@media print {
  .board td, .key, .trend { print-color-adjust: exact; }
  .board { font-size: 7pt; table-layout: fixed; width: 100%; min-width: 0; }
  .board th:first-child { width: 9rem; min-width: 0; }
  .board td, .board thead th + th { width: auto; min-width: 0; padding: 0.1rem 0; }
  .board .level { font-size: inherit; }
  .scroll:has(.board) { max-height: none; overflow: visible; }
  #filters-status { display: none; }
}
`;
