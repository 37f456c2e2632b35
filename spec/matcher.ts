import { Ajv2020, type ErrorObject, type ValidateFunction } from "ajv/dist/2020.js";
import formatsModule from "ajv-formats";

export type Match<Value> = { matches: true; value: Value } | { matches: false; errors: ErrorObject[] };

/** Compiles the schema at its first use: most commands never need it. */
export function matcher<Value>(schema: object): (value: unknown) => Match<Value> {
  let compiled: ValidateFunction<Value> | undefined;
  return (value) => {
    compiled ??= compile(schema);
    return compiled(value) ? { matches: true, value } : { matches: false, errors: compiled.errors ?? [] };
  };
}

function compile<Value>(schema: object): ValidateFunction<Value> {
  const ajv = new Ajv2020({ allErrors: true, strict: true, allowUnionTypes: true, strictRequired: false });
  // ajv-formats is a CommonJS module, but its types describe an ES module.
  formatsModule.default(ajv);
  return ajv.compile<Value>(schema);
}
