import type { Context } from "../../context.ts";
import { isAt, overlook, type Where } from "../../hook-tools.ts";
import type { Hooks } from "../../hooks.ts";
import {
  ACCOUNT,
  CODE_UPDATE,
  overlookWhen,
  PAYOUT_UPDATE,
  WEBHOOK,
  WEBHOOK_UPDATE,
} from "../../write-hook-tools.ts";
import type { LegacyDefect as Defect } from "../legacy.ts";

const auth = { row: 20, level: "MUST" } as const;
const noEffect = { ...auth, requirement: "AUTH-NO-EFFECT" } as const;

/** Carries the operation out before a call that is not authenticated is refused. */
function authenticatedLate(where: Where): Hooks {
  return { late: (late, ctx, stage) => late || (stage === "auth" && isAt(ctx, where)) };
}

/** The known token that a sent one stands for, where it stands for one. */
function tokenOf(ctx: Context, stands: (known: string) => boolean): string | undefined {
  return [...ctx.service.tokens.keys()].find(stands);
}

/** Defects of authentication on creates and updates (row 20). */
export const writeAccessDefects: readonly Defect[] = [
  {
    ...auth,
    name: "code-update-without-authorization",
    description: "A payment code is updated without Authorization.",
    requirement: "AUTH-MISSING",
    operations: CODE_UPDATE,
    hooks: overlookWhen(CODE_UPDATE, { stage: "auth", rule: "required" }, ({ request }) => {
      return request.headers.authorization === undefined;
    }),
  },
  {
    ...auth,
    name: "webhook-made-with-empty-token",
    description: "A webhook is created with an empty bearer token.",
    requirement: "AUTH-EMPTY-TOKEN",
    operations: WEBHOOK,
    hooks: overlookWhen(WEBHOOK, { stage: "auth", rule: "required" }, ({ request }) => {
      return /^bearer/i.test(request.headers.authorization ?? "");
    }),
  },
  {
    ...auth,
    name: "webhook-update-with-unknown-token",
    description: "A webhook is updated with any bearer token.",
    requirement: "AUTH-UNKNOWN-TOKEN",
    alsoBreaks: ["AUTH-ALTERED-TOKEN"],
    operations: WEBHOOK_UPDATE,
    hooks: overlook(WEBHOOK_UPDATE, { stage: "auth", rule: "token" }),
  },
  {
    ...auth,
    name: "account-made-with-basic-scheme",
    description: "Financial accounts take the token as the password or user of the Basic scheme too.",
    requirement: "AUTH-OTHER-SCHEME",
    operations: ACCOUNT,
    hooks: {
      credentials: (credentials, ctx) => {
        if (!isAt(ctx, ACCOUNT) || credentials.scheme.toLowerCase() !== "basic") return credentials;
        const parts = Buffer.from(credentials.token, "base64").toString("utf8").split(":");
        const token = tokenOf(ctx, (known) => credentials.token === known || parts.includes(known));
        return token === undefined ? credentials : { scheme: "Bearer", token };
      },
    },
  },
  {
    ...auth,
    name: "payout-update-whatever-the-scheme",
    description: "The name of the authentication scheme is not looked at when a payout is updated.",
    requirement: "AUTH-OTHER-SCHEME",
    alsoBreaks: ["AUTH-BARE-TOKEN"],
    operations: PAYOUT_UPDATE,
    hooks: overlook(PAYOUT_UPDATE, { stage: "auth", rule: "scheme" }),
  },
  {
    ...auth,
    name: "code-update-compares-part-of-the-token",
    description:
      "Only the first sixteen characters of the token are compared when a payment code is updated.",
    requirement: "AUTH-ALTERED-TOKEN",
    operations: CODE_UPDATE,
    hooks: {
      credentials: ({ scheme, token }, ctx) => {
        const known = tokenOf(ctx, (other) => other.slice(0, 16) === token.slice(0, 16));
        return { scheme, token: (isAt(ctx, CODE_UPDATE) ? known : undefined) ?? token };
      },
    },
  },
  {
    ...noEffect,
    name: "webhook-updated-before-authentication",
    description: "A webhook update that is not authenticated is answered 401 after it was carried out.",
    operations: WEBHOOK_UPDATE,
    hooks: authenticatedLate(WEBHOOK_UPDATE),
  },
  {
    ...noEffect,
    name: "payout-updated-before-authentication",
    description: "A payout update that is not authenticated is answered 401 after it was carried out.",
    operations: PAYOUT_UPDATE,
    hooks: authenticatedLate(PAYOUT_UPDATE),
  },
  {
    ...noEffect,
    name: "code-updated-before-authentication",
    description: "A payment code update that is not authenticated is answered 401 after it was carried out.",
    operations: CODE_UPDATE,
    hooks: authenticatedLate(CODE_UPDATE),
  },
];
