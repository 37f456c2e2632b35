/**
 * `npm run hostile [AREA|NAME]` prints the services on which the suite fails. Writes docs/hostile.md once all
 * services were tried with the same build.
 */

import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { packageRoot } from "../../runner/package-root.ts";
import { table } from "../markdown-table.ts";
import { FAULTS, type Met, meet } from "./meet.ts";
import { SOUND, ZOO } from "./zoo.ts";

/** The most MB of memory that a run may take beyond a run on a sound service. */
const MORE_MEGABYTES = 300;
const MOST_SECONDS = 240;

const sound = await meet(SOUND, { mostMegabytes: Number.POSITIVE_INFINITY, mostSeconds: MOST_SECONDS });
const mostMegabytes = sound.megabytes + MORE_MEGABYTES;
print(sound);
const [, , pattern] = process.argv;
const chosen = ZOO.filter(
  ({ name, area }) => pattern === undefined || area === pattern || name.includes(pattern),
);
/** A file that keeps the results by name, and the build that they are from. */
const KEPT = join(packageRoot(), "build", "hostile.json");
const build = buildOf(join(packageRoot(), "dist"));
const known = earlier();
const met: Met[] = [];
for (const hostile of chosen) {
  const one = await meet(hostile, { mostMegabytes, mostSeconds: MOST_SECONDS });
  met.push(one);
  known.set(one.name, one);
  writeFileSync(KEPT, JSON.stringify({ build, met: [...known.values()] }));
  print(one);
}
console.log(totals(met));
const all = ZOO.flatMap(({ name }) => known.get(name) ?? []);
if (all.length === ZOO.length) writeFileSync(join(packageRoot(), "docs", "hostile.md"), page(all));
else
  console.log(
    `${ZOO.length - all.length} of ${ZOO.length} still to be met before docs/hostile.md is written`,
  );
process.exitCode = [sound, ...met].some(({ faults }) => faults.length > 0) ? 1 : 0;

/** Results of earlier calls of this command with the same build. */
function earlier(): Map<string, Met> {
  if (!existsSync(KEPT)) return new Map();
  const kept = JSON.parse(readFileSync(KEPT, "utf8")) as { build: string; met: Met[] };
  return new Map(kept.build === build ? kept.met.map((one) => [one.name, one]) : []);
}

function buildOf(folder: string): string {
  const hash = createHash("sha256");
  for (const name of readdirSync(folder, { recursive: true, encoding: "utf8" }).sort())
    if (name.endsWith(".js")) hash.update(name).update(readFileSync(join(folder, name)));
  return hash.digest("hex");
}

function print({ name, faults, megabytes, seconds }: Met): void {
  console.log(`${faults.length === 0 ? "ok  " : "BAD "} ${name} (${megabytes} MB, ${seconds.toFixed(1)} s)`);
  for (const { fault, what } of faults) console.log(`       ${fault}: ${what}`);
}

function totals(all: Met[]): string {
  const areas = [...new Set(all.map(({ area }) => area))];
  const row = (name: string, of: Met[]) => {
    const counts = FAULTS.map(
      (fault) => of.filter(({ faults }) => faults.some((each) => each.fault === fault)).length,
    );
    return [name, of.length, ...counts].map(String);
  };
  const rows = areas.map((area) =>
    row(
      area,
      all.filter((each) => each.area === area),
    ),
  );
  return table(["Area", "Tried", ...FAULTS], [...rows, row("all", all)]);
}

function page(all: Met[]): string {
  const largest = Math.max(...all.map(({ megabytes }) => megabytes));
  const cases = all.map(({ name, area, faults }) => [
    area,
    name,
    faults.length === 0 ? "well" : faults.map(({ fault }) => fault).join(", "),
  ]);
  return `# Hostile services, interruptions, folders and inputs

<!-- Written by \`npm run hostile\`. Don't edit. -->

How does the suite handle hostile services, users and machines? Each column counts the cases that it handled badly: a crash, a hang, no valid report, a secret or a control character shown, too much memory (more than a sound run and ${MORE_MEGABYTES} MB) or load, a wrong exit code or verdict.

${totals(all)}

A sound run took ${sound.megabytes} MB, the largest of these ${largest} MB.

\`\`\`sh
npm run hostile
\`\`\`

${table(["Area", "What", "Handled"], cases)}
`;
}
