import fc from "fast-check";
import { Call } from "../../client/call.ts";
import { resourceIdFor } from "../../client/resources.ts";
import { underVersions } from "../../client/side-by-side.ts";
import type { Probe, Target } from "../../client/target.ts";
import { sendsAll } from "../../client/version-choice.ts";
import { withBody } from "../../generators/request.ts";
import { awkwardId } from "../../generators/text.ts";
import type { Operation } from "../../spec/model/spec.ts";

/** If a shorter id is cut, it could name another resource. */
const LONG_ID = 16;

export const UNKNOWN_IDS: Record<string, (known: string, target: Target) => string[]> = {
  "made up": (_, { runId }) => [`conformance-${runId}`],
  appended: (known) => [`${known}x`],
  "cut short": (known) => (known.length < LONG_ID ? [] : [known.slice(0, -1)]),
  "any text": (known, target) => {
    const { seed } = target.settings;
    const awkward = fc.sample(awkwardId(), { seed, numRuns: 1 }).map((text) => `${text}-${target.runId}`);
    const texts = ["a".repeat(300), `${known}/x`, `'"' OR '1'='1`, ...awkward];
    return sendsAll(target) ? texts : texts.slice(seed % texts.length).slice(0, 1);
  },
};

/** Updates resources that do not exist, under ids made from a known one. */
export function unknownIds(operation: Operation): Probe {
  const id = `unknown ids ${operation.id}`;
  return {
    id,
    stage: "write",
    async run(target) {
      const known = await resourceIdFor(target, operation, "write");
      const ids = Object.values(UNKNOWN_IDS).flatMap((make) => make(known, target));
      await underVersions(target, operation, id, ids, async (unknown, version) => {
        const call = new Call(target, operation, version);
        await call.control();
        await call.send(withBody(call.requestAt(unknown), await call.body()));
      });
    },
  };
}
