/** The space header (section 5): due where a call acts on a space, of the documented form and length, and not elsewhere. */

import type { Call } from "../client/call.ts";
import { Untestable } from "../client/check.ts";
import { unknownSpace } from "../client/spaces.ts";
import { isRejected } from "../client/target.ts";
import { type RequestPlan, withHeaders } from "../generators/request.ts";
import type { Operation, Parameter, Spec } from "../spec/model/spec.ts";
import { answerInUnknownSpace, REFUSED_UPDATES, refusedTogether } from "../trials/refused-updates.ts";
import { type Place, type Rule, rule, shareOf, suiteOf } from "../trials/rule.ts";
import { PATTERN_PROBES, SPACE_PROBES, type SpaceProbe, withProbe } from "../trials/wrong-spaces.ts";

interface SpacePlace extends Place {
  space: Parameter;
  probe: SpaceProbe;
}

/** Shown operations that act on a space. */
function inASpace(spec: Spec): (Operation & { space: Parameter })[] {
  return spec.operations.filter(
    (operation): operation is Operation & { space: Parameter } =>
      operation.space !== undefined && operation.response !== undefined,
  );
}

/** The shortest limit that any operation has for the id of a space. */
function shortestLimit(spec: Spec): number {
  const limits = inASpace(spec).map(({ space }) => space.schema.maxLength ?? Number.POSITIVE_INFINITY);
  return Math.min(Number.POSITIVE_INFINITY, ...limits);
}

function places(spec: Spec) {
  return inASpace(spec).flatMap((operation) =>
    SPACE_PROBES.filter((probe) => probe.applies(operation.space)).map((probe) => ({
      operation,
      space: operation.space,
      probe,
      detail: probe.detail,
    })),
  );
}

const probed = {
  requirement: ({ probe }) => probe.requirement,
  title: ({ operation, probe }) => `${operation.key} ${probe.title} is rejected`,
  versions: "rotated",
  draw: REFUSED_UPDATES,
  cause: ({ probe }) => (probe.requirement === "SPACE-MISSING" ? "missing-space" : "invalid-space"),
  async run(call, { operation, space, probe }) {
    await call.control();
    const what = `${operation.key} ${probe.title}`;
    const answer =
      (await refusedTogether(call, probe.title)) ?? (await call.send(await probeOf(call, space, probe)));
    call.mustReject(answer, what);
  },
} as const satisfies Partial<Rule<SpacePlace>>;

async function probeOf(call: Call, space: Parameter, probe: SpaceProbe): Promise<RequestPlan> {
  const plan = withProbe(call.target, await call.fresh(), space, probe);
  if (!plan) throw new Untestable("no-data", "it keeps the pattern");
  return plan;
}

export const spaceChecks = suiteOf(
  "access",
  rule({
    ...probed,
    over: (spec) => places(spec).filter(({ operation }) => operation.kind !== "update"),
    under: ({ probe: { number } }, index, versions) =>
      number === undefined || shareOf(number, PATTERN_PROBES, index, versions),
    // Whoever looks for the prefix at all may look anywhere, or in any case.
    group: ({ operation, probe: { requirement, number } }) =>
      requirement === "SPACE-PATTERN" && number !== 0 ? `${operation.key} prefix` : undefined,
  }),
  // Each of them is sent to an update anyway, to see that it changes nothing.
  rule({
    ...probed,
    over: (spec) => places(spec).filter(({ operation }) => operation.kind === "update"),
  }),
  rule({
    requirement: "SPACE-LONG-UNKNOWN",
    over: (spec) =>
      inASpace(spec)
        .filter(({ method }) => method === "GET")
        .filter(({ space }) => (space.schema.maxLength ?? 0) > shortestLimit(spec))
        .map((operation) => ({ operation })),
    title: ({ operation }) => `whether ${operation.key} treats a long unknown space id like a short one`,
    versions: "rotated",
    group: () => "a read in a space",
    draw: REFUSED_UPDATES,
    async run(call) {
      const { target, operation } = call;
      const { space } = operation;
      if (!space) return;
      const short = await answerInUnknownSpace(call);
      const long = unknownSpace(target, space.schema).padEnd(space.schema.maxLength ?? 0, "x");
      const answer = await call.send(withHeaders(await call.fresh(), { [space.name]: long }));
      call.note(
        "SPACE-LONG-UNKNOWN",
        "longUnknownSpace",
        { statuses: [answer.status, short.status] },
        { tried: `${long.length} characters` },
      );
    },
  }),
  rule({
    requirement: "REFERENCE-WITHOUT-SPACE",
    over: (spec) =>
      spec.operations
        .filter(({ space, response, method }) => !space && response && method === "GET")
        // Where there are no spaces, nothing is left out.
        .filter(() => spec.operations.some(({ space }) => space))
        .map((operation) => ({ operation })),
    title: ({ operation }) => `${operation.key} answers without a space header`,
    versions: "rotated",
    draw: REFUSED_UPDATES,
    async run(call) {
      const plan = await call.valid();
      const answer = await call.ask(plan);
      if (isRejected(answer) && isRejected(await call.send(call.withSpace(plan)))) {
        throw new Untestable("control-rejected", `it is answered ${answer.status} with a space header too`, [
          answer,
        ]);
      }
      call.mustServe(answer, `${call.operation.key} without a space header`);
    },
  }),
);
