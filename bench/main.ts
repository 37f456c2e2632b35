/**
 * `npm run bench [-- SECTION…]` measures counts and ratios, which hold on any machine.
 * - `--write` changes docs/cost.md.
 * - `--at-most RATIO` limits the processor time, as a multiple of a bare replay.
 * - `worth` needs `--proof FILE`, from `npm run prove -- --json FILE`.
 * - `faulty` has `--seed`, and the limit `MOST_FAULTY_RATIO`.
 * - `judging` has `--megabytes`, and `proxy` has `--seconds`.
 */

import { readFileSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { table } from "../test/markdown-table.ts";
import { judging, proxy } from "./judging.ts";
import { counts, faulty, growth, latency, MOST_FAULTY_RATIO, overhead, ratio, type Table } from "./tables.ts";
import { worth } from "./worth.ts";

const SECTIONS: Readonly<Record<string, () => Promise<string>>> = {
  counts: async () => inMarkdown(await counts()),
  overhead: async () => {
    const { wall, cpu, rounds } = await overhead(mostOverhead);
    if (mostOverhead !== undefined && cpu > mostOverhead) process.exitCode = 1;
    return `A whole run takes ${ratio(wall)} times as long as the bare replay of its requests, and ${ratio(cpu)} times the time of the processor (medians of ${rounds} rounds, start-up apart).`;
  },
  latency: async () => inMarkdown(await latency()),
  growth: async () => inMarkdown(await growth()),
  faulty: async () => {
    const { rows, most } = await faulty(Number(values.seed));
    if (most > MOST_FAULTY_RATIO) process.exitCode = 1;
    return inMarkdown(rows);
  },
  judging: async () => inMarkdown(await judging(Number(values.megabytes))),
  proxy: async () => inMarkdown(await proxy(Number(values.seconds))),
  worth: async () => inMarkdown(await worth(JSON.parse(readFileSync(values.proof ?? "", "utf8")))),
};

/** These take minutes, so they run only if named. */
const LONG = ["faulty", "judging", "proxy"];
const PAGE = "docs/cost.md";
const { positionals: wanted, values } = parseArgs({
  allowPositionals: true,
  options: {
    write: { type: "boolean", default: false },
    "at-most": { type: "string" },
    seed: { type: "string", default: "1" },
    proof: { type: "string" },
    megabytes: { type: "string", default: "0" },
    seconds: { type: "string", default: "300" },
  },
});
const mostOverhead = values["at-most"] === undefined ? undefined : Number(values["at-most"]);
const unknown = wanted.find((name) => !(name in SECTIONS));
if (unknown !== undefined)
  throw new RangeError(`there is no section ${unknown}; there are ${Object.keys(SECTIONS).join(", ")}`);

for (const [name, measure] of Object.entries(SECTIONS)) {
  const isOnlyNamed = LONG.includes(name) || (name === "worth" && values.proof === undefined);
  if (wanted.length > 0 ? !wanted.includes(name) : isOnlyNamed) continue;
  const text = await measure();
  console.log(`${name}\n\n${text}\n`);
  if (values.write) writeFileSync(PAGE, withSection(name, text));
}

function inMarkdown([head = [], ...rows]: Table): string {
  return table(head, rows);
}

function withSection(name: string, text: string): string {
  const page = readFileSync(PAGE, "utf8");
  const [begin, end] = [`<!-- ${name} -->`, `<!-- /${name} -->`];
  const [from, to] = [page.indexOf(begin), page.indexOf(end)];
  if (from === -1 || to < from) throw new RangeError(`${PAGE} has no section ${name}`);
  return `${page.slice(0, from + begin.length)}\n\n${text}\n\n${page.slice(to)}`;
}
