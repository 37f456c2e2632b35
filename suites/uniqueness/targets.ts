import { idActedOn } from "../../history/answers/actions-done.ts";
import { mayBeDeleted } from "../../history/creates/deletions.ts";
import { type Entry, isAccepted, objectSent, resourceIn } from "../../history/entry.ts";
import type { History } from "../../history/history.ts";
import { type Violation, violationBy } from "../../history/result.ts";
import { identityOf, uniqueFields } from "../../spec/identity.ts";
import { type JsonObject, sameJson } from "../../spec/json.ts";
import type { Spec } from "../../spec/model/spec.ts";
import { operationsWithBody } from "../../spec/operations.ts";
import { allowsNull } from "../../spec/schema.ts";
import type { FieldTarget } from "../shared/history-rule.ts";

/** Returns the unique fields of creates, or of updates of resources that the run makes. */
export function uniqueTargets(spec: Spec, kind: "create" | "update" = "create"): FieldTarget[] {
  return operationsWithBody(spec, kind)
    .filter(({ pathParameter }) => kind === "create" || pathParameter?.madeBy !== undefined)
    .flatMap((operation) =>
      uniqueFields(spec, operation).map((field) => ({ operation, field, detail: field })),
    );
}

/** Returns the value as a text, or `undefined` for null and the empty text, which need not be unique. */
export function uniqueValue(value: unknown): string | undefined {
  return (typeof value === "string" && value !== "") || typeof value === "number" ? String(value) : undefined;
}

export interface WithoutTarget extends FieldTarget {
  detail: string;
  isNull: boolean;
  isWithout(sent: JsonObject): boolean;
}

/** Returns unique fields that may be absent or null, each way by itself. */
export function optionalValues(spec: Spec): WithoutTarget[] {
  return uniqueTargets(spec).flatMap((at): WithoutTarget[] => {
    const { operation, field } = at;
    const leftOut = {
      ...at,
      detail: field,
      isNull: false,
      isWithout: (sent: JsonObject) => !(field in sent),
    };
    const isSentNull = (sent: JsonObject) => sent[field] === null;
    const asNull = { ...at, detail: `${field} null`, isNull: true, isWithout: isSentNull };
    const isRequired = spec.schemas.required(operation.body).includes(field);
    const isNullable = allowsNull(spec.schemas.field(operation.body, field));
    return [...(isRequired ? [] : [leftOut]), ...(isNullable ? [asNull] : [])];
  });
}

/**
 * Returns the violations that two answers show two resources with one value. `requests` sent a value that another
 * resource holds. An action, or another client, may have freed the value.
 */
export function secondTakers(
  history: History,
  at: FieldTarget,
  requests: readonly { entry: Entry }[],
): Violation[] {
  const { field } = at;
  const identity = identityOf(history.spec, at.operation);
  const mayBeFreed = (holder: Entry, id: string, by: Entry) =>
    mayBeDeleted(history, holder, id, by) ||
    history.entries.some(
      (each) => each.ended > holder.begun && each.begun < by.ended && idActedOn(history.spec, each) === id,
    );
  return requests.flatMap(({ entry }): Violation[] => {
    if (!isAccepted(entry)) return [];
    const { [field]: value, [identity]: id } = resourceIn(entry) ?? {};
    const isHolder = (other: Entry) => {
      const held = resourceIn(other);
      const isOther = held?.[identity] !== undefined && !sameJson(held[identity], id);
      return (
        isOther &&
        sameJson(held[field], value) &&
        sameJson(objectSent(other)?.[field], value) &&
        !mayBeFreed(other, String(held[identity]), entry)
      );
    };
    const holder = history.entries.findLast(
      (other) =>
        other.ended < entry.begun && isAccepted(other) && other.space === entry.space && isHolder(other),
    );
    if (value === undefined || id === undefined || !holder) return [];
    const expected = `a rejection: ${field} is taken by ${String(resourceIn(holder)?.[identity])}`;
    const actual = `the resource ${String(id)}`;
    return [violationBy("proven", { difference: "accepted", expected, actual }, holder, entry)];
  });
}
