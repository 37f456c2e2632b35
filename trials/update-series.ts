/** The series of updates that rules look at: all fields under each version, each field alone, and the very first one. */

import { Call } from "../client/call.ts";
import { Untestable } from "../client/check.ts";
import { createdResource, identityOf } from "../client/subjects.ts";
import { type Answer, asText, isAccepted } from "../client/target.ts";
import { usualVersion } from "../client/version-choice.ts";
import { isDateTime } from "../spec/formats.ts";
import { isObject, type JsonObject } from "../spec/json.ts";
import { operationById } from "../spec/loading/load.ts";
import type { Operation, Spec } from "../spec/model/spec.ts";
import { allowsNull, typesOf } from "../spec/schema.ts";
import { spareCreation } from "./creation.ts";
import { changes } from "./differences.ts";
import { type LastSeen, readBack } from "./read-back.ts";
import { onSubject, readNow } from "./settled-reads.ts";
import { otherBody, otherValues, type Step, type StepPlan, switchesOf, updatesInTurn } from "./update.ts";
import { pick, sendOtherValues, unusualSwitches, updatableFields } from "./updating.ts";

export const FULL = "all fields";
export const UNTAKEN = "what it does not take";
export const REQUIRED = "required fields";
export const NOTHING = "no fields";
export const NULLS = "null";
export const FIRST = "first update";

/** Fields of an update that may be left out, and can be sent without using the resource up. */
export function optionalFields(spec: Spec, { body = {} }: Operation): string[] {
  const required = new Set(spec.schemas.flatten(body).required ?? []);
  return updatableFields(spec, body).filter((name) => !required.has(name));
}

/** Those of them that may be null. */
export function nullableFields(spec: Spec, { body = {} }: Operation): string[] {
  const fields = new Map(spec.schemas.fields(body));
  return updatableFields(spec, body).filter((name) => {
    const schema = fields.get(name) ?? {};
    return typesOf(schema).length > 0 && allowsNull(schema);
  });
}

/** Documented fields of a resource that its update does not take. */
export function untakenFields(spec: Spec, { body = {}, resource = {} }: Operation): string[] {
  const taken = spec.schemas.flatten(body).properties ?? {};
  return Object.keys(spec.schemas.flatten(resource).properties ?? {}).filter((name) => !(name in taken));
}

/**
 * Updates of all fields, each to another value than before, one under every version that the user allows and at least
 * two, so that switches go both ways; last, one that sends what it does not take as well. Read under the usual version.
 */
export function fullUpdates({ target, operation }: Call): Promise<Step[]> {
  const { serviceVersion } = target.settings;
  const call = new Call(target, operation);
  const versions = serviceVersion === "all" ? call.versions : [usualVersion(target, operation)];
  const rounds = versions.length > 1 ? versions : [...versions, ...versions];
  const full = rounds.map(
    (version): StepPlan => ({ what: FULL, version, make: (before) => otherBody(call, before) }),
  );
  const untaken: StepPlan = {
    what: UNTAKEN,
    doubtful: true,
    async make(before) {
      const others = pick(before, new Set(untakenFields(target.spec, operation)));
      const altering = Object.entries(others).map(([name, value]) => [name, altered(value)] as const);
      return altering.length === 0
        ? undefined
        : { ...Object.fromEntries(altering), ...(await otherBody(call, before)) };
    },
  };
  return target.once(`full updates ${operation.id}`, () =>
    onSubject(call, (id) => updatesInTurn(call, id, [...full, untaken])),
  );
}

/** A value like the one given, and another. */
function altered(value: unknown): unknown {
  if (typeof value === "string") return isDateTime(value) ? "2001-01-01T00:00:00Z" : `${value}x`;
  if (typeof value === "number") return value + 1;
  if (typeof value === "boolean") return !value;
  if (Array.isArray(value)) return value.map(altered);
  if (isObject(value))
    return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, altered(part)]));
  return value;
}

/**
 * Updates of one field each, beside the required ones, of a resource that has a value in every field; the required ones
 * alone; and null for all that may be null, one by one where that is rejected. A switch goes with the required fields as
 * they are. Half of them meet the one value of a
 * switch, half the other: it is lost either way.
 */
export function singleUpdates(call: Call): Promise<Step[]> {
  const { target, operation, version } = call;
  const { spec } = target;
  const optional = optionalFields(spec, operation);
  const switches = switchesOf(spec, operation.body ?? {}).filter((name) => optional.includes(name));
  const others = optional.filter((name) => !switches.includes(name));
  // Which of the others meet the one value of a switch and which the other, the seed says.
  const turned = others.map((_, index) => others[(index + target.settings.seed) % others.length] ?? "");
  const half = Math.ceil(others.length / 2);
  const order = [...turned.slice(0, half), ...switches, ...turned.slice(half)];
  const nullable = nullableFields(spec, operation);
  const requiresAny = optional.length < updatableFields(spec, operation.body ?? {}).length;
  const { minProperties = 0 } = spec.schemas.flatten(operation.body ?? {});
  // Whoever flips a switch sends what is required as it is.
  const repeating = new Set(switches.length > 0 ? switches : order.slice(-1));
  const alone = (names: string[], what: string): StepPlan => ({
    what,
    async make(before) {
      const sent = await otherValues(call, before, names);
      const required = repeating.has(what) ? requiredAsShown(call, before) : {};
      return names.every((name) => name in sent) ? { ...sent, ...required } : undefined;
    },
  });
  const nulls =
    (names: string[]): StepPlan["make"] =>
    async (before, told) => {
      const together = told.find(({ what }) => what === NULLS);
      if (together && isAccepted(together.answer)) return undefined;
      const required = await otherValues(call, before, []);
      return { ...required, ...Object.fromEntries(names.map((name) => [name, null])) };
    };
  const everyField: StepPlan = {
    what: "every field",
    async make(before) {
      const settings = pick(unusualSwitches(spec, operation), new Set(switches));
      return { ...(await otherBody(call, before)), ...settings };
    },
  };
  return target.once(`single updates ${operation.id} ${version}`, () =>
    onSubject(call, (id) =>
      updatesInTurn(call, id, [
        ...(optional.length > 1 ? [everyField] : []),
        ...(requiresAny ? [alone([], REQUIRED)] : []),
        ...order.map((name) => alone([name], name)),
        // Last, when there is something to lose in every field.
        ...(requiresAny || minProperties > 0 ? [] : [{ ...alone([], NOTHING), doubtful: true as const }]),
        ...(nullable.length > 0 ? [{ what: NULLS, doubtful: true as const, make: nulls(nullable) }] : []),
        ...nullable.map((name) => ({
          what: `${NULLS} ${name}`,
          doubtful: true as const,
          make: nulls([name]),
        })),
      ]),
    ),
  );
}

/** The required fields of an update as the resource shows them, as far as they can be sent so. */
function requiredAsShown(
  { target: { spec }, operation: { body = {} } }: Call,
  before: JsonObject,
): JsonObject {
  const { required = [], properties = {} } = spec.schemas.flatten(body);
  const fits = (name: string) =>
    name in before && spec.schemas.validate(properties[name] ?? {}, before[name]).length === 0;
  return pick(before, new Set(required.filter(fits)));
}

/**
 * The very first update of the resource that the user gave for it: one field, beside those that it must send, so that
 * all else can be held against what it was when it was found. Throws Untestable where none was given.
 */
export function firstUpdate(call: Call): Promise<Step[]> {
  const { target, operation } = call;
  return target.once(`first update ${operation.id}`, () =>
    onSubject(call, async (id) => {
      // What moved since it was found moves by itself, and may do so again at this very moment.
      const found = await readNow(call, id).catch(unlessThrown);
      const steps = await updatesInTurn(call, id, [firstOf(call)], { anew: true });
      return steps.map((step) => {
        const since = found && step.before ? changes(found.resource, step.before.resource) : [];
        const restless = new Set(since.map(({ pointer }) => pointer));
        return { ...step, moved: step.moved.filter(({ pointer }) => !restless.has(pointer)) };
      });
    }),
  );
}

/** Nothing, where nothing could be had. */
function unlessThrown(error: unknown): undefined {
  if (!(error instanceof Untestable)) throw error;
}

function firstOf(call: Call): StepPlan {
  const { target, operation } = call;
  const { spec } = target;
  const { properties = {} } = spec.schemas.flatten(operation.body ?? {});
  const switches = switchesOf(spec, operation.body ?? {});
  const optional = optionalFields(spec, operation);
  const fields = optional.filter((name) => !switches.includes(name));
  // A switch with a default may fall back to it when it is not sent: that it was sent loses nothing.
  const free = switches.filter(
    (name) => optional.includes(name) && spec.schemas.flatten(properties[name] ?? {}).default !== undefined,
  );
  return { what: FIRST, make: (before) => otherValues(call, before, [...fields, ...free].slice(-1)) };
}

/** A resource of the run's own that was updated by nobody, while another of its kind was; then it is, for the first time. */
export interface Bystander {
  id: string;
  /** As the answer to its creation shows it. */
  made: JsonObject;
  before: LastSeen;
  /** The updates of the other one, which were accepted: at depth full one under each version. */
  others: Answer[];
  first: Step[];
}

/** Makes a resource that others are updated beside. Throws Untestable (control-rejected) where that can't be made or read. */
export function bystander(call: Call): Promise<Bystander> {
  const { target, operation, version } = call;
  // Other stories wait for it: what is sent while a key is held goes first.
  const tell = () =>
    target.exclusive(`bystander ${operation.id}`, async () => {
      const create = operationById(target.spec, operation.pathParameter?.madeBy ?? "");
      const { answer } = await spareCreation(new Call(target, create));
      const made = createdResource(create, answer);
      const id = asText(made[identityOf(target.spec, create)]);
      if (id === undefined) throw new Untestable("control-rejected", `what ${create.key} made has no id`);
      const before = await readBack(call, id);
      const versions = target.settings.depth === "full" ? call.allowed : [version];
      const others = await onSubject(call, async (subject) => {
        const answers: Answer[] = [];
        for (const each of versions) answers.push(await sendOtherValues(call.under(each), subject));
        return answers;
      });
      const first = await updatesInTurn(call, id, [firstOf(call)]);
      return { id, made, before, others, first };
    });
  return target.once(`bystander ${operation.id}`, tell);
}

/**
 * Work on a resource that an update may change, beside the stories about the one that others take turns with: on the
 * bystander, where the run can make one, once its own story is told.
 */
export async function besideStories<T>(call: Call, work: (id: string) => Promise<T>): Promise<T> {
  const { target, operation } = call;
  const makesOne = operation.pathParameter?.madeBy !== undefined;
  const spare = makesOne ? await bystander(new Call(target, operation)).catch(unlessThrown) : undefined;
  if (!spare) return onSubject(call, work);
  return target.exclusive(`bystander ${operation.id}`, () => work(spare.id));
}
