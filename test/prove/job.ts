/**
 * A job is one run of the proof: the service, its options and the checks. It can be sent to another process.
 */

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

export type Subject =
  | { kind: "sound" }
  | { kind: "defect"; name: string }
  | { kind: "variant"; name: string }
  | { kind: "null"; name: string };

/** Selects some of the checks: those with one of the requirements and one of the operations, if given. */
export interface Part {
  requirements?: readonly string[];
  operations?: readonly string[];
  /** If given, only one in `share` checks runs. */
  share?: number;
}

export interface Job {
  subject: Subject;
  seed: number;
  depth?: Settings["depth"];
  part?: Part;
  /** If given, the run ends once each operation has a finding of one of the requirements. */
  until?: { requirements: readonly string[]; operations: readonly string[] };
}

export function subjectText(subject: Subject): string {
  return subject.kind === "sound" ? "the reference" : `${subject.kind} ${subject.name}`;
}

/** Starts the service, runs the checks and stops the service. @throws if the test code itself fails */
export async function perform(job: Job): Promise<Digest> {
  return digest(await reportOf(job));
}

/** Starts the service, runs the checks, stops the service and returns the report. */
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

/** Returns the settings that only a run on this kind of service has. */
function overridesFor(subject: Subject): Partial<Settings> {
  // Long enough for a service that answers, and short because one null service never answers.
  if (subject.kind === "null") return { timeout: 1_500 };
  // No defect depends on time, so a short timeout is enough.
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

/**
 * Returns a filter of checks. `purpose` is the name of the service, so each service gets a different share.
 */
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
