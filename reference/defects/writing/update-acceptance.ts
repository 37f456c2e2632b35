import type { Context } from "../../context.ts";
import { isAt, refuse, UPDATES } from "../../hook-tools.ts";
import type { Hooks } from "../../hooks.ts";
import type { Problem } from "../../problems.ts";
import type { StoredRecord } from "../../store.ts";
import { CODE_UPDATE, PAYOUT_UPDATE, WEBHOOK_UPDATE } from "../../write-hook-tools.ts";
import type { LegacyDefect as Defect } from "../legacy.ts";

const accepted = { requirement: "UPDATE-ACCEPTED", row: 80, level: "MUST" } as const;
const nullAccepted = { requirement: "UPDATE-NULL-ACCEPTED", row: 84, level: "MUST" } as const;
const unknown = { requirement: "UPDATE-UNKNOWN", row: 84, level: "MUST" } as const;

function nullRefused(where: Defect["operations"], field: string): Hooks {
  const problem: Problem = { at: `body.${field}`, rule: "null", message: `${field} must not be null` };
  return refuse(where, "body", problem, ({ body }) => body[field] === null);
}

/** An empty object was sent: not what stands for a body that is not read yet. */
function isEmptyObject({ request }: Context): boolean {
  return /^\s*\{\s*\}\s*$/.test(request.body.toString("utf8"));
}

/** Makes a webhook of an update whose id is unknown. */
function upsert(): Hooks {
  return {
    found: (record, ctx, { kind, id }) => {
      if (record || !isAt(ctx, WEBHOOK_UPDATE) || ctx.service.store.get(kind, id)) return record;
      const now = ctx.service.now();
      const data = {
        events: [],
        isActive: false,
        alertEmails: [],
        createTime: now.toISOString(),
        metadata: {},
      };
      return { kind, id, space: ctx.space, writtenAt: now.getTime(), data: { name: "Webhook", ...data } };
    },
    written: (ctx, record) => {
      const { store } = ctx.service;
      if (isAt(ctx, WEBHOOK_UPDATE) && !store.get(record.kind, record.id)) store.add(record);
    },
  };
}

function startsWith(id: string): (record: StoredRecord) => boolean {
  return (record) => id.length >= 6 && record.id.startsWith(id);
}

/** Valid updates that are refused, and updates of unknown ids that are not (rows 60, 80, 84 and 85). */
export const updateAcceptanceDefects: readonly Defect[] = [
  {
    ...accepted,
    name: "code-update-needs-the-name",
    description: "An update of a payment code that sends something is refused without a name.",
    operations: CODE_UPDATE,
    hooks: refuse(
      CODE_UPDATE,
      "body",
      { at: "body.name", rule: "required", message: "name is required" },
      ({ body }) => Object.keys(body).length > 0 && body.name === undefined,
    ),
  },
  {
    ...accepted,
    name: "webhook-update-needs-the-events",
    description: "An update of a webhook is refused without events.",
    operations: WEBHOOK_UPDATE,
    hooks: refuse(
      WEBHOOK_UPDATE,
      "body",
      { at: "body.events", rule: "required", message: "events is required" },
      ({ body }) => Object.keys(body).length > 0 && body.events === undefined,
    ),
  },
  {
    ...accepted,
    requirement: "UPDATE-EDGES",
    name: "payout-metadata-cannot-be-emptied",
    description: "An update of a payout with empty metadata is refused.",
    operations: PAYOUT_UPDATE,
    hooks: refuse(
      PAYOUT_UPDATE,
      "body",
      { at: "body.metadata", rule: "required", message: "metadata is empty" },
      ({ body }) => JSON.stringify(body.metadata) === "{}",
    ),
  },
  {
    ...nullAccepted,
    name: "code-name-null-refused",
    description: "Null for the name of a payment code is refused.",
    operations: CODE_UPDATE,
    hooks: nullRefused(CODE_UPDATE, "name"),
  },
  {
    ...nullAccepted,
    name: "code-providers-null-refused",
    description: "Null for the allowed providers of a payment code is refused.",
    operations: CODE_UPDATE,
    hooks: nullRefused(CODE_UPDATE, "allowedProviders"),
  },
  {
    ...nullAccepted,
    name: "code-status-null-refused",
    description: "Null for the status of a payment code is refused.",
    operations: CODE_UPDATE,
    hooks: nullRefused(CODE_UPDATE, "status"),
  },
  {
    ...nullAccepted,
    name: "payout-metadata-null-refused",
    description: "Null for the metadata of a payout is refused.",
    operations: PAYOUT_UPDATE,
    hooks: nullRefused(PAYOUT_UPDATE, "metadata"),
  },
  {
    ...nullAccepted,
    name: "webhook-active-null-refused",
    description: "Null for isActive of a webhook is refused.",
    operations: WEBHOOK_UPDATE,
    hooks: nullRefused(WEBHOOK_UPDATE, "isActive"),
  },
  {
    ...nullAccepted,
    name: "webhook-version-null-refused",
    description: "Null for apiVersion of a webhook is refused.",
    operations: WEBHOOK_UPDATE,
    hooks: nullRefused(WEBHOOK_UPDATE, "apiVersion"),
  },
  {
    name: "empty-code-update-refused",
    description: "An update of a payment code without any field is refused.",
    requirement: "UPDATE-EMPTY",
    row: 84,
    level: "MUST",
    operations: CODE_UPDATE,
    hooks: refuse(
      CODE_UPDATE,
      "body",
      { at: "body", rule: "required", message: "nothing to update" },
      isEmptyObject,
    ),
  },
  {
    name: "payout-update-without-metadata-refused",
    description: "An update of a payout without metadata is refused.",
    requirement: "UPDATE-EMPTY-PAYOUT",
    row: 85,
    level: "SHOULD",
    operations: PAYOUT_UPDATE,
    hooks: refuse(
      PAYOUT_UPDATE,
      "body",
      { at: "body.metadata", rule: "required", message: "metadata is required" },
      isEmptyObject,
    ),
  },
  {
    name: "charset-refused-on-updates",
    description: "Updates take the content type application/json without any parameter only.",
    requirement: "UPDATE-CHARSET",
    row: 60,
    level: "SHOULD",
    operations: UPDATES,
    hooks: refuse(
      UPDATES,
      "body",
      { at: "body", rule: "contentType", message: "the Content-Type is not application/json" },
      ({ request }) => /;/.test(request.headers["content-type"] ?? ""),
    ),
  },
  {
    ...unknown,
    name: "webhook-update-makes-unknown-ids",
    description: "An update of a webhook that does not exist makes it.",
    operations: WEBHOOK_UPDATE,
    hooks: upsert(),
  },
  {
    ...unknown,
    name: "payout-update-of-unknown-id-ignored",
    description: "An update of a payout that does not exist succeeds with an empty result.",
    alsoBreaks: ["PAYOUT-PRESENT"],
    operations: PAYOUT_UPDATE,
    hooks: {
      problems: (problems, ctx, stage) => (stage === "find" && isAt(ctx, PAYOUT_UPDATE) ? [] : problems),
    },
  },
  {
    ...unknown,
    name: "code-found-by-part-of-its-id",
    description: "An update finds a payment code by the beginning of its id.",
    operations: CODE_UPDATE,
    hooks: {
      found: (record, ctx, { kind, id }) =>
        record || !isAt(ctx, CODE_UPDATE)
          ? record
          : ctx.service.store
              .all(kind)
              .filter(({ space }) => space === ctx.space)
              .find(startsWith(id)),
    },
  },
];
