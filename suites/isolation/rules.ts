/** Rules: no read shows a resource of another space, whichever token is sent (section 5). */

import { createAt, isUndocumented, operationsOf } from "../../spec/operations.ts";
import { historyRule, suiteOf } from "../shared/history-rule.ts";
import { inBothSpacesAtOnce, listsInBothSpaces, readsFrom } from "./probes.ts";
import { type OtherSpace, SPACE_NAMES, shownInOneSpace } from "./shown-in-spaces.ts";

/** Returns the rule that reads in another space show nothing of the first one. */
function spaceRule(where: OtherSpace, requirements: { list: string; read: string }) {
  return historyRule({
    targets: (spec) =>
      operationsOf(spec, "list", "read")
        .filter(({ space, response }) => space && response)
        .map((operation) => ({
          operation,
          requirement: requirements[operation.kind === "list" ? "list" : "read"],
        })),
    title: ({ operation }) => `${operation.key} in ${SPACE_NAMES[where]} shows nothing of the first`,
    probes: ({ operation }) => [
      readsFrom(where, operation),
      ...(where === "second" && operation.kind === "read" ? [inBothSpacesAtOnce(operation)] : []),
    ],
    formerDetails: ({ operation: { list } }) => [
      "in the whole run",
      "every page",
      "the reverse",
      "cursor of the first space",
      "by cursor or filter",
      ...(list?.before ? [`${list.before.name} an item of the first space`] : []),
      ...(list?.filters ?? []).map((filter) => `filter ${filter.name}`),
    ],
    check: (history, { operation }) => shownInOneSpace(history, operation, where),
  });
}

const inSecond = spaceRule("second", { list: "ISOLATION-LISTS", read: "ISOLATION-READS" });
const inUnknown = spaceRule("unknown", { list: "ISOLATION-UNKNOWN-SPACE", read: "ISOLATION-UNKNOWN-SPACE" });

const undocumentedLists = historyRule({
  requirement: "ISOLATION-LISTS",
  formerSuite: "named-only",
  targets: (spec) =>
    spec.operations.flatMap((operation) => {
      const create = createAt(spec, operation);
      return isUndocumented(operation) && operation.method === "GET" && create?.space
        ? [{ operation, create }]
        : [];
    }),
  title: ({ operation, create }) =>
    `${operation.key} in the second space shows nothing that ${create.key} made in the first`,
  probes: ({ operation, create }) => [listsInBothSpaces(create, operation)],
  writes: true,
  check: (history, { operation }) => shownInOneSpace(history, operation, "second"),
});

export const isolationRules = suiteOf("isolation", inSecond, inUnknown, undocumentedLists);
