import { addTo } from "../../spec/grouped.ts";
import { keptIn } from "../../spec/memoized.ts";
import type { Operation, Spec } from "../../spec/model/spec.ts";
import { targetPath } from "../../spec/path-readings.ts";
import type { Body, Entry, Head, Pairs } from "../entry.ts";
import type { ForeignBody, ForeignExchange } from "./exchange.ts";
import {
  askForPlainJson,
  headerOf,
  isMask,
  mayAnswerCondition,
  recordedBody,
  showsMask,
} from "./messages.ts";
import { inOrder, withRetries } from "./order.ts";
import { Tokens } from "./tokens.ts";

export interface ForeignOptions {
  /** Default: the address of most successful requests. */
  baseUrl?: string | undefined;
  paths: string;
  /** Default: all spaces with more 2xx answers than 403. */
  space?: string | undefined;
  ignored?: readonly string[];
  consistencyTimeoutMs: number;
}

type Recorded = NonNullable<ForeignExchange["response"]>;

const UNKNOWN_ORIGIN = "http://unknown.invalid";

export class ForeignTraffic {
  readonly #operations: Operations;
  readonly #ignored: ReadonlySet<string>;
  readonly #tokens = new Tokens();
  readonly #bodies = new Map<Operation | null, Map<string, Body>>();
  #base: string | undefined;

  constructor(
    private readonly spec: Spec,
    private readonly options: ForeignOptions,
  ) {
    this.#operations = new Operations(spec, options.paths);
    this.#ignored = new Set(options.ignored);
    this.#base = options.baseUrl?.replace(/\/+$/, "");
  }

  get base(): string | undefined {
    return this.#base;
  }

  /** Returns the exchanges as a history of documented operations. */
  history(all: readonly ForeignExchange[]): { head: Head; entries: Entry[] } {
    const exchanges = all.map((each) => this.#withoutIgnored(each));
    this.#base ??= this.#commonBase(exchanges);
    for (const exchange of exchanges) this.#tokens.learn(exchange);
    const entries = inOrder(exchanges)
      .filter(({ exchange }) => this.#counts(exchange))
      .map(({ exchange, begun, ended }, index) => this.#entry(exchange, { index, begun, ended }));
    this.#bodies.clear();
    const { consistencyTimeoutMs, space } = this.options;
    const spaces = space === undefined ? spacesOf(entries) : [space];
    const head = { runTag: null, consistencyTimeoutMs, spaces, fixtures: {}, seed: 0 };
    return { head, entries: withRetries(entries) };
  }

  #withoutIgnored(exchange: ForeignExchange): ForeignExchange {
    if (this.#ignored.size === 0) return exchange;
    const kept = (headers: Pairs | null) => headers?.filter(([name]) => !this.#ignored.has(name)) ?? null;
    const { request, response } = exchange;
    return {
      ...exchange,
      request: { ...request, headers: kept(request.headers) },
      response: response && { ...response, headers: kept(response.headers) },
    };
  }

  #commonBase(exchanges: readonly ForeignExchange[]): string | undefined {
    const counts = new Map<string, number>();
    for (const { request, response } of exchanges) {
      if (!response || response.status >= 400) continue;
      const [called] = this.#operations.calledBy(request.method, this.#address(request));
      if (called) counts.set(called.base, (counts.get(called.base) ?? 0) + 1);
    }
    return [...counts].sort(([, a], [, b]) => b - a)[0]?.[0];
  }

  #address({ url, headers }: ForeignExchange["request"]): URL {
    const host = headerOf(headers, "host");
    const origin = this.#base ?? (host === null ? UNKNOWN_ORIGIN : `http://${host}`);
    const base = URL.canParse(origin) ? new URL(origin).origin : UNKNOWN_ORIGIN;
    return URL.canParse(url, base) ? new URL(url, base) : new URL(UNKNOWN_ORIGIN);
  }

  #counts({ request }: ForeignExchange): boolean {
    const { href } = this.#address(request);
    return this.#base !== undefined && (href === this.#base || href.startsWith(`${this.#base}/`));
  }

  #entry(exchange: ForeignExchange, place: Pick<Entry, "index" | "begun" | "ended">): Entry {
    const { request, response, startedAt, durationMs } = exchange;
    const address = this.#address(request);
    const query: Pairs = [...address.searchParams];
    const [called] = this.#operations.calledBy(request.method, address, this.#base);
    const hidden = [...Object.values(called?.path ?? {}), ...query.map(([, value]) => value)].some(isMask);
    const isJudged =
      called &&
      !hidden &&
      !this.#tokens.mayBeWrong(exchange) &&
      askForPlainJson(request.headers ?? [], namesOf(called.operation)) &&
      !mayAnswerCondition(response?.status, request.headers, this.#ignored);
    const operation = isJudged ? called.operation : null;
    return {
      ...place,
      startedAt: Math.round(startedAt),
      durationMs: Math.round(durationMs ?? 0),
      round: 1,
      operation,
      path: called?.path ?? {},
      version: headerOf(request.headers, operation?.version?.name),
      space: this.#spaceOf(request, called?.operation ?? null),
      credential: this.#tokens.credentialOf(request),
      request: {
        method: request.method,
        url: address.href,
        query,
        headers: request.headers ?? [],
        ...(this.#mayLackHeaders(request, operation) ? { isPartial: true } : {}),
        body: request.body && this.#body(request.body, request.headers, operation?.body),
      },
      response: response
        ? {
            status: response.status,
            headers: response.headers ?? [],
            ...(response.headers === null || this.#ignored.size > 0 ? { isPartial: true } : {}),
            body: this.#answer(response, operation),
          }
        : { fault: "closed", message: "no answer was recorded", mayHaveHappened: true },
    };
  }

  #mayLackHeaders({ headers }: ForeignExchange["request"], operation: Operation | null): boolean {
    const isIgnored = (name: string) => this.#ignored.has(name.toLowerCase());
    return headers === null || operation?.parameters.some((parameter) => isIgnored(parameter.name)) === true;
  }

  #answer(response: Recorded, operation: Operation | null): Body {
    const { body, headers } = response;
    const known = keptIn(this.#bodies, operation, () => new Map<string, Body>());
    const isWhole = !body.cut && body.unreadable === undefined;
    const same = isWhole ? known.get(body.text) : undefined;
    if (same) return same;
    const made = this.#body(body, headers, operation?.response);
    if (isWhole && made.json() !== undefined) known.set(body.text, made);
    return made;
  }

  #body(body: ForeignBody, headers: Pairs | null, schema: Operation["body"]): Body {
    return recordedBody(body, headers, (json) => showsMask(this.spec, schema, json));
  }

  #spaceOf({ headers }: ForeignExchange["request"], operation: Operation | null): string | null {
    if (!operation?.space) return null;
    const { space = null } = this.options;
    const isLeftOut = headers === null || this.#ignored.has(operation.space.name.toLowerCase());
    return isLeftOut ? space : headerOf(headers, operation.space.name);
  }
}

function namesOf({ space, version, idempotencyKey }: Operation): string[] {
  return ["content-type", ...[space, version, idempotencyKey].flatMap((each) => each?.name ?? [])];
}

/** Returns the spaces that more answers accepted than refused with 403. */
function spacesOf(entries: readonly Entry[]): string[] {
  const balance = new Map<string, number>();
  for (const { space, response } of entries) {
    if (space === null || !("status" in response)) continue;
    const { status } = response;
    balance.set(space, (balance.get(space) ?? 0) + voteOf(status));
  }
  return [...balance].flatMap(([space, votes]) => (votes > 0 ? [space] : []));
}

function voteOf(status: number): number {
  if (status >= 200 && status < 300) return 1;
  return status === FORBIDDEN ? -1 : 0;
}

const FORBIDDEN = 403;

interface Called {
  operation: Operation;
  path: Record<string, string>;
  base: string;
}

interface Template {
  operation: Operation;
  parts: string[];
}

class Operations {
  readonly #byMethod = new Map<string, Template[]>();

  constructor(spec: Spec, paths: string) {
    for (const operation of spec.operations) {
      const whole = targetPath(operation.path, paths, spec);
      addTo(this.#byMethod, operation.method, { operation, parts: whole.slice(1).split("/") });
    }
    const rank = ({ parts }: Template) => parts.filter((part) => !part.startsWith("{")).length;
    for (const templates of this.#byMethod.values()) templates.sort((a, b) => rank(b) - rank(a));
  }

  calledBy(method: string, address: URL, base?: string): Called[] {
    const parts = address.pathname.slice(1).split("/");
    return (this.#byMethod.get(method) ?? []).flatMap((template) => {
      const found = calledAt(template, address.origin, parts);
      return found && (base === undefined || found.base === base) ? [found] : [];
    });
  }
}

/** Returns the operation and its path parameters if the last parts of the path fit its template. */
function calledAt({ operation, parts }: Template, origin: string, asked: string[]): Called | undefined {
  const own = asked.slice(-parts.length);
  if (own.length < parts.length) return undefined;
  const path: Record<string, string> = {};
  for (const [index, part] of parts.entries()) {
    const value = own[index] ?? "";
    if (part.startsWith("{")) {
      if (value === "") return undefined;
      path[part.slice(1, -1)] = withoutPercentCodes(value);
    } else if (part !== value) return undefined;
  }
  const before = asked.slice(0, asked.length - parts.length);
  return { operation, path, base: [origin, ...before].join("/") };
}

function withoutPercentCodes(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
