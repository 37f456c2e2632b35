/** Updates that are rejected (sections 3, 4.5, 4.7 and 4.15) change nothing; those of an unknown id are rejected. */

import { mustChangeNothing } from "../trials/refusals.ts";
import { REFUSED_UPDATES, refusedUpdates } from "../trials/refused-updates.ts";
import { judges, rule, suiteOf } from "../trials/rule.ts";
import { mustRefuseUnknown, UNKNOWN } from "../trials/unknown-updates.ts";
import { updatesOf } from "../trials/updating.ts";

/** Rejected for a body or a header, and for want of a known token: one batch is looked at by both rules. */
const EFFECTS = [
  {
    requirement: "UPDATE-NO-EFFECT",
    kind: "fault",
    title: (key: string) => `a rejected ${key} changes nothing`,
  },
  {
    requirement: "AUTH-NO-EFFECT",
    kind: "token",
    title: (key: string) => `${key} without authentication changes nothing`,
  },
];

const noEffects = EFFECTS.map(({ requirement, kind, title }) =>
  judges({
    requirement,
    over: updatesOf,
    title: ({ operation }) => title(operation.key),
    versions: "one",
    draw: REFUSED_UPDATES,
    story: refusedUpdates,
    look: (story) => mustChangeNothing(story, kind),
  }),
);

/** An id that is made up under every version; the others under one of them. */
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

export const updateRejections = suiteOf("updates", ...noEffects, ...unknownIds);
