/** An operation that answers every call with 404 or 405 is not implemented. */

import { OFFERS_ABSENT } from "../../spec/offers.ts";
import { operationsOf, rule, suiteOf } from "../shared/rule.ts";
import { mustBeAbsent, mustExist } from "./existence.ts";

const exists = rule({
  requirement: "VERSION-ACCEPTED",
  over: (spec) =>
    operationsOf(spec, "list", "read", "create", "update").map((operation) => ({
      operation,
      detail: "exists",
    })),
  title: ({ operation }) => `${operation.key} is implemented`,
  // At the end most operations have accepted a call, so that nothing more is sent.
  stage: "finish",
  run: (call) => mustExist(call),
});

const absent = rule({
  requirement: OFFERS_ABSENT,
  over: ({ operations, notOffered = [] }) =>
    operations.filter(({ key }) => notOffered.includes(key)).map((operation) => ({ operation })),
  title: ({ operation }) => `${operation.key} is absent, since the service does not offer it`,
  run: (call) => mustBeAbsent(call),
});

export const existenceChecks = suiteOf("versions", exists, absent);
