import { fork } from "node:child_process";
import { startReference } from "../reference/index.ts";
import type { ReferenceOptions } from "../reference/options.ts";
import type { Settings } from "../spec/model/settings.ts";
import { runSuite, settingsFor } from "../test/prove/run.ts";
import type { Job, Taken } from "./child.ts";
import { type Recording, startRecorder } from "./recorder.ts";

export async function wholeRun(
  options: ReferenceOptions = {},
  overrides: Partial<Settings> = {},
): Promise<Taken> {
  const service = await startReference(options);
  const settings = settingsFor(service, overrides.seed ?? 1, overrides);
  const taken = await inProcess({ kind: "run", settings });
  await service.close();
  return taken;
}

export async function bareReplay(recording: Recording): Promise<Taken> {
  const service = await startReference();
  const taken = await inProcess({ kind: "replay", baseUrl: service.baseUrl, recording });
  await service.close();
  return taken;
}

export async function record(): Promise<Recording> {
  const service = await startReference();
  const recorder = await startRecorder(service.baseUrl);
  const settings = settingsFor(service, 1, {});
  await runSuite({ ...settings, baseUrl: recorder.baseUrl });
  await recorder.close();
  await service.close();
  return { calls: recorder.calls, concurrency: settings.concurrency };
}

function inProcess(job: Job): Promise<Taken> {
  return new Promise((resolve, reject) => {
    const child = fork(new URL("./child.js", import.meta.url));
    child.once("message", (taken) => resolve(taken as Taken));
    child.once("error", reject);
    child.once("exit", (code) => reject(new Error(`the measured process ended with ${code}`)));
    child.send(job);
  });
}
