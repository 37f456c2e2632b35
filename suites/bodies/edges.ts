/** Valid bodies are accepted, at every inside edge and with null if null is allowed. */

import { sideOf } from "../../history/request-faults/asked.ts";
import type { Operation, Spec } from "../../spec/model/spec.ts";
import { nameOf, type Part, partsOf } from "../shared/body-parts.ts";
import { fullCreation, minimalCreation, mustHaveMade, planningSupply } from "../shared/creation.ts";
import { operationsWithBody, type Place, rule, suiteOf } from "../shared/rule.ts";
import { mustBeTakenAsSent, plainOrPlainest } from "./taken-parts.ts";

const EXTENTS = [
  { detail: "minimal", what: "the required fields alone", made: minimalCreation },
  { detail: "full", what: "all fields", made: fullCreation },
];

const createAccepted = rule({
  requirement: "CREATE-ACCEPTED",
  over: (spec) =>
    operationsWithBody(spec, "create").flatMap((operation) =>
      EXTENTS.map((extent) => ({ operation, ...extent })),
    ),
  title: ({ operation, what }) => `${operation.key} accepts a valid body with ${what}`,
  versions: "rotated",
  async run(call, { made, detail }) {
    const { target } = call;
    await call.versionAccepted();
    const creation = await made(call);
    call.mustAccept(creation.answer, `a valid body (${detail})`);
    mustHaveMade(target, creation);
  },
});

interface PartPlace extends Place {
  part: Part;
}

type Picks = (part: Part, operation: Operation, spec: Spec) => boolean;

function partPlaces(spec: Spec, picks: Picks, detail: (part: Part) => string) {
  return operationsWithBody(spec, "create", "update").flatMap((operation) =>
    partsOf(spec, operation, planningSupply(spec))
      .filter((part) => picks(part, operation, spec))
      .map((part) => ({ operation, part, detail: detail(part) })),
  );
}

/** True if a part is a value that the specification itself enumerates for a field of a new resource. */
function isListedValue({ kind, pointer }: Part, { kind: side, body = {} }: Operation, spec: Spec): boolean {
  if (side !== "create") return false;
  const { enum: options, "x-values-from": from } = spec.schemas.at(body, pointer) ?? {};
  return kind === "switch" || (kind === "each value" && options !== undefined && from === undefined);
}

/** Rules about all parts of one kind: each is accepted as sent. `exercises` names the constraint. */
function taken({
  requirement,
  picks,
  detail,
  exercises = detail,
  what = nameOf,
}: {
  requirement: string | ((place: PartPlace) => string);
  picks: Picks;
  detail(part: Part): string;
  exercises?(part: Part): string;
  what?(part: Part): string;
}) {
  return rule({
    requirement,
    over: (spec) => partPlaces(spec, picks, detail),
    title: ({ operation, part }) => `${operation.key} accepts ${what(part)}`,
    async run(call, { part }) {
      const { target, operation } = call;
      await plainOrPlainest(call);
      target.exercised(`${operation.key} ${exercises(part)}`, true);
      await mustBeTakenAsSent(call, part);
    },
  });
}

const edges = taken({
  requirement: ({ operation }) => `${sideOf(operation)}-EDGES`,
  picks: ({ kind }) => kind === "edge",
  detail: ({ pointer, what }) => `body${pointer} ${what}`,
  exercises: ({ pointer, constraint }) => `body${pointer} ${constraint}`,
});

const nulls = taken({
  requirement: ({ operation }) => `${sideOf(operation)}-NULL-ACCEPTED`,
  picks: ({ kind }) => kind === "null",
  detail: ({ field }) => `body/${field} null`,
  what: ({ field }) => `null for ${field}`,
});

/** The rule about enumerated values: each is as good as any other. */
const listedValues = taken({
  requirement: "CREATE-EDGES",
  picks: isListedValue,
  detail: ({ pointer, what }) => `body${pointer} ${what}`,
  exercises: ({ pointer, kind }) => `body${pointer} ${kind}`,
});

export const bodyEdgeChecks = suiteOf("bodies", createAccepted, edges, nulls, listedValues);
