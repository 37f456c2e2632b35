/** Valid requests to every operation, and the data of the target that they need. Found once, shared by all checks. */

import { type RequestPlan, requestTo, withBody, withHeaders, withQuery } from "../generators/request.ts";
import { type Supply, validObject, validValue } from "../generators/values.ts";
import { allCountryCodes, countryCodeOf } from "../spec/formats.ts";
import { type JsonObject, valueAt } from "../spec/json.ts";
import { operationById } from "../spec/load.ts";
import { childSchemas, typesOf } from "../spec/schema.ts";
import type { Operation, Parameter, Schema, Spec, ValuesFrom } from "../spec/types.ts";
import { Untestable, Violation } from "./check.ts";
import { listOf } from "./kin.ts";
import { inventedNames } from "./made-up.ts";
import {
  type Answer,
  asText,
  isAccepted,
  isRejected,
  isServerError,
  itemsOf,
  resourceOf,
  SIMULTANEOUS,
  type Target,
} from "./target.ts";

/** Most countries (or other values of a required filter) that are looked at for data. */
const MOST_VALUES_TRIED = 60;

/** The version that checks send which are not about versions: the newest that the user allows. */
export function usualVersion(target: Target, operation: Operation): string | null {
  const { serviceVersion } = target.settings;
  const { version } = operation;
  if (!version) return null;
  const allowed = allowedVersions(target.spec, operation);
  const newest = allowed.at(-1) ?? null;
  if (serviceVersion === "none") return version.required ? newest : null;
  return allowed.includes(serviceVersion) ? serviceVersion : newest;
}

/** Every version to send to an operation: none first, where the header may be left out, then each allowed one. */
export function versionsOf(spec: Spec, operation: Operation): (string | null)[] {
  const { version } = operation;
  if (!version) return [null];
  return [...(version.required ? [] : [null]), ...allowedVersions(spec, operation)];
}

/** A version as another operation can be asked under it: its newest, where it does not take that one. */
export function versionFor(target: Target, operation: Operation, version: string | null): string | null {
  return versionsOf(target.spec, operation).includes(version) ? version : usualVersion(target, operation);
}

/** The versions that an operation takes, oldest first: one that is new may take the newest alone. */
export function allowedVersions(spec: Spec, { version }: Operation): string[] {
  if (!version) return [];
  return spec.versions.filter((each) => version.schema.enum?.includes(each) ?? true);
}

/** The values that a schema can take: those that the user names, else those of the service's own lists. */
export async function knownValues(target: Target, from: ValuesFrom): Promise<string[]> {
  const given = givenValues(target, from);
  return given.length > 0 ? given : listedValues(target, from);
}

/** The values that a filter can take: those that the user names first, and all of the service's own lists. */
export async function filterValues(target: Target, from: ValuesFrom): Promise<string[]> {
  const listed = await listedValues(target, from).catch((error: unknown) => {
    if (error instanceof Untestable) return [];
    throw error;
  });
  return [...new Set([...givenValues(target, from), ...listed])];
}

function givenValues(target: Target, from: ValuesFrom): string[] {
  const given = target.settings.fixtures[from.fixture] ?? "";
  return given
    .split(",")
    .map((value) => value.trim())
    .filter((value) => value !== "");
}

async function listedValues(target: Target, { list, field }: ValuesFrom): Promise<string[]> {
  if (list === undefined || field === undefined) return [];
  return target.once(`values ${list} ${field}`, async () => {
    const operation = operationById(target.spec, list);
    const items = await sampleItems(target, operation);
    const values = items.flatMap((item) => valueAt(item, field)).map(asText);
    return [...new Set(values.filter((value) => value !== undefined))];
  });
}

/** A query for each value of a list's required parameters under which there is something to see, at most `most`. */
export async function baseQueries(
  target: Target,
  operation: Operation,
  most = 3,
): Promise<[string, string][][]> {
  const [required, ...others] = operation.parameters.filter(
    (parameter) => parameter.in === "query" && parameter.required,
  );
  if (!required) return [[]];
  const queries = await target.once(`queries ${operation.id}`, async () => {
    const found: [string, string][][] = [];
    const rest: [string, string][] = [];
    for (const other of others) {
      const [value = ""] = await candidateValues(target, operation, other);
      rest.push([other.name, value]);
    }
    const candidates = await candidateValues(target, operation, required);
    for (const value of candidates.slice(0, MOST_VALUES_TRIED)) {
      const query: [string, string][] = [[required.name, value], ...rest];
      const answer = await askForData(target, {
        ...requestTo(operation, usualVersion(target, operation)),
        query,
      });
      if (isAccepted(answer) && itemsOf(answer).length > 0) found.push(query);
    }
    return found.length > 0
      ? found
      : candidates.slice(0, 1).map((value): [string, string][] => [[required.name, value], ...rest]);
  });
  return queries.slice(0, most);
}

async function candidateValues(
  target: Target,
  operation: Operation,
  parameter: Parameter,
): Promise<string[]> {
  const named = await namedValues(target, parameter);
  if (named.length > 0) return named;
  if (parameter.schema.format === "country-code") return allCountryCodes().slice(0, 1);
  const value =
    parameter.schema.default ?? validValue(parameter.schema, await supplyFor(target, parameter.schema));
  if (value === undefined)
    throw new Untestable("no-data", `no value is known for ${parameter.name} of ${operation.key}`);
  return [String(value)];
}

/**
 * The values for a parameter that the user or the service names. What a list shows need not be spelt as the parameter
 * is bound to: the code of a country may have three letters, or small ones.
 */
export async function namedValues(target: Target, parameter: Parameter): Promise<string[]> {
  const { schema, valuesFrom } = parameter;
  if (!valuesFrom) return [];
  const values = (await filterValues(target, valuesFrom)).map((value) =>
    schema.format === "country-code" ? (countryCodeOf(value) ?? value) : value,
  );
  return [...new Set(values)].filter((value) => target.spec.schemas.validate(schema, value).length === 0);
}

/** Items of a list as it stands: the first page under each base query, as large as allowed. */
export async function sampleItems(target: Target, operation: Operation): Promise<JsonObject[]> {
  return target.once(`items ${operation.id}`, async () => {
    const items: JsonObject[] = [];
    for (const query of await baseQueries(target, operation, MOST_VALUES_TRIED)) {
      const plan = { ...requestTo(operation, usualVersion(target, operation)), query };
      const limit = operation.list?.limit;
      const whole =
        limit?.schema.maximum === undefined
          ? plan
          : withQuery(plan, { [limit.name]: String(limit.schema.maximum) });
      const answer = await askForData(target, whole);
      if (isAccepted(answer)) items.push(...itemsOf(answer));
    }
    return items;
  });
}

/** A service that wants a space where none is due is found out elsewhere; its data is still needed. */
async function askForData(target: Target, plan: RequestPlan): Promise<Answer> {
  const answer = await target.send(plan, { valid: true });
  return isRejected(answer) && !plan.operation.space ? target.send(withSpace(target, plan)) : answer;
}

/** A request with the space header, whether or not its operation is shown with one. */
export function withSpace(target: Target, plan: RequestPlan): RequestPlan {
  const space = target.spec.operations.find((operation) => operation.space)?.space;
  return space ? withHeaders(plan, { [space.name]: target.settings.space }) : plan;
}

/** Everything that making values for `schema` needs of the target, fetched beforehand. */
export async function supplyFor(target: Target, schema: Schema, trial = true): Promise<Supply> {
  const { schemas } = target.spec;
  const known = new Map<string, string[]>();
  const references = new Map<Schema, string[]>();
  const visited = new Set<Schema>();
  const visit = async (node: Schema): Promise<void> => {
    const flat = schemas.flatten(node);
    if (visited.has(flat)) return;
    visited.add(flat);
    const from = flat["x-values-from"];
    if (from && !known.has(from.fixture)) {
      const values = await knownValues(target, from);
      const unknown = values.length === 0 && trial && typesOf(flat).includes("array");
      known.set(from.fixture, unknown ? await triedValues(target, from.fixture) : values);
    }
    if (flat["x-references"]) references.set(flat, await referencesOf(target, flat["x-references"]));
    for (const [, child] of childSchemas(flat)) await visit(child);
  };
  await visit(schema);
  return {
    schemas,
    unique: () => target.unique(),
    known: (fixture) => known.get(fixture) ?? [],
    references: (asked) => references.get(schemas.flatten(asked)) ?? [],
    seed: target.seed,
  };
}

/**
 * Values for a list of names that only the service knows, when the user names none: those that its own resources
 * show, else made-up ones. Either is tried once in a call that may be rejected; what is rejected is not used, and
 * then null (where it is allowed) is all that can be sent.
 */
function triedValues(target: Target, fixture: string): Promise<string[]> {
  return target.once(`tried ${fixture}`, async () => {
    const { schemas, operations } = target.spec;
    const fieldOf = (create: Operation) =>
      Object.entries((create.body && schemas.flatten(create.body).properties) ?? {}).find(
        ([, child]) => schemas.flatten(child)["x-values-from"]?.fixture === fixture,
      )?.[0];
    const create = operations.find(
      (operation) => operation.kind === "create" && fieldOf(operation) !== undefined,
    );
    const name = create && fieldOf(create);
    if (!create?.body || name === undefined || target.settings.readOnly) return [];
    const list = listOf(target.spec, create);
    const items = list ? await sampleItems(target, list).catch(() => []) : [];
    const shown = [
      ...new Set(items.flatMap((item) => item[name]).filter((value) => typeof value === "string")),
    ];
    for (const values of [shown, inventedNames()]) {
      if (values.length === 0) continue;
      const body = validObject(create.body, await supplyFor(target, create.body, false), "minimal");
      const plan = withBody(requestTo(create, usualVersion(target, create)), {
        ...body,
        [name]: values.slice(0, 3),
      });
      const answer = await target.send(plan, { role: "trial" });
      if (!isAccepted(answer)) continue;
      rememberToDeactivate(target, create, answer);
      return values;
    }
    return [];
  });
}

/**
 * Ids or codes of what a schema refers to, of one kind of place alone: providers of several countries may well not go
 * together. The place whose members the target's own records name most comes first.
 */
async function referencesOf(
  target: Target,
  wanted: { lists: string[]; fields: string[] },
): Promise<string[]> {
  const groups = await target.once(`references ${wanted.lists.join()} ${wanted.fields.join()}`, async () => {
    const named = await namedReferences(target, wanted);
    const byPlace = new Map<string, { values: string[]; named: number }>();
    for (const list of wanted.lists) {
      const operation = operationById(target.spec, list);
      const place = operation.list?.filters.find((filter) => filter.required)?.filter;
      for (const item of await sampleItems(target, operation)) {
        const key = place === undefined ? "" : String(valueAt(item, place));
        const group = byPlace.get(key) ?? { values: [], named: 0 };
        byPlace.set(key, group);
        const [first, ...others] = wanted.fields
          .map((field) => item[field])
          .filter((value) => typeof value === "string");
        if (first === undefined) continue;
        group.values.push(first);
        if ([first, ...others].some((value) => named.has(value))) group.named++;
      }
    }
    return [...byPlace.values()].sort((a, b) => b.named - a.named || b.values.length - a.values.length);
  });
  return groups[0]?.values ?? [];
}

/** Texts in lists of the target's own records: among them are references that surely go together with them. */
async function namedReferences(target: Target, wanted: { lists: string[] }): Promise<Set<string>> {
  const named = new Set<string>();
  for (const operation of target.spec.operations) {
    if (operation.kind !== "list" || wanted.lists.includes(operation.id) || !operation.space) continue;
    for (const item of await sampleItems(target, operation).catch(() => [])) {
      for (const value of Object.values(item)) {
        if (Array.isArray(value)) for (const part of value) if (typeof part === "string") named.add(part);
      }
    }
  }
  return named;
}

/** Gives ids and codes of one referred-to thing one name, so that they compare equal. */
export async function referenceResolver(target: Target, schema: Schema): Promise<(value: string) => string> {
  const names = new Map<string, string>();
  for (const child of Object.values(target.spec.schemas.flatten(schema).properties ?? {})) {
    const wanted = target.spec.schemas.flatten(child)["x-references"];
    for (const list of wanted?.lists ?? []) {
      for (const item of await sampleItems(target, operationById(target.spec, list))) {
        const values = (wanted?.fields ?? [])
          .map((field) => item[field])
          .filter((value) => typeof value === "string");
        for (const value of values) names.set(value, values[0] ?? value);
      }
    }
  }
  return (value) => names.get(value) ?? value;
}

/** The path value of a resource that an operation may read, or (for `write`) change. Throws Untestable. */
export async function subjectOf(
  target: Target,
  operation: Operation,
  use: "read" | "write",
): Promise<string> {
  const parameter = operation.pathParameter;
  if (!parameter) throw new Untestable("no-data", `${operation.key} takes no path parameter`);
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
    throw new Untestable("no-data", `the list of ${operation.key} shows nothing to read`);
  }
  throw new Untestable("no-fixture", `give --fixture ${name ?? parameter.name}=ID to test ${operation.key}`);
}

/** What the resources of an operation belong to: values for the other parameters of its path. Throws Untestable. */
export async function outerPath(target: Target, operation: Operation): Promise<Record<string, string>> {
  const values: Record<string, string> = {};
  for (const { name, madeBy, fixture } of operation.outer) {
    const given = fixture?.read === undefined ? undefined : target.settings.fixtures[fixture.read];
    if (given !== undefined) values[name] = given;
    else if (madeBy !== undefined)
      values[name] = await ownResource(target, operationById(target.spec, madeBy), "to belong to");
    else
      throw new Untestable(
        "no-fixture",
        `give --fixture ${fixture?.read ?? name}=ID to test ${operation.key}`,
      );
  }
  return values;
}

/** A resource that the user gave for writing, as its read showed it before this run sent the first update of it. */
export async function beforeUpdates(
  target: Target,
  update: Operation,
  id: string | undefined,
): Promise<JsonObject | undefined> {
  const fixture = update.pathParameter?.fixture?.write;
  const read = update.readBack?.read;
  if (read === undefined || fixture === undefined || id === undefined) return undefined;
  if (id !== target.settings.fixtures[fixture]) return undefined;
  return target.once(`before ${update.id}`, async () => {
    const reader = operationById(target.spec, read);
    const plan = { ...requestTo(reader, usualVersion(target, reader)), path: id };
    // Without it the updates are tried all the same.
    const answer = await target.send(plan, { role: "before", valid: true }).catch(() => undefined);
    return answer && isAccepted(answer) ? resourceOf(answer) : undefined;
  });
}

/** The id of a resource that this run made, one for each purpose. */
export async function ownResource(target: Target, create: Operation, purpose: string): Promise<string> {
  const resource = await target.once(`own ${create.id} ${purpose}`, async () => {
    if (target.settings.readOnly)
      throw new Untestable("read-only", `${create.key} makes nothing in a read-only run`);
    const answer = await sendCreate(target, create, usualVersion(target, create), "full");
    const made = createdResource(target, create, answer);
    const active = create.body && target.spec.schemas.flatten(create.body)["x-deliveries"]?.active;
    if (active !== undefined) deactivateAtEnd(target, create, made, active);
    return made;
  });
  const identity = identityOf(target.spec, create);
  const id = asText(resource[identity]);
  if (id === undefined)
    throw new Untestable("control-rejected", `what ${create.key} made has no ${identity}`);
  return id;
}

/** The field that identifies the resource of an operation. */
export function identityOf(spec: Spec, operation: Operation): string {
  return (operation.resource && spec.schemas.flatten(operation.resource)["x-identity"]) ?? "id";
}

/** The resource that a creating call made; throws Untestable when it made none. */
export function createdResource(target: Target, create: Operation, answer: Answer): JsonObject {
  const resource = isAccepted(answer) ? resourceOf(answer) : undefined;
  if (!resource) {
    throw new Untestable(
      "control-rejected",
      `${create.key} did not make a resource (status ${answer.status})`,
      [answer.exchange],
    );
  }
  rememberToDeactivate(target, create, answer);
  return resource;
}

/** What a creating call made active sends deliveries; at the end of the run it is made inactive again. */
function rememberToDeactivate(target: Target, create: Operation, answer: Answer): void {
  const active = create.body && target.spec.schemas.flatten(create.body)["x-deliveries"]?.active;
  const resource = resourceOf(answer);
  if (active === undefined || resource?.[active] !== true) return;
  deactivateAtEnd(target, create, resource, active);
}

function deactivateAtEnd(target: Target, create: Operation, resource: JsonObject, active: string): void {
  const update = target.spec.operations.find((operation) => operation.pathParameter?.madeBy === create.id);
  if (!update) return;
  const id = asText(resource[identityOf(target.spec, create)]);
  if (id === undefined) return;
  const required = target.spec.schemas.flatten(update.body ?? {}).required ?? [];
  const kept = Object.fromEntries(required.map((name) => [name, resource[name]]));
  target.atEnd(async () => {
    await target.send(
      withBody(
        { ...requestTo(update, usualVersion(target, update)), path: id },
        { ...kept, [active]: false },
      ),
    );
  });
}

/** A valid body for an operation. */
export async function validBody(
  target: Target,
  operation: Operation,
  extent: "minimal" | "full",
  salt = 0,
): Promise<JsonObject> {
  if (!operation.body) return {};
  const body = validObject(operation.body, await supplyFor(target, operation.body), extent, salt);
  const required = target.spec.schemas.flatten(operation.body).required ?? [];
  const missing = required.find((name) => !(name in body));
  if (missing !== undefined)
    throw new Untestable("no-data", `no value is known for ${missing} of ${operation.key}`);
  // What is called valid is: a rejection of anything else would prove nothing.
  const [fault] = target.spec.schemas.validate(operation.body, body);
  if (fault) {
    const place = fault.pointer === "" ? "the body" : fault.pointer.slice(1);
    throw new Untestable(
      "no-data",
      `no valid body of ${operation.key} could be made: ${place} would be ${fault.actual}, not ${fault.expected}`,
    );
  }
  return body;
}

/** Sends a valid creating call with a fresh body, and remembers to deactivate what it made active. */
export async function sendCreate(
  target: Target,
  create: Operation,
  version: string | null,
  extent: "minimal" | "full",
  change: (body: JsonObject) => JsonObject = (body) => body,
  role = "create",
): Promise<Answer> {
  const body = change(await validBody(target, create, extent));
  return sendBody(target, withBody(requestTo(create, version), body), role);
}

/** Sends a creating call that is meant to be valid. */
export async function sendBody(target: Target, plan: RequestPlan, role = "create"): Promise<Answer> {
  if (plan.operation.kind === "update") await beforeUpdates(target, plan.operation, plan.path);
  const answer = await target.send(plan, { role, valid: !PROBES.has(role) });
  if (isAccepted(answer)) rememberToDeactivate(target, plan.operation, answer);
  else if (plan.operation.kind === "create" && isRejected(answer) && !PROBES.has(role))
    await mustStillAccept(target, plan.operation);
  return answer;
}

/** What calls are for that may well be rejected. */
const PROBES = new Set(["probe", SIMULTANEOUS, "again", "and again"]);

/**
 * Quotas are not specified. A service that rejects a valid call, and then the plainest and the fullest one, having
 * accepted calls before, has had enough for today: nothing can be said. Throws Untestable then.
 */
async function mustStillAccept(target: Target, create: Operation): Promise<void> {
  if (!target.witness.hasAccepted(create)) return;
  for (const extent of ["full", "minimal"] as const) {
    const plan = withBody(
      requestTo(create, usualVersion(target, create)),
      await validBody(target, create, extent),
    );
    const again = await target.send(plan, { role: "control", valid: true });
    if (isAccepted(again)) rememberToDeactivate(target, create, again);
    if (!isRejected(again)) return;
  }
  throw new Untestable(
    "declined",
    `${create.key} no longer accepts what it accepted before: a quota, perhaps`,
  );
}

/** The plainest valid request to an operation under a version. Throws Untestable when the target has no data for it. */
export async function validRequest(
  target: Target,
  operation: Operation,
  version: string | null,
): Promise<RequestPlan> {
  const plan = requestTo(operation, version);
  // A list has its queries from its own data; of anything else, any valid value will do.
  if (operation.kind !== "list") {
    for (const parameter of operation.parameters) {
      if (parameter.in !== "query" || !parameter.required) continue;
      const [value = ""] = await candidateValues(target, operation, parameter);
      plan.query.push([parameter.name, value]);
    }
  }
  switch (operation.kind) {
    case "list": {
      const [query] = await baseQueries(target, operation, 1);
      return { ...plan, query: query ?? [] };
    }
    case "read":
      return operation.pathParameter ? { ...plan, path: await subjectOf(target, operation, "read") } : plan;
    case "create":
      return withBody(plan, await validBody(target, operation, "minimal"));
    case "update":
      return withBody(
        { ...plan, path: await subjectOf(target, operation, "write") },
        await validBody(target, operation, "minimal"),
      );
    default:
      return operation.pathParameter ? { ...plan, path: await namedSubject(target, operation) } : plan;
  }
}

/**
 * For operations without a shown shape: the user's fixture, or a value that surely names nothing. What may be deleted
 * is made for it, or nobody's.
 */
async function namedSubject(target: Target, operation: Operation): Promise<string> {
  const other = operation.kind === "other";
  const madeBy = operation.pathParameter?.madeBy;
  if (other && madeBy !== undefined)
    return ownResource(target, operationById(target.spec, madeBy), operation.key);
  const fixture = other ? undefined : operation.pathParameter?.fixture?.read;
  return (fixture === undefined ? undefined : target.settings.fixtures[fixture]) ?? "conformance-unknown";
}

/** Throws a Violation unless the service accepted a valid request; a 5xx is a finding of its own, elsewhere. */
export function mustAccept(answer: Answer, what: string): void {
  if (isAccepted(answer)) return;
  if (isServerError(answer)) {
    throw new Untestable("server-error", `${what} was answered ${answer.status}`, [answer.exchange]);
  }
  throw new Violation(`${what} to be accepted`, `status ${answer.status}`, [
    { ...answer.exchange, offending: "status" },
  ]);
}

/** Throws Untestable unless the control of a probe was accepted. */
export function controlAccepted(answer: Answer, what: string): void {
  if (isAccepted(answer)) return;
  throw new Untestable(
    "control-rejected",
    `${what} was answered ${answer.status}, so a rejection would prove nothing`,
    [answer.exchange],
  );
}

/** Throws a Violation unless a probe was rejected. */
export function mustReject(answer: Answer, what: string, before: Answer[] = []): void {
  if (isServerError(answer)) {
    throw new Untestable("server-error", `${what} was answered ${answer.status}`, [answer.exchange]);
  }
  if (answer.status >= 400) return;
  throw new Violation(`${what} to be rejected (4xx)`, `status ${answer.status}`, [
    ...before.map((earlier) => earlier.exchange),
    { ...answer.exchange, offending: "status" },
  ]);
}
