import { flagOf } from "./names.ts";
import { OPTION_NAMES, optionOf } from "./options.ts";

/** Returns the JSON Schema of the configuration file. */
export function configSchema(): Record<string, unknown> {
  const reference = {
    type: "string",
    pattern: "^\\$\\{[A-Za-z_][A-Za-z0-9_]*\\}$",
    description: "An environment variable.",
  };
  const properties = OPTION_NAMES.map((name) => {
    const { kind, help, default: value, defaultText } = optionOf(name);
    const ends = defaultText === undefined ? "" : ` (default: ${defaultText})`;
    const description = `${help.charAt(0).toUpperCase()}${help.slice(1)}${ends}. Flag: ${flagOf(name)}.`;
    const extra = value === undefined ? {} : { default: value };
    return [name, { description, ...extra, anyOf: [kind.schema, { $ref: "#/$defs/variable" }] }] as const;
  });
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: "Configuration of payments-conformance",
    type: "object",
    additionalProperties: false,
    properties: Object.fromEntries(properties),
    $defs: { variable: reference },
  };
}
