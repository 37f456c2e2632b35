/** Single reads (sections 4.4 to 4.13): the record of the list, unknown ids, and that reading changes nothing. */

import { type Check, Untestable, Violation } from "../client/check.ts";
import { control, versionAccepted } from "../client/controls.ts";
import { baseQueries, sampleItems } from "../client/samples.ts";
import { subjectOf, validRequest } from "../client/subjects.ts";
import { referenceResolver } from "../client/supply.ts";
import {
  type Answer,
  asText,
  isAccepted,
  isRejected,
  isServerError,
  itemsOf,
  resourceOf,
  type Target,
} from "../client/target.ts";
import { mustAccept } from "../client/verdicts.ts";
import { usualVersion, versionFor } from "../client/version-choice.ts";
import { requestTo } from "../generators/request.ts";
import { awkwardId } from "../generators/text.ts";
import { appendPointer, isObject, type JsonObject, sameJson, valueAt } from "../spec/json.ts";
import { operationById } from "../spec/loading/load.ts";
import type { Operation, SameRecord, Schema, Spec } from "../spec/model/spec.ts";
import { describeValue } from "../spec/schema.ts";
import {
  type Difference,
  describeDifferences,
  isSameInAnyCasing,
  sameFieldValue,
} from "../trials/compare.ts";
import { check, operationsOf, perVersion } from "../trials/derive.ts";
import { findInList } from "../trials/own-items.ts";
import { compareStill, readPages } from "../trials/pages.ts";
import { holds } from "../trials/property.ts";
import { noteRejection } from "./access.ts";
import { stableCheck } from "./read-stable.ts";

const SUITE = "reads";
/** Records of a list that are read one by one, per version. */
const MOST_RECORDS = 48;

export function readChecks(spec: Spec): Check[] {
  return [
    ...operationsOf(spec, "read").flatMap((operation) => [
      ...acceptedChecks(spec, operation),
      ...(operation.sameRecord
        ? [
            ...sameRecordChecks(spec, operation, operation.sameRecord),
            ...listedRecordsCheck(spec, operation, operation.sameRecord),
          ]
        : []),
      ...(operation.pathParameter ? unknownChecks(operation) : []),
      ...otherKindChecks(spec, operation),
      ...(operation.sameRecord ? [casingNote(operation)] : []),
    ]),
    ...operationsOf(spec, "read", "list").map((operation) => stableCheck(operation)),
  ];
}

function acceptedChecks(spec: Spec, operation: Operation): Check[] {
  const by = operation.sameRecord?.by ?? [undefined];
  return by.flatMap((field) =>
    perVersion(spec, {
      suite: SUITE,
      requirement: "READ-ACCEPTED",
      operation,
      ...(field === undefined ? {} : { detail: `by ${field}` }),
      title: `${operation.key} reads a resource${field === undefined ? "" : ` by its ${field}`}`,
      stage: "read",
      async run(target, version) {
        await versionAccepted(target, operation, version);
        const plan = await validRequest(target, operation, version);
        const path = field === undefined ? plan.path : await knownPath(target, operation, field);
        const answer = await target.send(
          { ...plan, ...(path === undefined ? {} : { path }) },
          { valid: true },
        );
        mustAccept(answer, `a read of ${path ?? operation.path}`);
      },
    }),
  );
}

/** A value of a field of some item of the list that an operation reads from; the fixture is taken to be its first. */
async function knownPath(target: Target, operation: Operation, field: string): Promise<string> {
  const { sameRecord } = operation;
  const [first] = sameRecord?.by ?? [];
  if (!sameRecord || field === first) return subjectOf(target, operation, "read");
  const items = await sampleItems(target, operationById(target.spec, sameRecord.list));
  const value = items.map((item) => asText(item[field])).find((candidate) => candidate !== undefined);
  if (value === undefined) throw new Untestable("no-data", `no item of the list has a ${field}`);
  return value;
}

/** Every field of the list's item against the record that the read shows. */
function sameRecordChecks(spec: Spec, operation: Operation, same: SameRecord): Check[] {
  const list = operationById(spec, same.list);
  return same.by.flatMap((field) =>
    perVersion(spec, {
      suite: SUITE,
      requirement: same.requirement,
      operation,
      detail: `by ${field}`,
      title: `${operation.key} by ${field} shows the record that ${list.key} shows`,
      stage: "read",
      async run(target, version) {
        const items = await recordsToRead(target, list, version);
        let compared = 0;
        await inParallel(items, async (item) => {
          const path = asText(item[field]);
          if (path === undefined) return;
          let again = 0;
          const difference = await allowingDelay(target, path, () =>
            compareStill(
              target,
              () => itemAgain(target, list, version, item, again++ > 0),
              () => readRecord(target, operation, version, path, again > 1),
              (before, after) => sameJson(before.item, after.item),
              (shown, answer) => recordDifference(operation, same, shown, answer, spec),
            ),
          );
          compared++;
          if (difference) {
            const { expected, actual } = describeDifferences(difference.differences);
            throw new Violation(`as in the list: ${expected}`, actual, [
              difference.listed,
              difference.answer.exchange,
            ]);
          }
        });
        if (compared === 0) throw new Untestable("no-data", `${list.key} shows nothing to read by ${field}`);
      },
    }),
  );
}

/**
 * What differs in the end: a list may be late to show what this run has updated. Nothing is updated here but what the
 * user named.
 */
async function allowingDelay<D>(
  target: Target,
  path: string,
  compare: () => Promise<D | null>,
): Promise<D | null> {
  const { readOnly, fixtures, visibilityDelay } = target.settings;
  const mayBeLate = !readOnly && Object.values(fixtures).includes(path);
  const deadline = Date.now() + (mayBeLate ? visibilityDelay : 0);
  for (;;) {
    const difference = await compare();
    if (difference === null || Date.now() >= deadline) return difference;
    await target.pause(200);
  }
}

/** The answer to a read of a listed record: the first is shared by all checks, later ones are asked for afresh. */
function readRecord(
  target: Target,
  operation: Operation,
  version: string | null,
  path: string,
  afresh: boolean,
): Promise<Answer> {
  const ask = () => target.send({ ...requestTo(operation, version), path }, { valid: true });
  return afresh ? ask() : target.once(`record ${operation.id} ${version ?? "none"} ${path}`, ask);
}

/** Every record that the list shows can be read. */
function listedRecordsCheck(spec: Spec, operation: Operation, same: SameRecord): Check[] {
  const list = operationById(spec, same.list);
  return same.by.flatMap((field) =>
    perVersion(spec, {
      suite: SUITE,
      requirement: "READ-ACCEPTED",
      operation,
      detail: `by ${field}, what the list shows`,
      title: `${operation.key} reads by ${field} whatever ${list.key} shows`,
      stage: "read",
      async run(target, version) {
        await versionAccepted(target, operation, version);
        const items = await recordsToRead(target, list, version);
        let read = 0;
        await inParallel(items, async (item) => {
          const path = asText(item[field]);
          if (path === undefined) return;
          read++;
          const first = await readRecord(target, operation, version, path, false);
          if (!isRejected(first)) return;
          // It may have gone since the list was read.
          const listed = await itemAgain(target, list, version, item, true);
          const again = await readRecord(target, operation, version, path, true);
          if (listed.item && isRejected(again)) mustAccept(again, `a read of ${path}, which the list shows,`);
        });
        if (read === 0) throw new Untestable("no-data", `${list.key} shows nothing to read by ${field}`);
      },
    }),
  );
}

interface Listed {
  item: JsonObject | undefined;
  exchange: Answer["exchange"] | undefined;
}

/** Items of a list spread over what was read of it, each with the page that shows it. */
async function recordsToRead(target: Target, list: Operation, version: string | null): Promise<JsonObject[]> {
  const pages = await listedPages(target, list, version);
  const items = pages.flatMap((page) => itemsOf(page));
  const step = Math.max(1, Math.floor(items.length / MOST_RECORDS));
  const offset = Math.abs(target.seed) % step;
  return items.filter((_, index) => index % step === offset).slice(0, MOST_RECORDS);
}

function listedPages(target: Target, list: Operation, version: string | null): Promise<Answer[]> {
  return target.once(`listed ${list.id} ${version ?? "none"}`, () => freshPages(target, list, version));
}

async function freshPages(target: Target, list: Operation, asked: string | null): Promise<Answer[]> {
  const version = versionFor(target, list, asked);
  const pages: Answer[] = [];
  const limit = list.list?.limit?.schema.maximum;
  for (const query of await baseQueries(target, list, 3)) {
    const reading = await readPages(target, list, { version, query, limit, mostPages: 3 });
    pages.push(...reading.answers.filter(isAccepted));
  }
  return pages;
}

/** The item as the list shows it: as it was read for all, or (when that is in doubt) read afresh. */
async function itemAgain(
  target: Target,
  list: Operation,
  version: string | null,
  item: JsonObject,
  afresh: boolean,
): Promise<Listed> {
  const identity = list.list?.identity ?? "id";
  const pages = afresh ? await freshPages(target, list, version) : await listedPages(target, list, version);
  for (const page of pages) {
    const found = itemsOf(page).find((candidate) => candidate[identity] === item[identity]);
    if (found) return { item: found, exchange: page.exchange };
  }
  return { item: undefined, exchange: undefined };
}

function recordDifference(
  operation: Operation,
  same: SameRecord,
  shown: Listed,
  answer: Answer,
  spec: Spec,
  name: (value: string) => string = (value) => value,
): { differences: Difference[]; listed: Answer["exchange"]; answer: Answer } | null {
  const single = isAccepted(answer) ? resourceOf(answer) : undefined;
  // What is no longer in the list, or is not readable at all, is the business of other checks.
  if (!shown.item || !shown.exchange || !single) return null;
  const list = operationById(spec, same.list);
  const own = (schema: Schema | undefined, value: JsonObject) => {
    const documented = schema ? spec.schemas.documented(schema, value) : value;
    const fields = Object.entries(isObject(documented) ? documented : value);
    return Object.fromEntries(fields.map(([field, shown]) => [field, renamed(shown, name)]));
  };
  const [listed, read] = [own(list.resource, shown.item), own(operation.resource, single)];
  const differences =
    same.fields === "all"
      ? documentedDifferences(spec, operation.resource ?? {}, listed, read)
      : mappedDifferences(same.fields, listed, read);
  return differences.length > 0 ? { differences, listed: shown.exchange, answer } : null;
}

/**
 * Throws a Violation where the list, after the delay that it is allowed, tells other things of a resource than its read
 * does after an update. What the update refers to may have several names.
 */
export async function mustAgree(
  target: Target,
  operation: Operation,
  id: string,
  update: Operation,
): Promise<void> {
  const { sameRecord: same } = operation;
  if (!same) return;
  const list = operationById(target.spec, same.list);
  const version = usualVersion(target, operation);
  const name = await referenceResolver(target, update.body ?? {});
  const differenceOf = (answer: Answer, item: JsonObject | undefined) =>
    recordDifference(operation, same, { item, exchange: answer.exchange }, answer, target.spec, name);
  let answer = await readRecord(target, operation, version, id, true);
  const settled = { version, until: (item: JsonObject) => differenceOf(answer, item) === null };
  const item = await findInList(target, list, id, settled);
  if (!item) throw new Untestable("no-data", `${list.key} does not show ${id}`);
  if (!differenceOf(answer, item)) return;
  // It may have changed by itself between the two.
  answer = await readRecord(target, operation, version, id, true);
  const difference = differenceOf(answer, await findInList(target, list, id, settled));
  if (!difference) return;
  const { expected, actual } = describeDifferences(difference.differences);
  throw new Violation(`as in the list: ${expected}`, actual, [answer.exchange]);
}

/** The texts of a list under other names; whatever else it is as it stands. */
function renamed(value: unknown, name: (value: string) => string): unknown {
  if (!Array.isArray(value)) return value;
  return value.map((element: unknown) => (typeof element === "string" ? name(element) : element));
}

function documentedDifferences(
  spec: Spec,
  schema: Schema,
  listed: JsonObject,
  single: JsonObject,
): Difference[] {
  const names = Object.keys(spec.schemas.flatten(schema).properties ?? {});
  return names
    .filter((name) => !sameFieldValue(listed[name], single[name]))
    .map((name) => difference(appendPointer("", name), listed[name], single[name]));
}

function mappedDifferences(
  fields: Exclude<SameRecord["fields"], "all">,
  listed: JsonObject,
  single: JsonObject,
): Difference[] {
  return Object.entries(fields).flatMap(([own, { field, compare }]) => {
    const inList = valueAt(listed, `/${field}`);
    const inSingle = valueAt(single, `/${own}`);
    const same =
      compare === "any-casing" ? isSameInAnyCasing(inList, inSingle) : sameFieldValue(inList, inSingle);
    return same ? [] : [difference(`/${own}`, inList, inSingle)];
  });
}

function difference(pointer: string, expected: unknown, actual: unknown): Difference {
  return { pointer, expected: describeValue(expected), actual: describeValue(actual) };
}

/** Works through items, several at a time; the requests in flight are bounded elsewhere. */
async function inParallel<T>(items: T[], work: (item: T) => Promise<void>): Promise<void> {
  await Promise.all(items.map(work));
}

interface UnknownId {
  detail: string;
  make(known: string, target: Target): string;
}

/** Known ids and codes with something taken away or added: unknown ones. */
const NEARLY_KNOWN: UnknownId[] = [
  { detail: "cut short", make: (known) => known.slice(0, -1) },
  { detail: "appended", make: (known) => `${known}x` },
  { detail: "space behind", make: (known) => `${known} ` },
  { detail: "space before", make: (known) => ` ${known}` },
];

const UNKNOWN_IDS: UnknownId[] = [
  { detail: "made up", make: (_, target) => `conformance-${target.runId}` },
  ...NEARLY_KNOWN,
  { detail: "long", make: () => "a".repeat(300) },
  { detail: "very long", make: () => "a".repeat(2000) },
  { detail: "encoded slash", make: (known) => `${known}/x` },
  { detail: "quotes", make: () => `'"' OR '1'='1` },
  { detail: "spaces", make: () => "no such id" },
  { detail: "non-ASCII", make: () => "идентификатор-💸" },
  { detail: "percent", make: () => "100%" },
  { detail: "wildcard", make: () => "*" },
  { detail: "markup", make: () => "<b>id</b>" },
];

function unknownChecks(operation: Operation): Check[] {
  const reject = (target: Target, id: string, answer: Answer) => {
    if (isServerError(answer))
      throw new Untestable("server-error", `an unknown id was answered ${answer.status}`, [answer.exchange]);
    if (answer.status >= 400) return;
    // What looks like an unknown id may be one that exists: then the record that is shown has it.
    const resource = resourceOf(answer);
    const by = operation.sameRecord?.by ?? [
      operation.resource ? (target.spec.schemas.flatten(operation.resource)["x-identity"] ?? "id") : "id",
    ];
    if (isAccepted(answer) && resource && by.some((field) => asText(resource[field]) === id)) return;
    throw new Violation(
      `a read of the unknown id ${describeValue(id, 60)} to be rejected (4xx)`,
      `status ${answer.status}`,
      [{ ...answer.exchange, offending: "status" }],
    );
  };
  const fields = operation.sameRecord?.by ?? [];
  const nearlyKnown = fields.slice(1).flatMap((field) =>
    NEARLY_KNOWN.map(({ detail, make }) =>
      check({
        suite: SUITE,
        requirement: "READ-UNKNOWN",
        operation,
        detail: `${field} ${detail}`,
        title: `${operation.key} rejects an unknown ${field} (${detail})`,
        stage: "read",
        cause: "unknown-id",
        async run(target) {
          const version = usualVersion(target, operation);
          await control(target, operation, version);
          const known = await knownPath(target, operation, field);
          const id = make(known, target);
          if (id === "" || id === known) throw new Untestable("no-data", `the ${field} can't be altered so`);
          reject(
            target,
            id,
            await target.send({ ...requestTo(operation, version), path: id }, { role: "probe" }),
          );
        },
      }),
    ),
  );
  const single = UNKNOWN_IDS.map(({ detail, make }) =>
    check({
      suite: SUITE,
      requirement: "READ-UNKNOWN",
      operation,
      detail,
      title: `${operation.key} rejects an unknown id (${detail})`,
      stage: "read",
      cause: "unknown-id",
      async run(target) {
        const version = usualVersion(target, operation);
        const known = await control(target, operation, version);
        const id = make(known.plan.path ?? "", target);
        if (id === "" || id === known.plan.path)
          throw new Untestable("no-data", "the id can't be altered so");
        const answer = await target.send({ ...requestTo(operation, version), path: id }, { role: "probe" });
        noteRejection(target, operation, `unknown id: ${detail}`, answer);
        reject(target, id, answer);
      },
    }),
  );
  return [
    ...single,
    ...nearlyKnown,
    check({
      suite: SUITE,
      requirement: "READ-UNKNOWN",
      operation,
      detail: "any text",
      title: `${operation.key} rejects unknown ids of any characters`,
      stage: "read",
      async run(target) {
        const version = usualVersion(target, operation);
        await control(target, operation, version);
        await holds(target, awkwardId(), async (text) => {
          const id = `${text}-${target.runId}`;
          reject(
            target,
            id,
            await target.send({ ...requestTo(operation, version), path: id }, { role: "probe" }),
          );
        });
      },
    }),
  ];
}

/**
 * What other lists of the same shape show is unknown to this read. The ids of two kinds may coincide: only the very
 * record of the other list counts, and only where the own list does not show it.
 */
function otherKindChecks(spec: Spec, operation: Operation): Check[] {
  const { sameRecord } = operation;
  if (!sameRecord || !operation.resource) return [];
  const own = operationById(spec, sameRecord.list);
  const shape = spec.schemas.flatten(operation.resource);
  const others = operationsOf(spec, "list").filter(
    ({ id, resource }) => id !== own.id && resource && spec.schemas.flatten(resource) === shape,
  );
  return others.flatMap((other) =>
    sameRecord.by.map((field) =>
      check({
        suite: SUITE,
        requirement: "READ-UNKNOWN",
        operation,
        detail: `${field} of ${other.key}`,
        title: `${operation.key} rejects the ${field} of what ${other.key} shows`,
        stage: "read",
        cause: "unknown-id",
        async run(target) {
          const version = usualVersion(target, operation);
          await control(target, operation, version);
          const known = new Set((await sampleItems(target, own)).map((item) => item[field]));
          const item = (await sampleItems(target, other)).find(
            (candidate) => typeof candidate[field] === "string" && !known.has(candidate[field]),
          );
          if (!item) throw new Untestable("no-data", `${other.key} shows nothing that ${own.key} does not`);
          const path = String(item[field]);
          const answer = await target.send({ ...requestTo(operation, version), path }, { role: "probe" });
          const shown = isAccepted(answer) ? resourceOf(answer) : undefined;
          const documented = (value: JsonObject) => spec.schemas.documented(shape, value);
          if (shown && sameJson(documented(shown), documented(item)))
            throw new Violation(
              `a read of ${describeValue(path, 60)}, which ${other.key} shows, to be rejected (4xx)`,
              `status ${answer.status}`,
              [{ ...answer.exchange, offending: "status" }],
            );
        },
      }),
    ),
  );
}

function casingNote(operation: Operation): Check {
  return check({
    suite: SUITE,
    requirement: "READ-SPELLING",
    operation,
    title: `what ${operation.key} makes of a known id or code in other casing`,
    stage: "read",
    async run(target) {
      for (const field of operation.sameRecord?.by ?? []) {
        const known = await knownPath(target, operation, field);
        const other = known === known.toUpperCase() ? known.toLowerCase() : known.toUpperCase();
        if (other === known) continue;
        const answer = await target.send({
          ...requestTo(operation, usualVersion(target, operation)),
          path: other,
        });
        target.observe(
          "READ-SPELLING",
          operation.key,
          `${field} in other casing`,
          isAccepted(answer) ? "found" : `rejected (${answer.status})`,
        );
      }
    },
  });
}
