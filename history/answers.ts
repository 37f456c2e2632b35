/** The answers of a history: to each request the last one, if our client sent it again. */

import { isObject, type JsonObject } from "../spec/json.ts";
import type { Operation, Spec } from "../spec/model/spec.ts";
import type { Classification } from "./classification.ts";
import { type Entry, type Head, responseJson, statusOf } from "./entry.ts";
import { classify } from "./request-faults/classify.ts";
import { Shown } from "./request-faults/shown.ts";

/** An answer of the service. */
export interface Answer {
  entry: Entry;
  operation: Operation;
  status: number;
  /** The parsed body; undefined if it is not JSON. */
  json: unknown;
  /** The request breaks no rule. */
  isValid: boolean;
  /** A success that must have a body. 204 and 205 have none: their status is the whole violation. */
  isSuccess: boolean;
  /** Its result is judged. If a faulty write was accepted, that is the violation, and the result is left alone. */
  isJudged: boolean;
  /** The page that it shows; undefined if it shows none, or is not judged. */
  page: Page | undefined;
}

/** One page of a list. */
export interface Page {
  items: JsonObject[];
  /** Number of items; undefined if the result is neither a list nor null. */
  length: number | undefined;
  /** Undefined if there is none. */
  pagination: JsonObject | undefined;
}

/** Too Many Requests: it says nothing about the request. */
const LIMITED = 429;

export class Answers {
  readonly #spec: Spec;
  readonly #head: Head;
  readonly #entries: readonly Entry[];
  readonly #byOperation = new Map<string, Entry[]>();
  /** By the first entry of a request: the index of the last one. */
  readonly #last: ReadonlyMap<number, number>;
  readonly #answers = new Map<string, Answer[]>();
  readonly #classified = new Map<Entry, Classification>();
  #shown: Shown | undefined;

  constructor(spec: Spec, head: Head, entries: readonly Entry[]) {
    this.#spec = spec;
    this.#head = head;
    this.#entries = entries;
    this.#last = new Map(entries.map(({ index, repeats = index }) => [repeats, index]));
    for (const entry of entries) {
      const status = statusOf(entry);
      if (entry.operation === null || status === undefined || status === LIMITED) continue;
      if (this.wasSentAgain(entry)) continue;
      const { key } = entry.operation;
      const known = this.#byOperation.get(key);
      if (known) known.push(entry);
      else this.#byOperation.set(key, [entry]);
    }
  }

  /** The answers to an operation, in the order in which they ended. */
  to(operation: Operation): readonly Answer[] {
    const known = this.#answers.get(operation.key);
    if (known) return known;
    const entries = this.#byOperation.get(operation.key) ?? [];
    const made = entries.map((entry) => this.#answer(entry, operation));
    this.#answers.set(operation.key, made);
    return made;
  }

  /** The answer that an entry is; undefined if there is none, or another entry has the last one. */
  in(entry: Entry): Answer | undefined {
    const { operation } = entry;
    const isAnswer = operation !== null && this.#byOperation.get(operation.key)?.includes(entry);
    return isAnswer ? this.#answer(entry, operation) : undefined;
  }

  /** True if our client repeated the request: then only the last answer counts. */
  wasSentAgain({ index, repeats = index }: Entry): boolean {
    return (this.#last.get(repeats) ?? index) > index;
  }

  /** Pages of which only the least number of items is known. */
  oversized(operation: Operation): Answer[] {
    return this.#entries.flatMap((entry) => {
      const { response } = entry;
      if (entry.operation !== operation || !("itemsAtLeast" in response)) return [];
      const page = { items: [], length: response.itemsAtLeast, pagination: undefined };
      const { isValid } = this.#request(entry);
      const known = { status: 200, json: undefined, isSuccess: true, isJudged: false };
      return [{ entry, operation, isValid, page, ...known }];
    });
  }

  /** The statuses of the answers to an operation, one for each answer. */
  statusesOf({ key }: Operation): number[] {
    return (this.#byOperation.get(key) ?? []).map((entry) => statusOf(entry) ?? 0);
  }

  /** Milliseconds that each answer to an operation took. */
  durationsOf({ key }: Operation): number[] {
    return (this.#byOperation.get(key) ?? []).map(({ durationMs }) => durationMs);
  }

  #answer(entry: Entry, operation: Operation): Answer {
    const status = statusOf(entry) ?? 0;
    const json = responseJson(entry);
    const isSuccess = status >= 200 && status < 300 && status !== 204 && status !== 205;
    // Only writes and redirects are judged by their request: most answers need no classification.
    const isRead = operation.method === "GET";
    const { isValid, isFaulty } = isRead && isSuccess ? AS_READ : this.#request(entry);
    const isJudged = isSuccess && json !== undefined && (isRead || !isFaulty);
    const page = isJudged && operation.list ? pageOf(json) : undefined;
    return { entry, operation, status, json, isValid, isSuccess, isJudged, page };
  }

  /** The classification of the request in an entry. */
  classification(entry: Entry): Classification {
    const known = this.#classified.get(entry) ?? classify(this.#spec, entry, this.#known());
    this.#classified.set(entry, known);
    return known;
  }

  /** `isFaulty`: a rule is broken, or the specification leaves the meaning of the body open. */
  #request(entry: Entry): { isValid: boolean; isFaulty: boolean } {
    const found = this.classification(entry);
    if (found.kind === "valid") return { isValid: true, isFaulty: false };
    if (found.kind !== "doubtful") return { isValid: false, isFaulty: true };
    // A service may decline a value that nobody has heard of; if it accepts it, its answer is like any other.
    const isOpen = found.doubts.some(
      ({ place, practice }) =>
        practice !== "unheardOfValues" && (place.startsWith("body") || place === "header/content-type"),
    );
    return { isValid: false, isFaulty: isOpen || found.faults.length > 0 };
  }

  #known(): Shown {
    const { spaces, fixtures, runTag } = this.#head;
    const told = spaces.flatMap((space) => TOKENS.map((token) => ({ space, token })));
    this.#shown ??= new Shown(this.#spec, { spaces: told, fixtures, runTag }, this.#entries);
    return this.#shown;
  }
}

const AS_READ = { isValid: true, isFaulty: false };
/** The pseudonyms of the user's own tokens. */
const TOKENS = ["token 1", "token 2"];

function pageOf(json: unknown): Page {
  const { result, pagination } = isObject(json) ? json : {};
  return {
    items: Array.isArray(result) ? result.filter(isObject) : [],
    length: Array.isArray(result) ? result.length : result === null ? 0 : undefined,
    pagination: isObject(pagination) ? pagination : undefined,
  };
}

/** 5xx, except a 501 for an operation without a documented shape, which says that it does not exist. */
export function isServerError({ status, operation }: Pick<Answer, "status" | "operation">): boolean {
  return status >= 500 && !(status === 501 && operation.kind === "named");
}
