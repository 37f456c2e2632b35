import { type RequestPlan, requestTo, withBody } from "../generators/request.ts";
import { identityOf } from "../spec/identity.ts";
import type { JsonObject } from "../spec/json.ts";
import type { Operation, Parameter } from "../spec/model/spec.ts";
import { mayAct, operationById } from "../spec/operations.ts";
import { NotTested } from "./check.ts";
import { isExhausted, seeActive, sentBody, takesNoMoreActive } from "./quotas.ts";
import { resourceTypeOf, updateOf } from "./relations.ts";
import { defaultQuery, sampleItems, withRequired } from "./samples.ts";
import {
  type Answer,
  asText,
  hasAccepted,
  isAccepted,
  isRejected,
  resourceOf,
  SIMULTANEOUS,
  type Target,
  type VersionedOperation,
} from "./target.ts";
import { unusedBy } from "./used-up.ts";
import { validBody } from "./value-source.ts";
import { allowedOf, defaultVersion } from "./version-choice.ts";

/**
 * Returns a resource of the run, a fixture, or an item of a list.
 * @throws NotTested if there is none
 */
export async function resourceIdFor(
  target: Target,
  operation: Operation,
  use: "read" | "write",
): Promise<string> {
  const parameter = operation.pathParameter;
  if (!parameter) throw new NotTested("no-data", `${operation.key} takes no path parameter`);
  if (parameter.madeBy !== undefined)
    return ownResource(target, operationById(target.spec, parameter.madeBy), operation.key);
  const name = parameter.fixture?.[use];
  const given = name === undefined ? undefined : target.settings.fixtures[name];
  if (given !== undefined) return given;
  if (use === "read" && operation.sameRecord) {
    const [field = "id"] = operation.sameRecord.by;
    const items = await sampleItems(target, operationById(target.spec, operation.sameRecord.list));
    const value = items.map((item) => asText(item[field])).find((candidate) => candidate !== undefined);
    if (value !== undefined) return value;
    throw new NotTested("no-data", `the list of ${operation.key} shows nothing to read`);
  }
  throw withoutFixture(operation, name ?? parameter.name);
}

function withoutFixture({ key }: Operation, name: string): NotTested {
  const fixture = `${name}=ID`;
  return new NotTested("no-fixture", `give --fixture ${fixture} to test ${key}`, [], { fixture });
}

const TO_BELONG_TO = "to belong to";

/** Returns the request with the ids of its parents, unless it has them. */
export async function withOuterPath(target: Target, plan: RequestPlan): Promise<RequestPlan> {
  const { operation, outer } = plan;
  if (operation.outer.length === 0 || outer) return plan;
  return { ...plan, outer: await outerPath(target, operation, plan) };
}

/** Returns the ids of the parents by their path parameters. Creates parents if need be. */
export async function outerPath(
  target: Target,
  operation: Operation,
  plan?: RequestPlan,
): Promise<Record<string, string>> {
  const values: Record<string, string> = {};
  const actedOn = mayAct(target.spec, operation) ? operation.outer.at(-1) : undefined;
  for (const parameter of operation.outer) {
    const { name, madeBy, fixture } = parameter;
    const given = fixture?.read === undefined ? undefined : target.settings.fixtures[fixture.read];
    if (given !== undefined) values[name] = given;
    else if (madeBy === undefined) throw withoutFixture(operation, fixture?.read ?? name);
    else {
      const maker = operationById(target.spec, madeBy);
      const own = (purpose: string) => ownResource(target, maker, purpose);
      values[name] = await (parameter === actedOn
        ? unusedBy(target, operation, plan, own)
        : own(TO_BELONG_TO));
    }
  }
  return values;
}

/** Returns the id of a second parent, or undefined if no operation creates parents. */
export async function anotherParent(target: Target, { madeBy }: Parameter): Promise<string | undefined> {
  if (madeBy === undefined) return undefined;
  return ownResource(target, operationById(target.spec, madeBy), "to belong to instead");
}

/** Returns the id of a resource for this purpose: one that an earlier run left, or else one that this run creates. */
async function ownResource(target: Target, create: Operation, purpose: string): Promise<string> {
  const left = await leftByEarlierRun(target, create, purpose);
  if (left !== undefined) return left;
  return target.memoize(`own ${create.id} ${purpose}`, async () => {
    if (target.settings.readOnly)
      throw new NotTested("read-only", `${create.key} makes nothing in a read-only run`);
    // Scenarios wait for this create, and the write lock makes it urgent.
    const answer = await target.withWriteLock(`make ${create.id} ${purpose}`, () =>
      sendFullCreate(target, create),
    );
    return createdId(target, create, answer);
  });
}

/** Returns the id of a resource of the same type and space that `--reuse` names, or `undefined` if there is none. */
async function leftByEarlierRun(
  target: Target,
  create: Operation,
  purpose: string,
): Promise<string | undefined> {
  const { reuse, space } = target.settings;
  if (reuse === undefined) return undefined;
  const left = await target.memoizeUnjudged(`left ${create.id}`, async () => {
    const kind = resourceTypeOf(target.spec, create);
    return reuse.filter((one) => one.kind === kind && (one.space === space || !create.space));
  });
  return target.memoize(`left ${create.id} ${purpose}`, async () => {
    for (let tried = 0; tried < MOST_LEFT; tried++) {
      const next = left.shift();
      if (next === undefined || (await takesUpdates(target, create, next.id))) return next?.id;
    }
    return undefined;
  });
}

const MOST_LEFT = 3;

async function takesUpdates(target: Target, create: Operation, id: string): Promise<boolean> {
  const update = updateOf(target.spec, create);
  if (update === undefined) return true;
  const plan = requestTo(update, defaultVersion(target, update));
  const body = await validBody(target, update, "minimal");
  return isAccepted(await target.send(withBody({ ...plan, path: id }, body), { role: "probe" }));
}

/**
 * Returns the resource that the answer to a create shows.
 * @throws NotTested if the answer shows no created resource
 */
export function createdResource(create: Operation, answer: Answer): JsonObject {
  const resource = isAccepted(answer) ? resourceOf(answer) : undefined;
  if (!resource) {
    throw new NotTested(
      "control-rejected",
      `${create.key} did not make a resource (status ${answer.status})`,
      [answer.exchange],
    );
  }
  return resource;
}

/**
 * Returns the id of the created resource.
 * @throws NotTested if the create was rejected, or showed no id
 */
export function createdId({ spec }: Target, create: Operation, answer: Answer): string {
  const identity = identityOf(spec, create);
  const id = asText(createdResource(create, answer)[identity]);
  if (id === undefined) throw new NotTested("control-rejected", `what ${create.key} made has no ${identity}`);
  return id;
}

/** The lists of these bodies share some values, but not all, with those of variations 0 and 1. */
const VARIATION_OF_OWN = 2;

/** Sends a create with all fields under the default version. */
export async function sendFullCreate(
  target: Target,
  create: Operation,
  place: Pick<RequestPlan, "space" | "outer"> = {},
): Promise<Answer> {
  const plan = { ...requestTo(create, defaultVersion(target, create)), ...place };
  return sendBody(target, withBody(plan, await validBody(target, create, "full", VARIATION_OF_OWN)));
}

/**
 * Sends the body. If `valid`, the request breaks no rule, but may be rejected.
 * @throws NotTested (declined) if a quota is exhausted
 */
export async function sendBody(
  target: Target,
  plan: RequestPlan,
  role = "create",
  { valid = !PROBES.has(role) } = {},
): Promise<Answer> {
  const answer = await target.send(plan, { role, valid });
  if (isAccepted(answer)) {
    await seeActive(target, plan);
  } else if (plan.operation.kind === "create" && isRejected(answer) && !PROBES.has(role)) {
    await mustStillAccept(target, plan.operation);
    if (await takesNoMoreActive(target, plan.operation, sentBody(plan.body)))
      throw new NotTested(
        "declined",
        `${plan.operation.key} takes no more that are active: a quota, perhaps`,
      );
  }
  return answer;
}

export const SUBSCRIBING = "subscription";

const PROBES = new Set(["probe", SIMULTANEOUS, "again", "and again"]);

/** True if the create was accepted before, and now accepts nothing. */
export async function takesNoMoreCreates(target: Target, create: Operation): Promise<boolean> {
  if (create.kind !== "create" || !hasAccepted(target, create)) return false;
  return isExhausted(target, create.id, MOST_ASKED, () => acceptsNothing(target, create));
}

/**
 * Checks that the service still accepts creates.
 * @throws NotTested if it does not
 */
export async function mustStillAccept(target: Target, create: Operation): Promise<void> {
  if (!(await takesNoMoreCreates(target, create))) return;
  throw new NotTested(
    "declined",
    `${create.key} no longer accepts what it accepted before: a quota, perhaps`,
    [],
    { room: create.key },
  );
}

const MOST_ASKED = 3;

/** True if valid creates are rejected with every field, and with the required ones in another version. */
async function acceptsNothing(target: Target, create: Operation): Promise<boolean> {
  const byDefault = defaultVersion(target, create);
  const [other = byDefault] = allowedOf(target, create).filter((version) => version !== byDefault);
  for (const [extent, version] of [
    ["full", byDefault],
    ["minimal", other],
  ] as const) {
    const plan = withBody(requestTo(create, version), await validBody(target, create, extent));
    const again = await target.send(plan, { role: "control", valid: true });
    if (!isRejected(again)) return false;
  }
  return true;
}

/** Returns a request that breaks no rule, with an existing resource in its path. */
export async function validRequest({ target, operation, version }: VersionedOperation): Promise<RequestPlan> {
  const plan = await withRequired(target, requestTo(operation, version));
  switch (operation.kind) {
    case "list":
      return { ...plan, query: await defaultQuery(target, operation) };
    case "read":
      return operation.pathParameter
        ? { ...plan, path: await resourceIdFor(target, operation, "read") }
        : plan;
    case "create":
      return withBody(plan, await validBody(target, operation, "minimal"));
    case "update":
      return withBody(
        { ...plan, path: await resourceIdFor(target, operation, "write") },
        await validBody(target, operation, "minimal"),
      );
    default:
      return operation.pathParameter ? { ...plan, path: await undocumentedPathId(target, operation) } : plan;
  }
}

/**
 * Returns the id for the path of an operation whose shape is not documented. A DELETE (kind `other`) gets a
 * resource of the run, never the user's fixture.
 */
async function undocumentedPathId(target: Target, operation: Operation): Promise<string> {
  const other = operation.kind === "other";
  const madeBy = operation.pathParameter?.madeBy;
  if (madeBy !== undefined && (other || !target.settings.readOnly))
    return ownResource(
      target,
      operationById(target.spec, madeBy),
      other ? purposeOfNext(target, operation) : TO_BELONG_TO,
    );
  const fixture = other ? undefined : operation.pathParameter?.fixture?.read;
  return (fixture === undefined ? undefined : target.settings.fixtures[fixture]) ?? "conformance-unknown";
}

/** Returns another purpose after each accepted request, because a DELETE leaves no resource for the next. */
function purposeOfNext(target: Target, operation: Operation): string {
  const accepted = target.history().ownAnswers(operation).filter(isAccepted);
  return `${operation.key} after ${accepted.length}`;
}
