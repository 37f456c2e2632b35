import { EVERYWHERE, isAt, refuse, UNDOCUMENTED } from "../hook-tools.ts";
import { Rejected } from "../problems.ts";
import { answering, withHeaders } from "./tools.ts";
import type { Variant } from "./variant.ts";

const STATUSES = [400, 404, 422, 403, 409, 401];

const silent = "Row 26 and section 7: statuses and bodies of rejections are not shown; any 4xx rejects";

export const errorVariants: readonly Variant[] = [
  {
    name: "refusals-vary",
    description: "The same request is refused with another status each time.",
    why: `${silent}.`,
    hooks: {
      rejection: (rejection, { number }) => ({ ...rejection, status: STATUSES[number % 6] ?? 400 }),
    },
  },
  {
    name: "errors-repeat-what-was-sent",
    description: "The body of a refusal holds the whole request, its token too.",
    why: `${silent}.`,
    hooks: answering((response, { request: { method, path, query, headers, body } }) =>
      response.status < 400
        ? response
        : {
            ...response,
            body: JSON.stringify({ refused: { method, path, query, headers, body: body.toString() } }),
          },
    ),
  },
  {
    name: "errors-look-like-successes",
    description: "The body of a refusal is that of an empty list.",
    why: `${silent}.`,
    hooks: answering((response) =>
      response.status < 400
        ? response
        : {
            ...response,
            body: '{"success":true,"messages":[],"result":null,"pagination":{"count":0,"total":0,"next":null}}',
          },
    ),
  },
  {
    name: "refusals-name-a-time",
    description: "Every refusal says that the client may come again in an hour.",
    why: `${silent}; RFC 9110 section 10.2.3 gives Retry-After a meaning with 503 and 3xx alone.`,
    hooks: answering((response) =>
      response.status < 400 ? response : withHeaders(response, { "Retry-After": "3600" }),
    ),
  },
  {
    name: "refusals-hang-up",
    description: "The connection is closed after every refusal.",
    why: "Section 4 says nothing of connections, so RFC 9112 alone holds: persistence is optional.",
    hooks: answering((response) =>
      response.status < 400
        ? response
        : { ...withHeaders(response, { Connection: "close" }), closesAfter: 1 },
    ),
  },
  {
    name: "bodies-checked-before-tokens",
    description: "Malformed bodies are refused before the token is looked at.",
    why: `${silent}; in which order things are checked is not shown.`,
    hooks: {
      pause: (point, { facts, request }) => {
        if (point !== "arrived" || !facts?.body) return;
        try {
          JSON.parse(request.body.toString());
        } catch {
          throw new Rejected({ status: 400, headers: {}, problems: [] });
        }
      },
    },
  },
  {
    name: "headers-out-of-place-refused",
    description:
      "Reads with a content type, keys on other calls than creates, and spaces where none is shown are refused.",
    why: "Section 4 shows which headers each call carries; others are not shown.",
    hooks: refuse(
      EVERYWHERE,
      "auth",
      { at: "url", rule: "known", message: "a header is out of place" },
      ({ facts, request: { method, headers, body } }) =>
        (method === "GET" && (headers["content-type"] !== undefined || body.length > 0)) ||
        (facts?.key === false && headers["idempotency-key"] !== undefined) ||
        (facts?.spaceMax === null && headers["service-space-id"] !== undefined),
    ),
  },
  {
    name: "usual-headers-demanded",
    description: "A request says what it accepts and who sends it, and how long its body is.",
    why: "Section 4 leaves HTTP to its own rules: RFC 9110 has 406 and 411, and firewalls ask for a User-Agent.",
    hooks: refuse(
      EVERYWHERE,
      "auth",
      { at: "url", rule: "required", message: "a usual header is missing" },
      ({ request: { method, headers } }) =>
        !/json|\*\/\*/.test(headers.accept ?? "") ||
        !headers["user-agent"] ||
        (method !== "GET" && headers["content-length"] === undefined),
    ),
  },
  {
    name: "named-only-ask-for-more",
    description: "Reads that only a changelog names are refused without a parameter that nobody knows.",
    why: "Row 96: what the operations that only a changelog names take is not shown.",
    hooks: refuse(
      UNDOCUMENTED,
      "query",
      { at: "url", rule: "required", message: "from is required" },
      (ctx) => isAt(ctx, UNDOCUMENTED) && !ctx.query.has("from"),
    ),
  },
];
