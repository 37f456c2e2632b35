import { Untestable, Violation } from "../../client/check.ts";
import { referenceResolver } from "../../client/references.ts";
import { type Answer, isAccepted, resourceOf, type Target } from "../../client/target.ts";
import { usualVersion } from "../../client/version-choice.ts";
import { requestTo } from "../../generators/request.ts";
import { type Difference, describeDifferences } from "../../history/differences.ts";
import { recordDifferences } from "../../history/same-record.ts";
import type { JsonObject } from "../../spec/json.ts";
import { operationById } from "../../spec/loading/load.ts";
import type { Operation } from "../../spec/model/spec.ts";
import { findInList } from "../shared/own-items.ts";
import { pointedAt } from "../updates/pointing.ts";

function shapesViolation(differences: Difference[], ...evidence: Answer[]): Violation {
  const { expected, actual } = describeDifferences(differences);
  return new Violation(
    `as in the list: ${expected}`,
    actual,
    pointedAt(evidence, evidence.length - 1, differences[0]?.pointer ?? ""),
    { difference: "list-differs" },
  );
}

/** @throws Violation if the list and the read still differ after the consistency timeout */
export async function mustAgree(
  target: Target,
  operation: Operation,
  id: string,
  update: Operation,
): Promise<void> {
  const { sameRecord: same } = operation;
  if (!same) return;
  const list = operationById(target.spec, same.list);
  const version = usualVersion(target, operation);
  const name = await referenceResolver(target, update.body ?? {});
  const read = () => target.send({ ...requestTo(operation, version), path: id }, { valid: true });
  const differences = (answer: Answer, item: JsonObject) =>
    isAccepted(answer)
      ? recordDifferences(target.spec, operation, item, resourceOf(answer) ?? {}, same.requirement, name)
      : [];
  let answer = await read();
  const settled = { version, until: (item: JsonObject) => differences(answer, item).length === 0 };
  const item = await findInList(target, list, id, settled);
  if (!item) throw new Untestable("no-data", `${list.key} does not show ${id}`);
  if (differences(answer, item).length === 0) return;
  // The record may have changed by itself between the read and the list.
  answer = await read();
  const again = await findInList(target, list, id, settled);
  const found = again ? differences(answer, again) : [];
  if (found.length > 0) throw shapesViolation(found, answer);
}
