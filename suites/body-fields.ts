/** Rules of body fields (sections 4 and 8): each single fault is rejected, for creates and updates alike. */

import { isOptionalNull, judged, probed, type RulePlace, rulePlaces } from "../trials/broken-bodies.ts";
import { rule, suiteOf } from "../trials/rule.ts";

const written = { versions: "rotated" } as const;

export const facts = {
  ...written,
  title: ({ operation, pointer, constraint }: RulePlace) =>
    constraint === "required"
      ? `${operation.key} rejects a body without ${pointer.slice(1)}`
      : constraint === "null"
        ? `${operation.key} rejects a body with null for ${pointer.slice(1)}`
        : `${operation.key} rejects a body with an invalid ${pointer.slice(1)} (${constraint})`,
  cause: "invalid-body",
  notes: "brokenField",
} as const;

const rejected = rule({
  ...facts,
  over: (spec) => rulePlaces(spec).filter((at) => !isOptionalNull(spec, at)),
  async run(call, at) {
    for (const { what, answer } of await probed(call, at)) judged(call, at, what, answer);
  },
});

export const bodyFields = suiteOf("bodies", rejected);
