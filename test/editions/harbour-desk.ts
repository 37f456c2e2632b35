/** Keeps the resources of the harbour office, reads requests, pages lists and remembers keys. */

import { randomUUID } from "node:crypto";
import { canonical, check } from "./body-rules.ts";
import {
  BODIES,
  CORRECT_SHIP,
  ENTER_SHIP,
  FIND_SHIPS,
  HIRE_MATE,
  LIST_CREW,
  RETIRE_SHIP,
} from "./harbour-bodies.ts";
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

export const PORT = "DE HAM";
export const OTHER_PORT = "NO BGO";

export interface Port {
  name: string;
  ships: Item[];
  mates: Item[];
  calls: Item[];
  crates: Item[];
  insurances: Item[];
  keys: Map<string, { body: string; item: Item; first: Fields }>;
}

export type Kind = "ships" | "mates" | "calls" | "crates" | "insurances";

export function told(fields: Fields): Answer {
  return { status: 200, body: { result: fields } };
}

export class Desk {
  readonly ports = new Map<string, Port>();
  readonly #departure: Departure | undefined;
  readonly #marks = new Map<string, { of: string; from: number }>();
  #made = 0;

  constructor(departure: Departure | undefined) {
    this.#departure = departure;
    for (const name of [PORT, OTHER_PORT])
      this.ports.set(name, {
        ...{ name, ships: [], mates: [], calls: [], crates: [], insurances: [] },
        keys: new Map(),
      });
  }

  has(...names: string[]): boolean {
    return this.#departure !== undefined && names.includes(this.#departure.name);
  }

  all(kind: Kind): Item[] {
    return [...this.ports.values()].flatMap((port) => port[kind]);
  }

  add(port: Port, kind: Kind, within: string[], id: string, fields: Fields): Item {
    const item: Item = { id, within, past: [{ at: Date.now(), fields }] };
    port[kind].push(item);
    return item;
  }

  set(item: Item, fields: Fields): Fields {
    item.past.push({ at: Date.now(), fields });
    return fields;
  }

  /** The items as a list shows them: late, if that habit is on. */
  seen(items: Item[]): Item[] {
    if (!this.has("lists are late")) return items;
    return items.flatMap((item) => {
      const past = item.past.filter(({ at }) => at <= Date.now() - LATE);
      return past.length > 0 ? [{ ...item, past }] : [];
    });
  }

  quota(): void {
    this.#made++;
    demand(!this.has("forty resources are allowed") || this.#made <= 40, 403);
  }

  /** Returns the documented fields of the body. @throws Refused if the body breaks a rule */
  sent({ operation, headers, body }: Call): Fields {
    const [type = ""] = (headers["content-type"] ?? "").split(";");
    const isLax = this.has("a correction may be a form") && operation === CORRECT_SHIP;
    demand(isLax || type.trim().toLowerCase() === "application/json", 415);
    let sent: Json;
    try {
      sent = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body)) as Json;
    } catch {
      if (isLax) return {};
      throw new Refused(400);
    }
    demand(isMap(sent), 400);
    if (this.has("text is taken for a tonnage") && /^\d+$/.test(String(sent.tonnage)))
      sent.tonnage = Number(sent.tonnage);
    const { lax, store } = this.#departure ?? {};
    const rule = BODIES[operation];
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
      const valid = Object.entries(isMap(sent) ? sent : {}).filter(([name, value]) => {
        const rule = BODIES[operation]?.fields?.[name];
        let isValid = rule !== undefined;
        if (rule) check(rule, value, name, () => (isValid = false));
        return isValid;
      });
      return Object.fromEntries(valid);
    } catch {
      return {};
    }
  }

  /** Returns the resource that an earlier request with the key made, and makes it if there is none. */
  once(call: Call, port: Port, make: (sent: Fields) => Item): Answer {
    const { operation, headers, ids } = call;
    const key = headers["request-ref"];
    const isShip = operation === ENTER_SHIP;
    if (isShip)
      demand(
        /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(String(key ?? "")) ||
          (this.has("a key of ships is any text") && key !== undefined && key !== ""),
        400,
      );
    else if (key !== undefined)
      demand(key !== "" && (key.length <= 60 || this.has("a key of mates may be long")), 400);
    const sent = this.sent(call);
    if (key === undefined) return told(now(make(sent)));
    const keys = this.has("keys are known in all ports")
      ? (this.ports.get(PORT)?.keys ?? port.keys)
      : port.keys;
    const cut = this.has("keys are cut at 20 characters") ? String(key).slice(0, 20) : String(key);
    const scoped = `${operation} ${ids.join(" ")} ${cut}`;
    const known = keys.get(scoped);
    const forgets = this.has("a key of mates is not kept") && !isShip;
    if (known && !forgets) {
      const isOther = canonical(sent) !== known.body;
      demand(!isOther || (this.has("a key of mates takes another body") && !isShip), 409);
      if (this.has("a replay lists a mate once more") && !isShip) port.mates.push(known.item);
      if (this.has("a replay undoes corrections") && isShip) this.set(known.item, known.first);
      return told(now(known.item));
    }
    const item = make(sent);
    keys.set(scoped, { body: canonical(sent), item, first: now(item) });
    return told(now(item));
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

  size(call: Call, name: string, allowed: (size: number) => boolean, plain: number): number {
    const asked = this.one(call.query, name);
    if (asked === null) return plain;
    const isShips = call.operation === FIND_SHIPS;
    if (this.has("fifty rows are refused") && isShips && asked === "50") throw new Refused(400);
    if (this.has("any number of rows is taken") && isShips && /^[1-9]\d*$/.test(asked))
      return Math.min(Number(asked), 50);
    if (this.has("a page of ships may have more than fifty") && isShips && Number(asked) > 50)
      return Number(asked);
    if (this.has("a page of three mates is given") && call.operation === LIST_CREW && asked === "3") return 3;
    demand(/^[1-9]\d*$/.test(asked) && allowed(Number(asked)), 400);
    return Number(asked);
  }

  /** Returns a page. The cursor must be one that this list issued. */
  page(
    call: Call,
    found: Item[],
    of: string,
    size: number,
    cursor: string,
    bounds: [number, number],
  ): Answer {
    const mark = this.one(call.query, cursor);
    const [shortest, longest] = bounds;
    demand(mark === null || (mark.length >= shortest && mark.length <= longest), 400);
    const known = mark === null ? { of, from: 0 } : this.#marks.get(mark);
    const isFree = this.has("unknown marks begin anew") && call.operation !== FIND_SHIPS;
    demand((known !== undefined && known.of === of) || isFree, 400);
    const from = known?.from ?? 0;
    const page = found.slice(from, from + size);
    const isShips = call.operation === FIND_SHIPS;
    const step =
      (this.has("a resumed page repeats a ship") && isShips && size > 1) ||
      (this.has("a page of crates repeats one") && bounds[1] === 100)
        ? size - 1
        : this.has("a page of calls leaves one out") && bounds[1] === 60
          ? size + 1
          : size;
    const isMore = this.has("an empty page ends a list") ? page.length === size : found.length > from + step;
    let next: string | null = null;
    if (isMore && !(this.has("a list of crates has one page") && bounds[1] === 100)) {
      next = `${randomUUID().slice(0, 13)}${this.has("marks of calls are long") && bounds[1] === 60 ? "-".repeat(50) : ""}`;
      this.#marks.set(next, { of, from: from + step });
    }
    if (this.has("the last page of ships has a next one") && isShips && page.length > 0 && !next) {
      next = randomUUID();
      this.#marks.set(next, { of, from: 0 });
    }
    const count = this.has("the count of ships is the page size") && isShips ? size : page.length;
    return { status: 200, body: { result: page.map(now), pagination: { count, next } } };
  }

  isFree(call: Call): boolean {
    return (
      (this.has("a ship is retired without a token") && call.operation === RETIRE_SHIP) ||
      (this.has("a mate is hired without a token") && call.operation === HIRE_MATE)
    );
  }
}
