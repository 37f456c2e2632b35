/**
 * Responses (sections 2 and 4): every answer of the run is held against the documented shape. These checks read off
 * what was seen, at the end, what the answers to each operation broke; they ask for a sample only where nothing was
 * asked yet.
 */

import { Call } from "../client/call.ts";
import { Unsteady, Untestable, Violation } from "../client/check.ts";
import { sampleItems } from "../client/samples.ts";
import type { Target } from "../client/target.ts";
import type { Operation, Schema, Spec } from "../spec/model/spec.ts";
import { childSchemas } from "../spec/schema.ts";
import { EveryAnswer } from "../trials/every-answer.ts";
import { type Place, rule, suiteOf } from "../trials/rule.ts";
import { EVERY_ANSWER } from "./every-answer-rules.ts";

/** What only tells of answers that others asked for. */
const finish = {
  stage: "finish",
  writes: ({ operation }: Place) => changes(operation),
} as const;

function changes({ kind }: Operation): boolean {
  return kind === "create" || kind === "update";
}

const everyAnswer = rule({
  ...finish,
  over: (spec) => {
    const answers = new EveryAnswer(spec, EVERY_ANSWER);
    return spec.operations.flatMap((operation) =>
      answers.requirementsAt(operation).map((requirement) => {
        const statement = spec.requirements.get(requirement)?.statement ?? requirement;
        return { operation, requirement, statement };
      }),
    );
  },
  title: ({ operation, statement }) => `every answer to ${operation.key}: ${statement}`,
  async run(call, { operation, requirement }) {
    const { target } = call;
    await sampleUniques(target, requirement);
    throwIfBroken(target, operation, requirement);
    if (requirement === "NO-SERVER-ERROR") await throwIfUnsteady(target, operation);
    if (target.answers.wasExercised(operation, requirement)) return;
    await sample(target, operation);
    throwIfBroken(target, operation, requirement);
    if (!target.answers.wasExercised(operation, requirement)) {
      // What is about a field that may be left out has no subject at a service that always does.
      const reason = target.answers.showedEnough(operation) ? "not-shown" : "no-data";
      throw new Untestable(reason, `no answer to ${operation.key} held anything that could break this`);
    }
  },
});

/** What is unique in the whole service is judged on all of it: every list that shows such values, under every query. */
async function sampleUniques(target: Target, requirement: string): Promise<void> {
  const { schemas, operations } = target.spec;
  for (const operation of operations) {
    if (operation.kind !== "list" || !operation.resource) continue;
    const fields = schemas.fields(operation.resource);
    if (fields.some(([, field]) => field["x-unique"]?.requirement === requirement))
      await sampleItems(target, operation).catch(() => undefined);
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
    if (again)
      throw new Unsteady(
        `expected no server error, got ${raced.actual} among simultaneous calls, and not when they were sent again`,
        raced.evidence,
      );
    throw new Violation(raced.expected, raced.actual, raced.evidence, { together: [raced.check] });
  }
  const passing = target.answers.passingError(operation);
  if (passing)
    throw new Unsteady("expected no server error, got one that an equal request did not get again", passing);
}

/** Valid requests to an operation with all that it takes, under each version that the run may send. */
export async function sample(target: Target, operation: Operation): Promise<void> {
  if (operation.kind === "named" || operation.kind === "other") {
    throw new Untestable("not-shown", `no request to ${operation.key} was sent`);
  }
  await target.once(`sample ${operation.id}`, async () => {
    const { serviceVersion } = target.settings;
    const call = new Call(target, operation);
    for (const version of call.versions) {
      if (serviceVersion !== "all" && (version ?? "none") !== serviceVersion) continue;
      await target.send(await call.under(version).fresh(), { valid: true });
    }
    if (operation.kind === "list") await sampleItems(target, operation);
  });
}

function resources({ operations }: Spec): (Place & { resource: Schema })[] {
  return operations.flatMap((operation) => {
    const { resource } = operation;
    return resource ? [{ operation, resource }] : [];
  });
}

const undocumentedFields = rule({
  ...finish,
  requirement: "EXTRA-FIELDS",
  notes: "undocumentedFields",
  over: resources,
  title: ({ operation }) => `fields in answers to ${operation.key} that are not documented`,
  async run(call) {
    const { target, operation } = call;
    const names = target.answers.extraFields(operation);
    call.note("EXTRA-FIELDS", "undocumentedFields", { names });
  },
});

const unseenFields = rule({
  ...finish,
  requirement: "FIELDS-SEEN",
  notes: "unseenFields",
  over: resources,
  title: ({ operation }) => `documented fields that no answer to ${operation.key} held`,
  async run(call) {
    const { target, operation } = call;
    const names = target.answers.unseenFields(operation);
    call.note("FIELDS-SEEN", "unseenFields", { names });
  },
});

/** The requirements under which a resource has enumerations that the specification leaves open. */
function openEnumerations(spec: Spec, resource: Schema): Set<string> {
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
  return open;
}

const openValues = rule({
  ...finish,
  notes: "openValues",
  over: (spec) =>
    resources(spec).flatMap(({ operation, resource }) =>
      [...openEnumerations(spec, resource)].map((requirement) => ({ operation, requirement })),
    ),
  title: ({ operation }) => `values that ${operation.key} shows where none are documented`,
  async run(call, { requirement }) {
    const { target, operation } = call;
    const names = target.answers.observed(operation, requirement);
    call.note(requirement, "openValues", { names });
  },
});

export const responseChecks = suiteOf("responses", everyAnswer, undocumentedFields, unseenFields, openValues);
