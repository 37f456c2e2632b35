/** Compares the answers of an operation under two versions (section 9). */

import type { Call } from "../client/call.ts";
import { validRequest } from "../client/subjects.ts";
import {
  type Answer,
  asText,
  isAccepted,
  itemsOf,
  nextOf,
  paginationOf,
  queryOf,
  resourceOf,
} from "../client/target.ts";
import { usualVersion } from "../client/version-choice.ts";
import { requestTo } from "../generators/request.ts";
import { skippedOver } from "../history/left-out.ts";
import { isObject, type JsonObject, jsonType, sameJson } from "../spec/json.ts";
import { operationById } from "../spec/loading/load.ts";
import type { Operation, Schema, Spec } from "../spec/model/spec.ts";
import { describeValue } from "../spec/schema.ts";
import { listedPages, pickedRecords } from "./listed-records.ts";
import type { Ask } from "./pages.ts";

/** Records that are read alone under both versions. */
const RECORDS_COMPARED = 4;

/** Records of a list, or single records, under one version, with their answers. */
export interface ShownUnder {
  records: Map<string, JsonObject>;
  /** The pagination of the first page under each query, without the text of cursors. */
  pagination: Map<string, JsonObject>;
  /** True if everything was read. */
  complete: boolean;
  answers: Answer[];
}

/** A fault: the later version does not keep a value of the earlier one. */
export interface VersionFault {
  requirement: string;
  expected: string;
  actual: string;
  offending: string;
}

/** The records that a list, or single reads, give under the version of the call. */
export async function shownUnder(call: Call, ask: Ask = (plan) => call.ask(plan)): Promise<ShownUnder> {
  return call.operation.kind === "list" ? showList(call, ask) : showRecords(call, ask);
}

async function showList(call: Call, ask: Ask): Promise<ShownUnder> {
  const { target, operation, version } = call;
  const { identity = "id", after } = operation.list ?? {};
  const answers = await listedPages(target, operation, version, ask);
  const shown: ShownUnder = { records: new Map(), pagination: new Map(), complete: endsIn(answers), answers };
  for (const answer of answers) {
    const { count, total } = paginationOf(answer);
    // Cursors may be spelled differently each time, but both versions must have one or none.
    if (queryOf(answer.plan, after?.name) === undefined)
      shown.pagination.set(JSON.stringify(answer.plan.query), {
        count,
        total,
        next: nextOf(answer) !== null,
      });
    for (const item of itemsOf(answer)) shown.records.set(String(item[identity] ?? shown.records.size), item);
  }
  return shown;
}

/** True if the last page under each query has no next. */
function endsIn(answers: readonly Answer[]): boolean {
  return answers.every((answer, index) => {
    const following = answers[index + 1];
    const { after } = answer.plan.operation.list ?? {};
    const isFollowed = following !== undefined && queryOf(following.plan, after?.name) !== undefined;
    return isFollowed || nextOf(answer) === null;
  });
}

async function showRecords(call: Call, ask: Ask): Promise<ShownUnder> {
  const { operation, version } = call;
  const paths = await pathsToRead(call);
  const plain = requestTo(operation, version);
  // An operation without a path parameter has one resource.
  const plans = operation.pathParameter ? paths.map((path) => ({ ...plain, path })) : [plain];
  const answers = await Promise.all(plans.map((plan) => ask(plan)));
  const shown: ShownUnder = { records: new Map(), pagination: new Map(), complete: false, answers };
  for (const answer of answers) {
    const resource = isAccepted(answer) ? resourceOf(answer) : undefined;
    if (resource) shown.records.set(answer.plan.path ?? "", resource);
  }
  return shown;
}

/** The same records under every version, chosen among those that the run reads in any case. */
async function pathsToRead(call: Call): Promise<string[]> {
  const { target, operation } = call;
  const { sameRecord, pathParameter } = operation;
  const usual = usualVersion(target, operation);
  if (!sameRecord) {
    const plan = await validRequest(target, operation, usual);
    const other = target.settings.fixtures[pathParameter?.fixture?.write ?? ""];
    return [...new Set([plan.path, other].filter((path) => path !== undefined))];
  }
  const [field = "id"] = sameRecord.by;
  const picked = await pickedRecords(target, operationById(target.spec, sameRecord.list), usual);
  const paths = picked.flatMap(({ item }) => asText(item[field]) ?? []);
  return paths.slice(0, RECORDS_COMPARED);
}

/** Every difference between what two versions give. */
export function versionFaults(
  spec: Spec,
  operation: Operation,
  older: ShownUnder,
  newer: ShownUnder,
): VersionFault[] {
  const faults: VersionFault[] = operation.kind === "list" ? memberFaults(older, newer) : [];
  for (const [id, record] of older.records) {
    const other = newer.records.get(id);
    if (other) faults.push(...recordFaults(spec, operation.resource ?? {}, record, other, id));
  }
  return faults;
}

function memberFaults(older: ShownUnder, newer: ShownUnder): VersionFault[] {
  const fault = (expected: string, actual: string, offending: string): VersionFault => ({
    requirement: "VERSION-MEMBERS",
    expected,
    actual,
    offending,
  });
  const missing = missingIn(older, newer);
  const added = missingIn(newer, older);
  return [
    ...missing.map((id) => fault(`the item ${id}`, "left out", "/result")),
    ...added.map((id) => fault(`no item ${id}`, "listed", "/result")),
    ...[...older.pagination].flatMap(([query, told]) => {
      const other = newer.pagination.get(query);
      return other && !sameJson(told, other)
        ? [fault(`pagination ${describeValue(told)}`, describeValue(other), "/pagination")]
        : [];
    }),
  ];
}

/**
 * The ids that one version shows and another does not. If the list was not read to its end, only ids that were
 * skipped in the same order are missing: others may follow on later pages.
 */
function missingIn(one: ShownUnder, other: ShownUnder): string[] {
  const ids = [...one.records.keys()];
  return other.complete
    ? ids.filter((id) => !other.records.has(id))
    : skippedOver(ids, [...other.records.keys()]);
}

/** Compares the documented fields of a record, to any depth: lost fields, and other types or values. */
export function recordFaults(
  spec: Spec,
  schema: Schema,
  older: JsonObject,
  newer: JsonObject,
  id: string,
  at = "",
): VersionFault[] {
  const flat = spec.schemas.flatten(schema);
  return Object.entries(flat.properties ?? {}).flatMap(([name, child]): VersionFault[] => {
    if (!Object.hasOwn(older, name)) return [];
    const field = at === "" ? name : `${at}.${name}`;
    const [before, after] = [older[name], newer[name]];
    if (!Object.hasOwn(newer, name)) return [lost(`${field} of ${id}`)];
    const { properties, items, "x-secret": secret } = spec.schemas.flatten(child);
    if (isObject(before) && isObject(after) && properties)
      return recordFaults(spec, child, before, after, id, field);
    if (items && areRecords(before) && areRecords(after) && before.length === after.length) {
      return before.flatMap((item, index) =>
        recordFaults(spec, items, item, after[index] ?? {}, id, `${field}[${index}]`),
      );
    }
    return sameJson(before, after) || secret ? [] : [changed(`${field} of ${id}`, before, after)];
  });
}

function areRecords(value: unknown): value is JsonObject[] {
  return Array.isArray(value) && value.every(isObject);
}

/** Every field of a value without a documented shape, to any depth: the same comparison. */
export function fieldFaults(older: unknown, newer: unknown, at: string): VersionFault[] {
  if (isObject(older) && isObject(newer))
    return Object.entries(older).flatMap(([name, value]) =>
      Object.hasOwn(newer, name) ? fieldFaults(value, newer[name], `${at}/${name}`) : [lost(`${at}/${name}`)],
    );
  if (areRecords(older) && areRecords(newer) && older.length === newer.length)
    return older.flatMap((item, index) => fieldFaults(item, newer[index], `${at}/${index}`));
  return sameJson(older, newer) ? [] : [changed(at, older, newer)];
}

function lost(what: string): VersionFault {
  return { requirement: "VERSION-FIELDS", expected: what, actual: "absent", offending: "/result" };
}

function changed(what: string, before: unknown, after: unknown): VersionFault {
  const shown = (value: unknown) => `${what}: ${describeValue(value, 60)} (${jsonType(value)})`;
  return {
    requirement: "VERSION-VALUES",
    expected: shown(before),
    actual: shown(after),
    offending: "/result",
  };
}

/** How often the two versions are asked in turn before a difference counts: chance rarely repeats so often. */
const TURNS = 6;

/**
 * The faults that show in every turn, with the last looks. A difference between versions shows each time; one that
 * comes from time or from others does not. Ends as soon as no fault is left.
 */
export async function faultsEachTime<Look>(
  faults: VersionFault[],
  look: (which: "older" | "newer") => Promise<Look>,
  find: (older: Look, newer: Look) => VersionFault[] | Promise<VersionFault[]>,
): Promise<{ faults: VersionFault[]; older: Look; newer: Look }> {
  let [older, newer] = [await look("older"), await look("newer")];
  let left = inBoth(faults, await find(older, newer));
  for (let turn = 1; turn < TURNS && left.length > 0; turn++) {
    older = await look("older");
    left = inBoth(left, await find(older, newer));
    if (left.length === 0) break;
    newer = await look("newer");
    left = inBoth(left, await find(older, newer));
  }
  return { faults: left, older, newer };
}

/** The first faults that are also among the others. */
function inBoth(faults: VersionFault[], others: VersionFault[]): VersionFault[] {
  const known = new Set(others.map(({ requirement, expected }) => `${requirement} ${expected}`));
  return faults.filter(({ requirement, expected }) => known.has(`${requirement} ${expected}`));
}
