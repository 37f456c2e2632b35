/** Rules: valid bodies are accepted, also with values at each limit and with allowed null. */

import { sideOf } from "../../history/request-faults/asked.ts";
import type { Operation, Spec } from "../../spec/model/spec.ts";
import { nameOf, type Part, partsOf } from "../shared/body-parts.ts";
import { planningSource } from "../shared/creation.ts";
import { historyRule, type RuleTarget } from "../shared/history-rule.ts";
import { operationsWithBody, suiteOf } from "../shared/suite.ts";
import { partMustBeAccepted, soundBodies } from "./accepted-parts.ts";
import { extentSent, partSent } from "./part-probes.ts";

const EXTENTS = [
  { detail: "minimal", what: "the required fields alone" },
  { detail: "full", what: "all fields" },
] as const;

const createAccepted = historyRule({
  requirement: "CREATE-ACCEPTED",
  targets: (spec) =>
    operationsWithBody(spec, "create").flatMap((operation) =>
      EXTENTS.map((extent) => ({ operation, parts: allParts(spec, operation), ...extent })),
    ),
  title: ({ operation, what }) => `${operation.key} accepts a valid body with ${what}`,
  probes: ({ operation, detail }) => [extentSent(operation, detail)],
  writes: true,
  check(history, { operation, parts, detail }) {
    const { required = [], properties = {} } = history.spec.schemas.flatten(operation.body ?? {});
    const namesIn = (sent: object) => Object.keys(sent).filter((name) => Object.hasOwn(properties, name));
    const most = Math.max(...soundBodies(history, operation).map(({ sent }) => namesIn(sent).length));
    const isMinimal = (sent: object) =>
      Object.keys(sent).length === required.length && required.every((name) => Object.hasOwn(sent, name));
    const isIn = (sent: object) => (detail === "full" ? namesIn(sent).length === most : isMinimal(sent));
    return partMustBeAccepted(history, operation, { what: `a valid body (${detail})`, isIn }, parts);
  },
});

interface PartTarget extends RuleTarget {
  part: Part;
  parts: Part[];
  requirement: string;
}

function allParts(spec: Spec, operation: Operation): Part[] {
  return partsOf(spec, operation, planningSource(spec));
}

function partTargets(spec: Spec): PartTarget[] {
  return operationsWithBody(spec, "create", "update").flatMap((operation) => {
    const parts = allParts(spec, operation);
    return parts.flatMap((part): PartTarget[] => {
      const { kind, pointer, what } = part;
      const isListed = isListedValue(part, operation, spec);
      if (kind !== "edge" && kind !== "null" && !isListed) return [];
      const requirement = `${sideOf(operation)}-${kind === "null" ? "NULL-ACCEPTED" : "EDGES"}`;
      return [{ operation, part, parts, requirement, detail: `body${pointer} ${what}` }];
    });
  });
}

function isListedValue({ kind, pointer }: Part, { kind: side, body = {} }: Operation, spec: Spec): boolean {
  if (side !== "create") return false;
  const { enum: options, "x-values-from": from } = spec.schemas.at(body, pointer) ?? {};
  return kind === "switch" || (kind === "each value" && options !== undefined && from === undefined);
}

const partAccepted = historyRule<PartTarget>({
  targets: partTargets,
  title: ({ operation, part }) =>
    `${operation.key} accepts ${part.kind === "null" ? `null for ${part.field}` : nameOf(part)}`,
  probes: ({ operation, part }) => [partSent(operation, part)],
  writes: true,
  check: (history, { operation, part, parts }) =>
    partMustBeAccepted(
      history,
      operation,
      { what: nameOf(part), isIn: part.isIn, fieldsIn: () => [part.field] },
      parts,
    ),
});

export const bodyEdges = suiteOf("bodies", createAccepted, partAccepted);
