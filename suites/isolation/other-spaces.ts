/** Requests in other spaces: no answer may show the resource (section 5). */

import type { Call } from "../../client/call.ts";
import { NotTested } from "../../client/check.ts";
import { hasUnknownSpace, unknownSpace } from "../../client/spaces.ts";
import {
  type Answer,
  asQuery,
  asText,
  isAccepted,
  itemsOf,
  nextOf,
  type Target,
} from "../../client/target.ts";
import { type RequestPlan, withHeaders, withLargestPage, withPageSize } from "../../generators/request.ts";
import { NO_SECOND_SPACE } from "../../history/result.ts";
import { itemId } from "../../spec/identity.ts";
import { type JsonObject, valueAt } from "../../spec/json.ts";
import type { Operation } from "../../spec/model/spec.ts";
import { operationById } from "../../spec/operations.ts";
import { allowedSizes, smallestSize } from "../../spec/page-sizes.ts";
import { mustHaveBegun, pagesFrom } from "../shared/read-list.ts";
import { type RejectedUpdate, rejectedUpdate } from "../updates/rejected-between-reads.ts";
import { type OtherSpace, SPACE_NAMES } from "./shown-in-spaces.ts";

/**
 * Returns the request in the other space.
 * @throws NotTested if no operation has a space, or no second space is given
 */
export function inOtherSpace(target: Target, plan: RequestPlan, where: OtherSpace): RequestPlan {
  // Undocumented operations have no space header, so another one names it.
  const space = plan.operation.space ?? target.spec.operations.find((other) => other.space)?.space;
  const { secondSpace } = target.settings;
  if (!space) throw new NotTested("no-data", "no operation carries a space");
  if (where === "unknown") return withHeaders(plan, { [space.name]: unknownSpace(target, space.schema) });
  if (secondSpace === undefined) throw new NotTested(...NO_SECOND_SPACE);
  const named = plan.operation.space ? plan : withHeaders(plan, { [space.name]: secondSpace });
  return { ...named, space: "second" };
}

/** Returns the request with each token, because the first may be valid in both spaces. */
export function waysToOther(target: Target, plan: RequestPlan, where: OtherSpace): RequestPlan[] {
  const probe = inOtherSpace(target, plan, where);
  const { token, secondToken } = target.settings;
  if (where === "unknown" || secondToken === undefined || secondToken === token) return [probe];
  return [
    probe,
    { ...withHeaders(probe, { authorization: `Bearer ${token}` }), authorizationLabel: "the first token" },
  ];
}

/** Returns updates of the resource from each other space. */
export function fromOtherSpaces(call: Call): RejectedUpdate[] {
  const { target } = call;
  const from = (where: OtherSpace, way: number) =>
    rejectedUpdate(call, where, `in ${SPACE_NAMES[where]}`, (plan) => waysToOther(target, plan, where)[way]);
  return otherSpacesOf(call).flatMap((where) =>
    where === "unknown" ? [from("unknown", 0)] : [from("second", 0), from("second", 1)],
  );
}

/** Returns the other spaces in which the operation can be called. */
export function otherSpacesOf({ target, operation }: Call): OtherSpace[] {
  const { space } = operation;
  const others: OtherSpace[] = [];
  if (space && hasUnknownSpace(target, space.schema)) others.push("unknown");
  if (target.settings.secondSpace !== undefined) others.push("second");
  return others;
}

export const MOST_PAGES = 12;

/**
 * Reads the pages from this request on.
 * @throws NotTested if the first one is rejected.
 */
async function readFrom(call: Call, first: RequestPlan): Promise<Answer[]> {
  const answers: Answer[] = [];
  for await (const answer of pagesFrom((plan) => call.target.ask(plan), first, MOST_PAGES))
    answers.push(answer);
  mustHaveBegun({ answers, rejected: answers.find((answer) => !isAccepted(answer)) });
  return answers.filter(isAccepted);
}

/** Reads the pages of the list. Items of another space may follow a cursor, so several pages are read. */
export async function readPagesOf(call: Call, plan: RequestPlan): Promise<void> {
  const large = withLargestPage(plan);
  const page = await call.target.ask(large);
  const [half = 1] = allowedSizes(call.operation, [Math.ceil(itemsOf(page).length / 2)]);
  const onOne = nextOf(page) === null && itemsOf(page).length > half;
  await readFrom(call, onOne ? withPageSize(plan, half) : large);
}

/** Reads the second space, if possible with the first token. */
export async function readPagesOfSecond(call: Call): Promise<void> {
  const valid = await call.valid();
  const [withSecondToken = valid, withFirstToken] = waysToOther(call.target, valid, "second");
  const isFirstValid = withFirstToken && isAccepted(await call.target.ask(withLargestPage(withFirstToken)));
  await readPagesOf(call, isFirstValid ? withFirstToken : withSecondToken);
}

/** Uses the first token if the second is rejected. */
export async function listOfSecond(call: Call, plan: RequestPlan): Promise<Answer> {
  const [withSecondToken = plan, withFirstToken] = waysToOther(call.target, plan, "second");
  const answer = await call.target.ask(withSecondToken);
  return isAccepted(answer) || !withFirstToken ? answer : call.target.ask(withFirstToken);
}

/**
 * Returns the answer to a read of a record of the second space.
 * @throws NotTested if the second space shows no record, or rejects reading it
 */
export async function recordOfSecond(call: Call): Promise<Answer> {
  const { target, operation } = call;
  const { sameRecord } = operation;
  const plan = inOtherSpace(target, call.request(), "second");
  if (!sameRecord) throw new NotTested("no-data", `no list shows what ${operation.key} reads`);
  const list = call.to(operationById(target.spec, sameRecord.list));
  const [field = "id"] = sameRecord.by;
  const items = itemsById(list.operation, [await listOfSecond(list, withLargestPage(await list.valid()))]);
  const path = [...items.values()].map((item) => asText(item[field])).find((text) => text !== undefined);
  if (path === undefined) throw new NotTested("no-data", "the second space has nothing to read");
  const own = await call.target.ask({ ...plan, path });
  if (isAccepted(own)) return own;
  throw new NotTested("control-rejected", `the read in its own space was answered ${own.status}`, [
    own.exchange,
  ]);
}

export type ItemsOf = Map<string, JsonObject>;

function itemsById(operation: Operation, answers: Answer[]): ItemsOf {
  return new Map(answers.flatMap(itemsOf).map((item) => [itemId(operation, item), item]));
}

/**
 * Returns the items of the user's space by id.
 * @throws NotTested if there are none
 */
export async function itemsOfFirst(call: Call): Promise<ItemsOf> {
  const first = withLargestPage(await call.valid());
  const read = call.isDefaultVersion ? await readFrom(call, first) : [await call.target.ask(first)];
  const items = itemsById(call.operation, read);
  if (items.size === 0) throw new NotTested("no-data", "the first space has nothing to show");
  return items;
}

/** Returns undefined if the first space shows no value. */
type QueryOfFirst = (call: Call, others: ItemsOf) => Promise<Record<string, string> | undefined>;

/** Returns functions that make queries with cursors and values of the user's space. */
export function queriesOfFirst({ list }: Operation): QueryOfFirst[] {
  const cursors = [list?.after, list?.before].filter((cursor) => cursor !== undefined);
  const byCursor = cursors.map(
    (cursor): QueryOfFirst =>
      async (call, others) => {
        if (cursor.cursor === "item") {
          const ids = [...others.keys()];
          const id = cursor === list?.before ? ids.at(-1) : ids[0];
          return id === undefined ? undefined : { [cursor.name]: id };
        }
        const first = withPageSize(await call.valid(), smallestSize(call.operation));
        const next = nextOf(await call.target.ask(first));
        return next === null ? undefined : { [cursor.name]: next };
      },
  );
  const byFilter = (list?.filters ?? []).map(
    ({ name, filter = "" }): QueryOfFirst =>
      async (_, others) => {
        const values = [...others.values()].map((item) => asQuery(valueAt(item, filter)));
        const value = values.find((each) => each !== undefined);
        return value === undefined ? undefined : { [name]: value };
      },
  );
  return [...byCursor, ...byFilter];
}
