/** Keeps the resources of the orchard book, reads requests, pages lists and remembers keys. */

import { randomUUID } from "node:crypto";
import { canonical, check } from "./body-rules.ts";
import * as at from "./orchard-bodies.ts";
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
  now,
  Refused,
} from "./serving.ts";

export const ESTATE = "est_north42";
export const OTHER_ESTATE = "est_lake7";

export type Kind = "groves" | "rows" | "trees" | "tools" | "bookings";

interface Known {
  body: string;
  item: Item;
  first: Fields;
}
export type Estate = Record<Kind, Item[]> & { name: string; keys: Map<string, Known> };

/** The state when the request arrived, for faults that act on it later. */
interface Early {
  old?: Fields | undefined;
  isKeyNew?: boolean;
  isPlateFree?: boolean;
}
export interface Request extends Call {
  early?: Early;
}

export interface Paging {
  /** The operation and everything else that the list depends on. */
  of: string;
  size: number;
  cursor: string;
  bounds: [number, number];
}

export function told(fields: Fields): Answer {
  return { status: 200, body: { result: fields } };
}

export class Store {
  readonly estates = new Map<string, Estate>();
  readonly #departure: Departure | undefined;
  readonly #marks = new Map<string, { of: string; from: number; found: Item[] }>();
  readonly #pages = new Map<string, Answer>();
  #made = 0;

  constructor(departure: Departure | undefined) {
    this.#departure = departure;
    for (const name of [ESTATE, OTHER_ESTATE])
      this.estates.set(name, {
        ...{ name, groves: [], rows: [], trees: [], tools: [], bookings: [] },
        keys: new Map(),
      });
  }

  has(name: string): boolean {
    return this.#departure?.name === name;
  }

  all(kind: Kind): Item[] {
    return [...this.estates.values()].flatMap((estate) => estate[kind]);
  }

  add(estate: Estate, kind: Kind, within: string[], id: string, fields: Fields): Item {
    const item: Item = { id, within, past: [{ at: Date.now(), fields }] };
    estate[kind].push(item);
    return item;
  }

  set(item: Item, fields: Fields): Fields {
    item.past.push({ at: Date.now(), fields });
    return fields;
  }

  /** The items as a list shows them: late, if that habit is on. */
  seen(items: Item[]): Item[] {
    if (!this.has("lists are late")) return items;
    return items.flatMap((item) => this.late(item) ?? []);
  }

  late(item: Item): Item | undefined {
    const past = item.past.filter(({ at }) => at <= Date.now() - LATE);
    return past.length > 0 ? { ...item, past } : undefined;
  }

  quota(): void {
    this.#made++;
    demand(!this.has("sixty resources are allowed") || this.#made <= 60, 403);
  }

  /** Returns the documented fields of the body. @throws Refused if the body breaks a rule */
  sent({ operation, headers, body }: Call): Fields {
    const [type = ""] = (headers["content-type"] ?? "").split(";");
    const isForm =
      this.has("a tool is replaced by a form") &&
      operation === at.REPLACE_TOOL &&
      type === "application/x-www-form-urlencoded";
    demand(isForm || type.trim().toLowerCase() === "application/json", 415);
    if (isForm) return { kind: "ladder", parts: [{ code: "P001", count: 1 }] };
    let sent: Json;
    try {
      sent = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body)) as Json;
    } catch {
      throw new Refused(400);
    }
    demand(isMap(sent), 400);
    const { lax, store } = this.#departure ?? {};
    const rule = at.BODIES[operation];
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

  /** Returns the fields of a body that keep their rules. Other fields may break theirs. */
  validPart({ operation, body }: Call): Fields {
    try {
      const sent = JSON.parse(body.toString("utf8")) as Json;
      const rules = at.BODIES[operation]?.fields ?? {};
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

  // ---- Keys ----

  #scoped({ operation, headers, ids }: Call): string {
    return `${operation} ${ids.join(" ")} ${String(headers.once)}`;
  }

  isKnown(call: Call, estate: Estate): boolean {
    return estate.keys.has(this.#scoped(call));
  }

  /** Returns the resource that an earlier request with the key made, and makes it if there is none. */
  once(call: Request, estate: Estate, make: (sent: Fields) => Item): Answer {
    const { operation } = call;
    const key = call.headers.once;
    this.#demandKey(operation, key);
    const sent = this.sent(call);
    if (key === undefined) return told(now(make(sent)));
    const isTool = operation === at.BUY_TOOL;
    const isShared = this.has("keys of tools are those of all estates") && isTool;
    const keys = isShared ? (this.estates.get(ESTATE)?.keys ?? estate.keys) : estate.keys;
    const scoped = this.#scoped(call);
    const known = call.early?.isKeyNew ? undefined : keys.get(scoped);
    const isOther = known !== undefined && canonical(sent) !== known.body;
    const isForgotten =
      known !== undefined &&
      ((this.has("a key is forgotten once its grove has changed") && known.item.past.length > 1) ||
        (this.has("a key of rows works for its first body alone") && isOther && operation === at.ADD_ROW));
    if (known && !isForgotten) {
      demand(!isOther || (this.has("a key of trees takes another body") && operation === at.SET_TREE), 409);
      demand(!this.has("replays are refused"), 409);
      return this.#replayed(operation, known);
    }
    const body = canonical(sent);
    const item = make(sent);
    if (this.has("only the last key of an estate is kept")) keys.clear();
    keys.set(scoped, { body, item, first: now(item) });
    return told(now(item));
  }

  #demandKey(operation: string, key: string | string[] | undefined): void {
    const length = String(key ?? "").length;
    if (operation === at.SET_TREE)
      demand(
        /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(String(key ?? "")) ||
          (this.has("a key of trees is any text") && length > 0),
        400,
      );
    else if (operation === at.ADD_ROW) demand(key === undefined || (length >= 8 && length <= 40), 400);
    else demand(length >= 1 && length <= 48, 400);
  }

  #replayed(operation: string, { item, first }: Known): Answer {
    if (this.has("a replay undoes changes of a grove") && operation === at.PLANT_GROVE) this.set(item, first);
    if (this.has("a replay pushes a tool to a second plate") && operation === at.BUY_TOOL) {
      const estate = [...this.estates.values()].find(({ tools }) => tools.includes(item));
      const plate = String(first.plate).replace(/\d$/, (digit) => String((Number(digit) + 1) % 10));
      const isFree = estate?.tools.every(({ id }) => id !== plate);
      if (estate && isFree) this.add(estate, "tools", [], plate, { ...first, plate });
    }
    return told(this.has("a replay shows the first answer") ? first : now(item));
  }

  // ---- Lists ----

  one(query: URLSearchParams, name: string): string | null {
    const all = query.getAll(name);
    return (this.has("the last of repeated parameters wins") ? all.at(-1) : all[0]) ?? null;
  }

  /** Returns the value of a parameter, which must be one of these. */
  among(query: URLSearchParams, name: string, values: readonly string[]): string | null {
    const given = this.one(query, name);
    demand(given === null || values.includes(given), 400);
    return given;
  }

  size(call: Call, name: string, [least, most, plain]: readonly [number, number, number]): number {
    const asked = this.one(call.query, name);
    if (asked === null) return plain;
    if (this.has("a page of trees may be of any size") && call.operation === at.LIST_TREES)
      if (/^[1-9]\d*$/.test(asked)) return Number(asked);
    demand(/^[1-9]\d*$/.test(asked) && Number(asked) >= least && Number(asked) <= most, 400);
    return this.has("the page size of groves is not kept") && call.operation === at.LIST_GROVES
      ? plain
      : Number(asked);
  }

  /** Returns a page. The cursor must be one that this list issued. */
  page(call: Call, all: Item[], { of, size, cursor, bounds }: Paging): Answer {
    const mark = this.one(call.query, cursor);
    const [shortest, longest] = bounds;
    demand(mark === null || (mark.length >= shortest && mark.length <= longest), 400);
    const known = mark === null ? undefined : this.#marks.get(mark);
    const isStray =
      (this.has("a cursor of groves is good in any estate") && call.operation === at.LIST_GROVES) ||
      (this.has("a cursor of bookings is good for any tool") && call.operation === at.LIST_BOOKINGS);
    demand(mark === null || (known !== undefined && (known.of === of || isStray)), 400);
    const isOnce = this.has("a cursor of tools works once") && call.operation === at.LIST_TOOLS;
    if (mark !== null && isOnce) this.#marks.delete(mark);
    const isKept =
      this.has("a cursor remembers the items of its first page") || (isStray && known?.of !== of);
    const found = isKept && known ? known.found : all;
    const from = known?.from ?? 0;
    const page = found.slice(from, from + size);
    const isTrees = call.operation === at.LIST_TREES;
    const step =
      this.has("the second page of trees leaves one out") && isTrees && from === 0 ? size + 1 : size;
    const isMore = this.has("an empty page ends a list") ? page.length === size : found.length > from + step;
    let next: string | null = null;
    if (isMore) {
      next = randomUUID();
      this.#marks.set(next, { of, from: from + step, found });
    }
    const isGrown = this.has("the count of bookings is that of all") && call.operation === at.LIST_BOOKINGS;
    const count = isGrown ? found.length : page.length;
    return { status: 200, body: { result: page.map(now), pagination: { count, next } } };
  }

  /** Returns the first answer that was made for `of`. */
  cached(of: string, make: () => Answer): Answer {
    const answer = this.#pages.get(of) ?? make();
    this.#pages.set(of, answer);
    return answer;
  }
}
