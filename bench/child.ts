/** Makes one measured run. The service runs in another process, so its time is not counted. */

import { tuneEngine } from "../command/engine.ts";
import type { Settings } from "../spec/model/settings.ts";
import { ownChecks, runSuite } from "../test/prove/run.ts";
import type { Recording } from "./recorder.ts";
import { replay } from "./replay.ts";

export type Job =
  | { kind: "run"; settings: Settings }
  | { kind: "replay"; baseUrl: string; recording: Recording };

export interface Taken {
  wallMs: number;
  cpuMs: number;
  peakBytes: number;
  verdict: string;
  requests: number;
  created: number;
  webhooks: number;
}

ownChecks(); // Makes the checks before the measurement.

process.once("message", async (job: Job) => {
  // The command tunes the engine, too.
  if (job.kind === "run") tuneEngine("run");
  const cpu = process.cpuUsage();
  const begin = performance.now();
  const came = job.kind === "run" ? await whole(job.settings) : await bare(job.baseUrl, job.recording);
  const { user, system } = process.cpuUsage(cpu);
  const taken: Taken = {
    wallMs: performance.now() - begin,
    cpuMs: (user + system) / 1000,
    peakBytes: process.resourceUsage().maxRSS * 1024,
    ...came,
  };
  process.send?.(taken, () => process.exit());
});

async function whole(settings: Settings) {
  const { run, verdict, created = [] } = await runSuite(settings);
  const webhooks = created.filter(({ kind }) => kind === "webhook").length;
  return { verdict, requests: run.requests, created: created.length, webhooks };
}

async function bare(baseUrl: string, recording: Recording) {
  await replay(baseUrl, recording);
  return { verdict: "replayed", requests: recording.calls.length, created: 0, webhooks: 0 };
}
