/** A hand-written service with the four operations on parcels, in memory. A `Bug` makes it break one requirement. */

import { randomUUID } from "node:crypto";
import { isObject, type JsonObject } from "../../spec/json.ts";
import { demand, parsed, refusingServer } from "./refusing-server.ts";
import type { Asked, TinyAnswer, TinyServer } from "./tiny-server.ts";

export type Bug =
  | "filter is lost on page two"
  | "pallets are not found"
  | "new parcels are not listed"
  | "the newest version leaves out grams"
  // The service then takes creates without a key.
  | "the code of a changed parcel is free"
  | "duplicate is accepted"
  | "update is not stored"
  | "key makes two"
  | "title of 61 is accepted"
  | "grams of zero are accepted"
  | "urgent is true by default"
  | "read shows another title"
  | "token is not looked at"
  | "page size is 10 by default"
  | "total counts the page"
  | "spaces share what they hold";

export const TOKEN = "parcels-token-5fk2";
export const SPACE = "spc-parcels";
export const OTHER_SPACE = "spc-others";

interface Parcel extends JsonObject {
  key: string;
  title: string;
  kind: string;
}

interface Space {
  parcels: Parcel[];
  keys: Map<string, { body: string; answer: TinyAnswer }>;
}

const SEEDS = 23;
const KINDS = ["letter", "box", "pallet"];

/** Starts the service with some parcels in it. */
export async function startParcels(bug?: Bug): Promise<TinyServer> {
  const service = new ParcelService(bug);
  return refusingServer((asked) => service.answer(asked));
}

class ParcelService {
  readonly #bug: Bug | undefined;
  readonly #spaces = new Map<string, Space>();
  readonly #cursors = new Map<string, { space: string; filter: string; after: string }>();
  #made = 0;

  constructor(bug: Bug | undefined) {
    this.#bug = bug;
    for (const name of [SPACE, OTHER_SPACE]) {
      const space: Space = { parcels: [], keys: new Map() };
      this.#spaces.set(name, space);
      for (let n = 0; n < SEEDS; n++) {
        // Every fourth parcel has the same title, so that a filter by title finds more than one page.
        this.#make(space, { title: n % 4 === 0 ? "Spare parts" : `Parcel ${name} ${n}`, kind: KINDS[n % 2] });
      }
    }
  }

  answer(asked: Asked): TinyAnswer {
    const { method, path, headers } = asked;
    if (this.#bug !== "token is not looked at") {
      demand(/^bearer +/i.test(headers.authorization ?? ""), 401);
      demand(headers.authorization?.replace(/^bearer +/i, "") === TOKEN, 401);
    }
    const [, v1, parcels, key, ...rest] = path.split("/");
    demand(v1 === "v1" && parcels === "parcels" && rest.length === 0, 404);
    const version = headers["service-version"];
    demand(version === undefined || ["caph.2025-06-20", "caph.2025-08-23"].includes(String(version)));
    const name = String(headers["service-space-id"] ?? "");
    demand(/^spc-/.test(name) && name.length <= 100);
    const space = this.#spaces.get(this.#bug === "spaces share what they hold" ? SPACE : name);
    demand(space !== undefined, 404);
    if (key === undefined) {
      if (method === "GET") return this.#list(asked, name, space);
      demand(method === "POST", 405);
      return this.#create(asked, space);
    }
    const parcel = space.parcels.find((one) => one.key === decode(key));
    demand(parcel !== undefined, 404);
    if (method === "GET") {
      const shown =
        this.#bug === "read shows another title" ? { ...parcel, title: `${parcel.title}.` } : parcel;
      const isHidden = this.#bug === "the newest version leaves out grams" && version === "caph.2025-08-23";
      return single(isHidden && shown.grams !== 1 ? { ...shown, grams: undefined } : shown);
    }
    demand(method === "PATCH", 405);
    return this.#update(asked, parcel);
  }

  #make(space: Space, fields: JsonObject): Parcel {
    const now = new Date().toISOString();
    const number = String(++this.#made).padStart(5, "0");
    const parcel: Parcel = {
      // The id is so long that a shortened id can't be that of another parcel.
      key: `prc-${number}-of-the-tiny-parcel-service`,
      title: "",
      kind: "",
      code: null,
      grams: 1,
      urgent: this.#bug === "urgent is true by default",
      notes: null,
      state: "new",
      createTime: now,
      updateTime: now,
      metadata: {},
      ...fields,
    };
    space.parcels.push(parcel);
    return parcel;
  }

  #list({ query }: Asked, name: string, space: Space): TinyAnswer {
    const pageSize = query.get("pageSize");
    demand(pageSize === null || (/^\d+$/.test(pageSize) && Number(pageSize) >= 1 && Number(pageSize) <= 15));
    const size = Number(pageSize ?? (this.#bug === "page size is 10 by default" ? 10 : 5));
    const kind = query.get("kind");
    const title = query.get("title");
    demand(kind === null || KINDS.includes(kind));
    const filter = JSON.stringify([kind, title]);
    const from = query.get("from");
    const cursor = from === null ? undefined : this.#cursors.get(from);
    demand(from === null || (cursor?.space === name && cursor.filter === filter));
    const lost = cursor !== undefined && this.#bug === "filter is lost on page two";
    const matching = space.parcels.filter(
      (parcel) =>
        lost || ((kind === null || parcel.kind === kind) && (title === null || parcel.title === title)),
    );
    if (this.#bug === "new parcels are not listed") matching.splice(SEEDS);
    if (kind === "pallet" && this.#bug === "pallets are not found") matching.length = 0;
    const rest = cursor ? matching.filter((parcel) => parcel.key > cursor.after) : matching;
    const page = rest.slice(0, size);
    const last = page.at(-1);
    let next: string | null = null;
    if (last && rest.length > size) {
      next = randomUUID();
      this.#cursors.set(next, { space: name, filter, after: last.key });
    }
    const total = this.#bug === "total counts the page" ? page.length : matching.length;
    return {
      status: 200,
      body: { success: true, messages: [], result: page, pagination: { count: page.length, total, next } },
    };
  }

  #create({ headers, body }: Asked, space: Space): TinyAnswer {
    const key = String(headers["idempotency-key"] ?? "");
    const isFree = this.#bug === "the code of a changed parcel is free";
    demand((key.length >= 1 || isFree) && key.length <= 64);
    const known = key === "" ? undefined : space.keys.get(key);
    if (known && this.#bug !== "key makes two") {
      demand(known.body === body, 409);
      return known.answer;
    }
    const sent = parsed({ headers, body });
    for (const name of ["title", "kind"]) demand(sent[name] !== undefined);
    this.#check(sent);
    const twice = space.parcels.some(
      (parcel) =>
        typeof sent.code === "string" &&
        parcel.code === sent.code &&
        !(isFree && parcel.updateTime !== parcel.createTime),
    );
    demand(!twice || this.#bug === "duplicate is accepted", 409);
    const answer = single(this.#make(space, fieldsOf(sent)));
    space.keys.set(key, { body, answer });
    return answer;
  }

  #update({ headers, body }: Asked, parcel: Parcel): TinyAnswer {
    const { code: _, kind: __, ...sent } = parsed({ headers, body });
    this.#check(sent);
    const changed = { ...parcel, ...fieldsOf(sent), updateTime: new Date().toISOString() };
    if (this.#bug !== "update is not stored") Object.assign(parcel, changed);
    return single(changed);
  }

  #check(sent: JsonObject): void {
    const text = (value: unknown, least: number, most: number) =>
      demand(typeof value === "string" && [...value].length >= least && [...value].length <= most);
    const { title, kind, code, grams, urgent, notes, metadata } = sent;
    if (title !== undefined) text(title, 2, this.#bug === "title of 61 is accepted" ? 61 : 60);
    if (kind !== undefined) demand(KINDS.includes(String(kind)) && typeof kind === "string");
    if (code !== undefined && code !== null) text(code, 0, 50);
    const least = this.#bug === "grams of zero are accepted" ? 0 : 1;
    if (grams !== undefined)
      demand(Number.isInteger(grams) && Number(grams) >= least && Number(grams) <= 30_000);
    if (urgent !== undefined) demand(typeof urgent === "boolean");
    if (notes !== undefined && notes !== null) text(notes, 0, 80);
    if (metadata !== undefined) demand(isObject(metadata));
  }
}

/** The fields of a body that a parcel can have. Others are dropped. */
function fieldsOf({ title, kind, code, grams, urgent, notes, metadata }: JsonObject): JsonObject {
  const fields = { title, kind, code, grams, urgent, notes, metadata };
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

function single(parcel: object): TinyAnswer {
  return { status: 200, body: { success: true, messages: [], result: { ...parcel } } };
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
