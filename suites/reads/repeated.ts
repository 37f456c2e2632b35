/** Reading changes nothing (sections 4.4 to 4.13). */

import { operationsOf, rule, suiteOf } from "../shared/rule.ts";
import { mustReadTheSame } from "./repeated-reads.ts";

const stable = rule({
  requirement: "READ-STABLE",
  over: (spec) => operationsOf(spec, "read", "list").map((operation) => ({ operation })),
  title: ({ operation }) =>
    `${operation.key} shows the same when read again${operation.sameRecord ? ", and so does the list" : ""}`,
  stage: "repeat",
  versions: "closely",
  // A service in which only reads under another version change something does so at all operations of a kind.
  group: ({ operation }) => `${operation.kind}${operation.space ? " in a space" : ""} under another version`,
  run: mustReadTheSame,
});

export const readsAgain = suiteOf("reads", stable);
