import { closeSync, openSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { entryOf } from "../../reports/formats/har.ts";
import { exchangeWithoutPeople } from "../../reports/personal-data.ts";
import { packageIdentity } from "../../runner/package-root.ts";
import type { Recorded } from "../../runner/recorded.ts";

export const TRAFFIC = "traffic.har";
export const HISTORY = "history.ndjson";

export interface WantedRecordings {
  history: boolean;
  traffic: boolean;
  showPeople: boolean;
}

/** Returns a sentence for each file that can't be written. */
export function writeRecordings(folder: string, recorded: Recorded, wanted: WantedRecordings): string[] {
  const files: [string, Iterable<string>][] = [];
  if (wanted.history) files.push([HISTORY, recorded.history(wanted.showPeople)]);
  if (wanted.traffic) files.push([TRAFFIC, harLines(recorded, wanted.showPeople)]);
  return files.flatMap(([name, lines]) => writeLines(join(folder, name), lines) ?? []);
}

/** Yields the exchanges of the run as lines of an HTTP archive. */
function* harLines(recorded: Recorded, showPeople: boolean): Generator<string> {
  const { name, version } = packageIdentity();
  yield `{"log":{"version":"1.2","creator":${JSON.stringify({ name, version })},"entries":[`;
  let between = "";
  for (const { exchange, check } of recorded.exchanges()) {
    yield `${between}${JSON.stringify(entryOf(showPeople ? exchange : exchangeWithoutPeople(exchange), check))}`;
    between = ",";
  }
  yield "]}}";
}

/** Writes the lines under another name first, so that no half file stays, and returns the problem if there is one. */
function writeLines(file: string, lines: Iterable<string>): string | undefined {
  const unfinished = `${file}.${process.pid}.tmp`;
  try {
    const open = openSync(unfinished, "w");
    try {
      for (const line of lines) writeFileSync(open, `${line}\n`);
      renameSync(unfinished, file);
    } catch (error) {
      rmSync(unfinished, { force: true });
      throw error;
    } finally {
      closeSync(open);
    }
    return undefined;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    return `cannot write ${file}: ${code ?? message}`;
  }
}
