/** Sends bodies that break one rule of one field, and judges the answers. */

import type { Call } from "../client/call.ts";
import { Untestable } from "../client/check.ts";
import { betweenStories } from "../client/controls.ts";
import { type Answer, isAccepted } from "../client/target.ts";
import { type BodyFault, bodyViolations, isConfirmed } from "../generators/body-faults.ts";
import type { Constraint } from "../generators/keyword-faults.ts";
import { withBody } from "../generators/request.ts";
import type { Supply } from "../generators/values.ts";
import { inventedNames } from "../history/invented-names.ts";
import type { Operation, Schema, Spec } from "../spec/model/spec.ts";
import { planningSupply, triedParts } from "./creation.ts";
import { rememberRefused } from "./left-behind.ts";
import { operationsOf, type Place } from "./rule.ts";

/** Names of violated rules in the catalogue, for creates and updates alike. */
export const RULES: Record<Constraint, string> = {
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
  not: "INVALID",
  propertyNames: "INVALID",
  dependentRequired: "REQUIRED",
  minLength: "TOO-SHORT",
  maxLength: "TOO-LONG",
  minItems: "TOO-FEW",
  maxItems: "TOO-MANY",
  minProperties: "TOO-FEW",
  maxProperties: "TOO-MANY",
};

export interface RulePlace extends Place {
  body: Schema;
  pointer: string;
  constraint: Constraint;
  requirement: string;
}

/** The first word of a requirement on bodies, for creates and for updates. */
export function sideOf({ kind }: Operation): "CREATE" | "UPDATE" {
  return kind === "create" ? "CREATE" : "UPDATE";
}

/** The rules of all bodies, one entry for each place and rule, for any number of violating values. */
export function rulePlaces(spec: Spec): RulePlace[] {
  return operationsOf(spec, "create", "update").flatMap((operation) => {
    const { body } = operation;
    if (!body) return [];
    const places = new Map<string, RulePlace>();
    for (const { pointer, constraint } of bodyViolations(body, planningSupply(spec)).map(triedAt)) {
      const schema = spec.schemas.at(body, pointer);
      const own = schema && spec.schemas.ownRequirement(schema, constraint);
      const requirement = own ?? `${sideOf(operation)}-${RULES[constraint]}`;
      const detail = `body${pointer} ${constraint}`;
      places.set(detail, { operation, body, pointer, constraint, requirement, detail });
    }
    return [...places.values()];
  });
}

/** Elements of a wrong type are tested with their list. */
function triedAt({ pointer, constraint, within }: BodyFault): Pick<BodyFault, "pointer" | "constraint"> {
  return within === undefined ? { pointer, constraint } : { pointer: within, constraint: "type" };
}

/** True if null is sent for an optional field: a service may read it as left out (rulings on rows 61 and 82). */
export function isOptionalNull(spec: Spec, { body, pointer, constraint }: RulePlace): boolean {
  const [name = "", ...below] = pointer.slice(1).split("/");
  const required = spec.schemas.flatten(body).required ?? [];
  return constraint === "null" && !(below.length === 0 && required.includes(name));
}

/** An answer to a body with one fault, and the fault in words. */
export interface Probed {
  what: string;
  answer: Answer;
}

/** Sends the bodies that break only the rule at this place. Throws Untestable if there are none. */
export async function probed(call: Call, at: RulePlace): Promise<Probed[]> {
  const { target, operation } = call;
  await call.control();
  // Valid updates come first: later they would hide changes that a rejected one left behind.
  if (operation.kind === "update") await triedParts(call, () => true).catch(unlessSuiteFails);
  const supply = await call.supply();
  const breaking = (from: Supply) =>
    bodyViolations(at.body, from).filter((fault) => {
      const { pointer, constraint } = triedAt(fault);
      return pointer === at.pointer && constraint === at.constraint;
    });
  // If no name of the service is known, invented ones are used; the nearest valid body shows whether they are
  // accepted.
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

function unlessSuiteFails(error: unknown): void {
  if (!(error instanceof Untestable)) throw error;
}

/**
 * The bodies to send for a rule at a place. Depth quick sends few: the nearest value of a limit; all values of an
 * enumeration or a format, because each may be accepted for another reason. For other rules it sends the first
 * value and one drawn by seed and place, for types also one inside of a valid value. Depth full sends all, or draws
 * one under other versions than the usual one.
 */
function drawn(call: Call, probes: BodyFault[], { constraint, pointer }: RulePlace): BodyFault[] {
  const { target, operation } = call;
  const turn = Math.abs(target.settings.seed) + placeNumber(`${operation.key} ${pointer}`);
  const one = (all: BodyFault[]) => all.filter((_, index) => index === turn % all.length);
  const usual = call.isUsual;
  const quick = target.settings.depth === "quick";
  if (constraint !== "type") {
    if (!quick && usual) return probes;
    if (isLimit(constraint)) return probes.slice(0, 1);
    if (quick) return isOneOfMany(constraint) ? probes : some(probes, turn);
    return one(probes);
  }
  const outside = probes.filter((probe) => probe.within === undefined);
  const inside = one(probes.filter((probe) => probe.within !== undefined));
  if (!quick) {
    if (usual) return probes;
    return pointer.split("/").length > 2 ? one(probes) : [...one(outside), ...inside];
  }
  return [...some(outside, turn), ...inside];
}

/** The first of several values, which careless services accept most often, and one of the others. */
function some<T>([first, ...others]: T[], turn: number): T[] {
  const other = others[turn % others.length];
  return [first, other].filter((each) => each !== undefined);
}

/** True if only the first violating value is sent: a service that accepts a farther one accepts it too. */
function isLimit(constraint: Constraint): boolean {
  return constraint.startsWith("max") || constraint.startsWith("min");
}

/** True if the violating value has the right type, and only its content is wrong. */
function isOneOfMany(constraint: Constraint): boolean {
  return constraint === "enum" || constraint === "format";
}

/** A number for each place, so that neighbouring places take different turns. */
function placeNumber(place: string): number {
  return [...place].reduce((sum, character) => (sum * 31 + character.charCodeAt(0)) % 9973, 7);
}

/** Sends one broken body; undefined if it would break another rule too. */
async function sentProbe(
  call: Call,
  at: RulePlace,
  supply: Supply,
  probe: BodyFault,
): Promise<Answer | undefined> {
  const { target, operation } = call;
  const valid = await call.body();
  if (!isConfirmed(probe, valid, at.body, supply)) return undefined;
  if (probe.neighbour) await mustTakeNeighbour(call, at, probe);
  target.exercised(`${operation.key} ${at.detail}`, false);
  const plan = await call.valid();
  const sent = probe.breaking(valid);
  const answer = await betweenStories(target, operation, () =>
    target.send(withBody(plan, sent), { role: "probe" }),
  );
  await rememberRefused(call, sent, answer);
  return answer;
}

/** Throws Untestable unless the nearest valid body, at the same limit, is accepted. */
async function mustTakeNeighbour(call: Call, at: RulePlace, probe: BodyFault): Promise<void> {
  const near = await triedParts(
    call,
    ({ kind, pointer, constraint }) =>
      kind === "edge" && pointer === at.pointer && constraint === at.constraint,
  );
  const [tried] = near;
  if (!tried && probe.neighbour) {
    const body = probe.neighbour(await call.body());
    const answer = await call.send(withBody(await call.valid(), body), "control");
    call.controlAccepted(answer, "the nearest valid body");
    return;
  }
  if (tried && isAccepted(tried.creation.answer)) return;
  throw new Untestable(
    "control-rejected",
    `the nearest valid body was answered ${tried?.creation.answer.status}`,
    tried ? [tried.creation.answer] : [],
  );
}

/**
 * Notes a rejection; throws a Violation if the body was accepted. If the specification is silent, either is only
 * noted.
 */
export function judged(call: Call, at: RulePlace, what: string, answer: Answer): void {
  if (call.target.spec.requirements.get(at.requirement)?.level === "NOTE") {
    const field = at.pointer.slice(1);
    call.note(at.requirement, "brokenField", { status: answer.status }, { field, tried: what });
    return;
  }
  call.mustReject(answer, what, `${at.pointer.slice(1)} ${at.constraint}`);
}

/** Two rules judge null for an optional field, and share the request. */
export function nullsSent(call: Call, at: RulePlace): Promise<Probed[]> {
  const { operation, version } = call;
  return call.target.once(`null ${operation.id} ${at.pointer} ${version ?? "none"}`, () => probed(call, at));
}
