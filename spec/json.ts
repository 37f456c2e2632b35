export type JsonObject = Record<string, unknown>;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Returns the value of the JSON text, or `undefined` if it is no JSON. */
export function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Returns `["a", "0"]` for the JSON pointer `/a/0` (RFC 6901). */
export function pointerTokens(pointer: string): string[] {
  if (pointer === "") return [];
  const tokens = pointer.slice(1).split("/");
  return pointer.includes("~")
    ? tokens.map((token) => token.replaceAll("~1", "/").replaceAll("~0", "~"))
    : tokens;
}

/** Returns the name of the field that the pointer leads into: `a` for `/a/0`, and an empty text for the whole. */
export function fieldAt(pointer: string): string {
  return pointerTokens(pointer)[0] ?? "";
}

/** Returns the pointer one step further, with the token escaped. */
export function appendPointer(pointer: string, token: string | number): string {
  if (typeof token === "number" || !/[~/]/.test(token)) return `${pointer}/${token}`;
  return `${pointer}/${token.replaceAll("~", "~0").replaceAll("/", "~1")}`;
}

/** Returns the value at the JSON pointer, or `undefined` if it leads to nothing. */
export function valueAt(root: unknown, pointer: string): unknown {
  let value = root;
  for (const token of pointerTokens(pointer)) {
    if (Array.isArray(value)) value = value[Number(token)];
    else if (isObject(value) && Object.hasOwn(value, token)) value = value[token];
    else return undefined;
  }
  return value;
}

/** Visits the value and, in depth, its members and elements. Leaves out those of a value if `visit` returns false. */
export function walkJson(
  value: unknown,
  visit: (value: unknown, path: readonly (string | number)[]) => boolean | undefined,
  path: readonly (string | number)[] = [],
): void {
  if (visit(value, path) === false) return;
  if (Array.isArray(value))
    for (const [index, item] of value.entries()) walkJson(item, visit, [...path, index]);
  else if (isObject(value))
    for (const [name, child] of Object.entries(value)) walkJson(child, visit, [...path, name]);
}

/** Compares deeply. Members may have any order, elements may not. */
export function sameJson(a: unknown, b: unknown): boolean {
  if (Object.is(a, b) || a === b) return true;
  if (Array.isArray(a) && Array.isArray(b)) {
    return a.length === b.length && a.every((item, index) => sameJson(item, b[index]));
  }
  if (isObject(a) && isObject(b)) {
    const keys = Object.keys(a);
    return (
      keys.length === Object.keys(b).length &&
      keys.every((key) => Object.hasOwn(b, key) && sameJson(a[key], b[key]))
    );
  }
  return false;
}

/** Returns the object with these members only. */
export function pick(object: JsonObject, names: Iterable<string>): JsonObject {
  const kept = new Set(names);
  return Object.fromEntries(Object.entries(object).filter(([name]) => kept.has(name)));
}

/** Returns the object without these members. */
export function omit(object: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([name]) => !names.includes(name)));
}

export function distinct(values: unknown[]): unknown[] {
  return values.filter((value, index) => values.findIndex((other) => sameJson(other, value)) === index);
}

/** Returns equal texts for values that differ only in the order of members. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) =>
    isObject(part) ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1))) : part,
  );
}

/** Returns a type name of JSON Schema, such as `integer`. */
export function jsonType(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  if (typeof value === "number") return Number.isInteger(value) ? "integer" : "number";
  return typeof value;
}

/** Windows PowerShell, for example, begins files with a byte order mark, which is no JSON. */
export function withoutByteOrderMark(text: string): string {
  return text.startsWith("\uFEFF") ? text.slice(1) : text;
}

/** Returns a copy with the value at the JSON pointer. */
export function withValue(body: JsonObject, pointer: string, value: unknown): JsonObject {
  return setAt(body, pointerTokens(pointer), value) as JsonObject;
}

function setAt(holder: unknown, [token, ...rest]: string[], value: unknown): unknown {
  if (token === undefined) return value;
  if (Array.isArray(holder)) {
    const copy: unknown[] = [...holder];
    copy[Number(token)] = setAt(copy[Number(token)], rest, value);
    return copy;
  }
  const object = isObject(holder) ? holder : {};
  return { ...object, [token]: setAt(object[token], rest, value) };
}

/** Returns a copy without the value at the JSON pointer. */
export function withoutValue(body: JsonObject, pointer: string): JsonObject {
  return removeAt(body, pointerTokens(pointer)) as JsonObject;
}

function removeAt(holder: unknown, [token = "", ...rest]: string[]): unknown {
  if (Array.isArray(holder))
    return holder.map((item, index) => (index === Number(token) ? removeAt(item, rest) : item));
  if (!isObject(holder)) return holder;
  if (rest.length > 0 && Object.hasOwn(holder, token))
    return { ...holder, [token]: removeAt(holder[token], rest) };
  const { [token]: _, ...others } = holder;
  return rest.length === 0 ? others : holder;
}
