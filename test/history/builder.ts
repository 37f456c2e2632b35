/** Builds histories for unit tests. Each method adds an exchange after the last one. */

import { bodyOf } from "../../history/body.ts";
import type { Entry, Head } from "../../history/entry.ts";
import type { JsonObject } from "../../spec/json.ts";
import type { Operation, Spec } from "../../spec/model/spec.ts";
import { operationById } from "../../spec/operations.ts";

const SPACE = "spc-main";

export const HEAD: Head = {
  runTag: "pc-test",
  consistencyTimeoutMs: 1_000,
  spaces: [SPACE],
  fixtures: {},
  seed: 1,
};

/** Changes to the usual form of an exchange. */
interface More {
  status?: number;
  key?: string;
  version?: string | null;
  space?: string | null;
  credential?: Entry["credential"];
  /** True if the exchange begins before the previous one has ended. */
  beside?: boolean;
  query?: [string, string][];
  contentType?: string;
  sentHeaders?: [string, string][];
  headers?: [string, string][];
  /** True if the exchange repeats the previous request unchanged. */
  repeats?: boolean;
  probe?: string;
  round?: number;
  /** Null if the URL belongs to no documented operation. */
  operation?: null;
  url?: string;
}

/** Ids of the operations that create, update and read the resource of this history. */
interface Names {
  create: string;
  update: string;
  read?: string;
  list: string;
}

const WEBHOOKS: Names = { create: "createWebhook", update: "updateWebhook", list: "listWebhooks" };

export class HistoryBuilder {
  readonly entries: Entry[] = [];
  readonly #spec: Spec;
  readonly #names: Names;
  #clock = 0;
  #now = 0;

  constructor(spec: Spec, names: Names = WEBHOOKS) {
    this.#spec = spec;
    this.#names = names;
  }

  /** Adds a create. The answer shows the sent values and those of `shown`. */
  creates(id: string, sent: JsonObject, more: More & { shown?: JsonObject } = {}): this {
    return this.#add(
      this.#names.create,
      {},
      sent,
      { createTime: "2026-01-01T00:00:00Z", ...sent, ...more.shown, id },
      more,
    );
  }

  /** Adds an update. The answer shows `shown`, by default the sent values. */
  updates(id: string, sent: JsonObject, shown: JsonObject = sent, more: More = {}): this {
    return this.#add(this.#names.update, { id }, sent, { id, ...shown }, more);
  }

  /** Adds an update that the service rejects with 422. */
  rejects(id: string, sent: JsonObject, more: More = {}): this {
    return this.#add(this.#names.update, { id }, sent, {}, { status: 422, ...more });
  }

  /** Adds a read of a resource. If the resource has no single read, the list shows it. */
  reads(id: string, shown: JsonObject, more: More = {}): this {
    const { read, list } = this.#names;
    if (read === undefined) return this.#add(list, {}, null, [{ id, ...shown }], more);
    return this.#add(read, { id }, null, { id, ...shown }, more);
  }

  lists(items: JsonObject[], more: More = {}): this {
    return this.#add(this.#names.list, {}, null, items, more);
  }

  /** Adds any exchange. `key` names the operation. Bodies that are not texts become JSON. */
  answers(
    key: string,
    body: unknown,
    more: More & { path?: string; outer?: Record<string, string>; sent?: JsonObject | string } = {},
  ): this {
    const operation = operationOf(this.#spec, key);
    const parameter = operation.pathParameter ?? operation.outer.at(-1);
    const path = parameter ? { ...more.outer, [parameter.name]: more.path ?? "x" } : {};
    const text = typeof body === "string" ? body : JSON.stringify(body);
    return this.#record(operation, path, more.sent ?? null, text, more);
  }

  waits(milliseconds: number): this {
    this.#now += milliseconds;
    return this;
  }

  #add(
    name: string,
    path: Record<string, string>,
    sent: JsonObject | null,
    result: unknown,
    more: More,
  ): this {
    const isFine = (more.status ?? 200) === 200;
    const json = isFine ? { success: true, messages: [], result } : { error: "rejected" };
    return this.#record(operationById(this.#spec, name), path, sent, JSON.stringify(json), more);
  }

  #record(
    operation: Operation,
    path: Record<string, string>,
    sent: JsonObject | string | null,
    text: string,
    more: More,
  ): this {
    const { status = 200, version = null, space = SPACE, probe, contentType = "application/json" } = more;
    // Begins are unique: this one lies between the begin and the end of the previous exchange.
    const begun = more.beside ? this.#clock - 1.5 : this.#clock;
    this.#clock += 2;
    this.#now += 10;
    const index = this.entries.length;
    const headers: Entry["request"]["headers"] = [
      ...(sent === null ? [] : [["content-type", contentType] as [string, string]]),
      ...(more.sentHeaders ?? []),
      ...(more.key === undefined ? [] : [["idempotency-key", more.key] as [string, string]]),
    ];
    this.entries.push({
      index,
      ...(more.repeats ? { repeats: index - 1 } : {}),
      ...(probe === undefined ? {} : { probe }),
      begun,
      ended: this.#clock - 1,
      startedAt: this.#now,
      durationMs: 1,
      round: more.round ?? 1,
      operation: more.operation === null ? null : operation,
      path,
      version,
      space,
      credential: more.credential ?? { kind: "token", token: "token 1" },
      request: {
        method: operation.method,
        url: more.url ?? addressOf(operation, path, more.query),
        query: more.query ?? [],
        headers,
        body: sent === null ? null : bodyOf(typeof sent === "string" ? sent : JSON.stringify(sent)),
      },
      response: {
        status,
        headers: more.headers ?? [["content-type", "application/json"]],
        body: bodyOf(text),
      },
    });
    return this;
  }
}

function addressOf({ path }: Operation, ids: Record<string, string>, query: [string, string][] = []): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(ids[name] ?? ""));
  return query.length === 0 ? filled : `${filled}?${new URLSearchParams(query)}`;
}

function operationOf({ operations }: Spec, key: string): Operation {
  const found = operations.find((operation) => operation.key === key);
  if (!found) throw new Error(`there is no operation ${key}`);
  return found;
}

/** A history of payment codes, which no operation creates. */
export function historyOfCodes(spec: Spec): HistoryBuilder {
  return new HistoryBuilder(spec, {
    create: "createWebhook",
    update: "updatePaymentCode",
    read: "getPaymentCode",
    list: "listPaymentCodes",
  });
}
