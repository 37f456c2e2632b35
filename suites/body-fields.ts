/** Rules of body fields (sections 4 and 8): each single fault is rejected, for creates and updates alike. */

import { isOptionalNull, judged, probed, type RulePlace, rulePlaces } from "../trials/broken-bodies.ts";
import { rule, suiteOf } from "../trials/rule.ts";

const written = { versions: "rotated" } as const;

export const facts = {
  ...written,
  title: ({ operation, pointer, constraint }: RulePlace) =>
    `${operation.key} rejects a body whose ${pointer.slice(1)} breaks ${constraint}`,
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
