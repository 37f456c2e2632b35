import { isObject, type JsonObject, pointerTokens } from "../spec/json.ts";

/** Returns a copy with the value at the JSON pointer. */
export function withValue(body: JsonObject, pointer: string, value: unknown): JsonObject {
  return setAt(body, pointerTokens(pointer), value) as JsonObject;
}

/** Returns a copy of the holder with the value at these tokens of a JSON pointer, and makes missing objects. */
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

/** Returns a copy of the holder without the member at these tokens of a JSON pointer. */
function removeAt(holder: unknown, [token = "", ...rest]: string[]): unknown {
  if (Array.isArray(holder))
    return holder.map((item, index) => (index === Number(token) ? removeAt(item, rest) : item));
  if (!isObject(holder)) return holder;
  if (rest.length > 0 && Object.hasOwn(holder, token))
    return { ...holder, [token]: removeAt(holder[token], rest) };
  const { [token]: _, ...others } = holder;
  return rest.length === 0 ? others : holder;
}
