/**
 * Profiles: what a vendor promises where the specification is silent, one check for each promise and operation. They
 * read off what other checks observed and what every answer showed, and ask for nothing themselves; an observing check
 * that the run left out is tried first.
 */

import { type Check, Untestable, Violation } from "../client/check.ts";
import type { Seen, Target } from "../client/target.ts";
import {
  fieldOf,
  isObservedBy,
  type Practice,
  practiceOf,
  sentenceOf,
  speaksOf,
} from "../profiles/practices.ts";
import {
  type ByPlace,
  openFields,
  type Profile,
  type Promised,
  promisedAt,
  REJECTION_CAUSES,
  type RejectionCause,
  SILENT_ON,
} from "../profiles/promises.ts";
import type { Operation, Spec } from "../spec/model/spec.ts";
import { check } from "../trials/derive.ts";
import { sample, throwIfBroken } from "./answers.ts";

const SUITE = "profile";

type Of<K extends Promised["kind"]> = Extract<Promised, { kind: K }>;

/** The checks of a profile's promises. `checks` are all others of the run. */
export function profileChecks(spec: Spec, profile: Profile, checks: readonly Check[]): Check[] {
  return profile.promised.flatMap((promise) =>
    spec.operations.flatMap((operation) => checkOf(spec, promise, operation, checks)),
  );
}

function checkOf(spec: Spec, promise: Promised, operation: Operation, checks: readonly Check[]): Check[] {
  switch (promise.kind) {
    case "rejection":
      return rejectionCheck(promise, operation, rejectionSources(checks, promise.cause, operation));
    case "practice": {
      const practice = practiceOf(promise.practice);
      if (!practice) return [];
      return practiceCheck(spec, promise, practice, operation, practiceSources(checks, practice, operation));
    }
    case "values":
      return openFields(spec).get(promise.field)?.operations.includes(operation.key)
        ? [valuesCheck(promise, operation)]
        : [];
    default:
      return [errorCheck(promise, operation, errorSources(checks, operation))];
  }
}

/** The checks at an operation whose probes give that cause to reject. */
export function rejectionSources(
  checks: readonly Check[],
  cause: RejectionCause,
  operation: Operation,
): Check[] {
  return checks.filter((one) => one.operation === operation.key && one.cause === cause);
}

/** The checks at an operation that observe a practice. */
export function practiceSources(checks: readonly Check[], practice: Practice, operation: Operation): Check[] {
  return checks.filter((one) => one.operation === operation.key && isObservedBy(practice, one));
}

/** The checks at an operation that are meant to be answered with an error. */
function errorSources(checks: readonly Check[], operation: Operation): Check[] {
  const notes: readonly string[] = Object.values(SILENT_ON);
  return checks.filter(
    (one) =>
      one.operation === operation.key &&
      (one.cause !== undefined || one.requirements.some((id) => notes.includes(id))),
  );
}

function sketch(promise: Promised, operation: Operation, writes: boolean, statement = promise.statement) {
  return {
    suite: SUITE,
    requirement: promise.id,
    operation,
    title: `${operation.key} keeps the promise: ${statement}`,
    stage: "finish",
    writes,
  } as const;
}

/** What the sources of a promise saw; Untestable, for the reason that they give, when they saw nothing. */
async function gather(
  target: Target,
  sources: readonly Check[],
  fits: (seen: Seen, skipped: boolean) => boolean,
): Promise<{ seen: Seen; source: string }[]> {
  const told = await Promise.all(sources.map((source) => target.observedBy(source)));
  const found = told.flatMap(({ result, seen }) =>
    seen
      .filter((one) => fits(one, result.outcome === "skip"))
      .map((one) => ({ seen: one, source: result.id })),
  );
  if (found.length > 0) return found;
  const skipped = told.find(({ result }) => result.outcome === "skip")?.result;
  throw new Untestable(
    skipped?.reason ?? "no-data",
    skipped?.message ?? "no call of this run tells",
    skipped?.evidence ?? [],
  );
}

/** Throws a Violation for the first disagreement, saying how many more there are. */
function mustAgree(faults: { expected: string; actual: string; seen: Seen; source: string }[]): void {
  const [first] = faults;
  if (!first) return;
  const others = faults.length > 1 ? ` (and ${faults.length - 1} more like it)` : "";
  throw new Violation(first.expected, `${first.actual}${others}`, first.seen.evidence, {
    together: [...new Set(faults.map(({ source }) => source))],
  });
}

function rejectionCheck(promise: Of<"rejection">, operation: Operation, sources: Check[]): Check[] {
  const allowed = promisedAt(promise.statuses, operation.key);
  if (!allowed || sources.length === 0) return [];
  const run = async (target: Target) => {
    // A skipped probe proves nothing, whatever it was answered; a server error is a finding of its own.
    const found = await gather(
      target,
      sources,
      ({ requirement, value }, skipped) =>
        requirement === SILENT_ON.rejections && !skipped && Number(value) < 500,
    );
    mustAgree(
      found
        .filter(({ seen }) => !allowed.includes(Number(seen.value)))
        .map(({ seen, source }) => ({
          expected: `status ${allowed.join(" or ")} to ${lowerFirst(REJECTION_CAUSES[promise.cause])}`,
          actual: `status ${seen.value} (${seen.subject})`,
          seen,
          source,
        })),
    );
  };
  const statement = `${REJECTION_CAUSES[promise.cause]} is rejected with ${allowed.join(" or ")}.`;
  return [check({ ...sketch(promise, operation, sources.every(writes), statement), run })];
}

function practiceCheck(
  spec: Spec,
  promise: Of<"practice">,
  practice: Practice,
  operation: Operation,
  sources: Check[],
): Check[] {
  const promised = answersAt(promise.answers, operation);
  const concerned = promised.some((answer) => practice.concerns?.(answer, operation, spec) ?? true);
  if (sources.length === 0 || !concerned) return [];
  const run = async (target: Target) => {
    const found = await gather(
      target,
      sources,
      (seen) =>
        speaksOf(practice, seen) &&
        promisedAt(promise.answers, operation.key, fieldOf(practice, seen)) !== undefined,
    );
    const noted = found.map(({ seen }) => seen);
    const telling = new Set(practice.telling?.(noted) ?? noted);
    let told = 0;
    const faults = found.flatMap(({ seen, source }) => {
      const answer = promisedAt(promise.answers, operation.key, fieldOf(practice, seen));
      const agrees =
        answer === undefined || !telling.has(seen) ? undefined : practice.agrees(answer, seen, spec);
      if (agrees !== undefined) told++;
      if (agrees !== false || answer === undefined) return [];
      const actual = `${seen.subject}: ${seen.value}`;
      return [{ expected: `"${sentenceOf(practice, answer, spec)}"`, actual, seen, source }];
    });
    if (told === 0) throw new Untestable("no-data", "no call of this run tells");
    mustAgree(faults);
  };
  const statement = [...new Set(promised)].map((answer) => sentenceOf(practice, answer, spec)).join(" ");
  return [check({ ...sketch(promise, operation, sources.every(writes), statement), run })];
}

/** What is promised of an operation and of its fields. */
function answersAt(by: ByPlace<string>, { key }: Operation): string[] {
  return Object.entries(by).flatMap(([place, answer]) =>
    place === key || place.startsWith(`${key} `) ? [answer] : [],
  );
}

function valuesCheck(promise: Of<"values">, operation: Operation): Check {
  const changes = operation.kind === "create" || operation.kind === "update";
  return check({
    ...sketch(promise, operation, changes),
    async run(target) {
      throwIfBroken(target, operation, promise.id);
      if (target.answers.wasExercised(operation, promise.id)) return;
      await sample(target, operation);
      throwIfBroken(target, operation, promise.id);
      if (!target.answers.wasExercised(operation, promise.id))
        throw new Untestable("no-data", `no answer to ${operation.key} held ${promise.field}`);
    },
  });
}

/** What is promised of every error is judged on all errors of the run: every one was seen. */
function errorCheck(
  promise: Of<"error-body" | "error-type" | "challenge">,
  operation: Operation,
  sources: Check[],
): Check {
  return check({
    ...sketch(promise, operation, sources.length > 0 && sources.every(writes)),
    async run(target) {
      await Promise.all(sources.map((source) => target.observedBy(source)));
      throwIfBroken(target, operation, promise.id);
      if (!target.answers.wasExercised(operation, promise.id)) {
        const answer = promise.kind === "challenge" ? "401" : "an error";
        throw new Untestable("no-data", `no call to ${operation.key} was answered with ${answer}`);
      }
    },
  });
}

function writes(one: Check): boolean {
  return one.writes;
}

function lowerFirst(text: string): string {
  return `${text.charAt(0).toLowerCase()}${text.slice(1)}`;
}
