import type { Call } from "../../client/call.ts";
import { NotTested } from "../../client/check.ts";
import { withResourceWriteLock } from "../../client/controls.ts";
import { eventually, latenessOf } from "../../client/eventually.ts";
import { resourceIdFor } from "../../client/resources.ts";
import { defaultQuery } from "../../client/samples.ts";
import { isAccepted, itemsOf, resourceOf } from "../../client/target.ts";
import { type RequestPlan, withPageSize } from "../../generators/request.ts";
import { changes } from "../../history/values/differences.ts";
import { itemId } from "../../spec/identity.ts";
import { isObject, type JsonObject, pick } from "../../spec/json.ts";
import type { Operation, Spec } from "../../spec/model/spec.ts";
import { operationById } from "../../spec/operations.ts";
import { findInList } from "../shared/own-items.ts";
import { type Ask, itemAfter, itemIn, pagesFrom } from "../shared/read-list.ts";
import { echoDifferencesOf } from "../shared/sent-values.ts";
import { unusualSwitches } from "../shared/update-fields.ts";
import { acceptedUpdate } from "../shared/update-requests.ts";
import { nextVariation } from "./bodies.ts";

/** Returns the read that shows the updated resource, or else the list. */
export function readerOf(spec: Spec, update: Operation): Operation | undefined {
  const id = update.readBack?.read ?? update.readBack?.list;
  return id === undefined ? undefined : operationById(spec, id);
}

/**
 * Returns the resource as a read shows it after an update. With `shared`, reuses an earlier read if the run has
 * written nothing since.
 * @throws NotTested if the resource can't be read
 */
export async function readBack(call: Call, id: string, { shared = false } = {}): Promise<JsonObject> {
  const { target } = call;
  const reader = readerOf(target.spec, call.operation);
  if (!reader)
    throw new NotTested("not-shown", `no operation shows the resource that ${call.operation.key} changed`);
  const there = call.to(reader);
  const ask: Ask = (plan) =>
    shared ? target.ask(plan, ROLE) : target.send(plan, { role: ROLE, valid: true });
  if (reader.kind === "list") return readFromList(there, id, ask);
  const answer = await ask(there.requestAt(id));
  const resource = isAccepted(answer) ? resourceOf(answer) : undefined;
  if (!isObject(resource))
    throw new NotTested("control-rejected", `${reader.key} was answered ${answer.status}`, [answer.exchange]);
  return documentedResource(target.spec, reader, resource);
}

const ROLE = "read back";
const MOST_PAGES_TO_FIND = 12;

interface Place {
  previousId?: string;
}

/** Returns the resource as the list shows it, and remembers its page for the next look. */
async function readFromList(there: Call, id: string, ask: Ask): Promise<JsonObject> {
  const { target, operation: list, version } = there;
  const place = await target.memoize(`place ${list.id} ${id}`, async (): Promise<Place> => ({}));
  const { previousId } = place;
  const behind = previousId && (await itemAfter(ask, await plainListRequest(there), previousId, id));
  const item =
    behind || (await readPagesTo(there, id, ask, place)) || (await findInList(target, list, id, { version }));
  if (!item) throw new NotTested("control-rejected", `${id} is not in ${list.key}`);
  return documentedResource(target.spec, list, item);
}

async function plainListRequest(there: Call): Promise<RequestPlan> {
  return { ...there.request(), query: await defaultQuery(there.target, there.operation) };
}

/** Reads page by page until one shows the resource, from the remembered page on. */
async function readPagesTo(there: Call, id: string, ask: Ask, place: Place): Promise<JsonObject | undefined> {
  const { operation: list } = there;
  const { limit, after } = list.list ?? {};
  const plan = withPageSize(await plainListRequest(there), limit?.schema.maximum);
  let previous: string | undefined;
  let page = 0;
  for await (const answer of pagesFrom(ask, plan, MOST_PAGES_TO_FIND)) {
    const ids = itemsOf(answer).map((item) => itemId(list, item));
    const found = itemIn(answer, id);
    if (found) {
      const at = ids.indexOf(id);
      const before = at > 0 ? ids[at - 1] : previous;
      if (after?.cursor === "item" && page > 0 && before !== undefined) place.previousId = before;
      return found;
    }
    previous = ids.at(-1);
    page++;
  }
  return undefined;
}

/** Returns the documented fields of the resource. Undocumented fields may change at each read. */
function documentedResource(spec: Spec, operation: Operation, resource: JsonObject): JsonObject {
  const documented = operation.resource ? spec.schemas.documented(operation.resource, resource) : resource;
  return isObject(documented) ? documented : resource;
}

/** Works on the resource of the update while no other probe uses it. */
export async function withLockedResource<T>(call: Call, work: (id: string) => Promise<T>): Promise<T> {
  const { target, operation } = call;
  const id = await resourceIdFor(target, operation, "write");
  return withResourceWriteLock(target, operation, () => work(id));
}

/**
 * Reads until the values show or the consistency timeout ends. `after` names the kind of requests before: an accepted
 * PUT resets fields for good, but after rejected updates the same fields must show again.
 * @throws NotTested if the resource can't be read
 */
export async function readSettled(
  call: Call,
  id: string,
  sent: JsonObject,
  kept?: JsonObject,
  after = "",
): Promise<JsonObject> {
  const { target, operation } = call;
  const reader = readerOf(target.spec, operation);
  const lateness = await latenessOf(target, operation, after);
  // Later reads don't wait for fields that never showed.
  const lost = await target.memoize(`lost in ${operation.id} ${after}`, async () => new Set<string>());
  let isFirst = true;
  let missing: string[] = [];
  let mostMissing = 0;
  const look = async () => {
    const seen = await readBack(call, id, { shared: isFirst && kept === undefined });
    isFirst = false;
    const at = { operation, sent, shown: seen };
    const faults = reader?.resource ? echoDifferencesOf(target.history(), at, reader) : [];
    const changed = changes(kept ?? {}, pick(seen, Object.keys(kept ?? {})));
    missing = [...faults, ...changed]
      .map(({ pointer }) => pointer.split("/").slice(0, 2).join("/"))
      .filter((field) => !lost.has(field));
    mostMissing = Math.max(mostMissing, missing.length);
    return seen;
  };
  const seen = await eventually(target, operation, look, () => missing.length === 0, after);
  for (const field of missing) lost.add(field);
  if (missing.length < mostMissing) lateness.late = true;
  return seen;
}

/**
 * Updates all fields, reads until they show, and returns the resource.
 * @throws NotTested if the update is rejected
 */
export async function updateAllFields(call: Call, id: string): Promise<JsonObject> {
  const { target, operation } = call;
  const body = await call.body("full", nextVariation(target));
  const switches = Object.entries(unusualSwitches(target.spec, operation)).filter(([name]) => name in body);
  const sent = { ...body, ...Object.fromEntries(switches) };
  await acceptedUpdate(call, id, sent);
  return readSettled(call, id, sent);
}
