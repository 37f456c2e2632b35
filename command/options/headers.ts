import { BadValue, type Kind } from "./kinds.ts";

const RESERVED_NAMES = [
  "authorization",
  "host",
  "content-length",
  "content-type",
  "transfer-encoding",
  "connection",
];

/** Returns the kind of an option with headers to send. No message shows a value, because it may be secret. */
export function headers(): Kind<Record<string, string>> {
  const put = (into: Record<string, string>, name: string, value: unknown): void => {
    if (!/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name)) throw new BadValue(`has a name that no header may have`);
    if (RESERVED_NAMES.includes(name.toLowerCase()))
      throw new BadValue(`can't set ${name}: the suite sends its own`);
    if (typeof value !== "string" || !/^[\t\x20-\x7e\x80-\xff]+$/.test(value))
      throw new BadValue(`gives ${name} a value that no header may have`);
    into[name.toLowerCase()] = value;
  };
  return {
    argument: "<name=value>",
    many: true,
    schema: { type: "object", additionalProperties: { type: "string", minLength: 1 } },
    split: (value) => value.split(/,(?=\s*[\w-]+=)/).map((part) => part.trim()),
    fromText: (texts) => {
      const into: Record<string, string> = {};
      for (const pair of texts) {
        const at = pair.indexOf("=");
        if (at < 1) throw new BadValue("must be NAME=VALUE");
        put(into, pair.slice(0, at), pair.slice(at + 1));
      }
      return into;
    },
    fromFile: (value) => {
      if (typeof value !== "object" || value === null || Array.isArray(value))
        throw new BadValue("must be a map of header names to values");
      const into: Record<string, string> = {};
      for (const [name, each] of Object.entries(value)) put(into, name, each);
      return into;
    },
  };
}
