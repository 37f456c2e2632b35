/** Updates of different fields of one resource at the same time. */

import type { Call } from "../../client/call.ts";
import { sendBody } from "../../client/subjects.ts";
import { isAccepted, SIMULTANEOUS } from "../../client/target.ts";
import { onSubject, readSettled } from "../../trials/settled-reads.ts";
import { otherValues, switchesOf } from "../../trials/update.ts";
import { pick, updateRequest } from "../../trials/updating.ts";
import { optionalFields } from "./fields.ts";

/** Sends three updates at the same time, and reads the resource. A PUT replaces what the other sent, so it is not sent. */
export async function sendConcurrently(call: Call): Promise<void> {
  const { target, operation, version } = call;
  const switches = new Set(switchesOf(target.spec, operation.body ?? {}));
  const fields = optionalFields(target.spec, operation).filter((name) => !switches.has(name));
  if (operation.method === "PUT" || fields.length < 2) return;
  await onSubject(call, async (id) => {
    const values = await otherValues(call, {}, fields);
    const first = Math.abs(target.settings.seed);
    const names = [...new Set([0, 1, 2].map((turn) => fields[(first + turn) % fields.length] ?? ""))];
    const answers = await Promise.all(
      names.map((name) => {
        const others = new Set(fields.filter((other) => other !== name));
        const body = Object.fromEntries(Object.entries(values).filter(([key]) => !others.has(key)));
        return sendBody(target, updateRequest(operation, id, version, body), SIMULTANEOUS);
      }),
    );
    const accepted = names.filter((_, index) => answers[index] && isAccepted(answers[index]));
    await readSettled(call, id, pick(values, new Set(accepted)));
  });
}
