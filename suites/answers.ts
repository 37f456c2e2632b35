/**
 * Responses (sections 2 and 4): every answer of the run is held against the documented shape. These checks read off
 * what was seen, at the end, what the answers to each operation broke; they ask for a sample only where nothing was
 * asked yet.
 */

import { type Check, Unsteady, Untestable, Violation } from "../client/check.ts";
import { sampleItems } from "../client/samples.ts";
import { validRequest } from "../client/subjects.ts";
import type { Target } from "../client/target.ts";
import { versionsOf } from "../client/version-choice.ts";
import type { Operation, Schema, Spec } from "../spec/model/spec.ts";
import { childSchemas } from "../spec/schema.ts";
import { check } from "../trials/derive.ts";
import { EveryAnswer } from "../trials/every-answer.ts";
import { EVERY_ANSWER } from "./every-answer-rules.ts";

const SUITE = "responses";

export function responseChecks(spec: Spec): Check[] {
  const answers = new EveryAnswer(spec, EVERY_ANSWER);
  return spec.operations.flatMap((operation) => [
    ...answers.requirementsAt(operation).map((requirement) => answersCheck(spec, operation, requirement)),
    ...observationChecks(spec, operation),
  ]);
}

function answersCheck(spec: Spec, operation: Operation, requirement: string): Check {
  return check({
    suite: SUITE,
    requirement,
    operation,
    title: `every answer to ${operation.key}: ${spec.requirements.get(requirement)?.statement ?? requirement}`,
    stage: "finish",
    writes: operation.kind === "create" || operation.kind === "update",
    async run(target) {
      await sampleUniques(target, requirement);
      throwIfBroken(target, operation, requirement);
      if (requirement === "NO-SERVER-ERROR") await throwIfUnsteady(target, operation);
      if (target.answers.wasExercised(operation, requirement)) return;
      await sample(target, operation);
      throwIfBroken(target, operation, requirement);
      if (!target.answers.wasExercised(operation, requirement)) {
        throw new Untestable("no-data", `no answer to ${operation.key} held anything that could break this`);
      }
    },
  });
}

/** What is unique in the whole service is judged on all of it: every list that shows such values, under every query. */
async function sampleUniques(target: Target, requirement: string): Promise<void> {
  const { schemas, operations } = target.spec;
  for (const operation of operations) {
    if (operation.kind !== "list" || !operation.resource) continue;
    const properties = Object.values(schemas.flatten(operation.resource).properties ?? {});
    const shows = properties.some((child) => schemas.flatten(child)["x-unique"]?.requirement === requirement);
    if (shows) await sampleItems(target, operation).catch(() => undefined);
  }
}

/** Throws a Violation when an answer of the run broke a requirement at an operation. */
export function throwIfBroken(target: Target, operation: Operation, requirement: string): void {
  const fault = target.answers.fault(operation, requirement);
  if (!fault) return;
  const { first, count } = fault;
  const others = count > 1 ? ` (and ${count - 1} more like it)` : "";
  throw new Violation(first.expected, `${first.actual}${others}`, first.evidence, {
    certain: true,
    together: first.check === "" || first.check === "preflight" ? [] : [first.check],
  });
}

/** Throws for a server error that is not known to stay: a race is run again, what an equal request did not get is told. */
async function throwIfUnsteady(target: Target, operation: Operation): Promise<void> {
  const raced = target.answers.racedError(operation);
  if (raced) {
    const again = await target.triedAgain(raced.check);
    throwIfBroken(target, operation, "NO-SERVER-ERROR");
    if (again) throw new Unsteady(`${raced.actual} in one race of two`, raced.evidence);
    throw new Violation(raced.expected, raced.actual, raced.evidence, { together: [raced.check] });
  }
  const passing = target.answers.passingError(operation);
  if (passing)
    throw new Unsteady("expected no server error, got one that an equal request did not get again", passing);
}

/** Plain valid requests to an operation, under each version that the run may send. */
export async function sample(target: Target, operation: Operation): Promise<void> {
  if (operation.kind === "named" || operation.kind === "other") {
    throw new Untestable("not-shown", `no request to ${operation.key} was sent`);
  }
  await target.once(`sample ${operation.id}`, async () => {
    const { serviceVersion } = target.settings;
    for (const version of versionsOf(target.spec, operation)) {
      if (serviceVersion !== "all" && (version ?? "none") !== serviceVersion) continue;
      await target.send(await validRequest(target, operation, version), { valid: true });
    }
    if (operation.kind === "list") await sampleItems(target, operation);
  });
}

/** What answers held beyond the documented shape, and which documented fields were never seen. */
function observationChecks(spec: Spec, operation: Operation): Check[] {
  const { resource } = operation;
  if (!resource) return [];
  const writes = operation.kind === "create" || operation.kind === "update";
  const observe = (requirement: string, title: string, run: (target: Target) => void): Check =>
    check({
      suite: SUITE,
      requirement,
      operation,
      title,
      stage: "finish",
      writes,
      run: async (target) => {
        run(target);
      },
    });
  const open = new Set<string>();
  const seen = new Set<Schema>();
  const visit = (schema: Schema): void => {
    const flat = spec.schemas.flatten(schema);
    if (seen.has(flat)) return;
    seen.add(flat);
    if (flat["x-observe"]) open.add(flat["x-observe"]);
    for (const [, child] of childSchemas(flat)) visit(child);
  };
  visit(resource);
  return [
    observe("EXTRA-FIELDS", `fields in answers to ${operation.key} that are not documented`, (target) => {
      const fields = target.answers.extraFields(operation);
      target.observe("EXTRA-FIELDS", operation.key, "fields", fields.length > 0 ? fields.join(" ") : "none");
    }),
    observe("FIELDS-SEEN", `documented fields that no answer to ${operation.key} held`, (target) => {
      const fields = target.answers.unseenFields(operation);
      target.observe(
        "FIELDS-SEEN",
        operation.key,
        "never seen",
        fields.length > 0 ? fields.join(" ") : "none",
      );
    }),
    ...[...open].map((requirement) =>
      observe(requirement, `values that ${operation.key} shows where none are documented`, (target) => {
        const values = target.answers.observed(operation, requirement);
        target.observe(
          requirement,
          operation.key,
          "values",
          values.length > 0 ? values.join(" ") : "none seen",
        );
      }),
    ),
  ];
}
