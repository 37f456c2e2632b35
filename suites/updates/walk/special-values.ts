import type { Call } from "../../../client/call.ts";
import { isObject, type JsonObject } from "../../../spec/json.ts";
import type { Schema, Spec } from "../../../spec/model/spec.ts";
import { typesOf } from "../../../spec/schema.ts";
import { nullableFields, plainFields } from "../../shared/update-fields.ts";
import { closeTo, closeValues } from "../bodies.ts";
import { sampledHalf } from "./order.ts";
import type { RoundRobin } from "./round-robin.ts";

/** Returns undefined if the present value allows none. */
type Special = (present: unknown) => unknown;

/** A faulty service may ignore a small change, or change other fields for null or shortened values. */
export class SpecialValues {
  readonly #byField: ReadonlyMap<string, readonly Special[]>;

  constructor(
    private readonly call: Call,
    private readonly roundRobin: RoundRobin,
  ) {
    const { target, operation } = call;
    const { spec } = target;
    this.#byField = new Map(plainFields(spec, operation).map((name) => [name, specialsOfField(call, name)]));
  }

  get count(): number {
    return [...this.#byField.values()].flat().length;
  }

  one(shown: JsonObject): JsonObject {
    const all = [...this.#byField].flatMap(([name, own]) => own.map((special) => ({ name, special })));
    const [next] = this.roundRobin.next("special value", all);
    return next ? valuesOf(shown, [[next.name, next.special]]) : {};
  }

  /** Returns special values for half of the fields. Values of the other half change only a little. */
  ofHalf(shown: JsonObject, seed: number): JsonObject {
    const names = sampledHalf([...this.#byField.keys()], seed);
    const others = [...this.#byField.keys()].filter((name) => !names.includes(name));
    const next = (name: string) => this.roundRobin.next(`special ${name}`, this.#byField.get(name) ?? []);
    const values = valuesOf(
      shown,
      names.flatMap((name) => next(name).map((special): [string, Special] => [name, special])),
    );
    return { ...closeValues(this.call, shown, others), ...values };
  }
}

function valuesOf(shown: JsonObject, chosen: readonly [string, Special][]): JsonObject {
  const values = chosen.map(([name, special]) => [name, special(shown[name])] as const);
  return Object.fromEntries(values.filter(([, value]) => value !== undefined));
}

/** Returns ways to make special values of the field: null, one of its type, and those close to the present one. */
function specialsOfField(call: Call, name: string): Special[] {
  const {
    operation,
    target: { spec },
  } = call;
  const schema = spec.schemas.field(operation.body, name);
  const ofNull = nullableFields(spec, operation).includes(name) ? [() => null] : [];
  // A service may mask a secret, so its value is unknown.
  if (spec.schemas.holdsSecret(schema)) return ofNull;
  const closeBy = (way: number) => (present: unknown) => closeTo(call, name, present)[way] ?? present;
  return [...ofNull, ...byType(spec, schema), closeBy(0), closeBy(1)];
}

const OF_LISTS: Special[] = [
  () => [],
  (list) => (Array.isArray(list) && list.length > 1 ? list.slice(1) : undefined),
];
const OF_MAPS: Special[] = [
  () => ({}),
  (map) => {
    const entries = isObject(map) ? Object.entries(map) : [];
    return entries.length > 1 ? Object.fromEntries(entries.slice(1)) : undefined;
  },
];

/** Returns ways to make special values of the type. An empty list of references may mean all of them. */
function byType(spec: Spec, schema: Schema): Special[] {
  const types = typesOf(schema);
  // A service may take 0 for a missing value. At a limit, other bodies send it.
  const isInside = schema.minimum !== 0 && schema.maximum !== 0 && !schema["x-unique"] && !schema.enum;
  if ((types.includes("number") || types.includes("integer")) && isInside)
    return spec.schemas.validate(schema, 0).length === 0 ? [() => 0] : [];
  if (types.includes("array") && schema["x-values-from"] === undefined && !schema["x-references"])
    return OF_LISTS.slice(schema.minItems ? 1 : 0);
  if (types.includes("object") && !schema.properties) return OF_MAPS.slice(schema.minProperties ? 1 : 0);
  return [];
}
