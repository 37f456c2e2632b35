/**
 * Checks of the promises of a profile, one for each promise and operation. Those of practices judge what other
 * checks observed. If an observing check was left out, it runs first.
 */

import { type Check, Untestable, Violation } from "../../client/check.ts";
import type { Seen, Target } from "../../client/target.ts";
import { sentenceOf, speaksOf } from "../../profiles/practice.ts";
import { practiceOf } from "../../profiles/practices.ts";
import { type ByPlace, type Profile, type Promised, promisedAt } from "../../profiles/promises.ts";
import { saidOf, subjectOf } from "../../profiles/prose.ts";
import { practiceSources } from "../../profiles/sources.ts";
import type { Operation, Spec } from "../../spec/model/spec.ts";
import { suiteOf } from "../shared/rule.ts";
import { answerPromises, rejectionPromises } from "./rules.ts";

type PracticePromise = Extract<Promised, { kind: "practice" }>;

export function profileChecks(spec: Spec, profile: Profile, checks: readonly Check[]): Check[] {
  const judged = suiteOf("profile", rejectionPromises(profile, checks), answerPromises(profile, checks));
  const practices = profile.promised
    .filter((promise) => promise.kind === "practice")
    .flatMap((promise) =>
      spec.operations.flatMap((operation) => practiceCheck(spec, promise, operation, checks) ?? []),
    );
  return [...practices, ...judged(spec)];
}

function practiceCheck(
  spec: Spec,
  promise: PracticePromise,
  operation: Operation,
  checks: readonly Check[],
): Check | undefined {
  const practice = practiceOf(promise.practice);
  if (!practice) return undefined;
  const sources = practiceSources(checks, practice, operation);
  const answers = answersAt(promise.answers, operation);
  const concerned = answers.some((answer) => practice.concerns?.(answer, operation, spec) ?? true);
  if (sources.length === 0 || !concerned) return undefined;
  const statement = [...new Set(answers)].map((answer) => sentenceOf(practice, answer, spec)).join(" ");
  const answerFor = ({ note }: Seen) => promisedAt(promise.answers, operation.key, note.field);
  return {
    id: `profile/${promise.id} ${operation.key}`,
    title: `${operation.key} keeps the promise: ${statement}`,
    suite: "profile",
    requirements: [promise.id],
    operation: operation.key,
    serviceVersion: null,
    versioned: false,
    stage: "finish",
    // One source that only reads is enough, so a read-only run can judge the promise.
    writes: sources.every((source) => source.writes),
    async run(target) {
      const found = await gather(
        target,
        sources,
        (seen) => speaksOf(practice, seen.note) && answerFor(seen) !== undefined,
      );
      const notes = found.map(({ seen }) => seen.note);
      const telling = new Set(practice.telling?.(notes) ?? notes);
      let told = 0;
      const faults = found.flatMap(({ seen, source }) => {
        const answer = answerFor(seen);
        const { note } = seen;
        if (answer === undefined || !telling.has(note)) return [];
        const agrees = practice.agrees(answer, note, spec);
        if (agrees !== undefined) told++;
        if (agrees !== false) return [];
        const actual = `${subjectOf(note)}: ${saidOf(note)}`;
        return [{ expected: `"${sentenceOf(practice, answer, spec)}"`, actual, seen, source }];
      });
      if (told === 0)
        throw new Untestable("no-data", "no request of this run shows whether the promise is kept");
      mustAgree(faults);
    },
  };
}

interface Observed {
  seen: Seen;
  source: string;
}

/** @throws Untestable with the reason of the sources if they observed nothing */
async function gather(
  target: Target,
  sources: readonly Check[],
  fits: (seen: Seen) => boolean,
): Promise<Observed[]> {
  const told = await Promise.all(sources.map((source) => target.observedBy(source)));
  const found = told.flatMap(({ result, seen }) =>
    seen.filter(fits).map((one) => ({ seen: one, source: result.id })),
  );
  if (found.length > 0) return found;
  const skipped = told.find(({ result }) => result.outcome === "skip")?.result;
  throw new Untestable(
    skipped?.reason ?? "no-data",
    skipped?.message ?? "no request of this run shows whether the promise is kept",
    skipped?.evidence ?? [],
  );
}

function mustAgree(faults: (Observed & { expected: string; actual: string })[]): void {
  const [first] = faults;
  if (!first) return;
  const others = faults.length > 1 ? ` (and ${faults.length - 1} more like it)` : "";
  throw new Violation(first.expected, `${first.actual}${others}`, first.seen.evidence, {
    together: [...new Set(faults.map(({ source }) => source))],
  });
}

function answersAt(by: ByPlace<string>, { key }: Operation): string[] {
  return Object.entries(by).flatMap(([place, answer]) =>
    place === key || place.startsWith(`${key} `) ? [answer] : [],
  );
}
