import type { Context } from "../../context.ts";
import { isAt } from "../../hook-tools.ts";
import type { Hooks } from "../../hooks.ts";
import type { Stage } from "../../problems.ts";
import { ACCOUNT, makeField, together, WEBHOOK } from "../../write-hook-tools.ts";
import type { LegacyDefect as Defect } from "../legacy.ts";

const noEffect = { requirement: "CREATE-NO-EFFECT", row: 68, level: "MUST" } as const;
const listed = { requirement: "CREATE-LISTED", row: 69, level: "MUST", operations: WEBHOOK } as const;

/** Creates a webhook before a stage is judged. */
function createdBefore(stage: Stage, when: (ctx: Context) => boolean): Hooks {
  return { late: (late, ctx, current) => late || (current === stage && isAt(ctx, WEBHOOK) && when(ctx)) };
}

/** A refused financial account takes its reference all the same. */
function referenceTakenByRefusal(): Hooks {
  const taken = new Map<string, string>();
  return {
    problems: (problems, ctx, stage) => {
      const { reference } = ctx.body;
      if (!isAt(ctx, ACCOUNT) || typeof reference !== "string") return problems;
      const name = `${ctx.space} ${reference}`;
      if (stage === "body" && problems.length > 0) taken.set(name, reference);
      if (stage !== "conflict" || problems.length > 0 || !taken.has(name)) return problems;
      return [{ at: "body.reference", rule: "unique", message: "this reference is taken" }];
    },
  };
}

/** Lists a webhook that was created inactive only once it is active. */
function inactiveHidden(): Hooks {
  const drafts = new Set<string>();
  return {
    written: (ctx, record) => {
      if (isAt(ctx, WEBHOOK) && record.data.isActive !== true) drafts.add(record.id);
    },
    members: (records, _ctx, kind) =>
      kind === "webhook" && drafts.size > 0
        ? records.filter(({ id, data }) => data.isActive === true || !drafts.has(id))
        : records,
  };
}

/** Defects of what creating calls leave behind (rows 68 and 69). */
export const createEffectDefects: readonly Defect[] = [
  {
    ...noEffect,
    name: "refused-account-takes-the-reference",
    description: "A financial account that is refused for its body takes its reference all the same.",
    operations: ACCOUNT,
    hooks: referenceTakenByRefusal,
  },
  {
    ...noEffect,
    name: "webhook-with-too-many-emails-refused-too-late",
    description: "A webhook with too many alert addresses is refused after it was made.",
    operations: WEBHOOK,
    hooks: together(
      createdBefore("body", ({ body }) => Array.isArray(body.alertEmails) && body.alertEmails.length > 3),
      makeField(WEBHOOK, "alertEmails", (value) => (Array.isArray(value) ? value.slice(0, 3) : value)),
    ),
  },
  {
    ...noEffect,
    name: "webhook-without-key-refused-too-late",
    description: "A webhook without an Idempotency-Key is refused after it was made.",
    operations: WEBHOOK,
    hooks: createdBefore("key", () => true),
  },
  {
    ...noEffect,
    name: "webhook-without-space-refused-too-late",
    description: "A webhook without a proper space is refused after it was made in the token's first space.",
    alsoBreaks: ["ISOLATION-UNKNOWN-SPACE"],
    operations: WEBHOOK,
    hooks: together(
      createdBefore("space", () => true),
      {
        effectiveSpace: (space, ctx) => {
          const [first = space] = [...ctx.service.spaces];
          return isAt(ctx, WEBHOOK) && !ctx.service.spaces.has(space) ? first : space;
        },
      },
    ),
  },
  {
    ...listed,
    name: "inactive-webhooks-not-listed",
    description: "A webhook that is created inactive is missing from the list.",
    alsoBreaks: ["UPDATE-STORED"],
    hooks: inactiveHidden,
  },
  {
    ...listed,
    name: "webhook-listed-under-another-id",
    description: "The list shows a new webhook under another id than the answer to its creation.",
    alsoBreaks: ["UPDATE-ACCEPTED"],
    hooks: {
      stored: (record, ctx) =>
        record && isAt(ctx, WEBHOOK) ? { ...record, id: ctx.service.newId("whk") } : record,
    },
  },
  {
    ...listed,
    name: "webhook-with-headers-not-stored",
    description: "A webhook with customHeaders is answered and never stored.",
    alsoBreaks: ["UPDATE-ACCEPTED"],
    hooks: {
      stored: (record, ctx) =>
        record && isAt(ctx, WEBHOOK) && record.data.customHeaders !== undefined ? null : record,
    },
  },
];
