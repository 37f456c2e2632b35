/**
 * `npm run judging`: judges the traffic of whole runs without knowing which check sent a request. Prints how
 * many of the runs' findings it finds, and fails if it finds any in the traffic of a sound service.
 */

import { Command } from "commander";
import { defects, historyDefects, variants } from "../../reference/index.ts";
import { globMatcher } from "../../spec/glob.ts";
import { spread } from "../prove/job.ts";
import { ownChecks } from "../prove/run.ts";
import { judgedAsOthers, recordedRun, violatedBy, violatedIn } from "./traffic.ts";

const { sample, seed, only } = new Command("judging")
  .option("--sample <n>", "so many defects, and so many variants", Number, 30)
  .option("--seed <n>", "seed of the sample and of the runs", Number, 1)
  .option("--only <pattern>", "only defects and variants with such names")
  .parse()
  .opts<{ sample: number; seed: number; only?: string }>();

function sampled<T extends { name: string }>(all: readonly T[]): T[] {
  if (only !== undefined) return all.filter(({ name }) => globMatcher([only])(name));
  const keyed = all.map((one) => ({ one, key: spread(`${seed} ${one.name}`) }));
  return keyed
    .sort((a, b) => a.key - b.key)
    .slice(0, sample)
    .map(({ one }) => one);
}

type Sound = Pick<(typeof variants)[number], "name" | "warns">;

const pure = new Set(ownChecks().flatMap(({ id, verdict }) => (verdict ? [id] : [])));
const total = { run: 0, pure: 0, others: 0, whole: 0, othersOfPure: 0, wholeOfPure: 0, alarms: 0 };

const told = [...defects, ...historyDefects].filter(({ equivalent }) => equivalent === undefined);
for (const { name } of sampled(told)) {
  const run = await recordedRun({ defects: [name] }, seed);
  const [inRun, inPure] = [violatedBy(run.results), violatedBy(run.results.filter(({ id }) => pure.has(id)))];
  const [others, whole] = [violatedIn(judgedAsOthers(run, false)), violatedIn(judgedAsOthers(run, true))];
  const isFound = (found: Set<string>, wanted: Set<string>) => [...wanted].some((place) => found.has(place));
  total.run += Number(inRun.size > 0);
  total.pure += Number(inPure.size > 0);
  total.others += Number(isFound(others, inRun));
  total.whole += Number(isFound(whole, inRun));
  total.othersOfPure += Number(isFound(others, inPure));
  total.wholeOfPure += Number(isFound(whole, inPure));
  const more = [...others].filter((place) => !inRun.has(place));
  const show = (places: Set<string>) => [...places].slice(0, 2).join(", ") || "nothing";
  console.log(
    `${name}: run ${show(inRun)}; judged from history ${show(inPure)}; others ${show(others)}; sole writer ${show(whole)}${more.length > 0 ? `; more ${more.slice(0, 3).join(", ")}` : ""}`,
  );
}
for (const { name, warns = [] } of sampled<Sound>([{ name: "reference" }, ...variants])) {
  const run = await recordedRun(name === "reference" ? {} : { variant: name }, seed);
  for (const isWhole of [false, true])
    for (const found of judgedAsOthers(run, isWhole)) {
      // A SHOULD that a variant declares not to follow is no false alarm.
      if (found.violated === 0 || found.check.requirements.some((id) => warns.includes(id))) continue;
      total.alarms++;
      const { expected, actual } = found.violation ?? {};
      console.log(
        `FALSE ALARM on ${name} (${isWhole ? "sole writer" : "others"}): ${found.check.id}: expected ${expected}, got ${actual}`,
      );
    }
  console.log(`${name}: done`);
}
console.log(JSON.stringify(total));
process.exitCode = total.alarms > 0 ? 1 : 0;
