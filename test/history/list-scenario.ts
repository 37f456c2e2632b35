/** Builds histories of lists for unit tests. Each method adds pages after the last one. */

import { bodyOf } from "../../history/body.ts";
import type { Entry, Pairs } from "../../history/entry.ts";
import { History } from "../../history/history.ts";
import type { JsonObject } from "../../spec/json.ts";
import type { Operation } from "../../spec/model/spec.ts";
import { operationById } from "../../spec/operations.ts";
import { spec } from "../spec/package-spec.ts";
import { HEAD } from "./builder.ts";

/** Changes to the usual form of a page. */
interface PageMore {
  next?: unknown;
  total?: number;
  status?: number;
  version?: string | null;
  round?: number;
  fields?: JsonObject;
  /** Returns additional fields of the item with this id. */
  fieldsOf?: (id: string) => JsonObject;
}

export class ListScenario {
  readonly entries: Entry[] = [];
  readonly list: Operation;
  #clock = 0;
  #now = 0;

  constructor(list = "listUssdOtps") {
    this.list = operationById(spec, list);
  }

  /**
   * Reads the list to its end in pages of `size`. Each letter of `ids` is the id of an item. Cursors are
   * offsets.
   */
  reads(ids: string, size: number, more: PageMore = {}): this {
    return this.pages(ids.match(new RegExp(`.{1,${size}}`, "g")) ?? [""], size, more);
  }

  /** Reads these pages, each a text of ids. `next` is the cursor on the last page. */
  pages(pages: string[], size: number, { next = null, ...more }: PageMore = {}): this {
    let start = 0;
    for (const [index, ids] of pages.entries()) {
      const query: Pairs = [["limit", String(size)], ...(index > 0 ? cursor(start) : [])];
      start += ids.length;
      this.page(query, ids, { ...more, next: index < pages.length - 1 ? String(start) : next });
    }
    return this;
  }

  page(query: Pairs, ids: string, { next = null, status = 200, ...more }: PageMore = {}): this {
    const result = [...ids].map((id) => ({ id, ...more.fields, ...more.fieldsOf?.(id) }));
    const total = more.total === undefined ? {} : { total: more.total };
    const pagination = { count: result.length, next, ...total };
    const json = status === 200 ? { success: true, messages: [], result, pagination } : { error: "no" };
    this.#add(this.list, query, more, status, json);
    return this;
  }

  /** Adds an accepted create. `create` is the id of its operation. */
  creates(create: string): this {
    const json = { success: true, messages: [], result: { id: "made" } };
    this.#add(operationById(spec, create), [], { round: this.entries.at(-1)?.round ?? 1 }, 200, json);
    return this;
  }

  waits(milliseconds: number): this {
    this.#now += milliseconds;
    return this;
  }

  #add(operation: Operation, query: Pairs, more: PageMore, status: number, json: JsonObject): void {
    const { method, path } = operation;
    this.entries.push({
      index: this.entries.length,
      begun: this.#clock,
      ended: this.#clock + 1,
      startedAt: this.#now,
      durationMs: 1,
      round: more.round ?? 1,
      operation,
      path: {},
      version: more.version ?? null,
      space: HEAD.spaces[0] ?? null,
      credential: { kind: "token", token: "token 1" },
      request: { method, url: path, query, headers: [], body: null },
      response: { status, headers: [], body: bodyOf(JSON.stringify(json)) },
    });
    this.#clock += 2;
    this.#now += 10;
  }

  /** The history of the last round. */
  get history(): History {
    const last = this.entries.at(-1)?.round;
    return new History(
      spec,
      HEAD,
      this.entries.filter(({ round }) => round === last),
      this.entries,
    );
  }
}

function cursor(start: number): Pairs {
  return [["after", String(start)]];
}
