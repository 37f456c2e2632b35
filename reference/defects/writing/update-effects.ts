import { isAt } from "../../hook-tools.ts";
import { compact, isObject, type Json } from "../../json.ts";
import {
  answerStale,
  CODE_UPDATE,
  halfApply,
  isOlderVersion,
  makeEntries,
  makeField,
  makeText,
  PAYOUT_UPDATE,
  setOtherwise,
  storeField,
  WEBHOOK_UPDATE,
} from "../../write-hook-tools.ts";
import type { LegacyDefect as Defect } from "../legacy.ts";

const echo = { requirement: "UPDATE-ECHO", row: 80, level: "MUST", alsoBreaks: ["UPDATE-STORED"] } as const;
const stale = { requirement: "UPDATE-ECHO", row: 80, level: "MUST" } as const;
const stored = { requirement: "UPDATE-STORED", row: 80, level: "MUST" } as const;
const noEffect = { requirement: "UPDATE-NO-EFFECT", row: 82, level: "MUST" } as const;

/** Updates that show or keep something else than was sent (rows 80 and 82). */
export const updateEffectDefects: readonly Defect[] = [
  {
    ...echo,
    name: "code-expiry-without-offset",
    description: "The offset of a new expireTime is dropped: the local time is taken for UTC.",
    operations: CODE_UPDATE,
    hooks: makeText(CODE_UPDATE, "expireTime", (text) => text.replace(/[+-]\d\d:\d\d$/, "Z")),
  },
  {
    ...echo,
    name: "code-expiry-an-hour-late",
    description: "A new expireTime is kept in the service's local time, an hour ahead of UTC.",
    operations: CODE_UPDATE,
    hooks: setOtherwise(CODE_UPDATE, (changes) =>
      typeof changes.expireTime === "string"
        ? { ...changes, expireTime: new Date(Date.parse(changes.expireTime) + 3_600_000).toISOString() }
        : changes,
    ),
  },
  {
    ...echo,
    name: "code-expiry-at-midnight",
    description: "Of a new expireTime only the day is kept.",
    operations: CODE_UPDATE,
    hooks: setOtherwise(CODE_UPDATE, (changes) =>
      typeof changes.expireTime === "string"
        ? { ...changes, expireTime: `${changes.expireTime.slice(0, 10)}T00:00:00Z` }
        : changes,
    ),
  },
  {
    ...echo,
    name: "code-stays-active",
    description: "A payment code cannot be made inactive.",
    operations: CODE_UPDATE,
    hooks: makeField(CODE_UPDATE, "enable", () => true),
  },
  {
    ...echo,
    name: "code-with-first-provider-only",
    description: "Of several allowed providers only the first is kept.",
    operations: CODE_UPDATE,
    hooks: setOtherwise(CODE_UPDATE, (changes) =>
      Array.isArray(changes.authorizedProviders)
        ? { ...changes, authorizedProviders: changes.authorizedProviders.slice(0, 1) }
        : changes,
    ),
  },
  {
    ...echo,
    name: "code-name-without-emoji",
    description: "Emoji are lost from the new name of a payment code.",
    operations: CODE_UPDATE,
    hooks: makeText(CODE_UPDATE, "name", (text) => text.replaceAll(/\p{Extended_Pictographic}/gu, "")),
  },
  {
    ...echo,
    name: "payout-metadata-lost",
    description: "Metadata of a payout is accepted and not kept.",
    operations: PAYOUT_UPDATE,
    hooks: makeField(PAYOUT_UPDATE, "metadata", (_value, _ctx, previous) => previous),
  },
  {
    ...echo,
    name: "payout-metadata-escaped",
    description: "Quotes in metadata of a payout get a backslash before them.",
    operations: PAYOUT_UPDATE,
    hooks: makeText(PAYOUT_UPDATE, "metadata", (text) => text.replaceAll(/(?<!\\)(["'])/g, "\\$1")),
  },
  {
    ...echo,
    name: "payout-metadata-flags-from-text",
    description: 'The metadata texts "true" and "false" of a payout become booleans.',
    operations: PAYOUT_UPDATE,
    hooks: makeEntries(PAYOUT_UPDATE, "metadata", (key, value) => [
      key,
      value === "true" ? true : value === "false" ? false : value,
    ]),
  },
  {
    ...echo,
    name: "webhook-cannot-be-activated",
    description: "isActive of a webhook is accepted and not changed.",
    operations: WEBHOOK_UPDATE,
    hooks: makeField(WEBHOOK_UPDATE, "isActive", (_value, _ctx, previous) => previous),
  },
  {
    ...echo,
    name: "webhook-rename-trimmed",
    description: "A new name of a webhook loses the spaces around it.",
    operations: WEBHOOK_UPDATE,
    hooks: makeText(WEBHOOK_UPDATE, "name", (text) => text.trim() || text),
  },
  {
    ...echo,
    name: "webhook-update-url-with-slash",
    description: "The path of a webhook's new url gets a slash at its end.",
    operations: WEBHOOK_UPDATE,
    hooks: makeText(WEBHOOK_UPDATE, "url", (text) => text.replace(/([^/?#])([?#].*)?$/s, "$1/$2")),
  },
  {
    ...echo,
    name: "webhook-update-prefers-old-headers",
    description: "New customHeaders of a webhook are put beside the old ones, of which each keeps its value.",
    operations: WEBHOOK_UPDATE,
    hooks: makeField(WEBHOOK_UPDATE, "customHeaders", (value, _ctx, previous) =>
      isObject(value) && isObject(previous) ? { ...value, ...previous } : value,
    ),
  },
  {
    ...echo,
    name: "webhook-update-keeps-last-addresses",
    description: "An empty list of alertEmails leaves those of the webhook as they are.",
    operations: WEBHOOK_UPDATE,
    hooks: makeField(WEBHOOK_UPDATE, "alertEmails", (value, _ctx, previous) =>
      Array.isArray(value) && value.length === 0 ? (previous ?? value) : value,
    ),
  },
  {
    ...echo,
    name: "webhook-update-headers-in-small-letters",
    description: "The names of a webhook's new customHeaders lose their capitals.",
    operations: WEBHOOK_UPDATE,
    hooks: makeEntries(WEBHOOK_UPDATE, "customHeaders", (key, value) => [key.toLowerCase(), value]),
  },
  {
    ...echo,
    name: "webhook-update-emails-lost-under-older-version",
    description: "Under caph.2025-06-20 new alert addresses of a webhook are accepted and not kept.",
    operations: WEBHOOK_UPDATE,
    hooks: makeField(WEBHOOK_UPDATE, "alertEmails", (value, ctx, previous) =>
      isOlderVersion(ctx) ? previous : value,
    ),
  },
  {
    ...stale,
    name: "code-update-answers-the-old-name",
    description: "The answer to an update of a payment code shows the old name; the next read shows the new.",
    operations: CODE_UPDATE,
    hooks: answerStale(CODE_UPDATE, ["name"]),
  },
  {
    ...stale,
    name: "payout-update-answers-old-metadata",
    description: "The answer to an update of a payout shows the old metadata; the next read shows the new.",
    operations: PAYOUT_UPDATE,
    hooks: answerStale(PAYOUT_UPDATE, ["metadata"]),
  },
  {
    ...stale,
    name: "webhook-update-answers-the-old-state",
    description: "The answer to an update of a webhook shows the old url and events; the list shows the new.",
    operations: WEBHOOK_UPDATE,
    hooks: answerStale(WEBHOOK_UPDATE, ["url", "events"]),
  },
  {
    ...stored,
    name: "payout-update-not-stored",
    description: "The answer to an update of a payout shows the new metadata, the next read the old.",
    operations: PAYOUT_UPDATE,
    hooks: storeField(PAYOUT_UPDATE, "metadata", (_value, previous) => previous),
  },
  {
    ...stored,
    name: "code-expiry-not-stored",
    description: "The answer to an update of a payment code shows the new expireTime, the next read the old.",
    operations: CODE_UPDATE,
    hooks: storeField(CODE_UPDATE, "expireTime", (_value, previous) => previous),
  },
  {
    ...stored,
    name: "webhook-list-keeps-the-old-url",
    description: "The answer to an update of a webhook shows the new url, the list the old.",
    operations: WEBHOOK_UPDATE,
    hooks: storeField(WEBHOOK_UPDATE, "url", (_value, previous) => previous),
  },
  {
    ...stored,
    name: "webhook-events-not-stored-under-older-version",
    description: "Under caph.2025-06-20 new events of a webhook are answered and not stored.",
    operations: WEBHOOK_UPDATE,
    hooks: storeField(WEBHOOK_UPDATE, "events", (value, previous, ctx) =>
      isOlderVersion(ctx) ? previous : value,
    ),
  },
  {
    ...noEffect,
    name: "refused-code-update-renames",
    description: "A payment code update that is refused for another field changes the name all the same.",
    operations: CODE_UPDATE,
    hooks: halfApply(CODE_UPDATE, ({ name }) =>
      typeof name === "string" && name.length <= 100 ? { name } : {},
    ),
  },
  {
    ...noEffect,
    name: "refused-webhook-update-half-done",
    description: "A webhook update that is refused for its lists changes name and state all the same.",
    operations: WEBHOOK_UPDATE,
    hooks: halfApply(WEBHOOK_UPDATE, ({ name, isActive }) => ({
      ...(typeof name === "string" && name !== "" && name.length <= 100 ? { name } : {}),
      ...(typeof isActive === "boolean" ? { isActive } : {}),
    })),
  },
  {
    ...noEffect,
    name: "refused-payout-update-adds-a-mark",
    description: "A refused payout update notes the attempt in the payout's metadata.",
    operations: PAYOUT_UPDATE,
    hooks: {
      late: (late, ctx, stage) => late || (stage === "body" && isAt(ctx, PAYOUT_UPDATE)),
      changes: (changes, ctx, record) => {
        if (!isAt(ctx, PAYOUT_UPDATE) || ctx.lateRejections.length === 0) return changes;
        const { metadata } = record.data;
        return { metadata: { ...(isObject(metadata) ? metadata : {}), lastAttempt: "refused" } };
      },
    },
  },
  {
    ...echo,
    name: "code-name-cut-at-90-by-update",
    description: "The name that an update gives a payment code is cut after 90 characters.",
    operations: CODE_UPDATE,
    hooks: makeText(CODE_UPDATE, "name", (text) => text.slice(0, 90)),
  },
  {
    name: "code-list-shows-the-old-name",
    description: "After an update of a payment code the list goes on showing its first name.",
    requirement: "SHAPES-AGREE",
    row: 52,
    level: "MUST",
    operations: ["GET /payment-codes/{id}"],
    hooks: () => {
      const names = new Map<string, Json | undefined>();
      return {
        written: (ctx, record, previous) => {
          if (previous && isAt(ctx, CODE_UPDATE) && !names.has(record.id))
            names.set(record.id, previous.data.name);
        },
        item: (item, ctx, { record }) =>
          isAt(ctx, ["GET /v1/payment-codes"]) && names.has(record.id)
            ? compact({ ...item, name: names.get(record.id) })
            : item,
      };
    },
  },
];
