/** Updates of unknown ids. */

import fc from "fast-check";
import type { Call } from "../client/call.ts";
import { Untestable } from "../client/check.ts";
import { betweenStories } from "../client/controls.ts";
import { subjectOf } from "../client/subjects.ts";
import type { Target } from "../client/target.ts";
import { awkwardId } from "../generators/text.ts";
import { describeValue } from "../spec/schema.ts";
import { updateRequest } from "./updating.ts";

const LONG_ID = 16;

/** Unknown ids, derived from a known one; if there are several, depth quick uses the one that the seed picks. */
export const UNKNOWN: { detail: string; make: ((known: string, target: Target) => string)[] }[] = [
  { detail: "made up", make: [(_, target) => `conformance-${target.runId}`] },
  { detail: "appended", make: [(known) => `${known}x`] },
  // A short id cut short may be another resource's; a long one is nobody's.
  { detail: "cut short", make: [(known) => (known.length < LONG_ID ? "" : known.slice(0, -1))] },
  {
    detail: "any text",
    make: [
      () => "a".repeat(300),
      (known) => `${known}/x`,
      () => `'"' OR '1'='1`,
      (_, target) => {
        const [text = ""] = fc.sample(awkwardId(), { seed: target.settings.seed, numRuns: 1 });
        return `${text}-${target.runId}`;
      },
    ],
  },
];

export async function mustRefuseUnknown(
  call: Call,
  { detail, make }: (typeof UNKNOWN)[number],
): Promise<void> {
  const { target, operation } = call;
  const { depth, seed } = target.settings;
  await call.control();
  const known = await subjectOf(target, operation, "write");
  const chosen = depth === "full" ? make : make.slice(seed % make.length).slice(0, 1);
  for (const id of chosen.map((each) => each(known, target))) {
    if (id === "") throw new Untestable("no-data", "the id can't be altered safely");
    const answer = await updateUnknown(call, id);
    call.mustReject(answer, `an update of the unknown id ${describeValue(id, 60)}`, `unknown id: ${detail}`);
  }
}

/** A service that mistakes the id for the known one changes that resource, so the lock is needed. */
function updateUnknown(call: Call, id: string) {
  const { target, operation, version } = call;
  return betweenStories(target, operation, async () => {
    const body = await call.body();
    return target.send(updateRequest(operation, id, version, body), { role: "probe" });
  });
}
