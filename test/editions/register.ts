/** Stores the resources of a service of test/editions by space, and reads bodies and parameters. */

import { check, type Rule } from "./body-rules.ts";
import {
  type Answer,
  type Call,
  change,
  type Departure,
  demand,
  type Fields,
  type Item,
  isMap,
  type Json,
  LATE,
} from "./serving.ts";

/** The first request with an idempotency key: its body, and the resource that it made, now and at first. */
export interface Known {
  body: string;
  item: Item;
  first: Fields;
}

export type Space<Kind extends string> = Record<Kind, Item[]> & { name: string; keys: Map<string, Known> };

export function answerWith(fields: Fields): Answer {
  return { status: 200, body: { result: fields } };
}

export class Register<Kind extends string> {
  readonly spaces: ReadonlyMap<string, Space<Kind>>;
  readonly #departure: Departure | undefined;
  readonly #bodies: Readonly<Record<string, Rule>>;
  readonly #pages = new Map<string, Answer>();

  constructor(
    departure: Departure | undefined,
    spaces: ReadonlyMap<string, Space<Kind>>,
    bodies: Readonly<Record<string, Rule>>,
  ) {
    this.#departure = departure;
    this.spaces = spaces;
    this.#bodies = bodies;
  }

  has(...names: string[]): boolean {
    return this.#departure !== undefined && names.includes(this.#departure.name);
  }

  all(kind: Kind): Item[] {
    return [...this.spaces.values()].flatMap((space) => space[kind]);
  }

  /** Finds a resource of the space. With `isAny`, one of another space will do. @throws Refused if there is none */
  find(
    space: Space<Kind>,
    kind: Kind,
    id: string | undefined,
    fits: (item: Item) => boolean = () => true,
    isAny = false,
  ): Item {
    const own = space[kind].find((each) => each.id === id && fits(each));
    const found = own ?? (isAny ? this.all(kind).find((each) => each.id === id) : undefined);
    demand(found !== undefined, 404);
    return found;
  }

  /** Dates all states of the resources back, so that late lists show them at once. */
  age(...kinds: Kind[]): void {
    for (const { past } of kinds.flatMap((kind) => this.all(kind))) for (const state of past) state.at = 0;
  }

  /** Returns the answer that `make` gave at the first call with this key. */
  cached(key: string, make: () => Answer): Answer {
    const answer = this.#pages.get(key) ?? make();
    this.#pages.set(key, answer);
    return answer;
  }

  add(space: Space<Kind>, kind: Kind, within: string[], id: string, fields: Fields): Item {
    const item: Item = { id, within, past: [{ at: Date.now(), fields }] };
    space[kind].push(item);
    return item;
  }

  set(item: Item, fields: Fields): Fields {
    item.past.push({ at: Date.now(), fields });
    return fields;
  }

  /** Returns the items that a list shows. With the habit "lists are late", returns their earlier states. */
  seen(items: Item[]): Item[] {
    if (!this.has("lists are late")) return items;
    return items.flatMap((item) => this.late(item) ?? []);
  }

  late(item: Item): Item | undefined {
    const past = item.past.filter(({ at }) => at <= Date.now() - LATE);
    return past.length > 0 ? { ...item, past } : undefined;
  }

  /** Returns the documented fields of the body. @throws Refused if the body breaks a rule */
  documented(operation: string, sent: Fields): Fields {
    const { lax, store } = this.#departure ?? {};
    const rule = this.#bodies[operation];
    if (rule)
      check(rule, sent, "", (path, keyword) => {
        demand(lax?.[0] === operation && lax[1] === path && lax[2] === keyword);
      });
    const known = Object.entries(sent).filter(([name]) => Object.hasOwn(rule?.fields ?? {}, name));
    demand(!this.has("unknown fields of bodies are refused") || known.length === Object.keys(sent).length);
    const kept = Object.fromEntries(known);
    if (!store || store[0] !== operation) return kept;
    return (change(kept, store[1].split("/"), store[2]) ?? {}) as Fields;
  }

  /** Returns the fields of a body that keep their rules, without the faulty ones. */
  validPart({ operation, body }: Call): Fields {
    try {
      const sent = JSON.parse(body.toString("utf8")) as Json;
      const rules = this.#bodies[operation]?.fields ?? {};
      const valid = Object.entries(isMap(sent) ? sent : {}).filter(([name, value]) => {
        const rule = rules[name];
        let isValid = rule !== undefined;
        if (rule) check(rule, value, name, () => (isValid = false));
        return isValid;
      });
      return Object.fromEntries(valid);
    } catch {
      return {};
    }
  }

  one(query: URLSearchParams, name: string): string | null {
    const all = query.getAll(name);
    return (this.has("the last of repeated parameters wins") ? all.at(-1) : all[0]) ?? null;
  }

  /** Returns the value of a parameter, or null without it. @throws Refused if it is not one of `values` */
  among(query: URLSearchParams, name: string, values: readonly string[]): string | null {
    const given = this.one(query, name);
    demand(given === null || values.includes(given), 400);
    return given;
  }
}

export function mediaTypeOf({ headers }: Call): string {
  const [type = ""] = (headers["content-type"] ?? "").split(";");
  return type.trim().toLowerCase();
}

/** Returns the parsed body, or undefined if it is not JSON in UTF-8. */
export function parsed({ body }: Call): Json | undefined {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body)) as Json;
  } catch {
    return undefined;
  }
}
