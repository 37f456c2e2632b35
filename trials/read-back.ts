/** How an update's resource is seen again: by its own read, or in the list of its kind. */

import { Untestable } from "../client/check.ts";
import { baseQueries } from "../client/samples.ts";
import { type Answer, isAccepted, itemsOf, nextOf, resourceOf, type Target } from "../client/target.ts";
import { usualVersion, versionFor } from "../client/version-choice.ts";
import { type RequestPlan, requestTo, withQuery } from "../generators/request.ts";
import { isObject, type JsonObject } from "../spec/json.ts";
import { operationById } from "../spec/loading/load.ts";
import type { Operation, Spec } from "../spec/model/spec.ts";
import { findInList } from "./own-items.ts";
import { smallestSize } from "./pages.ts";

/** The operation that shows what an update changed. */
export function readerOf(spec: Spec, update: Operation): Operation | undefined {
  const id = update.readBack?.read ?? update.readBack?.list;
  return id === undefined ? undefined : operationById(spec, id);
}

export interface LastSeen {
  /** Its documented fields. */
  resource: JsonObject;
  /** The read that shows it; none where a long list had to be searched from several sides. */
  exchange?: Answer["exchange"];
  /** Milliseconds after which it showed what it was to show, where the first look did not. */
  delay?: number;
}

/**
 * The resource as a read shows it now, whether it has caught up or not. Throws Untestable where it can't be read back.
 * A list is searched once; after that the item is asked for as the one behind its neighbour. `shared` will do with a
 * read that was answered since the run last wrote.
 */
export async function readBack(
  target: Target,
  update: Operation,
  id: string,
  options: { version?: string | null; shared?: boolean } = {},
): Promise<LastSeen> {
  const reader = readerOf(target.spec, update);
  if (!reader) throw new Untestable("not-shown", `nothing shows again what ${update.key} changed`);
  const version =
    options.version === undefined
      ? usualVersion(target, reader)
      : versionFor(target, reader, options.version);
  const ask: Ask = (plan) =>
    options.shared ? target.ask(plan, ROLE) : target.send(plan, { role: ROLE, valid: true });
  if (reader.kind === "list") return readFromList(target, reader, id, version, ask);
  const answer = await ask({ ...requestTo(reader, version), path: id });
  const resource = isAccepted(answer) ? resourceOf(answer) : undefined;
  if (!isObject(resource)) {
    throw new Untestable("control-rejected", `${reader.key} was answered ${answer.status}`, [answer]);
  }
  return { resource: documentedResource(target.spec, reader, resource), exchange: answer.exchange };
}

/** Asks a valid question: afresh, or with what was answered lately. */
type Ask = (plan: RequestPlan) => Promise<Answer>;

const ROLE = "read back";
const PAGES_WALKED = 12;

async function readFromList(
  target: Target,
  list: Operation,
  id: string,
  version: string | null,
  ask: Ask,
): Promise<LastSeen> {
  const shown = (resource: JsonObject) => documentedResource(target.spec, list, resource);
  const place = await target.once(`place ${list.id} ${id}`, async (): Promise<{ behind?: string }> => ({}));
  const found =
    (await behindNeighbour(target, list, id, version, ask, place.behind)) ??
    (await walkTo(target, list, id, version, ask, place));
  if (found) return { resource: shown(found.item), exchange: found.answer.exchange };
  const item = await findInList(target, list, id, { version });
  if (!item) throw new Untestable("control-rejected", `${id} is not in ${list.key}`);
  return { resource: shown(item) };
}

interface Found {
  item: JsonObject;
  answer: Answer;
}

/** The item as the list shows it behind the one that preceded it when it was found. */
async function behindNeighbour(
  target: Target,
  list: Operation,
  id: string,
  version: string | null,
  ask: Ask,
  neighbour: string | undefined,
): Promise<Found | undefined> {
  const { after, limit } = list.list ?? {};
  if (neighbour === undefined || !after) return undefined;
  const [query = []] = await baseQueries(target, list, 1);
  const plan = withQuery(
    { ...requestTo(list, version), query },
    {
      [after.name]: neighbour,
      ...(limit ? { [limit.name]: smallestSize(list) } : {}),
    },
  );
  return itemIn(await ask(plan), list, id);
}

/** Reads pages until one shows the item, and remembers where the list can be entered next time. */
async function walkTo(
  target: Target,
  list: Operation,
  id: string,
  version: string | null,
  ask: Ask,
  place: { behind?: string },
): Promise<Found | undefined> {
  const { limit, after } = list.list ?? {};
  const [query = []] = await baseQueries(target, list, 1);
  let plan = { ...requestTo(list, version), query };
  if (limit?.schema.maximum !== undefined)
    plan = withQuery(plan, { [limit.name]: String(limit.schema.maximum) });
  let previous: string | undefined;
  for (let page = 1; page <= PAGES_WALKED; page++) {
    const answer = await ask(plan);
    const ids = itemsOf(answer).map((item) => identityIn(list, item));
    const found = itemIn(answer, list, id);
    if (found) {
      const at = ids.indexOf(id);
      const before = at > 0 ? ids[at - 1] : previous;
      // Only behind the first page: there a walk would cost more than one request.
      if (after?.cursor === "item" && page > 1 && before !== undefined) place.behind = before;
      return found;
    }
    const next = nextOf(answer);
    if (!isAccepted(answer) || next === null || !after) return undefined;
    previous = ids.at(-1);
    plan = withQuery(plan, { [after.name]: next });
  }
  return undefined;
}

function itemIn(answer: Answer, list: Operation, id: string): Found | undefined {
  const item = isAccepted(answer) ? itemsOf(answer).find((each) => identityIn(list, each) === id) : undefined;
  return item && { item, answer };
}

function identityIn(list: Operation, item: JsonObject): string {
  return String(item[list.list?.identity ?? "id"]);
}

/** A resource without what the specification does not name, so that two looks at it compare. */
export function documentedResource(spec: Spec, operation: Operation, resource: JsonObject): JsonObject {
  const documented = operation.resource ? spec.schemas.documented(operation.resource, resource) : resource;
  return isObject(documented) ? documented : resource;
}
