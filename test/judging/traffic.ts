/** Records the traffic of whole runs as the log of a gateway, which knows nothing of the suite. */

import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { publicText } from "../../client/sending/public-text.ts";
import type { Entry } from "../../history/entry.ts";
import { exchangeOfLine } from "../../history/foreign/ndjson.ts";
import {
  type ReferenceOptions,
  type RunningService,
  startReference,
  variantNamed,
} from "../../reference/index.ts";
import { type Found, resultOf } from "../../runner/judging/found.ts";
import { OthersTraffic } from "../../runner/judging/others.ts";
import { TrafficRedaction } from "../../runner/judging/traffic-redaction.ts";
import { runLoop } from "../../runner/loop.ts";
import { planChecks } from "../../runner/planning/plan.ts";
import { Session } from "../../runner/session.ts";
import type { CheckResult } from "../../spec/model/result.ts";
import type { Settings } from "../../spec/model/settings.ts";
import { ownChecks, ownSpec, settingsFor } from "../prove/run.ts";

export interface RecordedRun {
  results: CheckResult[];
  settings: Settings;
  /** Each line is an exchange, as in `exchange.schema.json`. */
  lines: string[];
}

/** Runs the whole suite against a service. Returns its results and the traffic. */
export async function recordedRun(
  service: RunningService,
  seed: number,
  overrides: Partial<Settings> = {},
): Promise<RecordedRun> {
  const settings = settingsFor(service, seed, overrides);
  const entries: Entry[] = [];
  const session = new Session(ownSpec(), settings, { recorded: (entry) => entries.push(entry) });
  const { results } = await runLoop(session, planChecks(ownSpec(), settings));
  return { results, settings, lines: entries.map(lineOf) };
}

/** Starts a reference service with these options, and records a run against it. */
export async function recordedRunOn(
  options: ReferenceOptions,
  seed: number,
  overrides: Partial<Settings> = {},
): Promise<RecordedRun> {
  const service = await startReference(options);
  try {
    return await recordedRun(service, seed, overrides);
  } finally {
    await service.close();
  }
}

/**
 * Returns a function that records a run. With a folder, the function stores recordings there, and reads a stored
 * recording instead of running again.
 */
export function recordings(
  folder: string | undefined,
): (name: string, options: ReferenceOptions, seed: number) => Promise<RecordedRun> {
  return async (name, options, seed) => {
    // No defect depends on time, so a short timeout is enough.
    const overrides: Partial<Settings> = options.defects ? { visibilityDelay: 100 } : {};
    if (variantNamed(options.variant ?? "")?.options?.paths === "v1") overrides.paths = "v1";
    if (folder === undefined) return recordedRunOn(options, seed, overrides);
    const file = join(folder, `${encodeURIComponent(name)}.${seed}.json.gz`);
    if (existsSync(file)) return JSON.parse(gunzipSync(readFileSync(file)).toString("utf8")) as RecordedRun;
    const run = await recordedRunOn(options, seed, overrides);
    mkdirSync(folder, { recursive: true });
    writeFileSync(file, gzipSync(JSON.stringify(run)));
    return run;
  };
}

/** An entry as a line of recorded traffic. It lacks all that only the suite knows, such as the check that sent it. */
export function lineOf({ startedAt, durationMs, request, response }: Entry): string {
  const { method, url, headers, body } = request;
  return JSON.stringify({
    startedAt: new Date(startedAt).toISOString(),
    durationMs,
    request: { method, url, headers: Object.fromEntries(headers), body: body?.text ?? null },
    response:
      "fault" in response
        ? null
        : {
            status: response.status,
            headers: Object.fromEntries(response.headers),
            ...(response.body.unreadable === undefined
              ? { body: response.body.text }
              : { bodyBase64: Buffer.from(response.body.text, "latin1").toString("base64") }),
          },
  });
}

/** Judges the lines as if somebody else had recorded them. `isWhole` is true if no other client wrote. */
export function judgedAsOthers({ lines, settings }: RecordedRun, isWhole: boolean): Found[] {
  const spec = ownSpec();
  const redaction = new TrafficRedaction(spec, publicText(spec, settings), false);
  const traffic = new OthersTraffic(spec, ownChecks(), redaction, {
    paths: settings.paths,
    consistencyTimeoutMs: settings.visibilityDelay,
    isWhole,
  });
  traffic.judge(lines.map(exchangeOfLine));
  return traffic.found;
}

/** The violated requirements with their operations, as `requirement operation`. */
export function violatedBy(results: readonly CheckResult[]): Set<string> {
  const failing = results.filter(({ outcome }) => outcome === "fail" || outcome === "warn");
  return new Set(
    failing.flatMap(({ requirements, operation }) => requirements.map((id) => `${id} ${operation}`)),
  );
}

/** The requirements that recorded traffic violates, with their operations, as `requirement operation`. */
export function violatedIn(found: readonly Found[]): Set<string> {
  return violatedBy(found.map((each) => resultOf(each, ownSpec())));
}
