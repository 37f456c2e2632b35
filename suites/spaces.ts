/** The space header (section 5): due where a call acts on a space, of the documented form and length, and not elsewhere. */

import { Untestable } from "../client/check.ts";
import { withSpace } from "../client/samples.ts";
import { isForbiddenSpace, literalPrefix, unknownSpace } from "../client/spaces.ts";
import { isRejected } from "../client/target.ts";
import { mustServe } from "../client/verdicts.ts";
import { withHeaders } from "../generators/request.ts";
import type { Operation, Parameter, Schema, Spec } from "../spec/model/spec.ts";
import { answerInUnknownSpace } from "../trials/elsewhere.ts";
import { type Place, rejects, rule, shareOf, suiteOf } from "../trials/rule.ts";

interface SpacePlace extends Place {
  space: Parameter;
  probe: SpaceProbe;
}

interface SpaceProbe {
  requirement: string;
  detail: string;
  /** Of the probes of the pattern: which one it is. They share the versions out among themselves. */
  number?: number;
  title: string;
  /** What is sent for the user's space; null leaves the header out. */
  value(space: string, header: Parameter): string | null;
  /** Whether the header has the rule that this breaks. */
  applies(header: Parameter): boolean;
}

const prefixOf = ({ schema }: Parameter) => literalPrefix(schema.pattern);
const isRequired = ({ required }: Parameter) => required;
const hasPrefix = (header: Parameter) => prefixOf(header) !== "";

const PROBES: SpaceProbe[] = [
  {
    requirement: "SPACE-MISSING",
    detail: "no header",
    title: "without the space header",
    value: () => null,
    applies: isRequired,
  },
  {
    requirement: "SPACE-MISSING",
    detail: "empty header",
    title: "with an empty space header",
    value: () => "",
    applies: isRequired,
  },
  {
    requirement: "SPACE-PATTERN",
    detail: "without prefix",
    number: 0,
    title: "with the space id without its prefix",
    value: (space, header) => space.slice(prefixOf(header).length) || "space",
    applies: hasPrefix,
  },
  {
    requirement: "SPACE-PATTERN",
    detail: "prefix in capitals",
    number: 1,
    title: "with the prefix in capitals",
    value: (space, header) => `${prefixOf(header).toUpperCase()}${space.slice(prefixOf(header).length)}`,
    applies: (header) => prefixOf(header) !== prefixOf(header).toUpperCase(),
  },
  {
    requirement: "SPACE-PATTERN",
    detail: "text before prefix",
    number: 2,
    title: "with a character before the prefix",
    value: (space) => `x${space}`,
    applies: ({ schema }) => schema.pattern !== undefined,
  },
  {
    requirement: "SPACE-LENGTH",
    detail: "maxLength",
    // Its valid neighbour would be an existing space with an id of the very length, which nobody can ask for.
    title: "with a space id one character over the limit (there is no valid neighbour to compare with)",
    value: (space, { schema }) => overLong(space, schema),
    applies: ({ schema }) => schema.maxLength !== undefined,
  },
];

/** A space's id made too long by one character, where that can be so that it keeps the pattern. */
function overLong(space: string, schema: Schema): string {
  const length = (schema.maxLength ?? 0) + 1;
  const made = ["x", space.at(-1) ?? "x", "0", "a", "A"].map((end) =>
    space.padEnd(length, end).slice(0, length),
  );
  return made.find((text) => !isForbiddenSpace(schema, text)) ?? made[0] ?? space;
}

const PATTERN_PROBES = PROBES.filter(({ number }) => number !== undefined).length;

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

export const spaceChecks = suiteOf(
  "access",
  rejects<SpacePlace>({
    requirement: ({ probe }) => probe.requirement,
    over: (spec) =>
      inASpace(spec).flatMap((operation) =>
        PROBES.filter((probe) => probe.applies(operation.space)).map((probe) => ({
          operation,
          space: operation.space,
          probe,
          detail: probe.detail,
        })),
      ),
    title: ({ operation, probe }) => `${operation.key} ${probe.title} is rejected`,
    versions: "rotated",
    under: ({ probe: { number } }, index, versions) =>
      number === undefined || shareOf(number, PATTERN_PROBES, index, versions),
    // Without a space a service falls back on one of its own at single operations: that is asked of each.
    group: ({ operation, probe }) => (probe.requirement === "SPACE-MISSING" ? undefined : operation.key),
    draw: "space",
    cause: ({ probe }) => (probe.requirement === "SPACE-MISSING" ? "missing-space" : "invalid-space"),
    change(plan, { space, probe }, { target }) {
      const value = probe.value(target.settings.space, space);
      const keeps = value !== null && value !== "" && !isForbiddenSpace(space.schema, value);
      if (keeps && probe.requirement === "SPACE-PATTERN")
        throw new Untestable("no-data", `${value} keeps the pattern`);
      return withHeaders(plan, { [space.name]: value });
    },
    what: ({ operation, probe }) => `${operation.key} ${probe.title}`,
  }),
  rule({
    requirement: "SPACE-LONG-UNKNOWN",
    over: (spec) =>
      inASpace(spec)
        .filter(({ method }) => method === "GET")
        .filter(({ space }) => (space.schema.maxLength ?? 0) > shortestLimit(spec))
        .map((operation) => ({ operation })),
    title: ({ operation }) =>
      `whether ${operation.key} treats a long space id that names no space as it treats a short one`,
    versions: "rotated",
    draw: "space",
    async run(call) {
      const { target, operation } = call;
      const { space } = operation;
      if (!space) return;
      const short = await answerInUnknownSpace(call);
      const long = unknownSpace(target, space.schema).padEnd(space.schema.maxLength ?? 0, "x");
      const answer = await call.send(withHeaders(await call.fresh(), { [space.name]: long }));
      target.note({
        requirement: "SPACE-LONG-UNKNOWN",
        operation: operation.key,
        practice: "longUnknownSpace",
        tried: `${long.length} characters`,
        answer: { statuses: [answer.status, short.status] },
      });
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
    draw: "space",
    async run(call) {
      const plan = await call.valid();
      const answer = await call.ask(plan);
      if (isRejected(answer) && isRejected(await call.send(withSpace(call.target, plan)))) {
        throw new Untestable("control-rejected", `it is answered ${answer.status} with a space header too`, [
          answer.exchange,
        ]);
      }
      mustServe(call.target, answer, `${call.operation.key} without a space header`);
    },
  }),
);
