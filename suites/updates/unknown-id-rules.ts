import { faultyRequests } from "../../history/answers/rejections.ts";
import { type Entry, pathId } from "../../history/entry.ts";
import { describeValue } from "../../spec/schema.ts";
import { suiteOf } from "../shared/history-rule.ts";
import { rejectionRule } from "../shared/rejection-rule.ts";
import { updatesOf } from "../shared/update-fields.ts";
import { UNKNOWN_IDS, unknownIds } from "./unknown-ids.ts";

const rejected = rejectionRule({
  requirement: "UPDATE-UNKNOWN",
  cause: "unknown-id",
  targets: updatesOf,
  title: ({ operation }) => `${operation.key} rejects ids that name nothing`,
  probes: ({ operation }) => [unknownIds(operation)],
  requests(history, { operation }) {
    const [own = null] = history.head.spaces;
    // Services may reject updates in other spaces because of the space.
    const isMeant = ({ space }: Entry) => space === own || !operation.space;
    return faultyRequests(history, operation, ["UPDATE-UNKNOWN"], isMeant);
  },
  describe: (entry) => `an update of the unknown id ${describeValue(pathId(entry), 60)}`,
  tried: () => "unknown id",
  formerDetails: () => Object.keys(UNKNOWN_IDS),
});

export const unknownIdRules = suiteOf("updates", rejected);
