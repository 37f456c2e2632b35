import { hooksOf } from "../../compose.ts";
import { recording } from "../../history/journal.ts";
import type { HistoryCondition } from "../../history/past.ts";
import type { OperationName } from "../../operations.ts";
import type { Cases } from "../../operators/operator.ts";
import { together } from "../../write-hook-tools.ts";
import type { Defect } from "../defect.ts";

const PREFIX = "history-";

/** Records all requests, because the conditions depend on earlier ones. */
export function withHistory(defects: readonly Defect[]): Defect[] {
  return defects.map((defect) => ({
    ...defect,
    name: PREFIX + defect.name,
    hooks: () => together(hooksOf(defect), recording()),
  }));
}

export function at(conditions: readonly HistoryCondition[], operation: OperationName): HistoryCondition[] {
  return conditions.filter((condition) => condition.at.test(operation));
}

/** All conditions would take too long, so each operation keeps others. */
export function oneOf(n: number, conditions: readonly HistoryCondition[]): Cases {
  return (operation, operator) =>
    at(conditions, operation).filter((_, index) => (index + operation.length + operator.length) % n === 0);
}

/** All pairs would take too long, so this keeps every `n`th. */
export function withOneOf<P extends { readonly operation: OperationName }>(
  n: number,
  operator: string,
  conditions: readonly HistoryCondition[],
  places: readonly P[],
): [P, HistoryCondition][] {
  return conditions.flatMap((condition, row) =>
    places
      .filter(({ operation }) => condition.at.test(operation))
      .filter((_, index) => (index + row + operator.length) % n === 0)
      .map((place): [P, HistoryCondition] => [place, condition]),
  );
}
