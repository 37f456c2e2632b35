import { withoutByteOrderMark } from "../spec/json.ts";
import type { Operation } from "../spec/model/spec.ts";
import type { Body, Entry } from "./entry.ts";

const NOT_PARSED = Symbol("not parsed");

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
      if (parsed === NOT_PARSED) parsed = parse(text);
      return parsed;
    },
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(withoutByteOrderMark(text));
  } catch {
    return undefined;
  }
}

export class ByBody<T> {
  readonly #known = new WeakMap<Operation, WeakMap<Body, T>>();

  of(operation: Operation, { response }: Entry, make: () => T): T {
    if (!("body" in response)) return make();
    const bodies = this.#known.get(operation) ?? new WeakMap<Body, T>();
    this.#known.set(operation, bodies);
    const known = bodies.get(response.body) ?? make();
    bodies.set(response.body, known);
    return known;
  }
}
