/** `npm run bench`: what the suite costs beyond its requests. A ratio, so that it holds on any machine. */

import { startReference } from "../reference/index.ts";
import { runSuite, settingsFor } from "../test/prove/run.ts";
import { type Recording, startRecorder } from "./recorder.ts";
import { replay } from "./replay.ts";

const ROUNDS = 5;

const recording = await record();
const ratios: number[] = [];
for (let round = 1; round <= ROUNDS; round++) {
  const whole = await timeRun();
  const bare = await timeReplay(recording);
  ratios.push(whole / bare);
  console.log(
    `round ${round}: whole run ${seconds(whole)}, its ${recording.calls.length} requests alone ${seconds(bare)}, ` +
      `ratio ${(whole / bare).toFixed(2)}`,
  );
}
const sorted = ratios.sort((a, b) => a - b);
console.log(`ratio (median of ${ROUNDS}): ${(sorted[Math.floor(ROUNDS / 2)] ?? 0).toFixed(2)}`);

/** A whole run through a recorder, which is not timed. */
async function record(): Promise<Recording> {
  const service = await startReference();
  const recorder = await startRecorder(service.baseUrl);
  const settings = settingsFor(service, 1, {});
  await runSuite({ ...settings, baseUrl: recorder.baseUrl });
  await recorder.close();
  await service.close();
  return { calls: recorder.calls, concurrency: settings.concurrency };
}

/** Milliseconds of a whole run, from the first request to the Report. */
async function timeRun(): Promise<number> {
  const service = await startReference();
  const begin = performance.now();
  await runSuite(settingsFor(service, 1, {}));
  const taken = performance.now() - begin;
  await service.close();
  return taken;
}

/** Milliseconds of the same requests, with nothing made, checked or kept. */
async function timeReplay(recording: Recording): Promise<number> {
  const service = await startReference();
  const begin = performance.now();
  await replay(service.baseUrl, recording);
  const taken = performance.now() - begin;
  await service.close();
  return taken;
}

function seconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(2)} s`;
}
