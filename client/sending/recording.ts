import { isUtf8 } from "node:buffer";
import { bodyOf } from "../../history/body.ts";
import type { Body, Credential, Delivery, Entry, Failure, Response } from "../../history/entry.ts";
import { keptIn, memoized } from "../../spec/memoized.ts";
import type { Exchange } from "../../spec/model/result.ts";
import type { Settings } from "../../spec/model/settings.ts";
import type { Operation, Spec } from "../../spec/model/spec.ts";
import { isUndocumented } from "../../spec/operations.ts";
import type { NoAnswer, RawResponse } from "./dispatch.ts";
import type { Outgoing, Use } from "./sender.ts";
import type { WireRequest } from "./wire.ts";

export interface Begun {
  answered(response: RawResponse, json: unknown, exchange: Exchange): void;
  failed(error: NoAnswer, exchange: Exchange, itemsAtLeast: number): void;
}

interface Evidence {
  exchange: Exchange;
  outgoing: Outgoing;
}

/** The part of an entry that is known before its answer. */
type SentPart = Pick<Entry, "operation" | "path" | "version" | "space" | "credential" | "request">;

export class Recorder {
  readonly entries: Entry[] = [];
  readonly deliveries: Delivery[] = [];
  readonly #spaceHeader: string | undefined;
  readonly #sent = new WeakMap<WireRequest, number>();
  readonly #evidence = new WeakMap<Entry, Evidence>();
  readonly #bodies = new Map<string, Body>();
  readonly #unanswered = new Set<Promise<unknown>>();
  #clock = 0;
  /** The clock of the machine may be set during a run, so times are measured from the beginning of the run. */
  readonly #origin = Date.now() - performance.now();

  constructor(
    private readonly settings: Pick<Settings, "token" | "secondToken">,
    { operations }: Pick<Spec, "operations">,
    private readonly recorded?: (entry: Entry) => void,
  ) {
    this.#spaceHeader = operations.find(({ space }) => space)?.space?.name;
  }

  evidenceOf(entry: Entry): Evidence {
    const evidence = this.#evidence.get(entry);
    if (!evidence) throw new Error(`entry ${entry.index} was not recorded here`);
    return evidence;
  }

  async whileUnanswered<T>({ method }: WireRequest, exchange: Promise<T>): Promise<T> {
    if (method !== "GET") this.#unanswered.add(exchange);
    try {
      return await exchange;
    } finally {
      this.#unanswered.delete(exchange);
    }
  }

  async writesRecorded(): Promise<boolean> {
    if (this.#unanswered.size === 0) return false;
    await Promise.allSettled(this.#unanswered);
    return true;
  }

  received(delivery: Omit<Delivery, "at">): void {
    this.deliveries.push({ at: this.#clock++, ...delivery });
  }

  readonly requestOf = memoized(({ plan, wire }: Outgoing): SentPart => {
    const { operation } = plan;
    const spaceHeader = isUndocumented(operation) ? this.#spaceHeader : operation.space?.name;
    return {
      operation: plan.pathOverride === undefined ? operation : null,
      path: pathOf(operation, plan.path, plan.outer),
      version: headerValue(wire, operation.version?.name),
      space: headerValue(wire, spaceHeader),
      credential: credentialOf(wire.headers.authorization, this.settings),
      request: {
        method: wire.method,
        url: wire.url,
        query: plan.query,
        headers: Object.entries(wire.headers),
        body: wire.body === null ? null : bodyOf(wire.body),
      },
    };
  });

  /** Notes that the request is sent. The returned functions record its end. */
  begin(outgoing: Outgoing, use: Use): Begun {
    const { wire } = outgoing;
    const begun = this.#clock++;
    const start = performance.now();
    const startedAt = Math.floor(this.#origin + start);
    const repeats = this.#sent.get(wire);
    const add = (response: Response | Failure, exchange: Exchange) => {
      const index = this.entries.length;
      this.#sent.set(wire, repeats ?? index);
      const entry: Entry = {
        index,
        ...(repeats === undefined ? {} : { repeats }),
        begun,
        ended: this.#clock++,
        startedAt,
        durationMs: Math.floor(performance.now() - start),
        round: use.round,
        probe: use.asker,
        ...this.requestOf(outgoing),
        response,
      };
      this.entries.push(entry);
      this.#evidence.set(entry, { exchange, outgoing });
      this.recorded?.(entry);
    };
    return {
      answered: ({ status, headers, body, notPackedWith }, json, exchange) =>
        add(
          { status, headers: Object.entries(headers), body: this.#bodyOf(body, json, notPackedWith) },
          exchange,
        ),
      failed: ({ kind, message }, exchange, itemsAtLeast) => {
        const page = itemsAtLeast > 0 ? { itemsAtLeast } : {};
        add({ fault: kind, message, mayHaveHappened: kind !== "unreachable", ...page }, exchange);
      },
    };
  }

  #bodyOf(body: Buffer, json: unknown, notPackedWith: string | undefined): Body {
    const text = body.toString("utf8");
    if (notPackedWith !== undefined || !isUtf8(body))
      return bodyOf(text, { json, unreadable: notPackedWith === undefined ? "not-utf-8" : "not-unpacked" });
    return keptIn(this.#bodies, text, () => bodyOf(text, { json }));
  }
}

/** Returns the path parameters of a request by name: the outer ones and the operation's own. */
function pathOf(
  { pathParameter }: Operation,
  value: string | undefined,
  outer: Record<string, string> = {},
): Record<string, string> {
  return pathParameter === undefined || value === undefined
    ? outer
    : { ...outer, [pathParameter.name]: value };
}

function headerValue({ headers }: WireRequest, name: string | undefined): string | null {
  return name === undefined ? null : (headers[name.toLowerCase()] ?? null);
}

/** Returns which credential a header holds, but not its text. */
export function credentialOf(
  authorization: string | undefined,
  { token, secondToken }: Pick<Settings, "token" | "secondToken">,
): Credential {
  if (authorization === undefined) return { kind: "none", token: null };
  const [, scheme = "", rest = ""] = /^(\S*)\s*(.*)$/s.exec(authorization) ?? [];
  if (scheme === "") return { kind: "empty-header", token: null };
  const known = [token, secondToken];
  const place = known.indexOf(rest);
  const isBearer = scheme.toLowerCase() === "bearer";
  if (isBearer && rest === "") return { kind: "empty-token", token: null };
  if (isBearer && place >= 0) return { kind: "token", token: `token ${place + 1}` };
  if (rest === "" && known.includes(scheme))
    return { kind: "bare", token: `token ${known.indexOf(scheme) + 1}` };
  if (!isBearer) return { kind: "other-scheme", token: null };
  return {
    kind: known.some((one) => one !== undefined && isNearly(rest, one)) ? "altered" : "unknown",
    token: null,
  };
}

function isNearly(text: string, token: string): boolean {
  const [one, other] = [text.toLowerCase(), token.toLowerCase()];
  return one === other || (one.length >= 4 && (other.includes(one) || one.includes(other)));
}
