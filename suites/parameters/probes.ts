import type { Call } from "../../client/call.ts";
import { namedValues } from "../../client/samples.ts";
import { isRejected, itemsOf, type Probe } from "../../client/target.ts";
import { type RequestPlan, withHeaders, withQuery } from "../../generators/request.ts";
import type { Entry } from "../../history/entry.ts";
import { allCountryCodes } from "../../spec/formats.ts";
import type { Parameter, Spec } from "../../spec/model/spec.ts";
import { eachVersionProbe, itemsProbe, plainProbe, rejectedProbe } from "../shared/sampled.ts";
import { brokenValuesOf, EMPTY_COUNTRIES, edgeValuesOf, isOfRead, type ParameterTarget } from "./targets.ts";

/** Sends values that break one rule of the parameter. */
export function brokenValuesProbe(spec: Spec, target: ParameterTarget): Probe {
  const values = brokenValuesOf(spec, target).map(({ value }) => value);
  const { operation, parameter } = target;
  const name = `broken values ${parameter.name}`;
  return rejectedProbe(name, operation, values, async (call, { text, constraint }) => {
    await call.control();
    exercised(call, target, constraint, "violating");
    const wasSent = call.target
      .history()
      .entries.some((entry) => entry.operation === operation && hasQuery(entry, parameter.name, text));
    if (!call.sendsAll && wasSent) return;
    await call.send(withValue(await call.valid(), parameter, text));
  });
}

function hasQuery({ request }: Entry, name: string, text: string): boolean {
  return request.query.some((one) => one[0] === name && one[1] === text);
}

/** Leaves the parameter out. */
export function missingProbe(target: ParameterTarget): Probe {
  const { operation, parameter } = target;
  return rejectedProbe(`missing ${parameter.name}`, operation, [null], async (call) => {
    await call.control();
    exercised(call, target, "required", "violating");
    await call.send(withValue(await call.valid(), parameter, null));
  });
}

export function edgeValuesProbe(spec: Spec, target: ParameterTarget): Probe {
  const values = edgeValuesOf(spec, target).map(({ value }) => value);
  return valuesProbe("edge values", target, values, async (call, { text, constraint }) => {
    exercised(call, target, constraint, "valid");
    if (!isOfRead(target)) {
      await call.versionAccepted();
      await call.send(withValue(await call.fresh(), target.parameter, text), "accepted");
      return;
    }
    const answer = await call.target.ask(withValue(await call.valid(), target.parameter, text));
    if (isRejected(answer)) await call.controlAnswer();
  });
}

export function validValueProbe(target: ParameterTarget): Probe {
  const { operation, parameter } = target;
  return eachVersionProbe(`valid ${parameter.name}`, operation, async (call) => {
    exercised(call, target, "required", "valid");
    if (isOfRead(target)) await call.target.ask(await call.valid());
    else await call.control();
  });
}

/** Asks for countries without banks, until a list is empty. */
export function emptyCountriesProbe(target: ParameterTarget): Probe {
  const { parameter } = target;
  return valuesProbe("empty countries", target, [null], async (call) => {
    await call.control();
    const plan = await call.valid();
    const supported = new Set(await namedValues(call.target, parameter));
    const assigned = allCountryCodes();
    for (const code of EMPTY_COUNTRIES.filter((each) => assigned.includes(each) && !supported.has(each))) {
      const answer = await call.target.ask(withQuery(plan, { [parameter.name]: code }));
      if (itemsOf(answer).length === 0) return;
    }
  });
}

/** Sends unusual spellings of the parameter. */
export function spellingProbe(
  name: string,
  { operation, parameter }: ParameterTarget,
  texts: (valid: string | undefined) => string[],
): Probe {
  return plainProbe(`${name} ${parameter.name}`, operation, "read", async (call) => {
    const plan = await call.valid();
    const valid = plan.query.find(([other]) => other === parameter.name)?.[1];
    for (const text of texts(valid)) await call.send(withQuery(plan, { [parameter.name]: text }));
    // A service may cache one answer for several spellings.
    if (valid !== undefined) await call.send(plan);
  });
}

/** Sends the parameter twice. */
export function repeatedProbe({ operation, parameter: { name } }: ParameterTarget): Probe {
  return plainProbe(`repeated ${name}`, operation, "read", async (call) => {
    const plan = await call.valid();
    await call.send({ ...plan, query: [...plan.query, [name, "1"], [name, "2"]] });
  });
}

function valuesProbe<T>(
  name: string,
  { operation, parameter }: ParameterTarget,
  values: readonly T[],
  send: (call: Call, value: T) => Promise<void>,
): Probe {
  return itemsProbe(`${name} ${parameter.name}`, operation, values, send);
}

/** Records for the coverage that a value of the parameter was tried. */
function exercised(call: Call, at: ParameterTarget, constraint: string, by: "valid" | "violating"): void {
  const { operation, parameter } = at;
  call.target.exercised(`${operation.key} ${parameter.in}/${parameter.name} ${constraint}`, by);
}

function withValue(plan: RequestPlan, { in: place, name }: Parameter, text: string | null): RequestPlan {
  return place === "query" ? withQuery(plan, { [name]: text }) : withHeaders(plan, { [name]: text });
}
