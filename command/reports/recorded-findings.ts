import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { header } from "../../history/entry.ts";
import { readHistory } from "../../history/lines.ts";
import type { CheckResult } from "../../reports/report.ts";
import type { RecordedFinding } from "../../runner/confirming/shortening.ts";
import { MOST_MEGABYTES, readText } from "../../spec/loading/read-file.ts";
import type { Spec } from "../../spec/model/spec.ts";
import { UsageError } from "../../spec/usage-error.ts";
import { HISTORY } from "../running/recordings.ts";

const REQUEST_ID = "x-request-id";

/** Returns recorded findings by check id, if the history beside the report has all exchanges. */
export function recordedFindings(
  report: string,
  findings: readonly CheckResult[],
  spec: Spec,
): ReadonlyMap<string, RecordedFinding> {
  const file = join(dirname(report), HISTORY);
  const recorded = existsSync(file) ? historyOf(file, spec) : undefined;
  if (recorded?.spec.sha256 !== spec.sha256) return new Map();
  const byId = new Map(recorded.entries.map((entry) => [header(entry.request.headers, REQUEST_ID), entry]));
  const found = findings.flatMap(({ id, evidence }) => {
    const entries = evidence
      .map(({ request }) => byId.get(request.headers[REQUEST_ID]))
      .filter((entry) => entry !== undefined);
    const isWhole = entries.length === evidence.length && entries.length > 0;
    return isWhole ? [[id, { head: recorded.head, entries }] as const] : [];
  });
  return new Map(found);
}

function historyOf(file: string, spec: Spec) {
  try {
    return readHistory(readText(file, "history", MOST_MEGABYTES.report).split("\n"), spec);
  } catch (error) {
    if (error instanceof UsageError) return undefined;
    throw error;
  }
}
