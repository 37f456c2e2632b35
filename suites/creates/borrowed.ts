import type { Use } from "../../history/creates/keys.ts";
import type { History } from "../../history/history.ts";
import type { Violation } from "../../history/result.ts";
import { sameJson } from "../../spec/json.ts";
import type { Operation } from "../../spec/model/spec.ts";
import { describeValue } from "../../spec/schema.ts";

/** Returns violations for unsent fields that show a tagged text of an earlier create. */
export function borrowedFields(history: History, operation: Operation, uses: readonly Use[]): Violation[] {
  const { runTag } = history.head;
  const names = history.spec.schemas.fieldNames(operation.body);
  return uses.flatMap((use, index) => {
    const own = JSON.stringify(use.sent);
    return names.flatMap((name): Violation[] => {
      const text = JSON.stringify(use.made[name]);
      const isUnique = runTag !== null && text?.includes(runTag);
      if (name in use.sent || !isUnique || own.includes(text)) return [];
      const lender = uses.slice(0, index).find(({ sent }) => sameJson(sent[name], use.made[name]));
      if (!lender) return [];
      return [
        {
          certainty: "proven",
          difference: "must-be-absent",
          expected: `no ${name}, which was not sent`,
          actual: `${name} ${describeValue(use.made[name])} of an earlier create`,
          shownBy: [{ entry: lender.entry }, { entry: use.entry, offending: `/result/${name}` }],
        },
      ];
    });
  });
}
