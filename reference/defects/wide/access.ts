import { EVERYWHERE, isAt, NAMED_ONLY, overlook, SHOWN } from "../../hook-tools.ts";
import { overlookWhen } from "../../write-hook-tools.ts";
import type { LegacyDefect as Defect } from "../legacy.ts";

const auth = { row: 20, level: "MUST" } as const;

/** Defects of authentication on all operations at once (row 20). */
export const wideAccessDefects: readonly Defect[] = [
  {
    ...auth,
    name: "authorization-left-to-a-gateway",
    description: "Calls without Authorization pass, as a gateway in front was to refuse them.",
    requirement: "AUTH-MISSING",
    alsoBreaks: ["AUTH-NO-EFFECT"],
    operations: SHOWN,
    hooks: overlookWhen(
      SHOWN,
      { stage: "auth", rule: "required" },
      ({ request }) => !request.headers.authorization,
    ),
  },
  {
    ...auth,
    name: "empty-token-is-a-guest",
    description: "An empty bearer token passes on every operation.",
    requirement: "AUTH-EMPTY-TOKEN",
    alsoBreaks: ["AUTH-NO-EFFECT"],
    operations: EVERYWHERE,
    hooks: overlookWhen(EVERYWHERE, { stage: "auth", rule: "required" }, ({ request }) =>
      /^bearer/i.test(request.headers.authorization ?? ""),
    ),
  },
  {
    ...auth,
    name: "tokens-are-not-looked-up",
    description: "Any bearer token passes on every operation.",
    requirement: "AUTH-UNKNOWN-TOKEN",
    alsoBreaks: ["AUTH-ALTERED-TOKEN", "AUTH-NO-EFFECT"],
    operations: EVERYWHERE,
    hooks: overlook(EVERYWHERE, { stage: "auth", rule: "token" }),
  },
  {
    ...auth,
    name: "named-only-token-without-scheme",
    description: "The operations named by the changelog take a token without the name of a scheme.",
    requirement: "AUTH-BARE-TOKEN",
    alsoBreaks: ["AUTH-NO-EFFECT"],
    level: "SHOULD",
    operations: NAMED_ONLY,
    hooks: {
      credentials: (credentials, ctx) =>
        isAt(ctx, NAMED_ONLY) && credentials.token === "" && ctx.service.tokens.has(credentials.scheme)
          ? { scheme: "Bearer", token: credentials.scheme }
          : credentials,
    },
  },
];
