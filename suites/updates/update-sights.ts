/** The places that must show an update: its answer and the next read. */

import { Untestable } from "../../client/check.ts";
import type { Operation } from "../../spec/model/spec.ts";
import type { Step } from "./update.ts";

export interface Sight {
  requirement: string;
  shower(operation: Operation): string;
  /** The differences between the sent and the shown values of a step. @throws Untestable if nothing shows them */
  faults(step: Step, operation: Operation): NonNullable<Step["unshown"]>;
  where: string;
}

export const SIGHTS: Sight[] = [
  {
    requirement: "UPDATE-ECHO",
    shower: ({ key }) => `the answer to ${key}`,
    where: "",
    faults({ unshown, answer }) {
      if (!unshown) throw new Untestable("no-data", "the answer shows no resource", [answer]);
      return unshown;
    },
  },
  {
    requirement: "UPDATE-STORED",
    shower: ({ key }) => `the next read after ${key}`,
    where: "in the next read: ",
    faults({ unstored, unread }, { key }) {
      if (!unstored) throw unread ?? new Untestable("not-shown", `nothing shows again what ${key} changed`);
      return unstored;
    },
  },
];
