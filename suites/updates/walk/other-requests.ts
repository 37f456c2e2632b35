import type { Call } from "../../../client/call.ts";
import { makerOf } from "../../../client/relations.ts";
import { hasUnknownSpace, unknownSpace } from "../../../client/spaces.ts";
import { asQuery } from "../../../client/target.ts";
import { withoutToken } from "../../../client/without-token.ts";
import {
  type RequestPlan,
  requestTo,
  withBody,
  withHeaders,
  withLargestPage,
  withPageSize,
  withQuery,
} from "../../../generators/request.ts";
import { idempotencyKeyIn, objectSent, shownId } from "../../../history/entry.ts";
import { fieldAt, type JsonObject, valueAt } from "../../../spec/json.ts";
import type { Operation, SameRecord, Schema, Spec } from "../../../spec/model/spec.ts";
import { operationById } from "../../../spec/operations.ts";
import { preferredFirst } from "../../../spec/ordered.ts";
import { smallestSize } from "../../../spec/page-sizes.ts";
import { readerOf } from "../read-back.ts";

/** Returns requests that show the resource in other ways: with old values perhaps, or no checks of the token. */
export function otherViews(
  call: Call,
  id: string,
  shown: JsonObject,
): Record<"versions" | "lists" | "foreign" | "anonymous", RequestPlan[]> {
  const { target, operation } = call;
  const reader = readerOf(target.spec, operation);
  if (!reader) return { versions: [], lists: [], foreign: [], anonymous: [] };
  const there = call.to(reader);
  const others = namedFirst(there.allowed.filter((version) => version !== there.version));
  const plain = (under: Call) => (reader.kind === "list" ? under.request() : under.requestAt(id));
  const valid = plain(there);
  const anonymous = withoutToken(target, valid);
  return {
    versions: others.map((version) => plain(there.under(version))),
    lists: reader.kind === "list" ? behindItem(there, id) : underMatchingFilters(call, reader, id, shown),
    foreign:
      reader.space && hasUnknownSpace(target, reader.space.schema)
        ? [withHeaders(valid, { [reader.space.name]: unknownSpace(target, reader.space.schema) })]
        : [],
    anonymous: anonymous ? [anonymous] : [],
  };
}

/** Returns the versions, named ones first: services usually treat null like the newest. */
export function namedFirst(versions: readonly (string | null)[]): (string | null)[] {
  return preferredFirst(versions, (version) => version !== null);
}

/** Returns pages after the resource and the item before it: old values may come back with such cursors. */
export function behindItem(list: Call, id: string): RequestPlan[] {
  const { target, operation } = list;
  const { after } = operation.list ?? {};
  if (after?.cursor !== "item") return [];
  const pages = target.history().lists.pages(operation);
  const previous = pages.map(({ ids }) => ids[ids.indexOf(id) - 1]).findLast((each) => each !== undefined);
  const small = withPageSize(list.request(), smallestSize(operation));
  const cursors = previous === undefined ? [id] : [previous, id];
  return cursors.map((cursor) => withQuery(small, { [after.name]: cursor }));
}

/** Returns a list request under all filters that the resource matches, or `undefined` if no list shows it. */
export function underAllFilters(call: Call, id: string, shown: JsonObject): RequestPlan | undefined {
  const plans = underEachFilter(call, id, shown);
  const [first] = plans;
  // The plans repeat required filters.
  return first && { ...first, query: [...new Map(plans.flatMap(({ query }) => query))] };
}

/** True if the list has a filter with this value. */
export function filtersBy({ query }: RequestPlan, value: unknown): boolean {
  const text = asQuery(value);
  return query.some(([, each]) => each === text);
}

/** Returns a list under each filter that the resource matches, or one without a filter. */
export function underEachFilter(call: Call, id: string, shown: JsonObject): RequestPlan[] {
  const reader = readerOf(call.target.spec, call.operation);
  return reader ? underMatchingFilters(call, reader, id, shown) : [];
}

/**
 * Returns reads of the list under each filter by one of these fields, with its shown value. Returns none if the resource
 * has a read of its own, or if the list requires a filter.
 */
export function underFiltersOf(call: Call, shown: JsonObject, fields: readonly string[]): RequestPlan[] {
  const { spec } = call.target;
  const reader = readerOf(spec, call.operation);
  const { filters = [] } = reader?.list ?? {};
  if (!reader || filters.some(({ required }) => required)) return [];
  return filters.flatMap(({ name, filter = "", schema }) => {
    if (!fields.includes(fieldAt(filter))) return [];
    const text = allowedText(spec, schema, valueAt(shown, filter));
    return text === undefined ? [] : [withQuery(unfilteredRequest(call, reader), { [name]: text })];
  });
}

/** Returns the value as a query has it, or `undefined` if the filter does not allow it. */
function allowedText(spec: Spec, schema: Schema, value: unknown): string | undefined {
  return spec.schemas.validate(schema, value).length === 0 ? asQuery(value) : undefined;
}

/** Returns one request for each filter that the resource matches. */
function underMatchingFilters(call: Call, reader: Operation, id: string, shown: JsonObject): RequestPlan[] {
  const { sameRecord } = reader;
  if (sameRecord?.fields === undefined) return [];
  const { spec } = call.target;
  const list = operationById(spec, sameRecord.list);
  const last = call.target
    .history()
    .lists.pages(list)
    .findLast(({ ids }) => ids.includes(id));
  const listed = last?.items[last.ids.indexOf(id)];
  const matching = (list.list?.filters ?? []).flatMap(({ name, filter = "", schema, required }) => {
    const own = fieldOfRead(sameRecord.fields, filter);
    // Filters expect the spelling of lists (one_time), and reads may have another (oneTime).
    const value = own === undefined ? listed && valueAt(listed, filter) : valueAt(shown, own);
    const text = allowedText(spec, schema, value);
    return text === undefined ? [] : [{ name, text, required }];
  });
  const needed = matching.filter(({ required }) => required).map(({ name, text }) => [name, text]);
  const plain = withQuery(unfilteredRequest(call, list), Object.fromEntries(needed));
  const plans = matching
    .filter(({ required }) => !required)
    .map(({ name, text }) => withQuery(plain, { [name]: text }));
  return plans.length > 0 ? plans : [plain];
}

function fieldOfRead(fields: SameRecord["fields"], filter: string): string | undefined {
  const compared = fields === "all" ? [] : Object.entries(fields);
  const equal = compared.find(([, { field, compare }]) => `/${field}` === filter && compare === "equal");
  const name = fields === "all" ? filter : equal?.[0];
  return name === undefined || name.startsWith("/") ? name : `/${name}`;
}

function unfilteredRequest(call: Call, list: Operation): RequestPlan {
  // Other probes read the default version, and a service may cache another longer.
  const there = call.to(list);
  const other = there.allowed.find((each) => each !== there.version && each !== null);
  return withLargestPage(there.under(other ?? there.version).request());
}

export type ChangeOfBody = (body: JsonObject, create: Operation) => JsonObject;

/** Returns the create of the resource with its key. `change` makes another body. */
export function creationAgain(
  { target, operation }: Call,
  id: string,
  change: ChangeOfBody = (body) => body,
): RequestPlan | undefined {
  const create = makerOf(target.spec, operation);
  if (!create?.idempotencyKey) return undefined;
  const made = target
    .history()
    .entries.find((entry) => entry.operation === create && String(shownId(target.spec, entry)) === id);
  const key = made && idempotencyKeyIn(made);
  const body = made && objectSent(made);
  if (key === undefined || !body) return undefined;
  const plan = withBody(requestTo(create, made.version), change(body, create));
  return withHeaders(plan, { [create.idempotencyKey.name]: key });
}
