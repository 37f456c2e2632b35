/**
 * Checks of the promises of a profile, one for each promise and operation. Those of rejections and practices
 * judge what other checks observed. If an observing check was left out, it runs first.
 */

import { type Check, type Suite, Untestable, Violation } from "../../client/check.ts";
import type { Seen, Target } from "../../client/target.ts";
import { isAboutRequest, type Practice, sentenceOf, speaksOf } from "../../profiles/practice.ts";
import { practiceOf } from "../../profiles/practices.ts";
import {
  type ByPlace,
  type Profile,
  type Promised,
  promisedAt,
  REJECTION_CAUSES,
} from "../../profiles/promises.ts";
import { saidOf, subjectOf } from "../../profiles/prose.ts";
import { practiceSources, rejectionSources } from "../../profiles/sources.ts";
import type { Operation, Spec } from "../../spec/model/spec.ts";
import { suiteOf } from "../shared/rule.ts";
import { answerPromises } from "./rules.ts";

type Of<K extends Promised["kind"]> = Extract<Promised, { kind: K }>;

interface PromiseTarget<P extends Promised = Promised> {
  operation: Operation;
  promise: P;
  statement: string;
  sources: readonly Check[];
}

export function profileChecks(spec: Spec, profile: Profile, checks: readonly Check[]): Check[] {
  const suites = [
    rejections(profile, checks),
    practices(profile, checks),
    suiteOf("profile", answerPromises(profile, checks)),
  ];
  return suites.flatMap((suite) => suite(spec));
}

function promised<At extends PromiseTarget>(
  targets: (spec: Spec) => At[],
  judge: (target: Target, at: At) => Promise<void>,
): Suite {
  return (spec) =>
    targets(spec).map((at) => {
      const { operation, promise, sources, statement } = at;
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
        run: (target) => judge(target, at),
      };
    });
}

function rejections({ promised: all }: Profile, checks: readonly Check[]) {
  type At = PromiseTarget<Of<"rejection">> & { allowed: readonly number[] };
  return promised<At>(
    (spec) =>
      placesOf(spec, all, "rejection", ({ promise, operation }): Omit<At, "operation" | "promise">[] => {
        const allowed = promisedAt(promise.statuses, operation.key);
        const sources = rejectionSources(checks, promise.cause, operation);
        const statement = `${REJECTION_CAUSES[promise.cause]} is rejected with ${allowed?.join(" or ")}.`;
        return allowed && sources.length > 0 ? [{ allowed, sources, statement }] : [];
      }),
    async (target, { promise, allowed, sources }) => {
      // A skipped probe proves nothing.
      const found = await gather(
        target,
        sources,
        ({ note }, skipped) =>
          note.practice === "rejection" && !skipped && isAboutRequest(note.answer.status),
      );
      mustAgree(
        found.flatMap(({ seen, source }) => {
          const { note } = seen;
          if (note.practice !== "rejection" || allowed.includes(note.answer.status)) return [];
          return [
            {
              expected: `status ${allowed.join(" or ")} to ${lowerFirst(REJECTION_CAUSES[promise.cause])}`,
              actual: `status ${note.answer.status} (${subjectOf(note)})`,
              seen,
              source,
            },
          ];
        }),
      );
    },
  );
}

function practices({ promised: all }: Profile, checks: readonly Check[]) {
  type At = PromiseTarget<Of<"practice">> & { practice: Practice };
  return promised<At>(
    (spec) =>
      placesOf(spec, all, "practice", ({ promise, operation }): Omit<At, "operation" | "promise">[] => {
        const practice = practiceOf(promise.practice);
        if (!practice) return [];
        const sources = practiceSources(checks, practice, operation);
        const answers = answersAt(promise.answers, operation);
        const concerned = answers.some((answer) => practice.concerns?.(answer, operation, spec) ?? true);
        const statement = [...new Set(answers)].map((answer) => sentenceOf(practice, answer, spec)).join(" ");
        return sources.length > 0 && concerned ? [{ practice, sources, statement }] : [];
      }),
    async (target, { operation, promise, practice, sources }) => {
      const { spec } = target;
      const answerFor = ({ note }: Seen) => promisedAt(promise.answers, operation.key, note.field);
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
  );
}

function placesOf<K extends Promised["kind"], More>(
  spec: Spec,
  all: readonly Promised[],
  kind: K,
  at: (place: { promise: Of<K>; operation: Operation }) => More[],
): (More & { promise: Of<K>; operation: Operation })[] {
  return all
    .filter((promise): promise is Of<K> => promise.kind === kind)
    .flatMap((promise) =>
      spec.operations.flatMap((operation) =>
        at({ promise, operation }).map((more) => ({ ...more, promise, operation })),
      ),
    );
}

interface Observed {
  seen: Seen;
  source: string;
}

/** @throws Untestable with the reason of the sources if they observed nothing */
async function gather(
  target: Target,
  sources: readonly Check[],
  fits: (seen: Seen, skipped: boolean) => boolean,
): Promise<Observed[]> {
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

function lowerFirst(text: string): string {
  return `${text.charAt(0).toLowerCase()}${text.slice(1)}`;
}
