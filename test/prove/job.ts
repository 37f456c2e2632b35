/** One run of the proof: the service, its options and the checks. All of it can be cloned. */

import { createHash } from "node:crypto";
import type { Check } from "../../client/check.ts";
import {
  type RunningService,
  startNullService,
  startReference,
  variantNamed,
} from "../../reference/index.ts";
import type { CheckResult, Report } from "../../reports/report.ts";
import type { Settings } from "../../spec/model/settings.ts";
import { type Digest, digest, findingAt } from "./digest.ts";
import { levels, runSuite, settingsFor } from "./run.ts";

/** The target of the run. */
export type Subject =
  | { kind: "sound" }
  | { kind: "defect"; name: string }
  | { kind: "variant"; name: string }
  | { kind: "null"; name: string };

/** A part of the checks. With requirements and operations, a check needs one of each. */
export interface Part {
  requirements?: readonly string[];
  operations?: readonly string[];
  /** One in `share`. */
  share?: number;
}

export interface Job {
  subject: Subject;
  seed: number;
  depth?: Settings["depth"];
  part?: Part;
  /** Ends the run once one of the requirements is found violated at each of the operations. */
  until?: { requirements: readonly string[]; operations: readonly string[] };
}

export function subjectText(subject: Subject): string {
  return subject.kind === "sound" ? "the reference" : `${subject.kind} ${subject.name}`;
}

/** Starts the subject, runs the checks, ends the subject. @throws if the test code itself fails */
export async function perform(job: Job): Promise<Digest> {
  return digest(await reportOf(job));
}

/** The same, with the whole report. */
export async function reportOf({ subject, seed, depth = "quick", part, until }: Job): Promise<Report> {
  const service = await start(subject);
  try {
    return await runSuite(settingsFor(service, seed, { depth, ...overridesFor(subject) }), {
      ...(part ? { chosen: chooser(part, subjectText(subject)) } : {}),
      ...(until ? { enough: locates(until.requirements, until.operations) } : {}),
    });
  } finally {
    await service.close();
  }
}

function start(subject: Subject): Promise<RunningService> {
  switch (subject.kind) {
    case "sound":
      return startReference();
    case "defect":
      return startReference({ defects: [subject.name] });
    case "variant":
      return startReference({ variant: subject.name });
    case "null":
      return startNullService(subject.name);
  }
}

/** Settings that a user of the service would need. */
function overridesFor(subject: Subject): Partial<Settings> {
  // Long enough for a service on this machine, short enough for one that never answers.
  if (subject.kind === "null") return { timeout: 1_500 };
  // No defect is about time, so a short timeout is enough.
  if (subject.kind === "defect") return { visibilityDelay: 100 };
  if (subject.kind !== "variant") return {};
  return variantNamed(subject.name)?.options?.paths === "v1" ? { paths: "v1" } : {};
}

function locates(
  requirements: readonly string[],
  operations: readonly string[],
): (result: CheckResult) => boolean {
  const missing = new Set(operations);
  const known = levels();
  return ({ requirements: ids, operation, outcome }) => {
    const isFinding = ids.some(
      (id) => requirements.includes(id) && outcome === findingAt(known.get(id) ?? "MUST"),
    );
    if (isFinding) missing.delete(operation);
    return missing.size === 0;
  };
}

/** Chooses by the names of check and subject, so that each subject gets other checks. */
function chooser({ requirements, operations, share = 1 }: Part, purpose: string): (check: Check) => boolean {
  return (check) =>
    (requirements === undefined || check.requirements.some((id) => requirements.includes(id))) &&
    (operations === undefined || operations.includes(check.operation)) &&
    (share === 1 || spread(`${purpose} ${check.id}`) % share === 0);
}

/** A pseudo-random number that depends on the text alone. */
export function spread(text: string): number {
  return createHash("sha256").update(text).digest().readUInt32BE(0);
}
