/** Updates of an unknown id are rejected (sections 4.5, 4.7 and 4.15). */

import { rule, suiteOf } from "../trials/rule.ts";
import { mustRefuseUnknown, UNKNOWN } from "../trials/unknown-updates.ts";
import { updatesOf } from "../trials/updating.ts";

/** A made-up id under every version; the others under one of them. */
const unknownIds = UNKNOWN.map((unknown) =>
  rule({
    requirement: "UPDATE-UNKNOWN",
    over: (spec) => updatesOf(spec).map((at) => ({ ...at, detail: unknown.detail })),
    title: ({ operation, detail }) => `${operation.key} rejects an unknown id (${detail})`,
    versions: unknown === UNKNOWN[0] ? "rotated" : "one",
    cause: "unknown-id",
    run: (call) => mustRefuseUnknown(call, unknown),
  }),
);

export const updateRejections = suiteOf("updates", ...unknownIds);
