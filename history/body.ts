import { jsonIn, withoutByteOrderMark } from "../spec/json.ts";
import type { Body } from "./entry.ts";

const NOT_PARSED = Symbol("not parsed");

/** Returns a body whose JSON is parsed at its first use. */
export function bodyOf(
  text: string,
  more: { cut?: boolean | undefined; unreadable?: Body["unreadable"]; json?: unknown } = {},
): Body {
  let parsed: unknown = "json" in more ? more.json : NOT_PARSED;
  return {
    text,
    cut: more.cut ?? false,
    ...(more.unreadable === undefined ? {} : { unreadable: more.unreadable }),
    json() {
      if (parsed === NOT_PARSED) parsed = jsonIn(withoutByteOrderMark(text));
      return parsed;
    },
  };
}
