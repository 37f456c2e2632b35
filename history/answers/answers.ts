/** If the client repeated a request, only the last answer counts. */

import { groupedBy } from "../../spec/grouped.ts";
import { isObject, type JsonObject } from "../../spec/json.ts";
import { keptIn, memoized } from "../../spec/memoized.ts";
import type { Operation, Spec } from "../../spec/model/spec.ts";
import type { Classification } from "../classification.ts";
import { type Entry, type Head, isRateLimited, responseJson, statusOf } from "../entry.ts";
import { classify } from "../request-faults/classify.ts";
import { type UserFacts, ValuesInHistory } from "../request-faults/values-in-history.ts";

export interface Answer {
  entry: Entry;
  operation: Operation;
  status: number;
  json: unknown;
  isValid: boolean;
  /** True for a 2xx status with a body, so not for 204 and 205. */
  isSuccess: boolean;
  /** True for 2xx with JSON. After a faulty write, only its acceptance is judged. */
  isJudged: boolean;
  page: Page | undefined;
}

export interface Page {
  items: JsonObject[];
  length: number | undefined;
  pagination: JsonObject | undefined;
}

export class Answers {
  readonly #byOperation: ReadonlyMap<string | undefined, Entry[]>;
  readonly #last: ReadonlyMap<number, number>;
  readonly #answers = new Map<string, Answer[]>();
  readonly #classified = new Map<Entry, Classification>();
  #shown: ValuesInHistory | undefined;

  constructor(
    private readonly spec: Spec,
    private readonly head: Head,
    private readonly entries: readonly Entry[],
  ) {
    this.#last = new Map(entries.map(({ index, repeats = index }) => [repeats, index]));
    const isAnswered = (entry: Entry) =>
      statusOf(entry) !== undefined && !isRateLimited(entry) && !this.wasSentAgain(entry);
    this.#byOperation = groupedBy(entries.filter(isAnswered), ({ operation }) => operation?.key);
  }

  /** Returns the answers to the operation, in the order of their requests. */
  to(operation: Operation): readonly Answer[] {
    const entries = this.#byOperation.get(operation.key) ?? [];
    return keptIn(this.#answers, operation.key, () => entries.map((entry) => this.#answer(entry, operation)));
  }

  answerIn(entry: Entry): Answer | undefined {
    const { operation } = entry;
    const isAnswer = operation !== null && this.#byOperation.get(operation.key)?.includes(entry);
    return isAnswer ? this.#answer(entry, operation) : undefined;
  }

  wasSentAgain({ index, repeats = index }: Entry): boolean {
    return (this.#last.get(repeats) ?? index) > index;
  }

  /** Returns the answers that were too large to be read, of which only the least number of items is known. */
  oversized(operation: Operation): Answer[] {
    return this.entries.flatMap((entry) => {
      const { response } = entry;
      if (entry.operation !== operation || !("itemsAtLeast" in response)) return [];
      const page = { items: [], length: response.itemsAtLeast, pagination: undefined };
      const { isValid } = this.#request(entry);
      const known = { status: 200, json: undefined, isSuccess: true, isJudged: false };
      return [{ entry, operation, isValid, page, ...known }];
    });
  }

  statusesOf({ key }: Operation): number[] {
    return (this.#byOperation.get(key) ?? []).map((entry) => statusOf(entry) ?? 0);
  }

  durationsOf({ key }: Operation): number[] {
    return (this.#byOperation.get(key) ?? []).map(({ durationMs }) => durationMs);
  }

  #answer(entry: Entry, operation: Operation): Answer {
    const status = statusOf(entry) ?? 0;
    const json = responseJson(entry);
    const isSuccess = status >= 200 && status < 300 && status !== 204 && status !== 205;
    const isRead = operation.method === "GET";
    const { isValid, isFaulty } = isRead && isSuccess ? AS_READ : this.#request(entry);
    const isJudged = isSuccess && json !== undefined && (isRead || !isFaulty);
    const page = isJudged && operation.list ? pageOf(json) : undefined;
    return { entry, operation, status, json, isValid, isSuccess, isJudged, page };
  }

  classification(entry: Entry): Classification {
    return keptIn(this.#classified, entry, () => classify(this.spec, entry, this.#known()));
  }

  /** True if the request breaks no rule, and nothing about it is left open. */
  isValid(entry: Entry): boolean {
    return this.classification(entry).kind === "valid";
  }

  #request(entry: Entry): { isValid: boolean; isFaulty: boolean } {
    const { kind, faults, doubts } = this.classification(entry);
    // The answer is judged even if an invented value was accepted.
    const isOpen = doubts.some(
      ({ place, behaviour }) =>
        behaviour !== "unheardOfValues" && (place.startsWith("body") || place === "header/content-type"),
    );
    return { isValid: kind === "valid", isFaulty: isOpen || faults.length > 0 || kind === "undocumented" };
  }

  #known(): ValuesInHistory {
    const { spec, head, entries } = this;
    if (this.#shown) return this.#shown;
    const growing = head.runTag === null ? undefined : growingValues(head, spec).upTo(entries);
    if (growing) return growing;
    this.#shown = valuesIn(spec, head, entries);
    return this.#shown;
  }
}

const AS_READ = { isValid: true, isFaulty: false };

function pageOf(json: unknown): Page {
  const { result, pagination } = isObject(json) ? json : {};
  return {
    items: Array.isArray(result) ? result.filter(isObject) : [],
    length: Array.isArray(result) ? result.length : result === null ? 0 : undefined,
    pagination: isObject(pagination) ? pagination : undefined,
  };
}

/** True for 5xx, except 501 from an undocumented operation, which need not exist. */
export function isServerError({ status, operation }: Pick<Answer, "status" | "operation">): boolean {
  return status >= 500 && !(status === 501 && operation.kind === "named");
}

/** The tokens of a run, as entries name them. */
const FIRST_TOKEN = "token 1";
const SECOND_TOKEN = "token 2";

/** Knows the values of a run's history, which grows. Each entry is read once. */
class GrowingValues {
  readonly #facts: UserFacts;
  readonly #values: ValuesInHistory;
  #seen: readonly Entry[] = [];

  constructor(
    spec: Spec,
    private readonly head: Head,
  ) {
    this.#facts = factsOf(head, []);
    this.#values = new ValuesInHistory(spec, this.#facts, []);
  }

  /** Returns what these entries sent and showed, or `undefined` if it knows other or more entries. */
  upTo(entries: readonly Entry[]): ValuesInHistory | undefined {
    const count = this.#seen.length;
    const areKnown = entries[0] === (this.#seen[0] ?? entries[0]);
    if (count > entries.length || !areKnown || entries[count - 1] !== this.#seen.at(-1)) return undefined;
    const added = entries.slice(count);
    if (added.some(usesSecondToken)) this.#facts.spaces = factsOf(this.head, added).spaces;
    this.#values.add(added);
    this.#seen = entries;
    return this.#values;
  }
}

const growingValues = memoized((head: Head, spec: Spec) => new GrowingValues(spec, head));

function valuesIn(spec: Spec, head: Head, entries: readonly Entry[]): ValuesInHistory {
  return new ValuesInHistory(spec, factsOf(head, entries), entries);
}

/** Returns the spaces and fixtures of the user. If there is a second token, the second space may reject the first. */
function factsOf({ spaces, fixtures, runTag }: Head, entries: readonly Entry[]): UserFacts {
  const ofOthers = entries.some(usesSecondToken) ? SECOND_TOKEN : FIRST_TOKEN;
  const known = spaces.map((space, index) => ({ space, token: index === 0 ? FIRST_TOKEN : ofOthers }));
  return { spaces: known, fixtures, runTag };
}

function usesSecondToken({ credential }: Entry): boolean {
  return credential.token === SECOND_TOKEN;
}
