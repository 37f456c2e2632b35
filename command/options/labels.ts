import { BadValue, type Kind } from "./kinds.ts";

const LABEL_NAME = /^[A-Za-z][\w.-]{0,63}$/;

/**
 * Returns the kind of an option with labels by name. In an environment variable, labels are written
 * `build=4.2.1,region=eu`.
 */
export function labels(): Kind<Record<string, string>> {
  const put = (into: Record<string, string>, name: string, value: string): void => {
    if (!LABEL_NAME.test(name))
      throw new BadValue(`must have a name of letters, digits, dots, dashes and underscores, not ${name}`);
    if (value === "") throw new BadValue(`gives ${name} no value`);
    Object.defineProperty(into, name, { value, enumerable: true, configurable: true, writable: true });
  };
  return {
    argument: "<name=value>",
    many: true,
    schema: {
      type: "object",
      propertyNames: { pattern: LABEL_NAME.source },
      additionalProperties: { type: ["string", "number"] },
    },
    split: (value) => value.split(/,(?=\s*[\w.-]+=)/).map((part) => part.trim()),
    fromText: (texts) => {
      const into: Record<string, string> = {};
      for (const pair of texts) {
        const at = pair.indexOf("=");
        if (at < 1) throw new BadValue(`must be NAME=VALUE, not ${pair === "" ? "empty" : pair}`);
        put(into, pair.slice(0, at), pair.slice(at + 1));
      }
      return into;
    },
    fromFile: (value) => {
      if (typeof value !== "object" || value === null || Array.isArray(value))
        throw new BadValue("must be a map of names to values");
      const into: Record<string, string> = {};
      for (const [name, each] of Object.entries(value)) {
        if (typeof each !== "string" && typeof each !== "number")
          throw new BadValue(`gives ${name} a value that is no text`);
        put(into, name, String(each));
      }
      return into;
    },
  };
}
