import type { RequestPlan } from "../../generators/request.ts";
import { definedOnly } from "../../spec/defined-only.ts";
import { isObject } from "../../spec/json.ts";
import { keptIn } from "../../spec/memoized.ts";
import type { Operation } from "../../spec/model/spec.ts";

/** New ids by their old ones. Resources of two kinds may have the same number. */
export class NewIds {
  readonly #byMaker = new Map<string, Map<string, string>>();

  add({ id: maker }: Pick<Operation, "id">, old: string, next: string): void {
    keptIn(this.#byMaker, maker, () => new Map<string, string>()).set(old, next);
  }

  has({ id: maker }: Pick<Operation, "id">, old: string): boolean {
    return this.#byMaker.get(maker)?.has(old) === true;
  }

  get size(): number {
    return this.#byMaker.size;
  }

  of(maker: string, old: string): string | undefined {
    return this.#byMaker.get(maker)?.get(old);
  }

  ofAny(old: string): string | undefined {
    return [...this.#byMaker.values()].find((ids) => ids.has(old))?.get(old);
  }
}

/**
 * Replaces the texts of `instead` anywhere in the request. `ids` may be short numbers, so they are replaced only if a
 * parameter equals one that is no page size.
 */
export function replacedIn(
  plan: RequestPlan,
  instead: ReadonlyMap<string, string>,
  ids: NewIds = new NewIds(),
): RequestPlan {
  if (instead.size + ids.size === 0) return plan;
  const text = (value: string) => withReplacements(value, instead);
  const { pathParameter, outer, list } = plan.operation;
  // A fixture keeps its id.
  const whole = (value: string, maker = "") => ids.of(maker, value) ?? text(value);
  const makerOf = (name: string) => outer.find((parameter) => parameter.name === name)?.madeBy;
  return {
    ...plan,
    ...definedOnly({
      path: plan.path && whole(plan.path, pathParameter?.madeBy),
      outer: plan.outer && mappedValues(plan.outer, (value, name) => whole(value, makerOf(name))),
      body: plan.body && mappedBody(plan.body, text),
    }),
    query: plan.query.map(([name, value]) => [
      name,
      name === list?.limit?.name ? value : (ids.ofAny(value) ?? text(value)),
    ]),
    headers: Object.fromEntries(
      Object.entries(plan.headers).map(([name, value]) => [name, value === null ? null : text(value)]),
    ),
  };
}

type Body = NonNullable<RequestPlan["body"]>;

function mappedBody(body: Body, text: (value: string) => string): Body {
  return body.kind === "json"
    ? { kind: "json", value: mappedTexts(body.value, text) }
    : { ...body, text: text(body.text) };
}

function mappedValues(
  values: Record<string, string>,
  text: (value: string, name: string) => string,
): Record<string, string> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, text(value, name)]));
}

function withReplacements(value: string, instead: ReadonlyMap<string, string>): string {
  let text = value;
  for (const [old, next] of instead) text = text.replaceAll(old, next);
  return text;
}

function mappedTexts(value: unknown, text: (value: string) => string): unknown {
  if (typeof value === "string") return text(value);
  if (Array.isArray(value)) return value.map((item) => mappedTexts(item, text));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, child]) => [name, mappedTexts(child, text)]));
}
