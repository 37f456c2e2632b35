import type { Call } from "../../client/call.ts";
import { makerOf } from "../../client/relations.ts";
import { sendBody } from "../../client/resources.ts";
import type { RequestPlan } from "../../generators/request.ts";
import { rotated } from "../../spec/ordered.ts";
import { fieldsSentAlone } from "./concurrent.ts";
import { readerOf } from "./read-back.ts";
import { shownIn } from "./shown-values.ts";
import { onOtherVersion, onUnrelated } from "./unrelated.ts";
import { otherValues } from "./update.ts";
import { updateRequest } from "./updating.ts";

/**
 * Updates one field of several resources in turn, without a read between. A faulty service that writes updates later
 * may lose the first one.
 *
 * @returns the ids of the other resources
 */
export async function updateInTurn(call: Call, id: string): Promise<string[]> {
  const { target, operation, version } = call;
  const [field] = rotated(fieldsSentAlone(target.spec, operation), target.settings.seed);
  if (field === undefined || makerOf(target.spec, operation) === undefined) return [];
  const updateWith = async (others: string[]) => {
    const updates: RequestPlan[] = [];
    for (const each of [id, ...others]) {
      const body = await otherValues(call, shownIn(call, each).at(-1) ?? {}, [field]);
      updates.push(updateRequest(operation, each, version, body));
    }
    for (const update of updates) await sendBody(target, update, "update", true);
    return others;
  };
  return onUnrelated(call, async (second) => {
    // A list shows all resources at once, so a third one costs no further read.
    const isListed = readerOf(target.spec, operation)?.kind === "list";
    return isListed ? onOtherVersion(call, (third) => updateWith([second, third])) : updateWith([second]);
  });
}
