import type { Context, ResponseDraft } from "../context.ts";
import { CREATES, isAt, refuse, WEBHOOK_WRITES } from "../hook-tools.ts";
import type { Hooks } from "../hooks.ts";
import { isObject } from "../json.ts";
import { Rejected } from "../problems.ts";
import { answering, together, withHeaders } from "./tools.ts";
import type { Variant } from "./variant.ts";

const MINUTES = 60_000;

function turnedAway(status: number, headers: Readonly<Record<string, string>> = {}): Rejected {
  return new Rejected({ status, headers, problems: [] });
}

function onArrival(look: (ctx: Context) => void): Hooks {
  return {
    pause: (point, ctx) => {
      if (point === "arrived") look(ctx);
    },
  };
}

function inEverySecond(most: number, counts: (ctx: Context) => boolean): () => Hooks {
  return () => {
    const window = { second: 0, seen: 0 };
    return onArrival((ctx) => {
      if (!counts(ctx)) return;
      const second = Math.floor(ctx.service.now().getTime() / 1000);
      if (second !== window.second) Object.assign(window, { second, seen: 0 });
      window.seen += 1;
      if (window.seen > most) throw turnedAway(429, { "Retry-After": "1" });
    });
  };
}

function limitedByClock(minutes: number, every: number): Hooks {
  const timeIn = ({ service }: Context, milliseconds: number) =>
    new Date(service.now().getTime() + minutes * MINUTES + milliseconds).toUTCString();
  return together(
    onArrival((ctx) => {
      if (ctx.number % every === every - 1) throw turnedAway(429, { "Retry-After": timeIn(ctx, 1000) });
    }),
    answering((response, ctx) => withHeaders(response, { Date: timeIn(ctx, 0) })),
  );
}

function atTheSameTime(most: number): () => Hooks {
  return () => {
    const inside = new Set<Context>();
    return {
      pause: async (point, ctx) => {
        if (point !== "arrived") return;
        if (inside.size >= most) throw turnedAway(429);
        inside.add(ctx);
        await new Promise((done) => setTimeout(done, 3));
      },
      response: (response, ctx) => {
        inside.delete(ctx);
        return response;
      },
    };
  };
}

function guessesLimited(most: number): () => Hooks {
  return () => {
    const window = { second: 0, seen: 0 };
    return {
      rejection: (rejection, { service }) => {
        if (rejection.status !== 401) return rejection;
        const second = Math.floor(service.now().getTime() / 1000);
        if (second !== window.second) Object.assign(window, { second, seen: 0 });
        window.seen += 1;
        return window.seen > most
          ? { ...rejection, status: 429, headers: { "Retry-After": "1" } }
          : rejection;
      },
    };
  };
}

function quotaWith(most: number, status: number): () => Hooks {
  return () => {
    const made = new Map<string, number>();
    return {
      written: ({ operation }, _record, previous) => {
        if (!previous) made.set(operation, (made.get(operation) ?? 0) + 1);
      },
      pause: (point, ctx) => {
        if (point === "checked" && isAt(ctx, CREATES) && (made.get(ctx.operation) ?? 0) >= most)
          throw turnedAway(status);
      },
    };
  };
}

const tooLong: Hooks = together(
  onArrival(({ request }) => {
    if (request.path.length + request.query.length > 1500) throw turnedAway(414, { Server: "gateway" });
    if (request.body.length > 16_384) throw turnedAway(413, { Server: "gateway" });
  }),
  answering(
    (response): ResponseDraft =>
      response.headers.Server === "gateway"
        ? { ...withHeaders(response, { "Content-Type": "text/html" }), body: "<h1>Too large</h1>" }
        : response,
  ),
);

function isCustomary(metadata: unknown): boolean {
  if (!isObject(metadata as never)) return true;
  const entries = Object.entries(metadata as Record<string, unknown>);
  return (
    entries.length <= 50 &&
    entries.every(
      ([name, value]) =>
        name !== "" &&
        name.length <= 40 &&
        !/[[\]]/.test(name) &&
        typeof value === "string" &&
        value.length <= 500,
    )
  );
}

const rateLimits = "Section 8: rate limits are not shown; a 429 is never evidence, and is asked again";
const quota = "Ruling on rows 60 and 64: a create that is refused from some number on is a quota";
const silent = "Row 26 and section 7: what refuses, and with which status, is not shown";

export const limitVariants: readonly Variant[] = [
  {
    name: "rate-limit-in-every-second",
    description: "Of the requests in a second those beyond 150 are answered 429.",
    why: `${rateLimits}.`,
    hooks: inEverySecond(150, () => true),
  },
  {
    name: "writes-limited-in-every-second",
    description: "Of the writes in a second those beyond 20 are answered 429.",
    why: `${rateLimits}.`,
    hooks: inEverySecond(20, ({ request }) => request.method !== "GET"),
  },
  {
    name: "rate-limit-by-a-clock-ahead",
    description: "The clock is ten minutes ahead, and a 429 names a time by it.",
    why: `${rateLimits}; RFC 9110 section 10.2.3: Retry-After may be a date, and Date tells by which clock.`,
    hooks: limitedByClock(10, 170),
  },
  {
    name: "rate-limit-by-a-clock-behind",
    description: "The clock is ten minutes behind, and a 429 names a time by it.",
    why: `${rateLimits}; RFC 9110 section 10.2.3: Retry-After may be a date, and Date tells by which clock.`,
    hooks: limitedByClock(-10, 170),
  },
  {
    name: "rate-limit-in-odd-words",
    description: "Every 60th request is answered 429, with a Retry-After of 0, 0.5, -1 or a word.",
    why: `${rateLimits}; a Retry-After that says nothing is none.`,
    hooks: onArrival(({ number }) => {
      if (number % 60 === 59)
        throw turnedAway(429, {
          "Retry-After": ["0", "0.5", "soon", "", "-1"][((number / 60) % 5) | 0] ?? "",
        });
    }),
  },
  {
    name: "rate-limit-of-four-at-once",
    description: "While four requests are under way, others are answered 429.",
    why: `${rateLimits}.`,
    hooks: atTheSameTime(4),
  },
  {
    name: "rate-limit-of-wrong-tokens",
    description: "Of wrong tokens in a second those beyond five are answered 429.",
    why: `${rateLimits}.`,
    hooks: guessesLimited(5),
  },
  {
    name: "quota-answered-429",
    description: "A space takes 25 webhooks and 25 accounts; those beyond are answered 429 for ever.",
    why: `${quota}; section 8: a 429 is never evidence.`,
    hooks: quotaWith(25, 429),
  },
  {
    name: "quota-answered-402",
    description: "A space takes 25 webhooks and 25 accounts; those beyond are to be paid for: 402.",
    why: `${quota}.`,
    hooks: quotaWith(25, 402),
  },
  {
    name: "gateway-refuses-what-is-long",
    description:
      "Addresses of more than 1,500 characters are 414, bodies of more than 16 kB 413, as web pages.",
    why: `${silent}; nothing within the documented limits is as long.`,
    hooks: tooLong,
  },
  {
    name: "metadata-as-is-customary",
    description: "Metadata has at most 50 texts of at most 500 characters, under names of at most 40.",
    why: "Ruling on rows 62 and 80: what is sent for a verdict is of ordinary size; more may be declined.",
    hooks: refuse(
      [...CREATES, "PATCH /webhooks/{id}", "PATCH /payouts/{id}", "PATCH /payment-codes/{id}"],
      "body",
      { at: "body.metadata", rule: "maxProperties", message: "metadata is too large" },
      ({ body }) => !isCustomary(body.metadata),
    ),
  },
  {
    name: "webhooks-as-is-customary",
    description:
      "A webhook's url is https at a public host, its headers are named X-, its secret has 16 characters.",
    why: "Ruling on rows 60 and 64: what only the service knows to be good is the user's, or was accepted once.",
    hooks: refuse(
      WEBHOOK_WRITES,
      "body",
      { at: "body", rule: "format", message: "this webhook can't be had" },
      ({ body: { url, customHeaders, verificationMethod: method } }) => {
        const secret = isObject(method) && isObject(method.hmac256) ? method.hmac256.secret : undefined;
        return (
          (typeof url === "string" && !/^https:\/\/[a-z0-9.-]+\.[a-z]+\//i.test(url)) ||
          (isObject(customHeaders) &&
            Object.entries(customHeaders).some(
              ([name, value]) =>
                !/^X-[A-Za-z0-9-]{1,40}$/i.test(name) || !/^[ -~]{0,256}$/.test(String(value)),
            )) ||
          (typeof secret === "string" && (secret.length < 16 || secret.length > 64))
        );
      },
    ),
  },
];
