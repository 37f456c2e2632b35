import type { Context } from "../context.ts";
import { refuse, WEBHOOK_WRITES } from "../hook-tools.ts";
import type { Hooks } from "../hooks.ts";
import { Rejected } from "../problems.ts";
import { answering, seeded, together, withFields, withoutFixture } from "./tools.ts";
import type { Variant } from "./variant.ts";

const PAGE = "<html><body><h1>Not now</h1><hr>ingress</body></html>";

function turnedAway(status: number, headers: Readonly<Record<string, string>> = {}): Rejected {
  return new Rejected({ status, headers: { Server: "doorman", ...headers }, problems: [] });
}

const asPages = answering((response) =>
  response.headers.Server === "doorman"
    ? { ...response, headers: { ...response.headers, "Content-Type": "text/html" }, body: PAGE }
    : response,
);

function nowAndThen(oneIn: number, status: number): Hooks {
  return together(
    {
      pause: (point, { number }) => {
        if (point === "arrived" && number % oneIn === oneIn - 1) throw turnedAway(status);
      },
    },
    asPages,
  );
}

function lockedOut(
  most: number,
  milliseconds: number,
  counts: (status: number) => boolean,
  refusal: () => Rejected,
): () => Hooks {
  return () => {
    const seen = { since: 0, times: 0, until: 0 };
    const now = ({ service }: Context) => service.now().getTime();
    return together(
      {
        pause: (point, ctx) => {
          if (point === "arrived" && now(ctx) < seen.until) throw refusal();
        },
        rejection: (rejection, ctx) => {
          if (!counts(rejection.status)) return rejection;
          if (now(ctx) - seen.since > 1000) Object.assign(seen, { since: now(ctx), times: 0 });
          seen.times += 1;
          if (seen.times > most && now(ctx) >= seen.until)
            Object.assign(seen, { until: now(ctx) + milliseconds, times: 0 });
          return rejection;
        },
      },
      asPages,
    );
  };
}

const rateLimits = "Section 8: rate limits are not shown; a 429 is never evidence, and is asked again";
const accident =
  "RFC 9110 section 15.5.9: after a 408 the client may repeat its request; row 26 leaves refusals open";

export const ingressVariants: readonly Variant[] = [
  {
    name: "timeouts-408-now-and-then",
    description: "One request in 130 is answered 408 with a web page: it was too slow for a gateway.",
    why: `${accident}.`,
    hooks: nowAndThen(130, 408),
  },
  {
    name: "locked-out-after-wrong-tokens",
    description: "After eight wrong tokens in a second everybody is answered 429 for half a second.",
    why: `${rateLimits}.`,
    hooks: lockedOut(
      8,
      500,
      (status) => status === 401,
      () => turnedAway(429, { "Retry-After": "1" }),
    ),
  },
  {
    name: "odd-paths-hang-up",
    description:
      "The connection is closed on paths of more than 250 characters, or with encoded control characters.",
    why: "Section 4 leaves HTTP to servers; no id of this service is as long.",
    hooks: answering((response, { request: { path } }) =>
      path.length > 250 || /%0\d|%1\d|%7f/i.test(path) ? { ...response, fault: "reset" } : response,
    ),
  },
  {
    name: "a-star-for-all-events",
    description: "Webhooks for all events show a star in the place of their names; no names are given.",
    why: "Ruling on rows 10 and 11: after events null the answer may show the service's own choice.",
    fixtures: withoutFixture("eventNames"),
    hooks: together(
      seeded(["webhook"], (record) => withFields(record, { events: ["*"] })),
      {
        made: (record, ctx) =>
          record.kind === "webhook" && ctx.body.events === null
            ? withFields(record, { events: ["*"] })
            : record,
      },
    ),
  },
  {
    name: "addresses-named-once",
    description: "A webhook may not name an alert address twice.",
    why: "Ruling on rows 60 and 64: values that only the service knows to be good are such as were accepted once.",
    hooks: refuse(
      WEBHOOK_WRITES,
      "body",
      { at: "body.alertEmails", rule: "unique", message: "an address is named twice" },
      ({ body: { alertEmails } }) =>
        Array.isArray(alertEmails) && new Set(alertEmails).size < alertEmails.length,
    ),
  },
  {
    name: "ingress-404-now-and-then",
    description: "One request in 230 is answered 404 with a web page: no server was behind the ingress.",
    why: "Row 26 and the ruling on 4xx of others: what stands before a service has refusals of its own; what does not show again is unsteady.",
    hooks: nowAndThen(230, 404),
  },
];
