import { isDoneAgain } from "../../history/answers/actions-done.ts";
import { createsById, type Use } from "../../history/creates/keys.ts";
import { type Entry, idempotencyKeyIn, isRejected } from "../../history/entry.ts";
import type { History } from "../../history/history.ts";
import { listedItems } from "../../history/lists/listed-items.ts";
import { isBelow } from "../../history/lists/whole-reads.ts";
import { resourceKinds } from "../../history/resource-kinds.ts";
import type { Violation } from "../../history/result.ts";
import { fixedFields } from "../../spec/identity.ts";
import { pick } from "../../spec/json.ts";
import type { Operation } from "../../spec/model/spec.ts";
import { isChange, pathParametersOf } from "../../spec/operations.ts";
import { unshown } from "../shared/sent-values.ts";

/** Returns accepted creates with valid bodies, the first of each idempotency key. */
export function validUses(history: History, operation: Operation): Use[] {
  const { accepted } = history.creates(operation);
  const isAgain = isDoneAgain(history, operation);
  // A confirmation may repeat a create of the round before, which may show the resource as it is now.
  const earlier = ({ id }: Use) => createsById(history).get(id) ?? [];
  return accepted.filter((use) => {
    const { key, entry, sent } = use;
    const usedBefore = [...accepted.map((other) => other.entry), ...earlier(use)].some(
      (other) => key && idempotencyKeyIn(other) === key && other.index < entry.index,
    );
    return (
      history.isOrdinary(entry) &&
      history.spec.schemas.validate(operation.body ?? {}, sent).length === 0 &&
      !usedBefore &&
      !isAgain(use)
    );
  });
}

/** Like `validUses`, without bodies that a service may reject. */
export function plainUses(history: History, operation: Operation): Use[] {
  return validUses(history, operation).filter(({ sent }) => history.isPlainlyValid(operation, sent));
}

/** Finds values that lists do not show. The journal judges resources with updates. */
export function unshownInLists(history: History, operation: Operation, uses: readonly Use[]): Violation[] {
  if (resourceKinds(history.spec).some(({ create }) => create === operation)) return [];
  // Actions and updates of parts may change values that the create sent.
  const changes = history.context.filter(
    (entry) => entry.operation !== null && isChange(history.spec, entry.operation) && !isRejected(entry),
  );
  return listedItems(history, operation).flatMap(({ id, item, page, space }) => {
    const found = uses.filter((use) => use.id === id && use.entry.space === space && isBelow(page, use));
    // Parents may share ids, so several creates may have made the item.
    const use = new Set(found.map(({ place }) => place)).size === 1 ? found[0] : undefined;
    const isOfUse = ({ operation: by, path }: Entry) => {
      const named = by && pathParametersOf(by).find(({ madeBy }) => madeBy === use?.entry.operation?.id);
      return named?.madeBy !== undefined && path[named.name] === use?.id;
    };
    const isChanged = changes.some((change) => change.begun < page.ended && isOfUse(change));
    return use && page.operation?.list && !isChanged
      ? unshown(history, { operation, sent: use.sent, shown: item }, [use.entry, page], page.operation)
      : [];
  });
}

/** Adds the values that the service gave to fields that never change, because lists must show these, too. */
export function withFixedValues({ spec }: History, operation: Operation, uses: readonly Use[]): Use[] {
  const taken = spec.schemas.fieldNames(operation.body);
  const fixed = fixedFields(spec, operation).filter((name) => taken.includes(name));
  return uses.map((use) => ({ ...use, sent: { ...pick(use.made, fixed), ...use.sent } }));
}
