import { setImmediate as nextTurn } from "node:timers/promises";
import { publicText } from "../../client/sending/public-text.ts";
import { readHar } from "../../history/foreign/har.ts";
import { exchangeOfLine } from "../../history/foreign/ndjson.ts";
import type { Report } from "../../reports/report.ts";
import { count } from "../../reports/text.ts";
import { judgedReport } from "../../runner/judging/judged-report.ts";
import { OthersTraffic } from "../../runner/judging/others.ts";
import { TrafficRedaction } from "../../runner/judging/traffic-redaction.ts";
import { UsageError } from "../../spec/usage-error.ts";
import type { LiveJudge } from "./live-judge.ts";
import type { Judging } from "./prepare.ts";
import { type TrafficFile, wholeText } from "./traffic-file.ts";

/** Returns the judge of traffic that others recorded, with secrets hidden. */
export function othersTraffic({ spec, settings, checks, options, others }: Judging): OthersTraffic {
  const redaction = new TrafficRedaction(spec, publicText(spec, settings), options.showPersonalData === true);
  return new OthersTraffic(spec, checks, redaction, {
    ...(settings.baseUrl === "" ? {} : { baseUrl: settings.baseUrl }),
    ...(settings.space === "" ? {} : { space: settings.space }),
    paths: settings.paths,
    ignored: others.ignoredHeaders,
    consistencyTimeoutMs: settings.visibilityDelay,
    isWhole: others.isWhole,
  });
}

const MOST_PROBLEMS = 5;
const EXCHANGES_A_TURN = 1_000;

/** Hands each exchange of the files to the judge, and adds a notice for each problem. */
export async function readFiles(
  files: readonly TrafficFile[],
  judge: Pick<LiveJudge, "take">,
  notices: string[],
): Promise<void> {
  for (const file of files) {
    const problems: string[] = [];
    const read =
      file.format === "har"
        ? await readHarFile(file, judge, problems)
        : await readLines(file, judge, problems);
    const all = problems.map((problem) => `${file.name}: ${problem}`);
    if (read === 0 && all[0] !== undefined) throw new UsageError(all[0]);
    notices.push(...all.slice(0, MOST_PROBLEMS));
    if (all.length > MOST_PROBLEMS)
      notices.push(`${file.name}: ${count(all.length - MOST_PROBLEMS, "more place")} could not be read`);
  }
}

/** Hands each exchange of an HTTP archive to the judge, and returns how many it took. */
async function readHarFile(
  file: TrafficFile,
  judge: Pick<LiveJudge, "take">,
  problems: string[],
): Promise<number> {
  try {
    const har = readHar(await wholeText(file));
    problems.push(...har.problems);
    for (const [index, exchange] of har.exchanges.entries()) {
      // Between turns, a signal can end the process.
      if (index % EXCHANGES_A_TURN === 0) await nextTurn();
      judge.take(exchange);
    }
    return har.exchanges.length;
  } catch (error) {
    if (error instanceof UsageError) throw error;
    problems.push((error as Error).message);
    return 0;
  }
}

/** Hands each exchange of a file of lines to the judge, and returns how many it took. */
async function readLines(
  { lines }: TrafficFile,
  judge: Pick<LiveJudge, "take">,
  problems: string[],
): Promise<number> {
  let read = 0;
  for await (const [line, number] of lines) {
    if (line.trim() === "") continue;
    try {
      judge.take(exchangeOfLine(line));
      read++;
    } catch (error) {
      problems.push(`line ${number}: ${(error as Error).message}`);
    }
  }
  return read;
}

/** Returns the report on this traffic, with notices about what could not be judged. */
export function reportOnOthers(
  judging: Judging,
  traffic: OthersTraffic,
  files: string[],
  notices: readonly string[],
): Report {
  const { base = "", duplicates, left, tally } = traffic;
  const { settings, startedAt } = judging;
  const messages = [...notices];
  if (tally.exchanges === 0) messages.push("No request calls a documented operation.");
  else if (settings.baseUrl === "") messages.push(`Requests to ${base} are judged; --base-url names others.`);
  if (left > 0) messages.push(`${count(left, "request")} to other addresses left out.`);
  if (duplicates > 0) messages.push(`${count(duplicates, "exchange")} recorded twice.`);
  return judgedReport({
    ...judging,
    settings: { ...settings, baseUrl: base },
    found: traffic.found,
    tally,
    notices: messages,
    traffic: { of: "others", files },
    durationMs: Date.now() - startedAt.getTime(),
  });
}
