/** Updates at the same moment, of different fields of one resource. */

import type { Call } from "../client/call.ts";
import { Untestable } from "../client/check.ts";
import { sendBody } from "../client/subjects.ts";
import { isAccepted, SIMULTANEOUS } from "../client/target.ts";
import { echoFaults } from "./echo.ts";
import { readerOf } from "./read-back.ts";
import { onSubject, readSettled } from "./settled-reads.ts";
import { otherValues } from "./update.ts";
import { pick, throwDifferences, updateRequest } from "./updating.ts";

/** How often two updates are sent at the same moment: one that is lost is lost now and then. */
const ROUNDS = 2;

/** Throws a Violation where one of two updates that were accepted is lost, and Untestable where they never are both. */
export async function mustBothLast(call: Call, fields: string[]): Promise<void> {
  const { target, operation, version } = call;
  await call.control();
  await onSubject(call, async (id) => {
    let lasting = 0;
    for (let round = 0; round < ROUNDS; round++) {
      const both = await otherValues(call, {}, fields);
      const names = [fields[round % fields.length] ?? "", fields[(round + 1) % fields.length] ?? ""];
      const answers = await Promise.all(
        names.map((name) => {
          const others = new Set(fields.filter((other) => other !== name));
          const body = Object.fromEntries(Object.entries(both).filter(([key]) => !others.has(key)));
          return sendBody(target, updateRequest(operation, id, version, body), SIMULTANEOUS);
        }),
      );
      // One of the two may be told to come again.
      if (!answers.every(isAccepted)) continue;
      lasting++;
      const sent = pick(both, new Set(names));
      const seen = await readSettled(call, id, sent);
      const faults = await echoFaults(
        target,
        operation,
        sent,
        seen.resource,
        readerOf(target.spec, operation),
      );
      throwDifferences(faults, [...answers, seen], "in the next read: ");
    }
    if (lasting === 0) throw new Untestable("declined", "of two updates at the same moment one is rejected");
  });
}
