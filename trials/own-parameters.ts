/** Parameters of lists and reads that have no chapter of their own. */

import type { Call } from "../client/call.ts";
import { namedValues } from "../client/samples.ts";
import { type ParameterProbe, parameterEdges } from "../generators/parameters.ts";
import { type RequestPlan, withHeaders, withQuery } from "../generators/request.ts";
import { allCountryCodes } from "../spec/formats.ts";
import type { Parameter, Spec } from "../spec/model/spec.ts";
import type { Place } from "./rule.ts";

export interface ParameterPlace extends Place {
  parameter: Parameter;
}

/** The query parameters of lists and reads, and the headers without a chapter of their own. */
export function ownParameters(spec: Spec): ParameterPlace[] {
  return spec.operations
    .filter(({ kind }) => kind === "list" || kind === "read")
    .flatMap((operation) =>
      operation.parameters
        .filter(({ in: place, role }) => place === "query" || (place === "header" && role === "other"))
        .map((parameter) => ({ operation, parameter, detail: parameter.name })),
    );
}

/** Required parameters. A required version header is among them for GETs, since a service may need it. */
export function requiredParameters(spec: Spec): ParameterPlace[] {
  const versions = spec.operations.flatMap((operation) => {
    const { version, response, method } = operation;
    return version?.required && response && method === "GET"
      ? [{ operation, parameter: version, detail: version.name }]
      : [];
  });
  return [...ownParameters(spec).filter(({ parameter }) => parameter.required), ...versions];
}

/** A request with another value of a parameter; null leaves it out. */
export function withValue(
  plan: RequestPlan,
  { in: place, name }: Parameter,
  text: string | null,
): RequestPlan {
  return place === "query" ? withQuery(plan, { [name]: text }) : withHeaders(plan, { [name]: text });
}

export function isCursor({ role }: Parameter): boolean {
  return role === "cursor-after" || role === "cursor-before";
}

export function edgesOf(spec: Spec, parameter: Parameter): ParameterProbe[] {
  return isCursor(parameter) ? [] : parameterEdges(parameter, spec.schemas);
}

/** Antarctica, Bouvet Island, Heard and McDonald Islands: assigned, and without banks. */
const EMPTY_PLACES = ["AQ", "BV", "HM"];

export async function emptyPlaces(call: Call, parameter: Parameter): Promise<string[]> {
  const { target } = call;
  const supported = new Set(await namedValues(target, parameter));
  return EMPTY_PLACES.filter((code) => allCountryCodes().includes(code) && !supported.has(code));
}
