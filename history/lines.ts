import { matcher } from "../spec/matcher.ts";
import type { Operation, Spec } from "../spec/model/spec.ts";
import { UsageError } from "../spec/usage-error.ts";
import { bodyOf } from "./body.ts";
import type { Body, Delivery, Entry, Head } from "./entry.ts";
import schema from "./history.schema.json" with { type: "json" };

export interface Origin {
  suite: { name: string; version: string };
  spec: { title: string; sha256: string };
}

/** How much history a check had when it was last judged in this round. */
export interface Judgement {
  check: string;
  round: number;
  entries: number;
  deliveries: number;
}

export interface RecordedHistory extends Origin {
  head: Head;
  entries: Entry[];
  deliveries: Delivery[];
  judgements: Judgement[];
}

interface LineOfBody {
  text: string;
  cut?: true;
  unreadable?: NonNullable<Body["unreadable"]>;
}

type LineOfHead = Origin & Head & { schemaVersion: 1 };
type LineOfEntry = Omit<Entry, "operation" | "request" | "response"> & {
  operation: string | null;
  request: Omit<Entry["request"], "body"> & { body: LineOfBody | null };
  response:
    | Extract<Entry["response"], { fault: string }>
    | (Omit<Extract<Entry["response"], { status: number }>, "body"> & { body: LineOfBody });
};

interface LineOfDelivery {
  delivery: Omit<Delivery, "body"> & { body: LineOfBody };
}

interface LineOfJudgements {
  judgements: { round: number; entries: number; deliveries?: number; checks: string[] }[];
}

type Line = LineOfHead | LineOfEntry | LineOfDelivery | LineOfJudgements;

const match = matcher<Line>(schema);

export function headLine(head: Head, { suite, spec }: Origin): string {
  const line: LineOfHead = { schemaVersion: 1, suite, spec, ...head };
  return JSON.stringify(line);
}

/** Returns the entry as a line of the history file. `clean` removes secrets from each body, then the rest. */
export function entryLine(entry: Entry, clean: (json: string) => string = (json) => json): string {
  const { request, response } = entry;
  const bodies: string[] = [];
  const withoutText = (body: Body): LineOfBody => {
    bodies.push(clean(JSON.stringify(body.text)));
    return { ...bodyLine(body), text: LEFT_OUT };
  };
  const line: LineOfEntry = {
    ...entry,
    operation: entry.operation?.key ?? null,
    request: { ...request, body: request.body && withoutText(request.body) },
    response: "fault" in response ? response : { ...response, body: withoutText(response.body) },
  };
  return clean(JSON.stringify(line)).replaceAll(JSON.stringify(LEFT_OUT), () => bodies.shift() ?? "");
}

/** Stands for a body: headers and addresses can't hold its NUL character. */
const LEFT_OUT = "\u0000body";

export function deliveryLine(delivery: Delivery): string {
  const line: LineOfDelivery = { delivery: { ...delivery, body: bodyLine(delivery.body) } };
  return JSON.stringify(line);
}

function bodyLine({ text, cut, unreadable }: Body): LineOfBody {
  return { text, ...(cut ? { cut } : {}), ...(unreadable === undefined ? {} : { unreadable }) };
}

/** Writes which entries and deliveries each judgement had read, equal ones together. */
export function judgementsLine(judgements: Iterable<Judgement>): string {
  const groups = new Map<string, LineOfJudgements["judgements"][number]>();
  for (const { check, round, entries, deliveries } of judgements) {
    const key = `${round} ${entries} ${deliveries}`;
    const group = groups.get(key) ?? { round, entries, deliveries, checks: [] };
    groups.set(key, group);
    group.checks.push(check);
  }
  const line: LineOfJudgements = { judgements: [...groups.values()] };
  return JSON.stringify(line);
}

/**
 * Returns the history that the lines hold.
 * @throws UsageError if a line is malformed or names an unknown operation
 */
export function readHistory(lines: Iterable<string>, spec: Spec): RecordedHistory {
  const reader = new HistoryReader(spec);
  for (const line of lines) reader.take(line);
  return reader.end();
}

export class HistoryReader {
  readonly #operations: ReadonlyMap<string, Operation>;
  #recorded: RecordedHistory | undefined;
  #number = 0;
  #isEnded = false;

  constructor({ operations }: Spec) {
    this.#operations = new Map(operations.map((operation) => [operation.key, operation]));
  }

  /** Takes the next line. @throws UsageError with its number if it is not valid */
  take(text: string): void {
    const number = ++this.#number;
    if (text === "") return;
    const line = lineIn(text, number);
    const isHead = "schemaVersion" in line;
    if (isHead !== (this.#recorded === undefined))
      throw new UsageError(`line ${number} is ${isHead ? "a second head" : "not the head of a history"}`);
    if (isHead) {
      const { schemaVersion: _, suite, spec: edition, ...head } = line;
      this.#recorded = { suite, spec: edition, head, entries: [], deliveries: [], judgements: [] };
    } else if ("judgements" in line) {
      this.#isEnded = true;
      this.#recorded?.judgements.push(
        ...line.judgements.flatMap(({ round, entries, deliveries = 0, checks }) =>
          checks.map((check) => ({ check, round, entries, deliveries })),
        ),
      );
    } else if ("delivery" in line)
      this.#recorded?.deliveries.push({ ...line.delivery, body: bodyFrom(line.delivery.body) });
    else this.#recorded?.entries.push(entryOf(line, this.#operations, number));
  }

  /** True if the last line of a history was read. */
  get isEnded(): boolean {
    return this.#isEnded;
  }

  /** True if no line of an entry is missing or repeated, and none that a judgement counts is missing. */
  get isGapless(): boolean {
    const { entries = [], deliveries = [], judgements = [] } = this.#recorded ?? {};
    return (
      entries.every(({ index }, place) => index === place) &&
      judgements.every(
        (judgement) => judgement.entries <= entries.length && judgement.deliveries <= deliveries.length,
      )
    );
  }

  end(): RecordedHistory {
    if (this.#recorded === undefined) throw new UsageError("the history is empty");
    return this.#recorded;
  }
}

function lineIn(text: string, number: number): Line {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new UsageError(`line ${number} is no JSON`);
  }
  const result = match(value);
  if (result.matches) return result.value;
  const [error] = result.errors;
  throw new UsageError(`line ${number}: ${error?.instancePath || "it"} ${error?.message ?? "is not valid"}`);
}

function entryOf(line: LineOfEntry, operations: ReadonlyMap<string, Operation>, number: number): Entry {
  const { request, response } = line;
  const operation = line.operation === null ? null : operations.get(line.operation);
  if (operation === undefined)
    throw new UsageError(`line ${number}: the specification has no operation ${line.operation}`);
  return {
    ...line,
    operation,
    request: { ...request, body: request.body && bodyFrom(request.body) },
    response: "fault" in response ? response : { ...response, body: bodyFrom(response.body) },
  };
}

function bodyFrom({ text, cut, unreadable }: LineOfBody): Body {
  return bodyOf(text, { cut, unreadable, ...(unreadable === undefined ? {} : { json: undefined }) });
}
