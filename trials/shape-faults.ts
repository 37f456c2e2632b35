/** What is wrong with the shape of an answer, as a report tells it. */

import type { Answer } from "../client/target.ts";
import { isObject, pointerTokens, valueAt } from "../spec/json.ts";
import type { SchemaFault } from "../spec/schema/validator.ts";
import type { SchemaIndex } from "../spec/schema-index.ts";

/** What is wrong with an answer. */
export interface Fault {
  expected: string;
  actual: string;
  /** What of the exchange is at fault: `status`, `header:NAME`, or a JSON pointer into the body. */
  offending?: string;
  /** Fields that hold null where there may be none. */
  nulls?: readonly string[];
}

/** The faults of an answer under its documented shape, if it has one. */
export function shapeFaults(
  schemas: SchemaIndex,
  { plan, json }: Answer,
): (Fault & { requirement: string })[] {
  const { response } = plan.operation;
  if (!response) return [];
  const faults = schemas.validate(response, json);
  const nulls = nullsByObject(json, faults);
  return faults.flatMap((fault) => {
    const { pointer, keyword, requirement, expected, actual } = fault;
    const names = nulls.get(fault);
    if (names?.length === 0) return [];
    if (names) return [{ requirement, offending: pointer, ...nullsIn(names) }];
    const place = keyword === "relations" ? "" : `${pointer || "the body"}: `;
    return [{ requirement, offending: pointer, expected: `${place}${expected}`, actual }];
  });
}

/**
 * Nulls that are not allowed are told of an object as a whole: the first of a requirement names all fields, and the
 * others name none.
 */
function nullsByObject(json: unknown, faults: readonly SchemaFault[]): Map<SchemaFault, string[]> {
  const names = new Map<SchemaFault, string[]>();
  const first = new Map<string, string[]>();
  for (const fault of faults) {
    const holder = fault.pointer.slice(0, Math.max(0, fault.pointer.lastIndexOf("/")));
    if (fault.keyword !== "null" || fault.pointer === "" || !isObject(valueAt(json, holder))) continue;
    const key = `${holder} ${fault.requirement}`;
    const known = first.get(key);
    const [name = ""] = pointerTokens(fault.pointer).slice(-1);
    known?.push(name);
    names.set(fault, known ? [] : [name]);
    if (!known) first.set(key, names.get(fault) ?? []);
  }
  return names;
}

/** How nulls are told of. */
export function nullsIn(names: readonly string[]): Pick<Fault, "expected" | "actual" | "nulls"> {
  return {
    expected: "no null where the specification does not allow it",
    actual: `null in ${names.join(", ")}`,
    nulls: names,
  };
}
