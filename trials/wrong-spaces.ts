/** What is sent for the space header (section 5) instead of a space: nothing, or what breaks its form or its length. */

import { isForbiddenSpace, literalPrefix } from "../client/spaces.ts";
import type { Target } from "../client/target.ts";
import { type RequestPlan, withHeaders } from "../generators/request.ts";
import type { Parameter, Schema } from "../spec/model/spec.ts";

/** A way of not naming a space. */
export interface SpaceProbe {
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

export const SPACE_PROBES: SpaceProbe[] = [
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
    title: "with a space id one character over the limit (no valid twin exists)",
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

export const PATTERN_PROBES = SPACE_PROBES.filter(({ number }) => number !== undefined).length;

/** A request that a probe makes of a valid one; undefined where what it makes of the user's space keeps the rules. */
export function withProbe(
  target: Target,
  plan: RequestPlan,
  space: Parameter,
  probe: SpaceProbe,
): RequestPlan | undefined {
  const value = probe.value(target.settings.space, space);
  const keeps = value !== null && value !== "" && !isForbiddenSpace(space.schema, value);
  if (keeps && probe.requirement === "SPACE-PATTERN") return undefined;
  return withHeaders(plan, { [space.name]: value });
}
