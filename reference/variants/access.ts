import { EVERYWHERE, overlook, refuse } from "../hook-tools.ts";
import type { Variant } from "./variant.ts";

export const accessVariants: readonly Variant[] = [
  {
    name: "bearer-as-spelled",
    description: "The scheme has to be spelled Bearer.",
    why: "Row 21: accepting the scheme name in any casing is a SHOULD.",
    warns: ["AUTH-SCHEME-CASE"],
    hooks: refuse(
      EVERYWHERE,
      "auth",
      { at: "header.Authorization", rule: "scheme", message: "the scheme is spelled Bearer" },
      ({ request }) => !/^Bearer /.test(request.headers.authorization ?? ""),
    ),
  },
  {
    name: "bare-token-taken",
    description: "A token without a scheme is taken as a bearer token.",
    why: "Ruling on row 20: rejecting a token without a scheme is a SHOULD.",
    warns: ["AUTH-BARE-TOKEN"],
    hooks: {
      credentials: ({ scheme, token }, { service }) =>
        token === "" && service.tokens.has(scheme) ? { scheme: "Bearer", token: scheme } : { scheme, token },
    },
  },
  {
    name: "unknown-space-is-empty",
    description: "A space that does not exist is taken as one with nothing in it.",
    why: "Row 25: rejecting it is a SHOULD; nothing of another space is shown (row 24).",
    warns: ["SPACE-UNKNOWN"],
    hooks: {
      problems: (problems, { request, service }, stage) =>
        stage === "space" && !service.spaces.has(request.headers["service-space-id"] ?? "")
          ? problems.filter(({ rule }) => rule !== "known")
          : problems,
    },
  },
  {
    name: "any-version-taken",
    description: "A Service-Version that is not allowed counts as none.",
    why: "Row 92: rejecting it is a SHOULD.",
    warns: ["VERSION-UNKNOWN"],
    hooks: overlook(EVERYWHERE, { stage: "version", rule: "enum" }),
  },
  {
    name: "empty-version-refused",
    description: "An empty Service-Version is refused.",
    why: "Ruling on row 92: an empty Service-Version is left open.",
    hooks: refuse(
      EVERYWHERE,
      "version",
      { at: "header.Service-Version", rule: "enum", message: "Service-Version is empty" },
      ({ request }) => request.headers["service-version"] === "",
    ),
  },
  {
    name: "token-runs-out",
    description: "The token is good for 1,500 calls.",
    why: "Section 5: the lifetime of a token is not shown.",
    hooks: () => {
      let calls = 0;
      return refuse(
        EVERYWHERE,
        "auth",
        { at: "header.Authorization", rule: "token", message: "the token has run out" },
        () => ++calls > 1_500,
      );
    },
  },
  {
    name: "quota-of-webhooks",
    description: "A space holds 40 webhooks, and no more.",
    why: "Section 8: quotas are not shown.",
    hooks: refuse(
      ["POST /webhooks"],
      "conflict",
      { at: "body", rule: "state", message: "the space holds as many webhooks as it may" },
      ({ service, space }) =>
        service.store.all("webhook").filter((each) => each.space === space).length >= 40,
    ),
  },
];
