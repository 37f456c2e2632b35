/** The script uses only `textContent`, so that no text becomes markup. */
export const SCRIPT = `"use strict";
(() => {
  const byId = (id) => document.getElementById(id);
  const make = (name, className, text) => {
    const element = document.createElement(name);
    if (className) element.className = className;
    if (text !== undefined) element.textContent = text;
    return element;
  };

  // Without access to the clipboard, the text is selected instead.
  for (const button of document.querySelectorAll("button.copy")) {
    button.hidden = false;
    button.addEventListener("click", async () => {
      const source = button.previousElementSibling;
      let said = "Copied";
      try {
        await navigator.clipboard.writeText(source.textContent);
      } catch {
        getSelection().selectAllChildren(source);
        said = "Selected";
      }
      button.textContent = said;
      setTimeout(() => { button.textContent = "Copy"; }, 2000);
    });
  }

  // A wrong part far down in a body is scrolled into view.
  const reveal = (within) => {
    for (const mark of within.querySelectorAll("pre.body mark")) {
      const body = mark.closest("pre");
      body.scrollTop += mark.getBoundingClientRect().top - body.getBoundingClientRect().top - body.clientHeight / 2;
    }
  };
  for (const details of document.querySelectorAll(".finding details")) {
    if (details.open) reveal(details);
    details.addEventListener("toggle", () => reveal(details));
  }

  addEventListener("beforeprint", () => {
    for (const details of document.querySelectorAll(".finding > details")) details.open = true;
  });

  const store = byId("checks-data");
  if (!store) return;
  const data = JSON.parse(store.textContent);
  const text = (index) => data.strings[index];
  const form = byId("filters");
  const list = byId("results");
  const status = byId("results-status");
  const more = byId("results-more");
  const search = byId("filter-search");
  const step = 25;
  const [OUTCOME, ID, TITLE, OPERATION, SUITE, LEVEL, VERSION, REQUIREMENTS, TIME, ANCHOR, FACTS] =
    Array(11).keys();
  let found = [];
  let shown = 0;

  const haystacks = new Map();
  const haystack = (row) => {
    let all = haystacks.get(row);
    if (all === undefined) {
      const parts = [row[ID], text(row[TITLE]), text(row[OPERATION]), text(row[REQUIREMENTS]), text(row[VERSION])];
      for (const fact of row[FACTS]) parts.push(text(fact[1]));
      all = parts.join("\\n").toLowerCase();
      haystacks.set(row, all);
    }
    return all;
  };

  const open = (details, row) => {
    if (details.dataset.filled) return;
    details.dataset.filled = "yes";
    const facts = make("dl", "opened");
    const add = (label, value) => {
      const pair = make("div");
      pair.append(make("dt", "", label), make("dd", "", value));
      facts.append(pair);
    };
    add("Check", row[ID]);
    add("Requirements", text(row[REQUIREMENTS]));
    for (const [label, value] of row[FACTS]) add(text(label), text(value));
    details.append(facts);
    if (row[ANCHOR]) {
      const link = make("a", "", "See the exchange");
      link.href = "#" + row[ANCHOR];
      details.append(link);
    }
  };

  const item = (row) => {
    const shade = data.shades[row[OUTCOME]];
    const details = make("details");
    const summary = make("summary");
    const badge = make("span", "badge " + shade);
    const symbol = make("span", "", data.symbols[shade]);
    symbol.setAttribute("aria-hidden", "true");
    badge.append(symbol, " " + data.shadeNames[shade]);
    const meta = [text(row[LEVEL]), text(row[SUITE]), text(row[VERSION]), row[TIME] + " ms"].filter(Boolean);
    const middle = make("span", "what");
    middle.append(make("span", "title", text(row[TITLE])), " ", make("code", "", text(row[OPERATION])));
    summary.append(badge, " ", middle, " ", make("span", "meta", meta.join(" \\u00b7 ")));
    details.append(summary);
    details.addEventListener("toggle", () => open(details, row));
    const entry = make("li");
    entry.append(details);
    return entry;
  };

  const grow = () => {
    const next = found.slice(shown, shown + step).map(item);
    list.append(...next);
    shown += next.length;
    more.hidden = shown >= found.length;
    const total = data.rows.length.toLocaleString("en-US");
    const matching = found.length.toLocaleString("en-US");
    status.textContent = found.length === 0
      ? "No check matches."
      : matching + " of " + total + " checks match; the first " + shown.toLocaleString("en-US") + " are shown.";
    return next[0];
  };

  const apply = () => {
    const outcomes = new Set(
      [...form.querySelectorAll("input[name=outcome]:checked")].map((box) => data.shades.indexOf(box.value)),
    );
    const words = search.value.toLowerCase().split(/\\s+/).filter(Boolean);
    const [level, suite, operation] = ["level", "suite", "operation"].map((name) => byId("filter-" + name).value);
    found = data.rows.filter((row) =>
      (outcomes.size === 0 || outcomes.has(row[OUTCOME])) &&
      (level === "" || text(row[LEVEL]) === level) &&
      (suite === "" || text(row[SUITE]) === suite) &&
      (operation === "" || text(row[OPERATION]) === operation) &&
      words.every((word) => haystack(row).includes(word)));
    list.replaceChildren();
    shown = 0;
    grow();
  };

  let waiting = 0;
  const soon = () => { clearTimeout(waiting); waiting = setTimeout(apply, 120); };
  form.hidden = false;
  form.addEventListener("input", soon);
  form.addEventListener("submit", (event) => { event.preventDefault(); apply(); });
  form.addEventListener("reset", () => setTimeout(apply));
  more.addEventListener("click", () => {
    const first = grow();
    if (first) first.querySelector("summary").focus();
  });

  // A link from the matrix or a requirement replaces all filters.
  document.addEventListener("click", (event) => {
    const link = event.target.closest("a[data-operation], a[data-suite], a[data-search]");
    if (!link) return;
    event.preventDefault();
    for (const box of form.querySelectorAll("input[name=outcome]")) box.checked = false;
    byId("filter-level").value = "";
    byId("filter-operation").value = link.dataset.operation ?? "";
    byId("filter-suite").value = link.dataset.suite ?? "";
    search.value = link.dataset.search ?? "";
    apply();
    const title = byId("checks-title");
    title.scrollIntoView();
    title.focus({ preventScroll: true });
  });

  apply();
})();
`;
