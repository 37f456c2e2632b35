/** Stores the resources and idempotency keys of the orchard book, reads requests, and pages lists. */

import { randomUUID } from "node:crypto";
import { canonical } from "./body-rules.ts";
import * as at from "./orchard-bodies.ts";
import { answerWith, type Known, mediaTypeOf, parsed, Register, type Space } from "./register.ts";
import {
  type Answer,
  type Call,
  type Departure,
  demand,
  type Fields,
  type Item,
  isMap,
  now,
} from "./serving.ts";

export const ESTATE = "est_north42";
export const OTHER_ESTATE = "est_lake7";

export type Kind = "groves" | "rows" | "trees" | "tools" | "bookings";

export type Estate = Space<Kind>;

function newEstate(name: string): Estate {
  return { name, groves: [], rows: [], trees: [], tools: [], bookings: [], keys: new Map() };
}

/** The state when a request arrived. Faults of simultaneous requests use it in place of the present state. */
interface Early {
  old?: Fields | undefined;
  isKeyNew?: boolean;
  isPlateFree?: boolean;
}
export interface Request extends Call {
  early?: Early;
}

export interface Paging {
  /** A text that names the list, with its parents and filters. */
  of: string;
  size: number;
  cursor: string;
  bounds: [number, number];
}

export class Store extends Register<Kind> {
  readonly #marks = new Map<string, { of: string; from: number; found: Item[] }>();
  #made = 0;

  constructor(departure: Departure | undefined) {
    super(departure, new Map([ESTATE, OTHER_ESTATE].map((name) => [name, newEstate(name)])), at.BODIES);
  }

  quota(): void {
    this.#made++;
    demand(!this.has("sixty resources are allowed") || this.#made <= 60, 403);
  }

  /** Returns the documented fields of the body. @throws Refused if the body breaks a rule */
  sent(call: Call): Fields {
    const { operation } = call;
    const type = mediaTypeOf(call);
    const isReplacing = this.has("a tool is replaced by a form") && operation === at.REPLACE_TOOL;
    if (isReplacing && type === "application/x-www-form-urlencoded")
      return { kind: "ladder", parts: [{ code: "P001", count: 1 }] };
    demand(type === "application/json", 415);
    const sent = parsed(call);
    demand(isMap(sent), 400);
    return this.documented(operation, sent);
  }

  // ---- Idempotency keys ----

  #scoped({ operation, headers, ids }: Call): string {
    return `${operation} ${ids.join(" ")} ${String(headers.once)}`;
  }

  isKnown(call: Call, estate: Estate): boolean {
    return estate.keys.has(this.#scoped(call));
  }

  /** Returns the resource that an earlier request with the same key created. Creates it if the key is new. */
  once(call: Request, estate: Estate, make: (sent: Fields) => Item): Answer {
    const { operation } = call;
    const key = call.headers.once;
    this.#demandKey(operation, key);
    const sent = this.sent(call);
    if (key === undefined) return answerWith(now(make(sent)));
    const isTool = operation === at.BUY_TOOL;
    const isShared = this.has("keys of tools are those of all estates") && isTool;
    const keys = isShared ? (this.spaces.get(ESTATE)?.keys ?? estate.keys) : estate.keys;
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
    return answerWith(now(item));
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
      const estate = [...this.spaces.values()].find(({ tools }) => tools.includes(item));
      const plate = String(first.plate).replace(/\d$/, (digit) => String((Number(digit) + 1) % 10));
      const isFree = estate?.tools.every(({ id }) => id !== plate);
      if (estate && isFree) this.add(estate, "tools", [], plate, { ...first, plate });
    }
    return answerWith(this.has("a replay shows the first answer") ? first : now(item));
  }

  // ---- Lists ----

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

  /** Returns a page. @throws Refused if this list did not issue the cursor */
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
}
