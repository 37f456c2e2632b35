import { isObject, pointerTokens, walkJson } from "../json.ts";
import type { Schema } from "../model/spec.ts";
import type { YamlSource } from "./source.ts";

/**
 * Checks that no schema contains itself without end.
 * @throws SpecError if references or allOf form a circle
 */
export function checkCircles(source: YamlSource, document: unknown, at: (pointer: string) => unknown): void {
  const done = new Set<string>();
  const follow = (pointer: string, path: readonly string[]): void => {
    if (path.includes(pointer)) {
      const names = [...path.slice(path.indexOf(pointer)), pointer].map((each) => each.split("/").at(-1));
      throw source.error(pointerTokens(pointer), `refers to itself: ${names.join(" → ")}`);
    }
    if (done.has(pointer)) return;
    const value = at(pointer) as Schema | undefined;
    if (typeof value !== "object" || value === null) return;
    const parts = [value, ...(Array.isArray(value.allOf) ? value.allOf : [])];
    for (const part of parts) {
      const reference = (part as Schema | null)?.$ref;
      if (typeof reference === "string") follow(reference.slice(1), [...path, pointer]);
    }
    done.add(pointer);
  };
  walkJson(document, (value) => {
    if (isObject(value) && typeof value.$ref === "string") follow(value.$ref.slice(1), []);
    return true;
  });
}
