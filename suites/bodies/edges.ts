/** Rules: valid bodies are accepted, also with values at limits and allowed null. */

import { sideOf } from "../../history/request-faults/sent-request.ts";
import { notExercised } from "../../history/result.ts";
import type { JsonObject } from "../../spec/json.ts";
import type { Spec } from "../../spec/model/spec.ts";
import { operationsWithBody } from "../../spec/operations.ts";
import { type BodyPart, nameOf, plannedParts } from "../shared/body-parts.ts";
import { historyRule, type RuleTarget, suiteOf } from "../shared/history-rule.ts";
import { optionalFields } from "../shared/update-fields.ts";
import { partMustBeAccepted, soundBodies } from "./accepted-parts.ts";
import { extentSent, partSent, someSent } from "./probes.ts";

const EXTENTS = [
  { detail: "minimal", what: "the required fields alone" },
  { detail: "full", what: "all fields" },
  { detail: "some", what: "some of the optional fields" },
] as const;

const createAccepted = historyRule({
  requirement: "CREATE-ACCEPTED",
  targets: (spec) =>
    operationsWithBody(spec, "create").flatMap((operation) =>
      EXTENTS.filter(({ detail }) => detail !== "some" || optionalFields(spec, operation).length > 1).map(
        (extent) => ({ operation, ...extent }),
      ),
    ),
  title: ({ operation, what }) => `${operation.key} accepts a valid body with ${what}`,
  probes: ({ operation, detail }) => [
    detail === "some" ? someSent(operation) : extentSent(operation, detail),
  ],
  check(history, { operation, detail, what }) {
    const { schemas } = history.spec;
    const { body = {} } = operation;
    const { required = [], properties = {} } = schemas.flatten(body);
    const namesIn = (sent: object) => Object.keys(sent).filter((name) => Object.hasOwn(properties, name));
    const bodies = soundBodies(history, operation);
    const most = Math.max(...bodies.map(({ sent }) => namesIn(sent).length));
    const isFull = (sent: object) => namesIn(sent).length === most;
    // Alternatives may require a field, too: a mail or a phone.
    const isNeeded = (sent: JsonObject, name: string) => {
      const { [name]: _, ...others } = sent;
      return required.includes(name) || schemas.validate(body, others).length > 0;
    };
    const isMinimal = (sent: JsonObject) =>
      required.every((name) => Object.hasOwn(sent, name)) &&
      Object.keys(sent).every((name) => isNeeded(sent, name));
    const accepted = (isIn: (sent: JsonObject) => boolean) =>
      partMustBeAccepted(history, operation, { what: `a valid body with ${what}`, isIn });
    if (detail !== "some") return accepted(detail === "full" ? isFull : isMinimal);
    const others = bodies.filter(
      ({ entry, sent }) => history.isOfRound(entry) && !isFull(sent) && !isMinimal(sent),
    );
    const results = [...new Set(others.map(({ sent }) => fieldSelection(sent)))].map((fields) =>
      accepted((sent) => fieldSelection(sent) === fields),
    );
    const [first] = ["violated", "held"].flatMap((outcome) =>
      results.filter((result) => result.outcome === outcome),
    );
    const nothing = notExercised("no-data", "no body with some of the optional fields was sent");
    return first ?? results[0] ?? nothing;
  },
});

function fieldSelection(sent: JsonObject): string {
  const fields = Object.entries(sent).map(([name, value]) =>
    typeof value === "boolean" ? `${name} ${value}` : name,
  );
  return fields.sort().join();
}

interface PartTarget extends RuleTarget {
  part: BodyPart;
  requirement: string;
}

/** Returns a target for each limit, listed value and allowed null of the bodies. */
function partTargets(spec: Spec): PartTarget[] {
  return operationsWithBody(spec, "create", "update").flatMap((operation) =>
    plannedParts(spec, operation).flatMap((part): PartTarget[] => {
      const { kind, pointer, what } = part;
      const { enum: options, "x-values-from": from } = spec.schemas.at(operation.body, pointer) ?? {};
      const isListed =
        kind === "switch" || (kind === "each value" && options !== undefined && from === undefined);
      const isOfCreate = operation.kind === "create" && isListed;
      if (kind !== "edge" && kind !== "null" && !isOfCreate) return [];
      const requirement = `${sideOf(operation)}-${kind === "null" ? "NULL-ACCEPTED" : "EDGES"}`;
      return [{ operation, part, requirement, detail: `body${pointer} ${what}` }];
    }),
  );
}

const partAccepted = historyRule({
  targets: partTargets,
  title: ({ operation, part }) =>
    `${operation.key} accepts ${part.kind === "null" ? `null for ${part.field}` : nameOf(part)}`,
  probes: ({ operation, part }) => [partSent(operation, part)],
  check: (history, { operation, part }) =>
    partMustBeAccepted(history, operation, {
      what: nameOf(part),
      isIn: part.isIn,
      fieldsIn: () => [part.field],
    }),
});

export const bodyEdges = suiteOf("bodies", createAccepted, partAccepted);
