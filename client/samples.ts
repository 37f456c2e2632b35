import { parameterText } from "../generators/parameters.ts";
import { type RequestPlan, requestTo, withHeaders, withPageSize } from "../generators/request.ts";
import type { ValueSource } from "../generators/values.ts";
import { fixtureValues } from "../spec/fixture-values.ts";
import { allCountryCodes, countryCodeOf } from "../spec/formats.ts";
import { type JsonObject, valueAt } from "../spec/json.ts";
import type { Operation, Parameter, Schema, ValuesFrom } from "../spec/model/spec.ts";
import { operationById } from "../spec/operations.ts";
import { NotTested, unlessNotTested } from "./check.ts";
import { type Answer, asQuery, asText, isAccepted, isRejected, itemsOf, type Target } from "./target.ts";
import { defaultVersion } from "./version-choice.ts";

const MOST_VALUES_TRIED = 60;
const MOST_INTEGERS_TRIED = 12;

async function filterValues(target: Target, from: ValuesFrom): Promise<string[]> {
  const listed = (await unlessNotTested(() => listedValues(target, from))) ?? [];
  return [...new Set([...givenValues(target, from), ...listed])];
}

/** Returns the values of `--fixture currency=GHS,XOF`. */
export function givenValues(target: Target, from: ValuesFrom): string[] {
  return fixtureValues(target.settings.fixtures[from.fixture]);
}

/** Returns the values that a list of reference data shows. */
export async function listedValues(target: Target, { list, field }: ValuesFrom): Promise<string[]> {
  if (list === undefined || field === undefined) return [];
  return target.memoize(`values ${list} ${field}`, async () => {
    const operation = operationById(target.spec, list);
    const items = await sampleItems(target, operation);
    const values = items.flatMap((item) => valueAt(item, field)).map(asText);
    return [...new Set(values.filter((value) => value !== undefined))];
  });
}

/** Returns the required query parameters, with values under which the list shows items if possible. */
export async function defaultQuery(target: Target, operation: Operation): Promise<[string, string][]> {
  const [query = []] = await baseQueries(target, operation, 1);
  return query;
}

/** Returns up to `most` queries that were answered, or one empty query if no parameter is required. */
export async function baseQueries(
  target: Target,
  operation: Operation,
  most: number,
): Promise<[string, string][][]> {
  const seen = await queriesSeen(target, operation);
  return seen.slice(0, most).map(({ query }) => query);
}

interface QuerySeen {
  query: [string, string][];
  answer?: Answer;
}

/**
 * Tries values of the required parameter. Returns the queries that show items, else the first unanswered one. If no
 * parameter is required, returns an empty query.
 */
async function queriesSeen(target: Target, operation: Operation): Promise<QuerySeen[]> {
  const [required, ...others] = operation.parameters.filter(
    (parameter) => parameter.in === "query" && parameter.required,
  );
  if (!required) return [{ query: [] }];
  return target.memoize(`queries ${operation.id}`, async () => {
    const rest: [string, string][] = [];
    for (const other of others) {
      const [value = ""] = await candidateValues(target, operation, other);
      rest.push([other.name, value]);
    }
    const candidates = await candidateValues(target, operation, required);
    const plan = requestTo(operation, defaultVersion(target, operation));
    const looks = candidates.slice(0, MOST_VALUES_TRIED).map(async (value) => {
      const query: [string, string][] = [[required.name, value], ...rest];
      const answer = await askForData(target, { ...plan, query });
      return isAccepted(answer) && itemsOf(answer).length > 0 ? [{ query, answer }] : [];
    });
    const found: QuerySeen[] = (await Promise.all(looks)).flat();
    return found.length > 0
      ? found
      : candidates.slice(0, 1).map((value): QuerySeen => ({ query: [[required.name, value], ...rest] }));
  });
}

/** Returns values for a required parameter that the service may know. */
async function candidateValues(
  target: Target,
  operation: Operation,
  parameter: Parameter,
): Promise<string[]> {
  const named = await namedValues(target, parameter);
  if (named.length > 0) return named;
  const { format, examples, enum: options = integersOf(parameter.schema), type } = parameter.schema;
  if (format === "country-code" && !examples && options.length === 0) return allCountryCodes().slice(0, 1);
  const text = parameterText(parameter.schema, plainSource(target));
  if (text === undefined)
    throw new NotTested("no-data", `no value is known for ${parameter.name} of ${operation.key}`);
  // A list may show items under one of the values alone.
  const others = [...(examples ?? options), ...(type === "boolean" ? [true, false] : [])];
  return [...new Set([text, ...others.map(asQuery).filter((each) => each !== undefined)])];
}

function integersOf({ type, minimum, maximum, multipleOf }: Schema): number[] {
  if (type !== "integer" || minimum === undefined || maximum === undefined || multipleOf) return [];
  const count = maximum - minimum + 1;
  return count > MOST_INTEGERS_TRIED ? [] : Array.from({ length: count }, (_, index) => minimum + index);
}

/** Returns a source without values that only the service knows. */
export function plainSource({
  spec,
  settings: { seed },
  unique,
}: Pick<Target, "spec" | "settings" | "unique">): ValueSource {
  return { schemas: spec.schemas, unique, known: () => [], references: () => [], seed };
}

/** Returns the known values that the schema allows. A list may show `KEN` while the parameter takes `KE`. */
export async function namedValues(target: Target, parameter: Parameter): Promise<string[]> {
  const { schema } = parameter;
  const valuesFrom = parameter.valuesFrom ?? target.spec.schemas.flatten(schema)["x-values-from"];
  if (!valuesFrom) return [];
  const values = (await filterValues(target, valuesFrom)).map((value) =>
    schema.format === "country-code" ? (countryCodeOf(value) ?? value) : value,
  );
  return [...new Set(values)].filter((value) => target.spec.schemas.validate(schema, value).length === 0);
}

/** Returns items of a list, read once for all probes. */
export async function sampleItems(target: Target, operation: Operation): Promise<JsonObject[]> {
  return target.memoize(`items ${operation.id}`, async () => {
    const items: JsonObject[] = [];
    const limit = operation.list?.limit;
    for (const { query, answer: known } of await queriesSeen(target, operation)) {
      if (known && limit?.schema.maximum === undefined) {
        items.push(...itemsOf(known));
        continue;
      }
      const plan = { ...requestTo(operation, defaultVersion(target, operation)), query };
      const answer = await askForData(target, withPageSize(plan, limit?.schema.maximum));
      if (isAccepted(answer)) items.push(...itemsOf(answer));
    }
    return items;
  });
}

/** Sends a rejected read again with a space. REFERENCE-WITHOUT-SPACE reports the rejection. */
async function askForData(target: Target, plan: RequestPlan): Promise<Answer> {
  const answer = await target.ask(plan);
  return isRejected(answer) && !plan.operation.space ? target.send(withSpace(target, plan)) : answer;
}

/** Adds the space header, which an undocumented operation does not name. */
export function withSpace(target: Target, plan: RequestPlan): RequestPlan {
  const space = target.spec.operations.find((operation) => operation.space)?.space;
  return space ? withHeaders(plan, { [space.name]: target.settings.space }) : plan;
}

/** Adds required parameters that the plan lacks. A probe may omit some on purpose (`leftOut`). */
export async function withRequired(target: Target, plan: RequestPlan): Promise<RequestPlan> {
  const { operation } = plan;
  const lacking = requiredOf(operation).filter((parameter) => !isSettled(target, plan, parameter));
  if (lacking.length === 0) return plan;
  const query = [...plan.query];
  const headers = { ...plan.headers };
  for (const parameter of lacking) {
    const value = await valueFor(target, operation, parameter);
    if (parameter.in === "query") query.push([parameter.name, value]);
    else headers[parameter.name.toLowerCase()] = value;
  }
  return { ...plan, query, headers };
}

function requiredOf({ parameters }: Operation): Parameter[] {
  return parameters.filter(
    ({ required, role, in: place }) =>
      required && ((place === "header" && role === "other") || place === "query"),
  );
}

/** Returns a valid value of the required parameter, for a list preferably one under which it shows items. */
async function valueFor(target: Target, operation: Operation, parameter: Parameter): Promise<string> {
  const base =
    operation.kind === "list" && parameter.in === "query" ? await defaultQuery(target, operation) : [];
  const [, known] = base.find(([name]) => name === parameter.name) ?? [];
  return known ?? (await candidateValues(target, operation, parameter))[0] ?? "";
}

function isSettled({ settings }: Target, plan: RequestPlan, { in: place, name }: Parameter): boolean {
  if (place === "query")
    return plan.leftOut?.includes(name) === true || plan.query.some(([other]) => other === name);
  const own = name.toLowerCase();
  return (
    own in plan.headers || Object.keys(settings.headers ?? {}).some((other) => other.toLowerCase() === own)
  );
}
