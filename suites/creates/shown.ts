import type { History } from "../../history/history.ts";
import type { Use } from "../../history/keys.ts";
import { listedItems } from "../../history/listed-items.ts";
import { resourceKinds } from "../../history/resource-kinds.ts";
import type { Violation } from "../../history/result.ts";
import type { Operation } from "../../spec/model/spec.ts";
import { unshown } from "../shared/sent-values.ts";

/** Returns accepted creates with valid bodies, the first of each idempotency key. */
export function validUses(history: History, operation: Operation): Use[] {
  const { accepted } = history.creates(operation);
  return accepted.filter(
    ({ key, entry, sent }) =>
      history.isOrdinary(entry) &&
      history.spec.schemas.validate(operation.body ?? {}, sent).length === 0 &&
      !accepted.some((other) => key && other.key === key && other.entry.index < entry.index),
  );
}

export function plainUses(history: History, operation: Operation): Use[] {
  return validUses(history, operation).filter(({ sent }) => history.isPlainlyValid(operation, sent));
}

/** Finds values that lists do not show. The journal judges resources with updates. */
export function unshownInLists(history: History, operation: Operation, uses: readonly Use[]): Violation[] {
  if (resourceKinds(history.spec).some(({ create }) => create === operation)) return [];
  return listedItems(history, operation).flatMap(({ id, item, page, space }) => {
    const use = uses.find((each) => each.id === id && each.entry.space === space);
    return use && page.operation?.list
      ? unshown(history, { operation, sent: use.sent, shown: item }, [use.entry, page], page.operation)
      : [];
  });
}
