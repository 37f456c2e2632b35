/** References lead to existing resources: the codes that a resource shows are in lists (section 2.6). */

import { Untestable, Violation } from "../client/check.ts";
import { isAccepted } from "../client/target.ts";
import { requestTo } from "../generators/request.ts";
import type { Spec } from "../spec/model/spec.ts";
import { describeValue } from "../spec/schema.ts";
import { operationsOf, rule, suiteOf } from "../trials/rule.ts";
import { knownValues, type Referring, readersOf, shownReferences } from "../trials/shown-references.ts";

/** Most values outside of all lists that are read one by one. */
const MOST_READ = 3;

function referring(spec: Spec): Referring[] {
  return operationsOf(spec, "list", "read").flatMap((operation) => {
    const fields = spec.schemas.fields(operation.resource);
    const stated = fields.flatMap(([, field]) => field["x-references"] ?? []);
    return [...new Set(stated)].flatMap(({ requirement, lists, fields }) =>
      requirement === undefined ? [] : [{ operation, requirement, lists, fields }],
    );
  });
}

/** A reference is found in a list, or at least by itself. */
export const references = suiteOf(
  "reads",
  rule({
    over: referring,
    title: ({ operation }) => `the references that ${operation.key} shows exist`,
    async run(call, at) {
      const shown = await shownReferences(call, at.requirement);
      const known = await knownValues(call, at);
      if (shown.length === 0 || known.size === 0)
        throw new Untestable("no-data", "nothing is referred to, or nothing is known that could be");
      const readers = readersOf(call.target.spec, at.lists);
      for (const { value, shownBy } of shown.filter((one) => !known.has(one.value)).slice(0, MOST_READ)) {
        const reads = await Promise.all(
          readers.map((reader) => {
            const door = call.to(reader);
            return call.target.send({ ...requestTo(reader, door.version), path: value });
          }),
        );
        if (reads.some(isAccepted)) continue;
        throw new Violation(
          `${describeValue(value, 60)} to be the ${at.fields.join(" or ")} of something that is there`,
          "no list shows it, and no read finds it",
          [shownBy, ...reads],
        );
      }
    },
  }),
);
