/** Operations that are there at all: one that answers every call with 404 or 405 is not implemented. */

import { mustExist } from "../trials/existence.ts";
import { operationsOf, rule, suiteOf } from "../trials/rule.ts";

const exists = rule({
  requirement: "VERSION-ACCEPTED",
  over: (spec) =>
    operationsOf(spec, "list", "read", "create", "update").map((operation) => ({
      operation,
      detail: "exists",
    })),
  title: ({ operation }) => `${operation.key} is implemented`,
  // By then most operations have accepted a call, and nothing more is sent.
  stage: "finish",
  run: (call) => mustExist(call),
});

export const existenceChecks = suiteOf("versions", exists);
