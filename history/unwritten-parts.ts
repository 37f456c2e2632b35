import { isPart } from "../spec/actions.ts";
import { sameJson } from "../spec/json.ts";
import type { Operation } from "../spec/model/spec.ts";
import { type Entry, isAccepted } from "./entry.ts";
import type { History } from "./history.ts";

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
      sameJson(Object.values(other.path), Object.values(entry.path)) &&
      other.space === entry.space &&
      isAccepted(other) &&
      other.ended < entry.begun,
  );
}
