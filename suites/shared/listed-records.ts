import type { Call } from "../../client/call.ts";
import { NotTested } from "../../client/check.ts";
import { resourceIdFor } from "../../client/resources.ts";
import { baseQueries } from "../../client/samples.ts";
import { type Answer, asText, isAccepted, itemsOf, type Target } from "../../client/target.ts";
import { defaultVersion, versionFor } from "../../client/version-choice.ts";
import { type RequestPlan, requestTo, withPageSize } from "../../generators/request.ts";
import { type JsonObject, jsonType } from "../../spec/json.ts";
import type { Operation } from "../../spec/model/spec.ts";
import { operationById } from "../../spec/operations.ts";
import { type Ask, pagesFrom } from "./read-list.ts";

const MOST_PAGES = 3;
const MOST_QUERIES = 3;
const MOST_RECORDS = 5;
const FEWER_RECORDS = { full: 4, quick: 3 };

interface Listed {
  item: JsonObject;
  page: Answer;
}

interface RecordRead {
  listed: Listed;
  path: string;
  answer: Answer;
}

/** Returns pages of the list, under each value of a required filter. */
export async function listedPages(
  target: Target,
  list: Operation,
  asked: string | null,
  ask: Ask = (plan) => target.ask(plan),
): Promise<Answer[]> {
  const version = versionFor(target, list, asked);
  const size = list.list?.limit?.schema.maximum;
  const pages: Answer[] = [];
  for (const query of await baseQueries(target, list, MOST_QUERIES)) {
    const plan = withPageSize({ ...requestTo(list, version), query }, size);
    for await (const answer of pagesFrom(ask, plan, MOST_PAGES)) if (isAccepted(answer)) pages.push(answer);
  }
  return pages;
}

/** Returns each listed record once, with the page that shows it. */
export async function listedRecords(
  target: Target,
  list: Operation,
  version: string | null,
): Promise<Listed[]> {
  const identity = list.list?.identity ?? "id";
  const found = new Map<unknown, Listed>();
  for (const page of await listedPages(target, list, version)) {
    for (const item of itemsOf(page)) {
      const id = item[identity] ?? item;
      if (!found.has(id)) found.set(id, { item, page });
    }
  }
  return [...found.values()];
}

/**
 * Returns the value of `field` (such as `code`) in an existing record.
 * @throws NotTested if no item has it
 */
export async function knownPath(call: Call, field: string): Promise<string> {
  const { target, operation } = call;
  const { sameRecord } = operation;
  if (!sameRecord || field === sameRecord.by[0]) return resourceIdFor(target, operation, "read");
  const list = operationById(target.spec, sameRecord.list);
  const listed = await listedRecords(target, list, defaultVersion(target, list));
  const value = listed.map(({ item }) => asText(item[field])).find((candidate) => candidate !== undefined);
  if (value === undefined) throw new NotTested("no-data", `no item of the list has a ${field}`);
  return value;
}

/**
 * Reads the listed records that differ most.
 * @throws NotTested if there are none
 */
export async function recordReads(
  call: Call,
  field: string,
  before: (index: number, plan: RequestPlan) => Promise<void> = () => Promise.resolve(),
): Promise<RecordRead[]> {
  const { target, operation, version } = call;
  const most = call.sendsAll && call.isDefaultVersion ? MOST_RECORDS : FEWER_RECORDS[target.settings.depth];
  const { sameRecord } = operation;
  if (!sameRecord) throw new NotTested("no-data", `no list shows what ${operation.key} reads`);
  const list = operationById(target.spec, sameRecord.list);
  const number = field === sameRecord.by[0] ? most : Math.floor(most / 2);
  const picked = (await pickedRecords(target, list, version)).slice(0, number);
  const readable = picked.flatMap((listed) => {
    const path = asText(listed.item[field]);
    return path === undefined ? [] : [{ listed, path }];
  });
  if (readable.length === 0)
    throw new NotTested("no-data", `${list.key} shows nothing that could be read by ${field}`);
  return Promise.all(
    readable.map(async ({ listed, path }, index) => {
      const plan = call.requestAt(path);
      await before(index, plan);
      return { listed, path, answer: await call.target.ask(plan) };
    }),
  );
}

/** Returns the listed records that differ most, the same throughout a run. */
export function pickedRecords(target: Target, list: Operation, version: string | null): Promise<Listed[]> {
  return target.memoize(`picked ${list.id} ${version ?? "none"}`, async () => {
    const all = await listedRecords(target, list, version);
    return mostDifferent(all, MOST_RECORDS, ({ item }) => shapesAndStates(target, list, item));
  });
}

export const RECORDS_REPEATED = 2;

/** Returns the `field` of a record that no probe reads before `recordReads`. */
export async function pathReadLater(
  target: Target,
  list: Operation,
  field: string,
  version: string | null,
): Promise<string | undefined> {
  const picked = (await pickedRecords(target, list, version)).slice(RECORDS_REPEATED);
  return picked.map(({ item }) => asText(item[field])).find((value) => value !== undefined);
}

const LONGEST_PLACE = 100;

/** Returns the shapes of the item (which fields it has) and the values of its enumerations. */
function shapesAndStates(target: Target, list: Operation, item: JsonObject): string[] {
  const shapes: string[] = [];
  const states: string[] = [];
  target.spec.schemas.walk(list.resource ?? {}, item, ({ schema, value, pointer }) => {
    // Deeply nested fields (chains of owners) show nothing new.
    if (pointer.length > LONGEST_PLACE) return;
    const place = pointer.replace(/\/\d+(?=\/|$)/g, "/*");
    const isState = schema.enum || schema["x-observe"] || typeof value === "boolean" || value === null;
    const isEmpty = typeof value === "object" && Object.keys(Object(value)).length === 0;
    if (isState) states.push(`${place}=${String(value)}`);
    else shapes.push(`${place} ${jsonType(value)} ${isEmpty}`);
  });
  const pairs = states.flatMap((one, index) => states.slice(index + 1).map((other) => `${one} ${other}`));
  return [...shapes, ...states, ...pairs];
}

/** Picks members that together have as many traits as possible. */
function mostDifferent<T>(all: readonly T[], most: number, traits: (member: T) => string[]): T[] {
  const left = new Map(all.map((member) => [member, new Set(traits(member))]));
  const picked: T[] = [];
  while (picked.length < most) {
    const [best] = [...left].sort(([, a], [, b]) => b.size - a.size);
    if (!best || best[1].size === 0) break;
    const [member, shown] = best;
    picked.push(member);
    left.delete(member);
    for (const others of left.values()) for (const trait of shown) others.delete(trait);
  }
  const rest = [...left.keys()];
  const step = Math.max(1, rest.length / Math.max(1, most - picked.length));
  for (let index = 0; picked.length < most && Math.floor(index) < rest.length; index += step) {
    const member = rest[Math.floor(index)];
    if (member !== undefined) picked.push(member);
  }
  return picked;
}
