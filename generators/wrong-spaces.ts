/** Space headers that break one rule (section 5), made from a valid space. */

import type { Parameter, Schema } from "../spec/model/spec.ts";
import { patternOf } from "./pattern-texts.ts";
import { type RequestPlan, withHeaders } from "./request.ts";

export interface SpaceFault {
  requirement: string;
  detail: string;
  number?: number;
  title: string;
  value(space: string, header: Parameter): string | null;
  applies(header: Parameter): boolean;
}

const prefixOf = ({ schema }: Parameter) => literalPrefix(schema.pattern);
const isRequired = ({ required }: Parameter) => required;
const hasPrefix = (header: Parameter) => prefixOf(header) !== "";

const SPACE_FAULTS: readonly SpaceFault[] = [
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
    // A valid twin would need a space with the longest id.
    title: "with a space id one character over the limit",
    value: (space, { schema }) => overLong(space, schema),
    applies: ({ schema }) => schema.maxLength !== undefined,
  },
];

/** Returns the faults that the space header can have. */
export function spaceFaultsOf(header: Parameter): SpaceFault[] {
  return SPACE_FAULTS.filter(({ applies }) => applies(header));
}

function overLong(space: string, schema: Schema): string {
  const length = (schema.maxLength ?? 0) + 1;
  const made = ["x", space.at(-1) ?? "x", "0", "a", "A"].map((end) =>
    space.padEnd(length, end).slice(0, length),
  );
  return made.find((text) => !isForbiddenSpace(schema, text)) ?? made[0] ?? space;
}

/** Returns the request with the fault in its space, or `undefined` if the user's space can't have it. */
export function withSpaceFault(
  plan: RequestPlan,
  space: string,
  header: Parameter,
  fault: SpaceFault,
): RequestPlan | undefined {
  const value = fault.value(space, header);
  const keeps = value !== null && value !== "" && !isForbiddenSpace(header.schema, value);
  if (keeps && fault.requirement === "SPACE-PATTERN") return undefined;
  return withHeaders(plan, { [header.name]: value });
}

/** Returns the letters with which each text of the pattern begins, such as `spc-`. */
export function literalPrefix(pattern = ""): string {
  const [, text = ""] =
    /^\^((?:[\w-](?![?*+{])|[\w-](?=\+))*)/.exec(pattern.includes("|") ? "" : pattern) ?? [];
  return text;
}

export function isForbiddenSpace(schema: Schema, text: string): boolean {
  return schema.pattern !== undefined && !patternOf(schema.pattern).test(text);
}
