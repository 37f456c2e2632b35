/**
 * `npm run judging` judges the traffic of whole runs as if somebody else had recorded it. Exits with 1 if the traffic
 * of a conforming service shows a violation. Also exits with 1 if judging finds less than 90 % of the defects that
 * the runs find.
 */

import { writeFileSync } from "node:fs";
import { Command } from "commander";
import { defects, historyDefects, variants } from "../../reference/index.ts";
import { globMatcher } from "../../spec/glob.ts";
import { spread } from "../prove/job.ts";
import { type Judged, judgedDefect, judgedVariant, type Missed, shares } from "./shares.ts";
import { recordings } from "./traffic.ts";

interface Options {
  sample: number;
  variants?: number;
  seed: number;
  only?: string;
  traffic?: string;
  json?: string;
}

const options = new Command("judging")
  .description("Judges the traffic of whole runs as that of others.")
  .option("--sample <n>", "so many defects, picked by the seed", Number, 30)
  .option("--variants <n>", "so many variants; by default, as many as defects", Number)
  .option("--seed <n>", "seed of the sample and of the runs", Number, 1)
  .option("--only <pattern>", "only defects and variants with such names")
  .option("--traffic <folder>", "keep the recordings there, and judge those that lie there again")
  .option("--json <file>", "write the results as JSON too")
  .parse()
  .opts<Options>();

function sampled<T extends { name: string }>(all: readonly T[], size: number): T[] {
  const { seed, only } = options;
  if (only !== undefined) return all.filter(({ name }) => globMatcher(only.split(","))(name));
  const keyed = all.map((one) => ({ one, key: spread(`${seed} ${one.name}`) }));
  return keyed
    .sort((a, b) => a.key - b.key)
    .slice(0, size)
    .map(({ one }) => one);
}

const { sample, seed, traffic } = options;
const record = recordings(traffic);
// A sample is drawn from the defects of the proof. `--only` may also name defects that only a sequence of requests
// shows.
const known = options.only === undefined ? defects : [...defects, ...historyDefects];
const detectable = known.filter(({ equivalent }) => equivalent === undefined);
const judged: Judged[] = [];
for (const { name } of sampled(detectable, sample)) {
  const found = judgedDefect(name, await record(name, { defects: [name] }, seed));
  judged.push(found);
  console.log(`${name}: the run found ${found.run.length}, ${words(found.missed)}`);
}
const alarms: string[] = [];
const sound = [{ name: "reference" }, ...variants];
const chosen = sampled<(typeof sound)[number]>(sound, options.variants ?? sample);
for (const variant of chosen) {
  const { name } = variant;
  const run = await record(name, name === "reference" ? {} : { variant: name }, seed);
  const wrong = judgedVariant(variant, run);
  alarms.push(...wrong);
  console.log(`${name}: ${wrong.length === 0 ? "nothing is found" : wrong.join("\n  ")}`);
}
const figures = { ...shares(judged), variants: chosen.length, alarms: alarms.length };
if (options.json !== undefined) writeFileSync(options.json, JSON.stringify({ figures, judged, alarms }));
console.log(JSON.stringify(figures, null, 2));
process.exitCode = alarms.length > 0 || figures.soleWriter.ofDefects < 0.9 ? 1 : 0;

function words({ others, soleWriter }: Missed): string {
  return `missed ${others.length} among others, ${soleWriter.length} as sole writer${soleWriter.length > 0 ? `: ${soleWriter.slice(0, 3).join(", ")}` : ""}`;
}
