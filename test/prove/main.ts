/**
 * `npm run prove`: runs the suite on all defects and variants, prints the figures and writes docs/proof.md.
 */

import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { dirname, join } from "node:path";
import { Command, InvalidArgumentError } from "commander";
import { defects as known } from "../../reference/index.ts";
import { packageRoot } from "../../runner/package-root.ts";
import { depthsBlock, depthsBlockOf, proveDepths, withDepths } from "./depths.ts";
import { figures } from "./figures.ts";
import { onto, subjects } from "./onto.ts";
import { page, stableLines } from "./page.ts";
import { Pool } from "./pool.ts";
import { type Proof, prove } from "./prove.ts";
import { type Selection, type SelectionOptions, select } from "./select.ts";

interface Options extends SelectionOptions {
  jobs: number;
  seed: number;
  wholeShare: number;
  narrowOnly?: boolean;
  depths?: boolean;
  json?: string;
  onto?: string;
}

const PAGE = join(packageRoot(), "docs/proof.md");
/** The most details that are printed for one service. */
const MOST_DETAILS = 8;

const program = new Command("prove")
  .description("Runs the suite against everything it must tell apart. Exits 1 when anything falls short.")
  .option("--defects <pattern>", "only the defects with such names (globs, separated by commas)")
  .option("--variants <pattern>", "only the variants with such names")
  .option("--history", "the defects that only a sequence of calls shows, too (history-*)")
  .option("--sound", "beside such defects and variants, the reference as it should be")
  .option("--quick", "a spread of everything, in a few minutes")
  .option("--sample <n>", "one in n defects, picked by the seed; the page says so", whole)
  .option("--jobs <n>", "runs at a time", whole, availableParallelism())
  .option("--narrow-only", "never go on to a whole run where narrower ones miss a defect")
  .option("--whole-share <n>", "let one in n defects meet all checks at once", whole, 100)
  .option(
    "--variant-share <n>",
    "let a variant that does not bear on time meet one in n of the checks",
    whole,
  )
  .option("--seed <n>", "seed of the runs", whole, 1)
  .option("--depths", "measure, on a --sample, what one run finds at each depth, and nothing else")
  .option("--json <file>", "write what was found as JSON too")
  .option("--onto <file>", "put it into an earlier proof of the whole (--json), and write the page of that")
  .parse();
const options = program.opts<Options>();
process.exitCode = await (options.depths ? depths : main)(options, selected());

/** The selection. If a pattern fits nothing, the program ends with a message. */
function selected(): Selection {
  try {
    return select(options);
  } catch (error) {
    if (error instanceof RangeError) return program.error(`error: ${error.message}`);
    throw error;
  }
}

/** Measures how many defects one run finds at each depth, and writes the figures into the page. */
async function depths({ jobs, seed, sample = 1 }: Options, { defects }: Selection): Promise<number> {
  const detectable = defects.filter(({ equivalent }) => equivalent === undefined);
  const all = known.filter(({ equivalent }) => equivalent === undefined).length;
  const pool = new Pool(jobs);
  let done = 0;
  const proof = await proveDepths(
    detectable,
    all,
    (job) => pool.perform(job),
    (line, well) => console.log(`${well ? "ok   " : "missed"} ${line} (${++done}/${detectable.length})`),
  );
  pool.close();
  const command = `npm run prove -- --depths --sample ${sample} --seed ${seed}`;
  const block = depthsBlock(proof, command);
  const partial = options.defects !== undefined || options.quick === true;
  if (!partial) writeFileSync(PAGE, withDepths(readFileSync(PAGE, "utf8"), block));
  console.log(`\n${block}`);
  return 0;
}

async function main(options: Options, selection: Selection): Promise<number> {
  const { jobs, seed, json, wholeShare, narrowOnly = false } = options;
  const proved = await prove({ selection, jobs, seed, wholeShare, narrowOnly, onProved: printer(selection) });
  const earlier =
    options.onto === undefined ? undefined : (JSON.parse(readFileSync(options.onto, "utf8")) as Proof);
  const proof = earlier ? onto(earlier, proved) : proved;
  const partial = selection.partial && !earlier;
  if (json !== undefined) writeFileSync(json, JSON.stringify(proof));
  const found = figures(proof);
  const complaints: string[] = [];
  if (!partial) {
    complaints.push(
      ...write(
        PAGE,
        page(proof, {
          figures: found,
          wholeShare,
          variantShare: selection.variantShare,
          sample: selection.sample,
          seed,
          provedAgain: earlier ? subjects(proved) : 0,
        }),
      ),
    );
  }
  console.log("");
  for (const complaint of complaints) console.log(complaint);
  for (const { name, value, well } of found) console.log(`${well ? " " : "!"} ${name}: ${value}`);
  return complaints.length === 0 && found.every(({ well }) => well) ? 0 : 1;
}

/** Writes docs/proof.md. Returns the lines that differ from the earlier page. */
function write(file: string, text: string): string[] {
  const before = existsSync(file) ? stableLines(readFileSync(file, "utf8")) : [];
  const now = stableLines(text);
  const depths = existsSync(file) ? depthsBlockOf(readFileSync(file, "utf8")) : undefined;
  mkdirSync(dirname(file), { recursive: true });
  // `--depths` measures this block separately, so it stays as it was.
  writeFileSync(file, depths === undefined ? text : withDepths(text, depths));
  const changed = [
    ...now.filter((line) => !before.includes(line)),
    ...before.filter((line) => !now.includes(line)),
  ];
  return changed.length === 0
    ? []
    : [`docs/proof.md was out of date in ${changed.length} lines; it is written anew`];
}

function printer(selection: Selection): Parameters<typeof prove>[0]["onProved"] {
  const { defects, variants, nullServices, soundRuns } = selection;
  const all = defects.length + variants.length + nullServices.length + (soundRuns > 0 ? 1 : 0);
  let done = 0;
  return (line, well, details) => {
    done += 1;
    console.log(`${well ? "ok   " : "SHORT"} ${line} (${done}/${all})`);
    for (const detail of details.slice(0, MOST_DETAILS)) console.log(`        ${detail}`);
    if (details.length > MOST_DETAILS) console.log(`        and ${details.length - MOST_DETAILS} more`);
  };
}

function whole(text: string): number {
  if (!/^[1-9]\d*$/.test(text)) throw new InvalidArgumentError("a whole number from 1 is due");
  return Number(text);
}
