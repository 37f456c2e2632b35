/** Versions (section 9): each is accepted everywhere, and a later one gives all that an earlier one gives. */

import { type Check, Untestable, Violation } from "../client/check.ts";
import { answerUnder, control, freshRequest, inTurn } from "../client/controls.ts";
import { baseQueries, sampleItems } from "../client/samples.ts";
import { sendBody, validRequest } from "../client/subjects.ts";
import {
  type Answer,
  isAccepted,
  isRejected,
  nextOf,
  paginationOf,
  resourceOf,
  type Target,
} from "../client/target.ts";
import { mustAccept, mustReject } from "../client/verdicts.ts";
import { allowedVersions, usualVersion, versionsOf } from "../client/version-choice.ts";
import { type RequestPlan, requestTo, withHeaders } from "../generators/request.ts";
import { isObject, type JsonObject, jsonType, sameJson } from "../spec/json.ts";
import type { Operation, Schema, Spec } from "../spec/model/spec.ts";
import { describeValue } from "../spec/schema.ts";
import { check, perVersion } from "../trials/derive.ts";
import { compareStill, readPages } from "../trials/pages.ts";
import { noteRejection } from "./access.ts";

const SUITE = "versions";
const PAGES_COMPARED = 3;
const RECORDS_COMPARED = 10;

export function versionChecks(spec: Spec): Check[] {
  return spec.operations
    .filter((operation) => operation.kind !== "named" && operation.kind !== "other")
    .flatMap((operation) => {
      const { version } = operation;
      const reads = operation.kind === "list" || operation.kind === "read";
      return [
        ...acceptedChecks(spec, operation),
        ...(version
          ? [
              // Where any version is allowed, none is unknown.
              ...(version.schema.enum ? [unknownCheck(operation, version.name)] : []),
              spellingNote(operation, version.name),
            ]
          : []),
        ...(version && reads
          ? pairs(allowedVersions(spec, operation)).flatMap(([older, newer]) =>
              sameChecks(spec, operation, older, newer),
            )
          : []),
        ...(version && reads && !version.required && allowedVersions(spec, operation).length > 1
          ? [defaultNote(spec, operation)]
          : []),
        ...(reads ? pathNotes(spec, operation) : []),
      ];
    });
}

function pairs(versions: string[]): [older: string, newer: string][] {
  return versions.slice(1).map((newer, index): [string, string] => [versions[index] ?? newer, newer]);
}

function stageOf(operation: Operation): "read" | "write" {
  return operation.method === "GET" ? "read" : "write";
}

function acceptedChecks(spec: Spec, operation: Operation): Check[] {
  return perVersion(spec, {
    suite: SUITE,
    requirement: "VERSION-ACCEPTED",
    operation,
    title: `${operation.key} is accepted`,
    stage: stageOf(operation),
    writes: operation.method !== "GET",
    async run(target, version) {
      const answer = await answerUnder(target, operation, version);
      if (isRejected(answer) && hasOwnAcceptance(operation)) {
        // What is rejected under every version is rejected for another reason, which is named elsewhere.
        const all = await Promise.all(
          versionsOf(target.spec, operation).map((other) => answerUnder(target, operation, other)),
        );
        if (all.every(isRejected))
          throw new Untestable("control-rejected", "it is rejected under every version alike", [
            answer.exchange,
          ]);
      }
      mustAccept(answer, version === null ? "a call without a version" : `version ${version}`);
    },
  });
}

/** Whether other checks say that a valid call is accepted; a list without parameters has none. */
function hasOwnAcceptance(operation: Operation): boolean {
  return (
    operation.kind !== "list" ||
    operation.parameters.some(
      (parameter) => parameter.in === "query" && (parameter.required || parameter.role === "page-size"),
    )
  );
}

/** A version like those there are, and none of them. */
function laterVersion(versions: readonly string[]): string {
  const newest = versions.at(-1) ?? "1";
  const later = newest.replace(/\d+/, "2099");
  return versions.includes(later) || later === newest ? `${newest}-later` : later;
}

function unknownCheck(operation: Operation, header: string): Check {
  return check({
    suite: SUITE,
    requirement: "VERSION-UNKNOWN",
    operation,
    title: `${operation.key} rejects a version that is not allowed`,
    stage: stageOf(operation),
    writes: operation.method !== "GET",
    cause: "unknown-version",
    async run(target) {
      await control(target, operation, usualVersion(target, operation));
      for (const value of [laterVersion(target.spec.versions), "conformance-unknown"]) {
        const plan = withHeaders(await freshRequest(target, operation, null), { [header]: value });
        const answer = await inTurn(target, operation, () => target.send(plan, { role: "probe" }));
        noteRejection(target, operation, "unknown version", answer);
        mustReject(answer, `version ${value}`);
      }
    },
  });
}

function spellingNote(operation: Operation, header: string): Check {
  return check({
    suite: SUITE,
    requirement: "VERSION-SPELLING",
    operation,
    title: `what ${operation.key} makes of an empty version`,
    stage: stageOf(operation),
    writes: operation.method !== "GET",
    async run(target) {
      const plan = withHeaders(await freshRequest(target, operation, null), { [header]: "" });
      const answer = await inTurn(target, operation, () => sendBody(target, plan, "probe"));
      target.observe(
        "VERSION-SPELLING",
        operation.key,
        "empty",
        `${isAccepted(answer) ? "accepted" : "rejected"} (${answer.status})`,
      );
    },
  });
}

/** A list or a record under one version: by identity, what is shown, and the answers that show it. */
interface Shown {
  records: Map<string, JsonObject>;
  pagination: JsonObject | undefined;
  answers: Answer[];
}

async function showUnder(target: Target, operation: Operation, version: string): Promise<Shown> {
  return operation.kind === "list"
    ? showList(target, operation, version)
    : showRecords(target, operation, version);
}

async function showList(target: Target, operation: Operation, version: string): Promise<Shown> {
  const records = new Map<string, JsonObject>();
  const answers: Answer[] = [];
  let pagination: JsonObject | undefined;
  for (const query of await baseQueries(target, operation, 3)) {
    const limit = operation.list?.limit?.schema.maximum;
    const reading = await readPages(target, operation, { version, query, limit, mostPages: PAGES_COMPARED });
    const [first] = reading.answers;
    // Cursors may be spelled differently each time; whether there is one may not.
    if (first) {
      const { count, total } = paginationOf(first);
      pagination = { ...pagination, [JSON.stringify(query)]: { count, total, next: nextOf(first) !== null } };
    }
    reading.items.forEach((item, index) => {
      records.set(String(item[operation.list?.identity ?? "id"] ?? index), item);
    });
    answers.push(...reading.answers);
  }
  return { records, pagination, answers };
}

async function showRecords(target: Target, operation: Operation, version: string): Promise<Shown> {
  const records = new Map<string, JsonObject>();
  const answers = await Promise.all(
    (await pathsToRead(target, operation)).map((path) =>
      target.send({ ...requestTo(operation, version), path }, { valid: true }),
    ),
  );
  for (const answer of answers) {
    const resource = isAccepted(answer) ? resourceOf(answer) : undefined;
    if (resource) records.set(answer.plan.path ?? "", resource);
  }
  return { records, pagination: undefined, answers };
}

async function pathsToRead(target: Target, operation: Operation): Promise<string[]> {
  const plan = await validRequest(target, operation, usualVersion(target, operation));
  const paths = plan.path === undefined ? [] : [plan.path];
  const { sameRecord } = operation;
  const list = target.spec.operations.find((candidate) => candidate.id === sameRecord?.list);
  if (!sameRecord || !list) return paths;
  const [field = "id"] = sameRecord.by;
  const items = await sampleItems(target, list);
  const step = Math.max(1, Math.floor(items.length / RECORDS_COMPARED));
  const spread = items
    .filter((_, index) => index % step === 0)
    .map((item) => item[field])
    .filter((value) => typeof value === "string");
  return [...new Set([...paths, ...spread])].slice(0, RECORDS_COMPARED);
}

type Fault = { requirement: string; expected: string; actual: string; offending: string };

function sameChecks(spec: Spec, operation: Operation, older: string, newer: string): Check[] {
  const requirements = [
    "VERSION-FIELDS",
    "VERSION-VALUES",
    ...(operation.kind === "list" ? ["VERSION-MEMBERS"] : []),
  ];
  return requirements.map((requirement) =>
    check({
      suite: SUITE,
      requirement,
      operation,
      detail: `${older} to ${newer}`,
      title: `${operation.key} gives under ${newer} what it gives under ${older}: ${requirement.slice(8).toLowerCase()}`,
      stage: "read",
      async run(target) {
        const { serviceVersion } = target.settings;
        if (serviceVersion !== "all")
          throw new Untestable("not-selected", `only version ${serviceVersion} is sent`);
        let compared = 0;
        const difference = await compareStill(
          target,
          () => showUnder(target, operation, older),
          () => showUnder(target, operation, newer),
          (before, after) => sameJson([...before.records], [...after.records]),
          (under, over) => {
            compared += under.records.size;
            const fault = versionFaults(spec, operation, under, over).find(
              (found) => found.requirement === requirement,
            );
            return fault ? { fault, under, over } : null;
          },
        );
        if (difference) {
          const { fault, under, over } = difference;
          throw new Violation(`under ${newer}, as under ${older}: ${fault.expected}`, fault.actual, [
            ...under.answers.slice(0, 1).map((answer) => answer.exchange),
            ...over.answers.slice(0, 1).map((answer) => ({ ...answer.exchange, offending: fault.offending })),
          ]);
        }
        if (compared === 0) throw new Untestable("no-data", "there is nothing to compare");
      },
    }),
  );
}

function versionFaults(spec: Spec, operation: Operation, older: Shown, newer: Shown): Fault[] {
  const faults: Fault[] = [];
  const missing = [...older.records.keys()].find((id) => !newer.records.has(id));
  const added = [...newer.records.keys()].find((id) => !older.records.has(id));
  if (operation.kind === "list" && (missing ?? added) !== undefined) {
    const expected = missing === undefined ? "no other items" : `the item ${missing}`;
    faults.push({
      requirement: "VERSION-MEMBERS",
      expected,
      actual: missing === undefined ? `${added} too` : "left out",
      offending: "/result",
    });
  }
  if (
    missing === undefined &&
    added === undefined &&
    !sameJson(older.pagination ?? null, newer.pagination ?? null)
  ) {
    faults.push({
      requirement: "VERSION-MEMBERS",
      expected: `pagination ${describeValue(older.pagination)}`,
      actual: describeValue(newer.pagination),
      offending: "/pagination",
    });
  }
  for (const [id, record] of older.records) {
    const other = newer.records.get(id);
    if (other) faults.push(...recordFaults(spec, operation.resource ?? {}, record, other, id));
  }
  return faults;
}

/** Documented fields of a record, to any depth: what was lost, and what has another type or value. */
function recordFaults(
  spec: Spec,
  schema: Schema,
  older: JsonObject,
  newer: JsonObject,
  id: string,
  at = "",
): Fault[] {
  const flat = spec.schemas.flatten(schema);
  return Object.entries(flat.properties ?? {}).flatMap(([name, child]): Fault[] => {
    const field = at === "" ? name : `${at}.${name}`;
    if (!Object.hasOwn(older, name)) return [];
    const before = older[name];
    const after = newer[name];
    if (!Object.hasOwn(newer, name)) {
      return [
        {
          requirement: "VERSION-FIELDS",
          expected: `${field} of ${id}`,
          actual: "absent",
          offending: "/result",
        },
      ];
    }
    if (isObject(before) && isObject(after) && spec.schemas.flatten(child).properties) {
      return recordFaults(spec, child, before, after, id, field);
    }
    const { items } = spec.schemas.flatten(child);
    if (
      items &&
      Array.isArray(before) &&
      Array.isArray(after) &&
      before.length === after.length &&
      before.every(isObject) &&
      after.every(isObject)
    ) {
      return before.flatMap((item, index) =>
        recordFaults(spec, items, item, after[index] ?? {}, id, `${field}[${index}]`),
      );
    }
    if (sameJson(before, after) || spec.schemas.flatten(child)["x-secret"]) return [];
    const shown = (value: unknown) => `${field} of ${id}: ${describeValue(value, 60)} (${jsonType(value)})`;
    return [
      { requirement: "VERSION-VALUES", expected: shown(before), actual: shown(after), offending: "/result" },
    ];
  });
}

/** Which version an absent header means: recorded by which one it answers alike. */
function defaultNote(spec: Spec, operation: Operation): Check {
  const versions = allowedVersions(spec, operation);
  return check({
    suite: SUITE,
    requirement: "VERSION-DEFAULT",
    operation,
    title: `which version ${operation.key} answers without the header`,
    stage: "read",
    async run(target) {
      const plan = await validRequest(target, operation, null);
      const answers = await Promise.all(
        [null, ...versions].map((version) => target.send({ ...plan, version }, { valid: true })),
      );
      const shapes = answers.map((answer) => JSON.stringify(shapeOf(answer.json)));
      const alike = versions.filter((_, index) => shapes[index + 1] === shapes[0]);
      const told = alike.length === versions.length ? "all alike" : alike.join(" ") || "none of them";
      target.observe("VERSION-DEFAULT", operation.key, "answers like", told);
    },
  });
}

/** The names and types of a JSON value, without what differs from answer to answer. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, 1).map(shapeOf);
  if (isObject(value))
    return Object.fromEntries(
      Object.keys(value)
        .sort()
        .map((name) => [name, shapeOf(value[name])]),
    );
  return jsonType(value);
}

/** Whether an operation also answers on the other reading of its path. */
function pathNotes(spec: Spec, operation: Operation): Check[] {
  const prefixes = [...new Set(Object.values(spec.pathReadings).map((reading) => reading.prefix))].filter(
    (prefix) => prefix !== "",
  );
  return prefixes.map((prefix) => {
    const other = operation.path.startsWith(`${prefix}/`)
      ? operation.path.slice(prefix.length)
      : `${prefix}${operation.path}`;
    return check({
      suite: SUITE,
      requirement: "PATHS-OTHER",
      operation,
      detail: other,
      title: `whether ${operation.key} also answers on ${other}`,
      stage: "read",
      async run(target) {
        const plan: RequestPlan = await validRequest(target, operation, usualVersion(target, operation));
        const asShown = target.settings.paths !== "v1" || operation.path.startsWith(`${prefix}/`);
        const answer = await target.send({ ...plan, pathOverride: asShown ? other : operation.path });
        target.observe(
          "PATHS-OTHER",
          operation.key,
          other,
          isAccepted(answer) ? "answers" : `rejected (${answer.status})`,
        );
      },
    });
  });
}
