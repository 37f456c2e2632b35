import type { Context } from "../context.ts";
import type { Hooks } from "../hooks.ts";
import { Rejected, type Rejection } from "../problems.ts";
import { answering, together } from "./tools.ts";
import type { Variant } from "./variant.ts";

const silent = "Row 26 and section 7: statuses and bodies of rejections are not shown; any 4xx rejects";

function statuses(choose: (rejection: Rejection, ctx: Context) => number): Hooks {
  return { rejection: (rejection, ctx) => ({ ...rejection, status: choose(rejection, ctx) }) };
}

function bodies(contentType: string | null, write: (status: number) => string): Hooks {
  return answering((response) => {
    if (response.status < 400) return response;
    const { "Content-Type": _, ...headers } = response.headers;
    const body = write(response.status);
    return {
      ...response,
      headers: contentType ? { ...headers, "Content-Type": contentType } : headers,
      body,
    };
  });
}

function limited(every: number, retryAfter: (now: number) => string | null): Hooks {
  return {
    pause: (point, { number, service }) => {
      if (point !== "arrived" || number % every !== every - 1) return;
      const after = retryAfter(service.now().getTime());
      const problems = [{ at: "url", rule: "state", message: "too many requests" }] as const;
      throw new Rejected({ status: 429, headers: after === null ? {} : { "Retry-After": after }, problems });
    },
  };
}

function oneWriteAtATime(status: number): Hooks {
  const underWay = new Map<string, Context>();
  const spaceOf = ({ request }: Context) => request.headers["service-space-id"] ?? "";
  return {
    pause: async (point, ctx) => {
      if (point !== "arrived" || ctx.request.method === "GET") return;
      if (underWay.has(spaceOf(ctx))) {
        const problems = [{ at: "url", rule: "state", message: "another write is under way" }] as const;
        throw new Rejected({ status, headers: {}, problems });
      }
      underWay.set(spaceOf(ctx), ctx);
      await new Promise((done) => setTimeout(done, 2));
    },
    response: (response, ctx) => {
      if (underWay.get(spaceOf(ctx)) === ctx) underWay.delete(spaceOf(ctx));
      return response;
    },
  };
}

const rateLimits =
  "Section 8: rate limits are not shown; a 429 is never evidence and goes away when asked again.";

export const rejectionVariants: readonly Variant[] = [
  {
    name: "everything-wrong-is-422",
    description: "Refused bodies and parameters are 422, foreign spaces 404, and errors are plain text.",
    why: `${silent}.`,
    hooks: together(
      statuses(({ status }) => ({ 400: 422, 403: 404, 409: 422, 415: 422 })[status] ?? status),
      bodies("text/plain", () => "refused"),
    ),
  },
  {
    name: "foreign-is-not-found",
    description: "Whatever fails before the body is read is 404, wrong tokens too; errors are web pages.",
    why: `${silent}.`,
    hooks: together(
      statuses(({ status }) => ([401, 403, 405].includes(status) ? 404 : status)),
      bodies(
        "text/html; charset=iso-8859-1",
        (status) => `<!DOCTYPE html><html><title>${status}</title><body><script>alert("no")</script></html>`,
      ),
    ),
  },
  {
    name: "problem-details",
    description: "Wrong tokens are 403 without a challenge, conflicts 412; errors are problem details.",
    why: `${silent}.`,
    hooks: together(
      { rejection: (rejection) => ({ ...rejection, headers: {} }) },
      statuses(({ status }) => ({ 401: 403, 409: 412 })[status] ?? status),
      bodies("application/problem+json", (status) =>
        JSON.stringify({ type: "about:blank", title: "Refused", status, success: "no", result: [] }),
      ),
    ),
  },
  {
    name: "refused-without-a-word",
    description: "Every refusal is a 400 without body and content type.",
    why: `${silent}.`,
    hooks: together(
      statuses(() => 400),
      bodies(null, () => ""),
    ),
  },
  {
    name: "errors-in-xml",
    description: "Errors are XML, with unusual statuses: 418, 451, 499.",
    why: `${silent}.`,
    hooks: together(
      statuses(({ status }) => ({ 400: 418, 403: 451, 404: 410, 409: 423, 422: 424 })[status] ?? 499),
      bodies("application/xml", (status) => `<?xml version="1.0"?><error code="${status}">é &amp; ü</error>`),
    ),
  },
  {
    name: "errors-are-bare-json",
    description: "Error bodies are JSON, but no objects: null, a text, a number, a list.",
    why: `${silent}.`,
    hooks: bodies("application/json", (status) => ["null", '"refused"', "[]", "0"][status % 4] ?? "false"),
  },
  {
    name: "errors-claim-to-be-json",
    description: "Error bodies are typed as JSON and are not: a proxy's half a sentence.",
    why: `${silent}; row 1 is about successes.`,
    hooks: bodies("application/json", (status) => `upstream said ${status} {"success":`),
  },
  {
    name: "rate-limit-in-seconds",
    description: "Every 150th request is answered 429, to be asked again after a second.",
    why: rateLimits,
    hooks: limited(150, () => "1"),
  },
  {
    name: "rate-limit-with-date",
    description: "Every 170th request is answered 429, with an HTTP date to ask again.",
    why: rateLimits,
    hooks: limited(170, (now) => new Date(now + 1000).toUTCString()),
  },
  {
    name: "rate-limit-in-silence",
    description: "Every 40th request is answered 429 and does not say when to ask again.",
    why: rateLimits,
    hooks: limited(40, () => null),
  },
  {
    name: "one-write-at-a-time",
    description: "While a write is under way in a space, others to it are turned away as locked.",
    why: "Row 66 alone speaks of calls at the same time, and allows rejections; that others go together is not said.",
    hooks: () => oneWriteAtATime(423),
  },
];
