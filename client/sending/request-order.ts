import type { RequestFault } from "../../history/classification.ts";
import { idempotencyKeyIn, objectSent } from "../../history/entry.ts";
import { classify } from "../../history/request-faults/classify.ts";
import { uniqueFields } from "../../spec/identity.ts";
import type { Spec } from "../../spec/model/spec.ts";
import { resourceTypeOf } from "../relations.ts";
import type { Recorder } from "./recording.ts";
import type { Outgoing } from "./sender.ts";

/** A request as a service sees it that remembers only the request before. */
export interface RequestKind {
  /** The type of the resource, which several operations share. */
  resource: string;
  operation: string;
  /** The cause of its rejection, or its version if it is valid. The next request comes after it. */
  event: string;
  /** The rule that the request tests. */
  tests: string;
  isValid: boolean;
}

const VALID = "valid";

/** Enough for a choice, even if hundreds wait. */
const MOST_COMPARED = 100;

interface SentKind {
  resource: string;
  operation: string;
  version: string | null;
  faults: readonly RequestFault[];
  /** True if its idempotency key or a unique value was sent before. */
  isAgain: boolean;
}

/** Returns the event and the tested rule of a request. */
export function kindOf({ resource, operation, version, faults, isAgain }: SentKind): RequestKind {
  const isValid = faults.length === 0 && !isAgain;
  const under = isValid ? `${VALID} under ${version}` : "";
  const event = isAgain ? "again" : (faults[0]?.cause ?? under);
  const broken = faults.map(({ place, constraint }) => `${place} ${constraint}`);
  return { resource, operation, event, tests: [operation, event, under, ...broken].join(), isValid };
}

/** Orders the waiting requests, so that each kind of request directly follows many other kinds. */
export class RequestOrder {
  readonly #latest = new Map<string, string>();
  readonly #followed = new Set<string>();
  #count = 0;

  constructor(private readonly seed: number) {}

  /** Returns the place of the request that shows most, which the seed decides among equals. */
  nextOf(waiting: readonly (RequestKind | undefined)[]): number {
    const start = hashOf(this.seed, this.#count) % waiting.length;
    const length = Math.min(waiting.length, MOST_COMPARED);
    const compared = Array.from({ length }, (_, turn) => (start + turn) % waiting.length);
    const worth = compared.map((place) => this.#worthOf(waiting[place]));
    return compared[worth.indexOf(Math.max(...worth))] ?? 0;
  }

  sent(kind: RequestKind | undefined): void {
    this.#count++;
    if (!kind) return;
    for (const pair of this.#pairsOf(kind)) this.#followed.add(pair);
    this.#latest.set(kind.operation, kind.event);
    this.#latest.set(kind.resource, `${kind.operation} ${kind.event}`);
  }

  /**
   * Returns how useful it is to send a request of this kind now, from 0 to 4. Few requests are valid, so one
   * waits until a request that is rejected has just been sent.
   */
  #worthOf(kind: RequestKind | undefined): number {
    if (!kind) return 0;
    const [ofOperation, ofResource] = this.#pairsOf(kind).map((pair) => !this.#followed.has(pair));
    if (!ofOperation) return ofResource ? 1 : 0;
    if (!kind.isValid) return 3;
    return this.#latest.get(kind.operation)?.startsWith(VALID) ? 2 : 4;
  }

  #pairsOf({ operation, resource, tests }: RequestKind): string[] {
    return [operation, resource].map((place) => `${place}: ${this.#latest.get(place)}, then ${tests}`);
  }
}

function hashOf(seed: number, count: number): number {
  let state = Math.imul(seed ^ count, 0x9e3779b1);
  state = Math.imul(state ^ (state >>> 15), 0x85ebca6b);
  return (state ^ (state >>> 13)) >>> 0;
}

/** Returns the kind of each request, or undefined for one without an operation. */
export function kindsBy(
  spec: Spec,
  recorder: Pick<Recorder, "requestOf">,
): (outgoing: Outgoing) => RequestKind | undefined {
  const sentOnce = new Set<string>();
  return (outgoing) => {
    const sent = recorder.requestOf(outgoing);
    const { operation, version } = sent;
    if (!operation) return undefined;
    const body = objectSent(sent) ?? {};
    const unique = uniqueFields(spec, operation).map((name) => body[name] ?? null);
    const once = [idempotencyKeyIn(sent) ?? null, ...unique]
      .filter((value) => value !== null)
      .map((value) => `${operation.key} ${JSON.stringify(value)}`);
    const isAgain = once.some((value) => sentOnce.has(value));
    for (const value of once) sentOnce.add(value);
    const { faults } = classify(spec, sent);
    const resource = resourceTypeOf(spec, operation);
    return kindOf({ resource, operation: operation.key, version, faults, isAgain });
  };
}
