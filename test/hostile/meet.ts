/** Runs the command on a hostile service, as a user would, and returns how the suite failed. */

import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { XMLValidator } from "fast-xml-parser";
import { validateReport } from "../../reports/validate.ts";
import { packageRoot } from "../../runner/package-root.ts";
import { canaries, canariesOf } from "./disguises.ts";
import { type Hostile, startFront, TOKEN } from "./hostile.ts";

/** The ways in which the suite may fail. Each is a column of the table. */
export const FAULTS = ["crash", "hang", "report", "leak", "memory", "load", "exit code", "verdict"] as const;
type Fault = (typeof FAULTS)[number];

export interface Met {
  name: string;
  area: Hostile["area"];
  faults: { fault: Fault; what: string }[];
  /** The most memory that the command used (resident set size), in MB. */
  megabytes: number;
  seconds: number;
}

export interface MeetOptions {
  /** Values of `--only`. Without them, all checks run. */
  only?: string[];
  /** The most memory that a run may use (resident set size), in MB. */
  mostMegabytes: number;
  /** Seconds after which a run counts as hanging. */
  mostSeconds: number;
}

const CONCURRENCY = 8;

export async function meet(hostile: Hostile, options: MeetOptions): Promise<Met> {
  const folder = mkdtempSync(join(tmpdir(), "payments-conformance-hostile-"));
  const front = await startFront(hostile.spoil);
  try {
    hostile.prepare?.(folder);
    const fixtures = Object.entries(front.fixtures).flatMap(([name, value]) => [
      "--fixture",
      `${name}=${value}`,
    ]);
    // On a busy machine, a run may end by its timeouts before the case interrupts it, so they are longer.
    const timeout = hostile.area === "stops" ? "20000" : "5000";
    const own = ["--base-url", front.baseUrl, "--space", front.space, "--seed", "1", "--timeout", timeout];
    const chosen = (options.only ?? []).flatMap((pattern) => ["--only", pattern]);
    const args = [
      "run",
      ...own,
      ...fixtures,
      ...chosen,
      "--visibility-delay",
      "300",
      ...(hostile.flags ?? []),
    ];
    const ended = await start(args, folder, hostile, options.mostSeconds, () => front.seen.requests);
    const faults: Met["faults"] = [];
    const blame = (fault: Fault, what: string) => faults.push({ fault, what: what.slice(0, 300) });
    if (ended.hung) blame("hang", `no end after ${options.mostSeconds} s`);
    else if (ended.code === null) blame("crash", `ended by ${ended.signal}`);
    else if (!hostile.codes.includes(ended.code))
      blame("exit code", `${ended.code}: ${ended.printed.slice(-250)}`);
    if (/^\s+at .*[(/].*:\d+:\d+/m.test(ended.printed)) blame("crash", `a stack trace: ${ended.printed}`);
    if (ended.code === 2 && front.seen.requests > 0)
      blame("load", `${front.seen.requests} requests before exit code 2`);
    if (ended.code !== 2 && !ended.hung) judgeReports(join(folder, "conformance-report"), hostile, blame);
    if (front.seen.atOnce > CONCURRENCY) blame("load", `${front.seen.atOnce} requests at once`);
    if (ended.megabytes > options.mostMegabytes) blame("memory", `${ended.megabytes} MB`);
    const telling = [...canaries(), ...[...front.seen.secrets].flatMap(canariesOf)];
    for (const [where, text] of [["the terminal", ended.printed], ...written(folder)] as const) {
      const lower = text.toLowerCase();
      const canary = telling.find((each) => lower.includes(each));
      if (canary !== undefined) blame("leak", `${canary} in ${where}`);
    }
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern looks for control characters
    if (/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/.test(ended.printed))
      blame("leak", "a control character on the terminal");
    return {
      name: hostile.name,
      area: hostile.area,
      faults,
      megabytes: ended.megabytes,
      seconds: ended.seconds,
    };
  } finally {
    await front.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

function judgeReports(
  folder: string,
  hostile: Hostile,
  blame: (fault: Fault, what: string) => unknown,
): unknown {
  const file = (name: string) => join(folder, name);
  for (const name of ["report.json", "report.html", "report.xml", "report.md"]) {
    if (!existsSync(file(name))) return blame("report", `no ${name}`);
  }
  const read = (name: string) => readFileSync(file(name), "utf8");
  const validation = validateReport(JSON.parse(read("report.json")));
  if (!validation.valid) return blame("report", validation.errors.join("; "));
  const xml = XMLValidator.validate(read("report.xml"));
  if (xml !== true) blame("report", `report.xml: ${xml.err.msg}`);
  const { checks, verdict } = validation.report;
  const failed = checks.find(({ reason }) => reason === "suite-error");
  if (failed) blame("crash", `${failed.id}: ${failed.message}`);
  return hostile.verdicts.includes(verdict) || blame("verdict", verdict);
}

/** Names and texts of all files that a run wrote. */
function written(folder: string): [string, string][] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => statSync(file).size < 100 * 1024 ** 2)
    .map((file) => [file.slice(folder.length + 1), readFileSync(file, "utf8")]);
}

interface Ended {
  code: number | null;
  signal: string | null;
  hung: boolean;
  printed: string;
  megabytes: number;
  seconds: number;
}

/**
 * Code that the command loads. At its end it writes the memory that it used to a file, because not every system shows
 * this of other processes.
 */
const MEASURE = `import { writeFileSync } from "node:fs";
process.on("exit", () => writeFileSync(process.env.HOSTILE_SIZE, String(process.resourceUsage().maxRSS)));`;

async function start(
  args: string[],
  folder: string,
  hostile: Hostile,
  mostSeconds: number,
  requests: () => number,
): Promise<Ended> {
  const aside = mkdtempSync(join(tmpdir(), "payments-conformance-size-"));
  const measure = join(aside, "measure.mjs");
  const size = join(aside, "size");
  writeFileSync(measure, MEASURE);
  const main = fileURLToPath(pathToFileURL(join(packageRoot(), "dist", "command", "bin.js")));
  const began = performance.now();
  const child = spawn(process.execPath, ["--import", pathToFileURL(measure).href, main, ...args], {
    cwd: folder,
    env: {
      PATH: process.env.PATH,
      HOME: folder,
      PAYMENTS_CONFORMANCE_TOKEN: TOKEN,
      PAYMENTS_CONFORMANCE_DEBUG: "1",
      HOSTILE_SIZE: size,
      ...hostile.environment,
    },
  });
  let printed = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk) => {
      printed += String(chunk);
    });
  let hung = false;
  const timeout = setTimeout(() => {
    hung = true;
    child.kill("SIGKILL");
  }, mostSeconds * 1000);
  const { stop } = hostile;
  const watch = stop
    ? setInterval(() => {
        if (requests() === 0) return;
        clearInterval(watch);
        setTimeout(() => child.kill(stop.signal), stop.after);
      }, 5)
    : undefined;
  const [code, signal] = await new Promise<[number | null, string | null]>((resolve) =>
    child.on("close", (...ends) => resolve(ends)),
  );
  clearTimeout(timeout);
  clearInterval(watch);
  const kilobytes = existsSync(size) ? Number(readFileSync(size, "utf8")) : 0;
  rmSync(aside, { recursive: true, force: true });
  return {
    code,
    signal,
    hung,
    printed,
    megabytes: Math.round(kilobytes / 1024),
    seconds: (performance.now() - began) / 1000,
  };
}
