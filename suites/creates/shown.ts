import type { History } from "../../history/history.ts";
import type { Use } from "../../history/keys.ts";
import { listedItems } from "../../history/listed-items.ts";
import { resourceKinds } from "../../history/resource-kinds.ts";
import type { Violation } from "../../history/result.ts";
import type { Operation } from "../../spec/model/spec.ts";
import { unshown } from "../shared/sent-values.ts";

/** Returns the accepted creates with valid bodies. Of creates with the same idempotency key, only the first counts. */
export function validUses(history: History, operation: Operation): Use[] {
  const { accepted } = history.creates(operation);
  return accepted.filter(
    ({ key, entry, sent }) =>
      history.isOrdinary(entry) &&
      history.spec.schemas.validate(operation.body ?? {}, sent).length === 0 &&
      !accepted.some((other) => key && other.key === key && other.entry.index < entry.index),
  );
}

/** Leaves out creates with values that a service may reject. */
export function plainUses(history: History, operation: Operation): Use[] {
  return validUses(history, operation).filter(({ sent }) => history.isPlainlyValid(operation, sent));
}

/**
 * Returns a violation for each list item that lacks a sent value. Resources with updates are left out, because the
 * journal judges them.
 */
export function unshownInLists(history: History, operation: Operation, uses: readonly Use[]): Violation[] {
  if (resourceKinds(history.spec).some(({ create }) => create === operation)) return [];
  return listedItems(history, operation).flatMap(({ id, item, page, space }) => {
    const use = uses.find((each) => each.id === id && each.entry.space === space);
    return use && page.operation?.list
      ? unshown(history, { operation, sent: use.sent, shown: item }, [use.entry, page], page.operation)
      : [];
  });
}
