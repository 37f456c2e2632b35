import { type ValueSource, validObject } from "../generators/values.ts";
import type { JsonObject } from "../spec/json.ts";
import type { Operation, Schema, Spec } from "../spec/model/spec.ts";
import { NotTested } from "./check.ts";
import type { Target } from "./target.ts";
import { triedValuesOf } from "./tried-values.ts";
import { valueSourceWith } from "./value-source-with.ts";

/** Returns where values for the schema come from. The service accepted them, or shows them. */
export function valueSourceFor(target: Target, schema: Schema): Promise<ValueSource> {
  return valueSourceWith(target, schema, async (create) => (await triedValuesOf(target, create)).values);
}

/**
 * Returns a valid body. Another variation has other values.
 * @throws NotTested if known values make no valid body
 */
export async function validBody(
  target: Target,
  operation: Operation,
  extent: "minimal" | "full",
  variation = 0,
): Promise<JsonObject> {
  if (!operation.body) return {};
  const body = validObject(operation.body, await valueSourceFor(target, operation.body), extent, variation);
  const required = target.spec.schemas.required(operation.body);
  const missing = required.find((name) => !(name in body));
  if (missing !== undefined) throw unknownValue(target.spec, operation, missing);
  // If the twin is invalid, the rejection of a faulty body proves nothing.
  const [fault] = target.spec.schemas.validate(operation.body, body);
  if (fault) {
    const place = fault.pointer === "" ? "the body" : fault.pointer.slice(1);
    throw new NotTested(
      "no-data",
      `no valid body of ${operation.key} could be made: ${place} would be ${fault.actual}, not ${fault.expected}`,
    );
  }
  return body;
}

/** Returns the reason why a field can't be tested: no value of the fixture is known. */
export function unknownValue(spec: Spec, operation: Operation, name: string): NotTested {
  const fixture = spec.schemas.field(operation.body, name)["x-values-from"]?.fixture;
  return fixture === undefined
    ? new NotTested("no-data", `no value is known for ${name} of ${operation.key}`)
    : new NotTested(
        "no-fixture",
        `give --fixture ${fixture}=…: no value is known for ${name} of ${operation.key}`,
      );
}
