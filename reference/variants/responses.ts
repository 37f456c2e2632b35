import { gzipSync } from "node:zlib";
import { EVERYWHERE, LISTS, showEnvelope, showItems } from "../hook-tools.ts";
import type { Variant } from "./variant.ts";

/** Variants of how answers look. */
export const responseVariants: readonly Variant[] = [
  {
    name: "null-for-empty-lists",
    description: "The result of an empty list is null.",
    hooks: showEnvelope(LISTS, (body) =>
      Array.isArray(body.result) && body.result.length === 0 ? { ...body, result: null } : body,
    ),
  },
  {
    name: "undocumented-fields",
    description: "Every object shows fields that the specification does not name.",
    hooks: {
      ...showItems(EVERYWHERE, (item) => ({ ...item, object: "resource", links: { self: null } })),
      ...showEnvelope(EVERYWHERE, (body) => ({ ...body, requestId: "r-1" })),
    },
  },
  {
    name: "compressed-answers",
    description: "Answers are compressed when the client takes gzip, and typed as a +json type.",
    hooks: {
      response: (response, ctx) => {
        const typed = { ...response.headers, "Content-Type": "application/vnd.payments+json" };
        const takesGzip = /\bgzip\b/.test(ctx.request.headers["accept-encoding"] ?? "");
        if (!takesGzip || response.body.length === 0) return { ...response, headers: typed };
        return {
          ...response,
          headers: { ...typed, "Content-Encoding": "gzip", Vary: "Accept-Encoding" },
          body: gzipSync(response.body),
        };
      },
    },
  },
  {
    name: "everything-wrong-is-422",
    description: "Refused bodies and parameters are 422, foreign spaces 404, and errors are plain text.",
    hooks: {
      rejection: (rejection) => {
        const status = { 400: 422, 403: 404, 409: 422, 415: 422 }[rejection.status] ?? rejection.status;
        return { ...rejection, status };
      },
      response: (response) =>
        response.status < 400
          ? response
          : { ...response, headers: { ...response.headers, "Content-Type": "text/plain" }, body: "refused" },
    },
  },
];
