import type { Operation } from "../../spec/model/spec.ts";
import { isPart } from "../../spec/operations.ts";
import { type Entry, haveSameIds, isAccepted } from "../entry.ts";
import type { History } from "../history.ts";

/** True for a read of a part (`/jobs/{id}/address`) that its first update may make. */
export function mayBeUnwritten({ spec, context }: Pick<History, "spec" | "context">, entry: Entry): boolean {
  const { operation: read } = entry;
  if (read === null || !isPart(spec, read)) return false;
  const isUpdate = (operation: Operation) => operation.readBack?.read === read.id;
  if (!spec.operations.some(isUpdate)) return false;
  const isShown = ({ operation }: Entry) => operation !== null && (operation === read || isUpdate(operation));
  return !context.some(
    (other) =>
      isShown(other) &&
      haveSameIds(other, entry) &&
      other.space === entry.space &&
      isAccepted(other) &&
      other.ended < entry.begun,
  );
}
