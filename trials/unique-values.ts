/** Values that no two records of the service share (x-unique), compared over all answers of the run. */

import type { Answer } from "../client/target.ts";
import { isObject } from "../spec/json.ts";
import type { Exchange } from "../spec/model/result.ts";
import type { Operation, Spec } from "../spec/model/spec.ts";
import { describeValue } from "../spec/schema.ts";

/** The record that a value was first seen with. */
interface Owner {
  record: string;
  id: string;
  operation: Operation;
  exchange: Exchange;
}

/** Told of every value that another could have equalled; with the fault, and whose it is, where one did. */
type Tell = (
  operations: Operation[],
  fault?: { requirement: string; expected: string; actual: string; evidence: Exchange[] },
) => void;

export class UniqueValues {
  readonly #spec: Spec;
  readonly #owners = new Map<string, Map<unknown, Owner>>();

  constructor(spec: Spec) {
    this.#spec = spec;
  }

  /** The requirements that values shown by an operation can break: a single read or an update shows them again. */
  requirementsOf({ kind, resource }: Operation): string[] {
    if (kind === "read" || kind === "update" || !resource) return [];
    const { schemas } = this.#spec;
    return schemas.fields(resource).flatMap(([, field]) => field["x-unique"]?.requirement ?? []);
  }

  /** A record seen again with its own value is no duplicate: records are told apart by the list they belong to and their id. */
  see(
    answer: Answer,
    requirement: string,
    value: unknown,
    { pointer, owner }: { pointer: string; owner: unknown },
    tell: Tell,
  ): void {
    const { operation } = answer.plan;
    const identity = operation.resource && this.#spec.schemas.flatten(operation.resource)["x-identity"];
    const id = isObject(owner) && identity !== undefined ? owner[identity] : undefined;
    if (id === undefined || operation.kind === "read" || operation.kind === "update") return;
    const record = `${operation.id}#${String(id)}`;
    const seen = this.#owners.get(requirement) ?? new Map<unknown, Owner>();
    this.#owners.set(requirement, seen);
    const other = seen.get(value);
    if (!other) seen.set(value, { record, id: String(id), operation, exchange: answer.exchange });
    else if (other.record !== record) {
      tell([operation, other.operation], {
        requirement,
        expected: "a value that no other record has",
        actual: `${describeValue(value)} of ${other.id} (${other.operation.key}) and of ${String(id)} (${operation.key})`,
        evidence: [other.exchange, { ...answer.exchange, offending: pointer }],
      });
    }
    if (seen.size > 1) tell([operation]);
  }
}
