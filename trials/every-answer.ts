/**
 * Sees every answer of the run and notes what it breaks by itself, whatever it was asked for: status, envelope,
 * fields, and what holds of every page of a list. The checks of `responses.ts` read the verdict off it at the end.
 */

import { isMadeUp } from "../client/invented-names.ts";
import { type Answer, isAccepted, isServerError, itemsOf, paginationOf, queryOf } from "../client/target.ts";
import type { Profile } from "../profiles/promises.ts";
import { Tally } from "../profiles/seen-values.ts";
import { type Note, ProfileWitness } from "../profiles/watch-answers.ts";
import type { Coverage, Exchange } from "../reports/report.ts";
import { isDateTime, minorUnits } from "../spec/formats.ts";
import { appendPointer, isObject, jsonType, sameJson, valueAt } from "../spec/json.ts";
import type { Operation, Relation, Schema, Spec } from "../spec/model/spec.ts";
import { describeValue, type SchemaFault, type Visit } from "../spec/schema.ts";
import { isInstantBefore } from "./compare.ts";

/** Objects, empty ones, texts and all others: each a bit. */
function kindBit(value: unknown): number {
  if (isObject(value)) return Object.keys(value).length > 0 ? 1 : 2;
  return typeof value === "string" ? 4 : 8;
}

/** A fault of an answer, with the exchange that shows it and the check that had asked. */
export interface WitnessedFault {
  requirement: string;
  expected: string;
  actual: string;
  evidence: Exchange[];
  check: string;
}

/** The record that a unique value was first seen with. */
interface SeenValue {
  record: string;
  operation: Operation;
  exchange: Exchange;
}

const MOST_OBSERVED_VALUES = 20;

export class Witness {
  readonly #spec: Spec;
  /** By `operation requirement`: the first fault, and how many there were. */
  readonly #faults = new Map<string, { first: WitnessedFault; count: number }>();
  /** `operation requirement` pairs that some answer could have broken. */
  readonly #exercised = new Set<string>();
  /** By operation and schema: the kinds of value (as bits) of which that has been noted. */
  readonly #marked = new WeakMap<Operation, Map<Schema, number>>();
  readonly #uniques = new Map<string, Map<unknown, SeenValue>>();
  readonly #observed = new Map<string, Set<string>>();
  readonly #extraFields = new Map<string, Set<string>>();
  readonly #documented = new Map<string, Set<string>>();
  readonly #counts = new WeakMap<Schema, Map<string, { seen: number; null: number }>>();
  readonly fields: Coverage["fields"] = {};
  readonly statuses = new Map<string, Map<number, number>>();

  readonly #promises: ProfileWitness;
  readonly tally = new Tally();

  /** With a profile, answers are held against its promises too. */
  constructor(spec: Spec, profile?: Profile) {
    this.#spec = spec;
    this.#promises = new ProfileWitness(spec, profile);
  }

  /** The first fault of a requirement by an operation's answers, if any, and how many there were. */
  fault(operation: Operation, requirement: string): { first: WitnessedFault; count: number } | undefined {
    return this.#faults.get(key(operation, requirement));
  }

  /** Whether the operation has accepted a call in this run. */
  hasAccepted(operation: Operation): boolean {
    return [...(this.statuses.get(operation.key)?.keys() ?? [])].some(
      (status) => status >= 200 && status < 300,
    );
  }

  /** Whether any answer of the operation could have broken the requirement. */
  wasExercised(operation: Operation, requirement: string): boolean {
    return this.#exercised.has(key(operation, requirement));
  }

  /** Values seen of the open enumerations (x-observe), by `operation requirement`. */
  observed(operation: Operation, requirement: string): string[] {
    return [...(this.#observed.get(key(operation, requirement)) ?? [])].sort();
  }

  /** Pointers of fields that the operation's answers had and the specification does not name. */
  extraFields(operation: Operation): string[] {
    return [...(this.#extraFields.get(operation.key) ?? [])].sort();
  }

  /** Documented fields of the operation's resource that no answer of the run held. */
  unseenFields(operation: Operation): string[] {
    if (!operation.resource) return [];
    const seen = this.#documented.get(operation.key) ?? new Set();
    const properties = Object.keys(this.#spec.schemas.flatten(operation.resource).properties ?? {});
    return properties.filter((name) => !seen.has(name));
  }

  /** Takes note of an answer. `valid` says that the request broke no rule. */
  see(answer: Answer, check: string, valid: boolean): void {
    const { operation } = answer.plan;
    const note = (
      requirement: string,
      fault?: { expected: string; actual: string; offending?: string },
    ): void => {
      this.#exercised.add(key(operation, requirement));
      if (!fault) return;
      const { offending, ...told } = fault;
      const exchange = offending === undefined ? answer.exchange : { ...answer.exchange, offending };
      this.#add(operation, { requirement, ...told, evidence: [exchange], check });
    };
    this.#count(operation, answer.status);
    note(
      "NO-SERVER-ERROR",
      isServerError(answer)
        ? { expected: "no server error", actual: `status ${answer.status}`, offending: "status" }
        : undefined,
    );
    const redirected = answer.status >= 300 && answer.status < 400;
    const wrongStatus = isAccepted(answer) ? answer.status !== 200 : valid && redirected;
    if (isAccepted(answer) || (valid && redirected)) {
      note(
        "STATUS-200",
        wrongStatus
          ? { expected: "status 200", actual: `status ${answer.status}`, offending: "status" }
          : undefined,
      );
    }
    this.#promises.see(answer, note);
    this.tally.see(answer);
    // 204 and 205 have no body by definition: their status is the whole finding.
    const bodiless = answer.status === 204 || answer.status === 205;
    if (!isAccepted(answer) || bodiless || operation.response === undefined) return;
    this.#seeSuccess(answer, operation.response, valid, note);
  }

  #seeSuccess(answer: Answer, response: Schema, valid: boolean, note: Note): void {
    const { operation } = answer.plan;
    const type = answer.headers["content-type"];
    note(
      "JSON-CONTENT-TYPE",
      isJsonContentType(type)
        ? undefined
        : {
            expected: "a JSON content type",
            actual: type ?? "no content type",
            offending: "header:content-type",
          },
    );
    note(
      "JSON-BODY",
      answer.json === undefined
        ? { expected: "a body that is JSON", actual: describeValue(answer.text, 60), offending: "" }
        : undefined,
    );
    if (answer.json === undefined) return;
    // A write that should have been rejected is a finding of its own; what it shows then is no further one.
    if (!valid && answer.plan.operation.method !== "GET") {
      const faults = this.#spec.schemas.validate(response, answer.json);
      for (const fault of faults.filter(({ pointer }) => !pointer.startsWith("/result")))
        note(fault.requirement, told(fault));
      return;
    }
    this.#markExercised(operation, response, answer.json);
    const faults = this.#spec.schemas
      .validate(response, answer.json)
      .filter((fault) => !this.#isNullEcho(response, fault));
    for (const fault of withoutEnvelopeNoise(faults)) note(fault.requirement, told(fault));
    this.#seeValues(answer, response, note);
    if (operation.list) this.#seePage(answer, note);
  }

  /** Where null was sent for a list, null may be shown (rulings on rows 10 and 11); who sent what is not known here. */
  #isNullEcho(response: Schema, fault: SchemaFault): boolean {
    return (
      fault.keyword === "type" &&
      fault.actual === "null" &&
      this.#spec.schemas.at(response, fault.pointer)?.["x-null-echo"] === true
    );
  }

  /** Every requirement that some part of this answer could break has been exercised by it. */
  #markExercised(operation: Operation, response: Schema, value: unknown): void {
    const { schemas } = this.#spec;
    const mark = (requirement: string | undefined) => {
      if (requirement) this.#exercised.add(key(operation, requirement));
    };
    const marked = this.#marked.get(operation) ?? new Map<Schema, number>();
    this.#marked.set(operation, marked);
    const visit = ({ schema, value: part }: Visit) => {
      // What is marked depends on no more than the kind of value: most have been marked before.
      const done = marked.get(schema) ?? 0;
      const kind = kindBit(part);
      if ((done & kind) !== 0) return;
      marked.set(schema, done | kind);
      mark(schemas.requirement(schema, "fields"));
      if (isObject(part)) {
        if (schema.required) mark(schemas.requirement(schema, "required"));
        if (schema["x-expected"]) mark(schemas.requirement(schema, "expected"));
        for (const child of Object.values(schema.properties ?? {})) {
          mark(schemas.ownRequirement(child, "required"));
          if (schemas.resolve(child).not) mark(schemas.ownRequirement(child, "fields"));
        }
        if (isObject(schema.additionalProperties) && Object.keys(part).length > 0) {
          mark(schemas.requirement(schema.additionalProperties, "fields"));
        }
      }
      for (const [keyword, requirement] of Object.entries(schema["x-requirements"] ?? {})) {
        const applies =
          (keyword === "maxLength" && typeof part === "string") ||
          (keyword === "maxProperties" && isObject(part));
        if (applies) mark(requirement);
      }
    };
    for (const part of schemas.resolve(response).allOf ?? [response]) schemas.walk(part, value, visit);
  }

  #seeValues(answer: Answer, response: Schema, note: Note): void {
    const { operation } = answer.plan;
    const { schemas } = this.#spec;
    schemas.walk(response, answer.json, ({ schema, value, pointer, parent }) => {
      if (isObject(value)) {
        for (const name of schema["x-expected"] ?? []) {
          const requirement = schemas.requirement(schema, "expected");
          note(
            requirement,
            Object.hasOwn(value, name)
              ? undefined
              : { expected: `the field ${name}`, actual: "absent", offending: appendPointer(pointer, name) },
          );
        }
        for (const relation of schema["x-relations"] ?? []) this.#seeRelation(relation, value, pointer, note);
        this.#seeFieldNames(operation, schema, value, pointer);
      }
      const { "x-unique": unique, "x-observe": observe } = schema;
      if (unique?.requirement && (typeof value === "string" || typeof value === "number")) {
        this.#seeUnique(answer, unique.requirement, value, { pointer, owner: parent }, note);
      }
      if (observe && value !== null && !isObject(value) && !isMadeUp(value)) {
        const values = this.#observed.get(key(operation, observe)) ?? new Set();
        this.#observed.set(key(operation, observe), values);
        if (values.size < MOST_OBSERVED_VALUES) values.add(String(value));
        this.#promises.seeValue(schema, value, pointer, note);
        this.tally.seeValue(schema, value);
      }
    });
  }

  #seeFieldNames(
    operation: Operation,
    schema: Schema,
    value: Record<string, unknown>,
    pointer: string,
  ): void {
    const documented = schema.properties;
    if (!documented) return;
    const resource = operation.resource && this.#spec.schemas.flatten(operation.resource);
    for (const name of Object.keys(value)) {
      if (!Object.hasOwn(documented, name)) {
        const extra = this.#extraFields.get(operation.key) ?? new Set();
        this.#extraFields.set(operation.key, extra.add(anyItem(appendPointer(pointer, name))));
        continue;
      }
      if (schema === resource) {
        this.#documented.set(
          operation.key,
          (this.#documented.get(operation.key) ?? new Set<string>()).add(name),
        );
      }
      const count = this.#fieldCount(operation, schema, name, pointer);
      count.seen++;
      if (value[name] === null) count.null++;
    }
  }

  /** The count of a field, found once for each schema: this is asked for every field of every answer. */
  #fieldCount(
    operation: Operation,
    schema: Schema,
    name: string,
    pointer: string,
  ): { seen: number; null: number } {
    const counts = this.#counts.get(schema) ?? new Map<string, { seen: number; null: number }>();
    this.#counts.set(schema, counts);
    const known = counts.get(name);
    if (known) return known;
    const component = this.#spec.schemas.componentName(schema);
    const label =
      component === undefined
        ? `${operation.key} ${anyItem(appendPointer(pointer, name))}`
        : `${component} /${name}`;
    const count = this.fields[label] ?? { seen: 0, null: 0 };
    this.fields[label] = count;
    counts.set(name, count);
    return count;
  }

  #seeRelation(relation: Relation, value: Record<string, unknown>, pointer: string, note: Note): void {
    const [first, second] = relation.fields;
    const a = valueAt(value, first);
    const b = valueAt(value, second);
    if (a === undefined || b === undefined || a === null || b === null) return;
    const offending = `${pointer}${first}`;
    const shown = describeValue(a);
    if (relation.relation === "equal") {
      note(
        relation.requirement,
        sameJson(a, b)
          ? undefined
          : { expected: `${first} equal to ${second} (${describeValue(b)})`, actual: shown, offending },
      );
    } else if (relation.relation === "not-before") {
      if (typeof a !== "string" || typeof b !== "string" || !isDateTime(a) || !isDateTime(b)) return;
      note(
        relation.requirement,
        isInstantBefore(a, b)
          ? { expected: `${first} not before ${second} (${b})`, actual: shown, offending }
          : undefined,
      );
    } else {
      const digits = typeof b === "string" ? minorUnits(b) : undefined;
      if (digits === undefined || typeof a !== "number") return;
      note(
        relation.requirement,
        a === digits
          ? undefined
          : { expected: `${digits} for ${describeValue(b)}`, actual: shown, offending },
      );
    }
  }

  /** A record seen again with its own value is no duplicate: records are told apart by the list they belong to and their id. */
  #seeUnique(
    answer: Answer,
    requirement: string,
    value: unknown,
    { pointer, owner }: { pointer: string; owner: unknown },
    note: Note,
  ): void {
    const { operation } = answer.plan;
    const identity = operation.resource && this.#spec.schemas.flatten(operation.resource)["x-identity"];
    const id = isObject(owner) && identity !== undefined ? owner[identity] : undefined;
    // A single read or an update shows what a list or a create has shown.
    if (id === undefined || operation.kind === "read" || operation.kind === "update") return;
    const record = `${operation.id}#${String(id)}`;
    const seen = this.#uniques.get(requirement) ?? new Map<unknown, SeenValue>();
    this.#uniques.set(requirement, seen);
    const other = seen.get(value);
    if (!other) seen.set(value, { record, operation, exchange: answer.exchange });
    if (other && other.record !== record) {
      this.#addTo([operation, other.operation], {
        requirement,
        expected: "a value that no other record has",
        actual: `${describeValue(value)} of ${other.record} and of ${record}`,
        evidence: [other.exchange, { ...answer.exchange, offending: pointer }],
        check: "",
      });
    }
    if (seen.size > 1) note(requirement);
  }

  #seePage(answer: Answer, note: Note): void {
    const { list } = answer.plan.operation;
    if (!list) return;
    const result = isObject(answer.json) ? answer.json.result : undefined;
    const length = Array.isArray(result) ? result.length : result === null ? 0 : undefined;
    const { count, total } = paginationOf(answer);
    const before = queryOf(answer.plan, list.before?.name) !== undefined;
    if (length !== undefined && typeof count === "number") {
      note(
        "LIST-COUNT",
        count === length
          ? undefined
          : { expected: `count ${length}`, actual: `count ${count}`, offending: "/pagination/count" },
      );
    }
    if (length !== undefined && list.limit) this.#seePageSize(answer, list.limit.schema, length, note);
    const identity = list.identity;
    if (identity !== undefined && length !== undefined) {
      const duplicate = firstDuplicate(itemsOf(answer).map((item) => item[identity]));
      note(
        "LIST-IDS-UNIQUE",
        duplicate === undefined
          ? undefined
          : {
              expected: `each ${identity} once`,
              actual: `${describeValue(duplicate)} twice`,
              offending: "/result",
            },
      );
    }
    if (list.total && typeof total === "number" && typeof count === "number") {
      note(
        "LIST-TOTAL",
        total < count
          ? {
              expected: `a total of at least ${count}`,
              actual: `total ${total}`,
              offending: "/pagination/total",
            }
          : undefined,
      );
    }
    if (list.after && !before && isObject(answer.json) && isObject(answer.json.pagination)) {
      this.#seeNext(answer, list.after.schema.maxLength, note);
    }
  }

  #seePageSize(answer: Answer, schema: Schema, length: number, note: Note): void {
    const { list } = answer.plan.operation;
    const maximum = schema.maximum;
    if (maximum !== undefined) {
      note(
        "LIST-PAGE-MAXIMUM",
        length > maximum
          ? { expected: `at most ${maximum} items`, actual: `${length} items`, offending: "/result" }
          : undefined,
      );
    }
    const asked = queryOf(answer.plan, list?.limit?.name);
    const limit = asked !== undefined && /^[1-9]\d*$/.test(asked) ? Number(asked) : undefined;
    if (limit !== undefined && limit <= (maximum ?? limit)) {
      note(
        "LIST-LIMIT-RESPECTED",
        length > limit
          ? { expected: `at most ${limit} items`, actual: `${length} items`, offending: "/result" }
          : undefined,
      );
    }
  }

  #seeNext(answer: Answer, maxLength: number | undefined, note: Note): void {
    const { next } = paginationOf(answer);
    const offending = "/pagination/next";
    if (next === "") note("CURSOR-FORM", { expected: "null or a non-empty string", actual: '""', offending });
    else if (typeof next === "string" && maxLength !== undefined && [...next].length > maxLength) {
      note("CURSOR-FORM", {
        expected: `at most ${maxLength} characters`,
        actual: `${[...next].length} characters`,
        offending,
      });
    } else note("CURSOR-FORM");
  }

  /** Two operations that show one value for different records are both at fault, as far as anybody can tell. */
  #addTo(operations: Operation[], fault: WitnessedFault): void {
    for (const operation of new Set(operations)) this.#add(operation, fault);
  }

  #add(operation: Operation, fault: WitnessedFault): void {
    const id = key(operation, fault.requirement);
    this.#exercised.add(id);
    const known = this.#faults.get(id);
    if (!known) this.#faults.set(id, { first: fault, count: 1 });
    else {
      known.count++;
      // Of faults alike, the one that takes least to read.
      if (weight(fault) < weight(known.first)) known.first = fault;
    }
  }

  #count(operation: Operation, status: number): void {
    const counts = this.statuses.get(operation.key) ?? new Map<number, number>();
    this.statuses.set(operation.key, counts.set(status, (counts.get(status) ?? 0) + 1));
  }
}

/** Characters to read in the evidence of a fault. */
function weight({ evidence }: WitnessedFault): number {
  return evidence.reduce(
    (sum, { request, response }) =>
      sum + request.url.length + (request.body?.length ?? 0) + (response?.body?.length ?? 0),
    0,
  );
}

function key(operation: Operation, requirement: string): string {
  return `${operation.key} ${requirement}`;
}

function told(fault: SchemaFault): { expected: string; actual: string; offending: string } {
  return {
    expected: `${fault.pointer || "the body"}: ${fault.expected}`,
    actual: fault.actual,
    offending: fault.pointer,
  };
}

/** A fault of a part makes faults of its parts echoes: where `result` is no list, its items are not judged. */
function withoutEnvelopeNoise(faults: SchemaFault[]): SchemaFault[] {
  const broken = faults.filter((fault) => fault.keyword === "type").map((fault) => fault.pointer);
  return faults.filter(
    (fault) =>
      fault.keyword === "type" ||
      !broken.some((pointer) => fault.pointer === pointer || fault.pointer.startsWith(`${pointer}/`)),
  );
}

/** `application/json` and every `+json` type, in any casing and with any parameters. */
export function isJsonContentType(header: string | undefined): boolean {
  const type = header?.split(";")[0]?.trim().toLowerCase() ?? "";
  return type === "application/json" || /^[\w.!#$&^-]+\/[\w.!#$&^+-]+\+json$/.test(type);
}

/** A pointer with every index of a list replaced by `*`. */
function anyItem(pointer: string): string {
  return pointer.replace(/\/\d+(?=\/|$)/g, "/*");
}

function firstDuplicate(values: unknown[]): unknown {
  const seen = new Set<unknown>();
  for (const value of values) {
    if (value !== undefined && jsonType(value) !== "null" && seen.has(value)) return value;
    seen.add(value);
  }
  return undefined;
}
