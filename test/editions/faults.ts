/** Makes the faults of the families: each breaks one sentence of its API's specification. */

import type { Departure } from "./serving.ts";

export interface Fault extends Departure {
  /** Requirements of which the suite must find at least one violated. */
  readonly breaks: readonly string[];
  /** Operations at which a violation of these requirements shows that the suite found the fault. */
  readonly at: readonly string[];
}

type Lax = NonNullable<Departure["lax"]>;
type Store = NonNullable<Departure["store"]>;

/** For each keyword, the ends of the ids of requirements that break if the service does not enforce it. */
const BREAKS: Record<string, string> = {
  required: "REQUIRED",
  type: "TYPE",
  null: "NULL NULL-OPTIONAL",
  minLength: "TOO-SHORT",
  maxLength: "TOO-LONG",
  minItems: "TOO-FEW",
  maxItems: "TOO-MANY",
  minProperties: "TOO-FEW EMPTY",
  maxProperties: "TOO-MANY",
};
const isUpdate = (operation: string) => /^(PUT|PATCH)/.test(operation);
const prefix = (operation: string) => (isUpdate(operation) ? "UPDATE" : "CREATE");

export function lax(...[operation, path, keyword]: Lax): Fault {
  const kinds = `${BREAKS[keyword] ?? "INVALID"} INVALID`.split(" ");
  return {
    name: `lax ${operation} ${path} ${keyword}`,
    breaks: kinds.map((kind) => `${prefix(operation)}-${kind}`),
    at: [operation],
    lax: [operation, path, keyword],
  };
}

/** Makes a fault of each line of each operation. A line has a path and a keyword: "name maxLength". */
export function laxOf(rules: Readonly<Record<string, string>>): Fault[] {
  return Object.entries(rules).flatMap(([operation, lines]) =>
    lines
      .trim()
      .split("\n")
      .map((line) => {
        const [path = "", keyword = ""] = line.trim().split(" ");
        return lax(operation, path, keyword);
      }),
  );
}

export function stored(name: string, ...store: Store): Fault {
  const [operation] = store;
  const breaks = isUpdate(operation) ? ["UPDATE-ECHO", "UPDATE-STORED"] : ["CREATE-ECHO", "UPDATE-ECHO"];
  return { name, breaks, at: [operation], store };
}

export function shown(name: string, breaks: string, ...show: NonNullable<Departure["show"]>): Fault {
  return { name, breaks: breaks.split(" "), at: [show[0]], show };
}

export function fault(name: string, breaks: string, ...places: string[]): Fault {
  return { name, breaks: breaks.split(" "), at: places };
}

export const gone = () => undefined;
export const asText = (value: unknown) => String(value);
