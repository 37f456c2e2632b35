/** Rules of body fields (sections 4 and 8): each single fault is rejected, for creates and updates alike. */

import type { Call } from "../client/call.ts";
import { Untestable, Violation } from "../client/check.ts";
import { betweenStories, inTurn } from "../client/controls.ts";
import { inventedNames } from "../client/invented-names.ts";
import { sendBody } from "../client/subjects.ts";
import { supplyFor, validBody } from "../client/supply.ts";
import { type Answer, isAccepted, resourceOf } from "../client/target.ts";
import { controlAccepted, mustReject, mustShow, noteRejection } from "../client/verdicts.ts";
import { type BodyFault, bodyViolations, isConfirmed } from "../generators/body-faults.ts";
import { withBody } from "../generators/request.ts";
import type { Supply } from "../generators/values.ts";
import type { Constraint } from "../generators/wrong-values.ts";
import { isObject, valueAt } from "../spec/json.ts";
import type { Operation, Schema, Spec } from "../spec/model/spec.ts";
import { describeValue } from "../spec/schema.ts";
import { planningSupply, triedParts } from "../trials/creation.ts";
import { operationsOf } from "../trials/derive.ts";
import { sameFieldValue } from "../trials/differences.ts";
import { rememberRefused } from "../trials/left-behind.ts";
import { type Place, rule, suiteOf } from "../trials/rule.ts";

const written = { suite: "bodies", stage: "write", writes: true, versions: "rotated" } as const;

/** What a violated rule is called in the catalogue, for creates and updates alike. */
const RULES: Record<Constraint, string> = {
  required: "REQUIRED",
  type: "TYPE",
  null: "NULL",
  enum: "INVALID",
  const: "INVALID",
  format: "INVALID",
  pattern: "INVALID",
  minimum: "INVALID",
  maximum: "INVALID",
  additionalProperties: "INVALID",
  oneOf: "INVALID",
  anyOf: "INVALID",
  uniqueItems: "INVALID",
  exclusiveMinimum: "INVALID",
  exclusiveMaximum: "INVALID",
  multipleOf: "INVALID",
  minLength: "TOO-SHORT",
  maxLength: "TOO-LONG",
  minItems: "TOO-FEW",
  maxItems: "TOO-MANY",
  minProperties: "TOO-FEW",
  maxProperties: "TOO-MANY",
};

interface RulePlace extends Place {
  body: Schema;
  pointer: string;
  constraint: Constraint;
  requirement: string;
}

/** What a requirement on bodies is called for creates, and for updates. */
export function sideOf({ kind }: Operation): "CREATE" | "UPDATE" {
  return kind === "create" ? "CREATE" : "UPDATE";
}

/** The rules of all bodies, one entry for each place and rule, however many values break it. */
function rulePlaces(spec: Spec): RulePlace[] {
  return operationsOf(spec, "create", "update").flatMap((operation) => {
    const { body } = operation;
    if (!body) return [];
    const places = new Map<string, RulePlace>();
    for (const { pointer, constraint } of bodyViolations(body, planningSupply(spec))) {
      const schema = spec.schemas.at(body, pointer);
      const own = schema && spec.schemas.ownRequirement(schema, constraint);
      const requirement = own ?? `${sideOf(operation)}-${RULES[constraint]}`;
      const detail = `body${pointer} ${constraint}`;
      places.set(detail, { operation, body, pointer, constraint, requirement, detail });
    }
    return [...places.values()];
  });
}

/** Whether null is sent for a field that may be left out: it may be taken for that (ruling on rows 61 and 82). */
function isOptionalNull(spec: Spec, { body, pointer, constraint }: RulePlace): boolean {
  const [name = "", ...below] = pointer.slice(1).split("/");
  const required = spec.schemas.flatten(body).required ?? [];
  return constraint === "null" && !(below.length === 0 && required.includes(name));
}

/** An answer to a body with one fault, and what was wrong with it. */
interface Probed {
  what: string;
  answer: Answer;
}

/** Sends every body that breaks the rule at a place and nothing else. Throws Untestable where there is none. */
async function probed(call: Call, at: RulePlace): Promise<Probed[]> {
  const { target, operation } = call;
  await call.control();
  const supply = await supplyFor(target, at.body);
  const breaking = (from: Supply) =>
    bodyViolations(at.body, from).filter(
      ({ pointer, constraint }) => pointer === at.pointer && constraint === at.constraint,
    );
  // Names that only the service knows are made up where none is known; the neighbour tells whether they will do.
  const known = breaking(supply);
  const probes = drawn(call, known.length > 0 ? known : breaking({ ...supply, known: inventedNames }), at);
  const sent: Probed[] = [];
  for (const probe of probes) {
    const answer = await sentProbe(call, at, supply, probe);
    if (answer) sent.push({ what: `${at.pointer.slice(1)}: ${probe.what}`, answer });
    else target.exercised(`${operation.key} ${at.detail}`, false);
  }
  if (sent.length === 0)
    throw new Untestable("no-data", `no body is known that breaks ${at.detail} and nothing else`);
  return sent;
}

/** Values of a wrong type that depth quick sends at a place. */
const QUICK_TYPES = 2;

/**
 * The bodies that break a rule at a place: all, but of values of a wrong type depth quick takes a few, which the seed
 * draws apart from each other, so that one value and one inside of it are among them.
 */
function drawn({ target }: Call, probes: BodyFault[], { constraint }: RulePlace): BodyFault[] {
  if (target.settings.depth === "full" || constraint !== "type" || probes.length <= QUICK_TYPES)
    return probes;
  const apart = Math.ceil(probes.length / QUICK_TYPES);
  const first = Math.abs(target.seed) % apart;
  return probes.filter((_, index) => index % apart === first);
}

/** Sends one broken body; undefined when it can't be made so that nothing else is broken. */
async function sentProbe(
  call: Call,
  at: RulePlace,
  supply: Supply,
  probe: BodyFault,
): Promise<Answer | undefined> {
  const { target, operation } = call;
  const valid = await validBody(target, operation, "full");
  if (!isConfirmed(probe, valid, at.body, supply)) return undefined;
  if (probe.neighbour) await mustTakeNeighbour(call, at, probe);
  target.exercised(`${operation.key} ${at.detail}`, false);
  const plan = await call.valid();
  const sent = probe.breaking(valid);
  const answer = await betweenStories(target, operation, () =>
    target.send(withBody(plan, sent), { role: "probe" }),
  );
  await rememberRefused(target, operation, sent, answer);
  return answer;
}

/** Throws Untestable unless the nearest valid body is accepted: the part of the story that is at the same limit. */
async function mustTakeNeighbour(call: Call, at: RulePlace, probe: BodyFault): Promise<void> {
  const { target, operation } = call;
  const near = await triedParts(
    target,
    operation,
    ({ kind, pointer, constraint }) =>
      kind === "edge" && pointer === at.pointer && constraint === at.constraint,
  );
  const [tried] = near;
  if (!tried && probe.neighbour) {
    const body = probe.neighbour(await validBody(target, operation, "full"));
    const answer = await call.send(withBody(await call.valid(), body), "control");
    controlAccepted(answer, "the nearest valid body");
    return;
  }
  if (tried && isAccepted(tried.creation.answer)) return;
  throw new Untestable(
    "control-rejected",
    `the nearest valid body was answered ${tried?.creation.answer.status}`,
    tried ? [tried.creation.answer.exchange] : [],
  );
}

const facts = {
  ...written,
  title: ({ operation, pointer, constraint }: RulePlace) =>
    `${operation.key} rejects a body whose ${pointer.slice(1)} breaks ${constraint}`,
  cause: "invalid-body",
  notes: "brokenField",
} as const;

const rejected = rule<RulePlace>({
  ...facts,
  requirement: ({ requirement }) => requirement,
  over: (spec) => rulePlaces(spec).filter((at) => !isOptionalNull(spec, at)),
  async run(call, at) {
    for (const { what, answer } of await probed(call, at)) judged(call, at, what, answer);
  },
});

/** Notes a rejection; throws a Violation where there was none. Where the specification is silent, all is noted. */
function judged({ target, operation }: Call, at: RulePlace, what: string, answer: Answer): void {
  if (target.spec.requirements.get(at.requirement)?.level === "NOTE") {
    const field = at.pointer.slice(1);
    target.note({
      requirement: at.requirement,
      operation: operation.key,
      practice: "brokenField",
      field,
      tried: what,
      answer: { status: answer.status },
    });
    return;
  }
  noteRejection(target, operation, `${at.pointer.slice(1)} ${at.constraint}`, answer);
  mustReject(answer, what);
}

/** Null for a field that may be left out is judged by two rules: it is sent once. */
function nullsSent(call: Call, at: RulePlace): Promise<Probed[]> {
  const { operation, version } = call;
  return call.target.once(`null ${operation.id} ${at.pointer} ${version ?? "none"}`, () => probed(call, at));
}

function optionalNulls(spec: Spec): RulePlace[] {
  return rulePlaces(spec).filter((at) => isOptionalNull(spec, at));
}

const nullTaken = rule<RulePlace>({
  ...facts,
  requirement: ({ requirement }) => requirement,
  over: optionalNulls,
  title: ({ operation, pointer }) =>
    `${operation.key} rejects null for ${pointer.slice(1)}, or takes it as if it were left out`,
  draw: "null",
  async run(call, at) {
    for (const { what, answer } of await nullsSent(call, at)) {
      const own = call.target.spec.requirements.get(at.requirement)?.level !== "NOTE";
      if (own && isAccepted(answer)) await mustBeTakenAsAbsent(call, at, answer);
      else judged(call, at, what, answer);
    }
  },
});

const nullRejected = rule<RulePlace>({
  ...facts,
  requirement: ({ operation }) => `${sideOf(operation)}-NULL-OPTIONAL`,
  over: (spec) =>
    optionalNulls(spec).filter((at) => at.requirement === `${sideOf(at.operation)}-${RULES.null}`),
  title: ({ operation, pointer }) =>
    `${operation.key} rejects null for ${pointer.slice(1)}, which may be left out`,
  draw: "null",
  async run(call, at) {
    for (const { what, answer } of await nullsSent(call, at)) mustReject(answer, what);
  },
});

/** Throws a Violation where null was not taken as if the field had been left out. */
async function mustBeTakenAsAbsent(call: Call, at: RulePlace, answer: Answer): Promise<void> {
  const { schemas } = call.target.spec;
  const [name = ""] = at.pointer.slice(1).split("/");
  const differs = (expected: string, actual: unknown, by: Answer) =>
    new Violation(expected, describeValue(actual), [{ ...by.exchange, offending: `/result/${name}` }]);
  mustShow(call.target, answer);
  const shown = resourceOf(answer);
  if (shown && valueAt(shown, at.pointer) === null)
    throw differs(
      `null for ${at.pointer.slice(1)} to be rejected, or taken as if it were left out`,
      null,
      answer,
    );
  const field = schemas.at(at.body, `/${name}`);
  if (at.pointer !== `/${name}` || !shown || (field && schemas.holdsSecret(field))) return;
  const [absent, taken] = await (call.operation.kind === "create"
    ? withoutField(call, name, answer)
    : sentAsNullAgain(call, name));
  if (!absent || !taken || sameFieldValue(resourceOf(absent)?.[name], resourceOf(taken)?.[name])) return;
  const value = resourceOf(absent)?.[name];
  throw differs(
    `${name} as it is when it is left out: ${describeValue(value)}`,
    resourceOf(taken)?.[name],
    taken,
  );
}

/** An equal call without the field, and the one with null. */
async function withoutField(call: Call, name: string, taken: Answer): Promise<Answer[]> {
  const { [name]: _, ...without } = await validBody(call.target, call.operation, "full");
  const absent = await call.send(withBody(await call.valid(), without));
  return isAccepted(absent) ? [absent, taken] : [];
}

/** An update that sets the field, and then one with null for it. */
function sentAsNullAgain(call: Call, name: string): Promise<Answer[]> {
  const { target, operation } = call;
  return inTurn(target, operation, async () => {
    const plan = await call.fresh();
    const set = await sendBody(target, plan, "probe");
    const sent = plan.body?.kind === "json" && isObject(plan.body.value) ? plan.body.value : {};
    const taken = await sendBody(target, withBody(plan, { ...sent, [name]: null }), "probe");
    return isAccepted(set) && isAccepted(taken) ? [set, taken] : [];
  });
}

export const bodyFields = suiteOf(rejected, nullTaken, nullRejected);
