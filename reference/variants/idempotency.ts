import type { Context } from "../context.ts";
import { CREATES, isAt, refuse } from "../hook-tools.ts";
import type { Hooks } from "../hooks.ts";
import type { Problem } from "../problems.ts";
import { together } from "./tools.ts";
import type { Variant } from "./variant.ts";

const USED: Problem = {
  at: "header.Idempotency-Key",
  rule: "reuse",
  message: "this Idempotency-Key was used",
};

function indexOf({ space, operation, params, key }: Context): string {
  return JSON.stringify([space, operation, params, key]);
}

function keysApartOnlyBy(scope: (ctx: Context) => string): Hooks {
  const users = new Map<string, string>();
  return {
    problems: (problems, ctx, stage) => {
      if (stage !== "conflict" || ctx.key === "") return problems;
      const within = JSON.stringify([scope(ctx), ctx.key]);
      const user = users.get(within) ?? indexOf(ctx);
      users.set(within, user);
      return user === indexOf(ctx) ? problems : [...problems, USED];
    },
  };
}

const replay = "Row 66: a repeated call is answered with the same resource or a rejection";
const reuse = "Row 71: this reuse of a key is left open";

export const idempotencyVariants: readonly Variant[] = [
  {
    name: "used-keys-refused",
    description: "A key that was used is refused with 409, also with the same body or at the same time.",
    why: `${replay}.`,
    hooks: together(
      refuse(CREATES, "body", USED, (ctx) => ctx.service.keys.has(indexOf(ctx))),
      {
        rejection: (rejection) =>
          rejection.problems.some(({ rule }) => rule === "reuse") ? { ...rejection, status: 409 } : rejection,
      },
    ),
  },
  {
    name: "first-answer-for-any-body",
    description: "A used key gets the first resource again, whatever the body.",
    why: "Row 67: rejecting another body under a used key is a SHOULD; no second resource is made.",
    warns: ["KEY-OTHER-BODY"],
    hooks: { keyFingerprint: () => "" },
  },
  {
    name: "replays-show-what-is-now",
    description: "A repeated call shows the resource as it is by then, and says so in a header.",
    why: `${replay}; a resource that was updated since is the same resource.`,
    hooks: {
      keyReplay: (result, { service }) => {
        const now = service.store.get("webhook", String(result.id));
        return now ? { id: now.id, ...now.data } : result;
      },
      response: (response, ctx) =>
        isAt(ctx, CREATES)
          ? {
              ...response,
              headers: { ...response.headers, "Idempotency-Key": ctx.key.replace(/[^ -~]/g, "?") },
            }
          : response,
    },
  },
  {
    name: "keys-spent-by-refusals",
    description: "A key that was sent with a body that was refused cannot be used again.",
    why: `${reuse}.`,
    hooks: () => {
      const spent = new Set<string>();
      return together(
        refuse(CREATES, "body", USED, (ctx) => spent.has(indexOf(ctx))),
        {
          rejection: (rejection, ctx) => {
            if (ctx.key !== "") spent.add(indexOf(ctx));
            return rejection;
          },
        },
      );
    },
  },
  {
    name: "keys-shared-by-operations",
    description: "A key that was used on one operation is refused on another.",
    why: `${reuse}.`,
    hooks: () => keysApartOnlyBy(({ space }) => space),
  },
  {
    name: "keys-shared-by-spaces",
    description: "A key that was used in one space is refused in another, and on any other operation.",
    why: `${reuse}; nothing of the other space is shown (row 24).`,
    hooks: () => keysApartOnlyBy(() => ""),
  },
];
