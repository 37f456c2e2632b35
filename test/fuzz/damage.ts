/** Contents of files that users pass by mistake: binary data, other JSON, good files with small changes. */

import fc from "fast-check";
import { isObject } from "../../spec/json.ts";

const hostileText = fc.constantFrom(
  "__proto__",
  "constructor",
  "\ud800",
  "\u0000",
  "../..",
  "$".concat("{HOME}"),
  "a: [",
  "",
);

/** The number of runs of a property: `few`, multiplied by the variable FUZZ_TIMES. */
export function times(few: number): number {
  return few * Number(process.env.FUZZ_TIMES ?? 1);
}

/** Any JSON value. It often has texts that confuse parsers, as values or names. */
export const anyJson = fc.oneof(
  hostileText,
  fc.jsonValue({ maxDepth: 3 }),
  fc.dictionary(fc.oneof(hostileText, fc.string()), fc.jsonValue({ maxDepth: 1 })),
);

/** Random bytes, other JSON, or `good` as JSON with some values changed or a part of the text replaced. */
export function damaged(good: unknown): fc.Arbitrary<string | Uint8Array> {
  const text = JSON.stringify(good);
  return fc.oneof(
    { weight: 1, arbitrary: fc.uint8Array({ maxLength: 200 }) },
    { weight: 1, arbitrary: fc.string({ unit: "binary", maxLength: 100 }) },
    { weight: 1, arbitrary: anyJson.map((value) => JSON.stringify(value) ?? "") },
    { weight: 5, arbitrary: changed(good).map((value) => JSON.stringify(value)) },
    {
      weight: 1,
      arbitrary: fc
        .tuple(fc.nat(text.length), fc.nat(40), fc.string({ maxLength: 10 }))
        .map(([at, length, instead]) => text.slice(0, at) + instead + text.slice(at + length)),
    },
  );
}

/** `good` with one to three changes: a value replaced or removed, or a field added. */
export function changed(good: unknown): fc.Arbitrary<unknown> {
  const steps = fc.array(fc.nat(1_000_000), { minLength: 1, maxLength: 8 });
  const change = fc.record({ steps, kind: fc.constantFrom("replace", "remove", "add"), value: anyJson });
  return fc.array(change, { minLength: 1, maxLength: 3 }).map((changes) => {
    const copy: unknown = structuredClone(good);
    for (const { steps: path, kind, value } of changes) damage(copy, path, kind, value);
    return copy;
  });
}

function damage(root: unknown, steps: readonly number[], kind: string, value: unknown): void {
  let parent = root;
  for (const [index, step] of steps.entries()) {
    if (!isObject(parent) && !Array.isArray(parent)) return;
    const names = Object.keys(parent);
    const name = names[step % Math.max(1, names.length)];
    if (name === undefined) return;
    const holder = parent as Record<string, unknown>;
    const child = holder[name];
    const isLeaf = typeof child !== "object" || child === null;
    if (index < steps.length - 1 && !isLeaf) {
      parent = child;
      continue;
    }
    if (kind === "replace") holder[name] = value;
    else if (kind === "add") holder[`${name}x`] = value;
    else if (Array.isArray(parent)) parent.splice(Number(name), 1);
    else delete holder[name];
    return;
  }
}
