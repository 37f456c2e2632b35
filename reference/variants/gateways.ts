import type { Context, IncomingRequest, ResponseDraft } from "../context.ts";
import { isAt, SINGLES } from "../hook-tools.ts";
import type { Hooks, Service } from "../hooks.ts";
import { Rejected } from "../problems.ts";
import type { StoredRecord } from "../store.ts";
import { answering, repeatedly, withFields } from "./tools.ts";
import type { Variant } from "./variant.ts";

const PAGE = "<html><head><title>Sorry</title></head><body><h1>Sorry</h1><hr>nginx</body></html>";

function page(response: ResponseDraft): ResponseDraft {
  return { ...response, headers: { ...response.headers, "Content-Type": "text/html" }, body: PAGE };
}

function turnedAway(oneIn: number, status: number, headers: Readonly<Record<string, string>> = {}): Hooks {
  return {
    pause: (point, { number }) => {
      if (point === "arrived" && number % oneIn === oneIn - 1)
        throw new Rejected({ status, headers, problems: [] });
    },
    ...answering((response) => (response.status === status ? page(response) : response)),
  };
}

const ATTACK = /<\/?[a-z!]|['"]\s*(?:or|and)\s|\bunion\s+select\b|;\s*(?:drop|select)\b|--(?:\s|$)|\.\.\//i;

function looksLikeAttack({ path, query, body }: IncomingRequest): boolean {
  return [path, query].some((text) => ATTACK.test(decoded(text))) || ATTACK.test(unescaped(body.toString()));
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function unescaped(json: string): string {
  return json.replaceAll('\\"', '"');
}

const behindFirewall: Hooks = {
  pause: (point, { request }) => {
    if (point === "arrived" && looksLikeAttack(request))
      throw new Rejected({ status: 403, headers: { Server: "firewall" }, problems: [] });
  },
  ...answering((response) => (response.headers.Server === "firewall" ? page(response) : response)),
};

function cached(milliseconds: number): () => Hooks {
  return () => {
    const kept = new Map<string, { response: ResponseDraft; until: number }>();
    const key = ({ request: { path, query, headers } }: Context) =>
      JSON.stringify([
        ...[path, query, headers.authorization, headers["service-space-id"], headers["service-version"]],
      ]);
    return answering((response, ctx) => {
      if (ctx.request.method !== "GET" || response.status !== 200) return response;
      const now = ctx.service.now().getTime();
      const earlier = kept.get(key(ctx));
      if (earlier && earlier.until > now) return earlier.response;
      kept.set(key(ctx), { response, until: now + milliseconds });
      return response;
    });
  };
}

function readsBehind(milliseconds: number): () => Hooks {
  return () => {
    const earlier = new Map<string, StoredRecord>();
    return {
      stored: (record, _ctx, previous) => {
        if (record && previous) earlier.set(record.id, previous);
        return record;
      },
      found: (record, ctx, { purpose }) =>
        record && purpose === "read" && isAt(ctx, SINGLES)
          ? record.writtenAt > ctx.service.now().getTime() - milliseconds
            ? (earlier.get(record.id) ?? record)
            : record
          : record,
    };
  };
}

const paymentsArrive: Hooks = {
  started: (service) =>
    repeatedly(service, 120, (round) => {
      const now = service.now();
      for (const record of service.store.all("paymentCode")) {
        const progress = {
          isCompleted: false,
          totalPaymentCount: round,
          totalPaymentSum: { currency: "XAF", value: 100 * round },
        };
        service.store.replace(withFields(record, { progress, updateTime: now.toISOString() }));
      }
      for (const record of service.store.all("payout"))
        service.store.replace(
          withFields(record, {
            status: round % 2 === 0 ? "processing" : "pending",
            updateTime: now.toISOString(),
          }),
        );
    }),
};

const busy = "Ruling on 5xx: what a gateway answers now and then is treated like 429, and unsteady at worst";
const delay = "Ruling on rows 69 and 80: single reads may lag as lists may, within the visibility delay";

/** Requests that met a fault pass when sent again. */
const metFault = new WeakMap<Service, Set<string>>();

export const gatewayVariants: readonly Variant[] = [
  {
    name: "gateway-502-now-and-then",
    description: "One request in 97 is answered 502 with a web page: a worker has just been replaced.",
    why: `${busy}.`,
    hooks: turnedAway(97, 502),
  },
  {
    name: "gateway-503-with-retry-after",
    description: "One request in 140 is answered 503 during a deployment, to be sent again after a second.",
    why: `${busy}.`,
    hooks: turnedAway(140, 503, { "Retry-After": "1" }),
  },
  {
    name: "gateway-504-now-and-then",
    description: "One request in 113 is answered 504: no connection of the pool was free in time.",
    why: `${busy}.`,
    hooks: turnedAway(113, 504),
  },
  {
    name: "fault-500-now-and-then",
    description: "One request in 131 is answered 500, and the same request sent again is not.",
    why: "Ruling on 5xx: a fault that an equal request does not meet is unsteady, and part of no verdict.",
    hooks: {
      pause: (point, { number, request, service }) => {
        if (point !== "arrived" || number % 131 !== 130) return;
        const { method, path, query, body } = request;
        const met = metFault.get(service) ?? new Set();
        metFault.set(service, met);
        const asked = `${method} ${path}?${query} ${body.toString("base64")}`;
        if (met.has(asked)) return;
        met.add(asked);
        throw new Rejected({ status: 500, headers: {}, problems: [] });
      },
    },
  },
  {
    name: "firewall-refuses-markup",
    description: "A firewall refuses markup and SQL in paths, queries and bodies: 403 with a web page.",
    why: "Ruling on 4xx of others: what is not shaped like the service's own refusals was declined on the way.",
    hooks: behindFirewall,
  },
  {
    name: "single-reads-late",
    description: "Single reads come from a replica, eight tenths of a second behind.",
    why: `${delay}.`,
    hooks: readsBehind(800),
  },
  {
    name: "single-reads-late-nearly-too-long",
    description: "Single reads come from a replica, 1.7 of the 2 seconds allowed behind.",
    why: `${delay}.`,
    hooks: readsBehind(1700),
  },
  {
    name: "cache-of-a-second",
    description: "A cache before the service gives the answers to reads again for a second.",
    why: `${delay}.`,
    hooks: cached(1000),
  },
  {
    name: "values-move-by-themselves",
    description:
      "Progress and updateTime of payment codes, and states of payouts, change eight times a second.",
    why: "Ruling on row 81: status and updateTime may move by themselves; progress follows the payments.",
    hooks: paymentsArrive,
  },
];
