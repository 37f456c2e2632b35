/** Limits of query parameters (sections 4 and 8): values inside are accepted, values outside are rejected. */

import { Untestable } from "../client/check.ts";
import { namedValues } from "../client/samples.ts";
import { isRejected, itemsOf } from "../client/target.ts";
import { type ParameterProbe, parameterViolations } from "../generators/parameters.ts";
import { type RequestPlan, withQuery } from "../generators/request.ts";
import {
  edgesOf,
  emptyPlaces,
  isCursor,
  ownParameters,
  type ParameterPlace,
  requiredParameters,
  withValue,
} from "../trials/own-parameters.ts";
import { rule, suiteOf } from "../trials/rule.ts";

interface ProbePlace extends ParameterPlace {
  probe: ParameterProbe;
  /** The probe in messages: long texts by their length. */
  shown: string;
}

interface EdgePlace extends ParameterPlace {
  edge: ParameterProbe;
}

/** The requirement that a violation of a parameter's rule breaks: the parameter's own, else its role's. */
function rejectionRequirement({ parameter, probe }: ProbePlace): string {
  const own = parameter.requirements[probe.constraint];
  if (own) return own;
  if (parameter.role === "page-size") return "LIST-LIMIT-REJECTED";
  if (isCursor(parameter)) return "CURSOR-TOO-LONG";
  if (parameter.role === "filter" && probe.constraint === "enum") return "FILTER-ENUM";
  return "PARAMETER-INVALID";
}

const edges = rule<EdgePlace>({
  requirement: ({ parameter }) =>
    parameter.role === "page-size" ? "LIST-LIMIT-ACCEPTED" : "PARAMETER-ACCEPTED",
  over: (spec) =>
    ownParameters(spec).flatMap((place) =>
      edgesOf(spec, place.parameter).map((edge) => ({
        ...place,
        edge,
        detail: `${place.parameter.name}=${edge.text}`,
      })),
    ),
  title: ({ operation, detail }) => `${operation.key} accepts ${detail}`,
  versions: "rotated",
  async run(call, { operation, parameter, edge }) {
    call.target.exercised(`${operation.key} ${parameter.in}/${parameter.name} ${edge.constraint}`, true);
    const answer = await call.ask(withValue(await call.valid(), parameter, edge.text));
    await call.mustTake(answer, `${parameter.name}=${edge.text}`);
  },
});

const required = rule({
  requirement: "PARAMETER-ACCEPTED",
  over: (spec) =>
    ownParameters(spec).filter(
      ({ parameter }) => parameter.required && edgesOf(spec, parameter).length === 0,
    ),
  title: ({ operation, parameter }) => `${operation.key} accepts a valid ${parameter.name}`,
  versions: "each",
  async run(call, { operation, parameter }) {
    call.target.exercised(`${operation.key} ${parameter.in}/${parameter.name} required`, true);
    const answer = await call.ask(await call.valid());
    // The specification does not say that a value is accepted which neither the user nor the service names.
    if (isRejected(answer) && (await namedValues(call.target, parameter)).length === 0) {
      throw new Untestable("no-data", `no ${parameter.name} is known that the service surely takes`, [
        answer,
      ]);
    }
    await call.mustTake(answer, `a valid ${parameter.name}`);
  },
});

const violations = rule({
  requirement: rejectionRequirement,
  over: (spec) =>
    ownParameters(spec).flatMap((place): ProbePlace[] =>
      parameterViolations(place.parameter, spec.schemas).map((probe) => {
        const long = probe.text.length > 20;
        const shown = long ? `${probe.text.length} characters` : probe.text || "no characters";
        return { ...place, probe, shown, detail: `${place.parameter.name} ${probe.constraint} ${shown}` };
      }),
    ),
  title: ({ operation, parameter, probe, shown }) =>
    `${operation.key} rejects ${parameter.name}=${shown} (${probe.constraint})`,
  versions: "rotated",
  notes: "brokenParameter",
  cause: ({ parameter }) => (parameter.cursor === undefined ? "invalid-parameter" : "invalid-cursor"),
  async run(call, at) {
    const { operation, parameter, probe, shown } = at;
    const what = `${parameter.name}=${shown}`;
    await call.control();
    call.target.exercised(`${operation.key} ${parameter.in}/${parameter.name} ${probe.constraint}`, false);
    const answer = await call.send(withValue(await call.valid(), parameter, probe.text));
    const requirement = rejectionRequirement(at);
    if (call.target.spec.requirements.get(requirement)?.level === "NOTE") {
      call.note(
        requirement,
        "brokenParameter",
        { status: answer.status },
        { field: parameter.name, tried: shown },
      );
      return;
    }
    call.mustReject(answer, what, `${parameter.name} ${probe.constraint}`);
  },
});

const missing = rule({
  requirement: "PARAMETER-REQUIRED",
  over: requiredParameters,
  title: ({ operation, parameter }) => `${operation.key} without ${parameter.name} is rejected`,
  versions: "rotated",
  cause: "invalid-parameter",
  async run(call, { operation, parameter }) {
    const { name } = parameter;
    await call.control();
    call.target.exercised(`${operation.key} ${parameter.in}/${name} required`, false);
    const answer = await call.send(withValue(await call.valid(), parameter, null));
    call.mustReject(answer, `${operation.key} without ${name}`, `without ${name}`);
  },
});

/** A legal filter value without matches is answered with an empty success. */
const nothingFound = rule<ParameterPlace>({
  requirement: ({ parameter }) => parameter.requirements["nothing-found"] ?? "FILTER-NOTHING-FOUND",
  over: (spec) => ownParameters(spec).filter(({ parameter }) => parameter.requirements["nothing-found"]),
  title: ({ operation, parameter }) =>
    `${operation.key} answers a valid ${parameter.name} without any items with an empty success`,
  versions: "rotated",
  async run(call, { parameter }) {
    await call.control();
    const plan: RequestPlan = await call.valid();
    for (const code of await emptyPlaces(call, parameter)) {
      const answer = await call.ask(withQuery(plan, { [parameter.name]: code }));
      call.mustServe(answer, `${parameter.name}=${code}`);
      if (itemsOf(answer).length === 0) return;
    }
    throw new Untestable("no-data", `every ${parameter.name} that was tried has items`);
  },
});

export const limitChecks = suiteOf("limits", edges, required, violations, missing, nothingFound);
