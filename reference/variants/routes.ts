import { isAt, refuse, showEnvelope, UNDOCUMENTED } from "../hook-tools.ts";
import type { Hooks, Route } from "../hooks.ts";
import { answering } from "./tools.ts";
import type { Variant } from "./variant.ts";

function without(allow: readonly string[]): Hooks {
  return {
    route: (route): Route =>
      route.operation?.undocumented ? { operation: null, params: {}, underV1: false, allow } : route,
  };
}

const named = "Row 96: whether the operations that only a changelog names exist is left open";

function plainPath(path: string): string {
  const fixed =
    /^\/(v1|banks|momos|countries|payouts|webhooks|payment-codes|ussd-otps|financial-accounts)(?=\/|$)/i;
  const [first] = fixed.exec(path) ?? [];
  if (first === undefined) return path;
  const rest = path.slice(first.length);
  return first.toLowerCase() + (first.toLowerCase() === "/v1" ? plainPath(rest) : rest);
}

export const routeVariants: readonly Variant[] = [
  {
    name: "named-only-absent",
    description: "The operations that only a changelog names do not exist.",
    why: `${named}.`,
    hooks: without([]),
  },
  {
    name: "named-only-not-allowed",
    description: "The operations that only a changelog names are answered 405.",
    why: `${named}.`,
    hooks: without(["DELETE"]),
  },
  {
    name: "named-only-refused",
    description: "The operations that only a changelog names exist, and refuse every request.",
    why: `${named}, and what they take is not shown.`,
    hooks: refuse(
      UNDOCUMENTED,
      "version",
      { at: "url", rule: "state", message: "not enabled here" },
      () => true,
    ),
  },
  {
    name: "named-only-not-implemented",
    description: "The operations that only a changelog names are answered 501 to good credentials.",
    why: `${named}; 501 says that one does not (ruling on 5xx).`,
    hooks: answering((response, { operation }) =>
      operation !== "" && UNDOCUMENTED.includes(operation) && response.status !== 401
        ? { ...response, status: 501 }
        : response,
    ),
  },
  {
    name: "named-only-answers-null",
    description: "Reads that only a changelog names answer with result null and without pagination.",
    why: "Row 95: the envelope holds, and the list rows only where result is an array.",
    hooks: showEnvelope(
      UNDOCUMENTED.filter((name) => name.startsWith("GET")),
      () => ({ success: true, messages: [], result: null }),
    ),
  },
  {
    name: "under-v1-only",
    description: "Every operation is under /v1, and nowhere else.",
    why: "Section 9 moves endpoints under /v1; the row on it (93) makes the paths a setting.",
    options: { paths: "v1" },
    hooks: {},
  },
  {
    name: "paths-as-shown-only",
    description: "Every operation is at the path that section 4 shows, and nowhere else, behind a prefix.",
    why: "Section 4: paths are appended to a base address, which may hold one.",
    options: { paths: "as-shown", basePath: "/gateway/payments-service%20eu" },
    hooks: {},
  },
  {
    name: "head-not-there",
    description: "HEAD and OPTIONS are not allowed.",
    why: "Section 4 shows GET, POST and PATCH only.",
    hooks: {
      route: (route, { request }) =>
        request.method === "HEAD" ? { operation: null, params: {}, underV1: false, allow: ["GET"] } : route,
      response: (response) => (response.status === 204 ? { ...response, status: 405 } : response),
    },
  },
  {
    name: "unknown-paths-redirect",
    description: "Paths that are of no operation lead to the documentation.",
    why: "Section 4 shows the paths there are; what others answer is not shown.",
    options: { paths: "as-shown" },
    hooks: answering((response, { operation }) =>
      operation === "" && response.status === 404
        ? { ...response, status: 302, headers: { Location: "https://docs.example.com/" }, body: "" }
        : response,
    ),
  },
  {
    name: "paths-in-any-casing",
    description: "The fixed parts of a path are taken in any casing, and a slash may end it.",
    why: "Section 4 shows one spelling of each path; others are not shown.",
    hooks: {
      request: (request) => ({ ...request, path: plainPath(request.path).replace(/(.)\/$/, "$1") }),
    },
  },
  {
    name: "unknown-parameters-refused",
    description: "A query parameter that an operation does not show is refused.",
    why: "Section 4 shows the parameters of each operation; others are not shown.",
    hooks: refuse(
      ["GET /v1/ussd-otps", "GET /v1/payment-codes", "GET /webhooks", "GET /banks", "GET /momos"],
      "query",
      { at: "url", rule: "known", message: "there is no such parameter" },
      (ctx) => {
        const known = isAt(ctx, ["GET /banks", "GET /momos"])
          ? ["country"]
          : isAt(ctx, ["GET /webhooks"])
            ? ["after", "before", "limit"]
            : isAt(ctx, ["GET /v1/payment-codes"])
              ? ["ussd_code", "mode", "status", "limit", "after"]
              : ["limit", "after"];
        return [...ctx.query.keys()].some((name) => !known.includes(name));
      },
    ),
  },
];
