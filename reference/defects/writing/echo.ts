import { isAt, refuse } from "../../hook-tools.ts";
import {
  ACCOUNT,
  isOlderVersion,
  makeEntries,
  makeField,
  makeText,
  storeField,
  WEBHOOK,
} from "../../write-hook-tools.ts";
import type { LegacyDefect as Defect } from "../legacy.ts";

const echo = { requirement: "CREATE-ECHO", row: 62, level: "MUST" } as const;
const default_ = { requirement: "CREATE-DEFAULT", row: 63, level: "MUST" } as const;

function escaped(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}

/** Created resources that show something else than was sent, and wrong defaults (rows 62 and 63). */
export const echoDefects: readonly Defect[] = [
  {
    ...echo,
    name: "account-name-escaped-for-html",
    description: "The name of a new financial account is escaped as for an HTML page.",
    operations: ACCOUNT,
    hooks: makeText(ACCOUNT, "name", escaped),
  },
  {
    ...echo,
    name: "account-name-normalised",
    description: "The name of a new financial account is brought into Unicode normalisation form C.",
    operations: ACCOUNT,
    hooks: makeText(ACCOUNT, "name", (text) => text.normalize("NFC")),
  },
  {
    ...echo,
    name: "account-name-cut-at-50",
    description: "The name of a new financial account is cut after 50 characters.",
    operations: ACCOUNT,
    hooks: makeText(ACCOUNT, "name", (text) => text.slice(0, 50)),
  },
  {
    ...echo,
    name: "account-description-without-emoji",
    description:
      "Characters outside the basic plane are lost from descriptions, as in a three-byte UTF-8 column.",
    operations: ACCOUNT,
    hooks: makeText(ACCOUNT, "description", (text) => text.replaceAll(/[\u{10000}-\u{10ffff}]/gu, "?")),
  },
  {
    ...echo,
    name: "account-description-lost",
    description: "The description of a new financial account is not kept.",
    operations: ACCOUNT,
    hooks: makeField(ACCOUNT, "description", () => null),
  },
  {
    ...echo,
    name: "account-reference-in-capitals",
    alsoBreaks: ["UNIQUE-REJECTED", "UNIQUE-PARALLEL"],
    description: "The reference of a new financial account is shown in capitals.",
    operations: ACCOUNT,
    hooks: makeText(ACCOUNT, "reference", (text) => text.toUpperCase()),
  },
  {
    ...echo,
    name: "account-reference-without-blanks",
    description: "Spaces around the reference of a new financial account are lost under caph.2025-06-20.",
    operations: ACCOUNT,
    hooks: makeField(ACCOUNT, "reference", (value, ctx) =>
      typeof value === "string" && isOlderVersion(ctx) ? value.trim() : value,
    ),
  },
  {
    ...echo,
    name: "account-metadata-numbers-from-text",
    description: "Metadata texts that look like numbers become numbers.",
    operations: ACCOUNT,
    hooks: makeEntries(ACCOUNT, "metadata", (key, value) => [
      key,
      typeof value === "string" && /^-?\d+(\.\d+)?$/.test(value) ? Number(value) : value,
    ]),
  },
  {
    ...echo,
    name: "account-metadata-keys-in-small-letters",
    description: "Metadata keys of a new financial account lose their capitals.",
    operations: ACCOUNT,
    hooks: makeEntries(ACCOUNT, "metadata", (key, value) => [key.toLowerCase(), value]),
  },
  {
    ...echo,
    name: "account-with-quotes-refused",
    description: "A firewall refuses names that look like an SQL injection.",
    alsoBreaks: ["CREATE-ACCEPTED"],
    operations: ACCOUNT,
    hooks: refuse(
      ACCOUNT,
      "body",
      { at: "body", rule: "pattern", message: "the request was blocked" },
      ({ body }) => /['"].*(--|;|\bor\b|\bdrop\b|\bselect\b)/i.test(String(body.name)),
    ),
  },
  {
    ...echo,
    name: "webhook-name-in-wrong-encoding",
    description: "The name of a new webhook is read as Latin-1 instead of UTF-8.",
    operations: WEBHOOK,
    hooks: makeText(WEBHOOK, "name", (text) => Buffer.from(text, "utf8").toString("latin1").slice(0, 100)),
  },
  {
    ...echo,
    name: "webhook-name-without-tags",
    description: "Anything between angle brackets is lost from the name of a new webhook.",
    operations: WEBHOOK,
    hooks: makeText(WEBHOOK, "name", (text) => text.replaceAll(/<[^>]*>/g, "") || "untitled"),
  },
  {
    ...echo,
    name: "webhook-name-cut-in-the-list",
    description: "The answer shows the whole name of a new webhook, the list its first 50 characters.",
    operations: WEBHOOK,
    hooks: storeField(WEBHOOK, "name", (value) => (typeof value === "string" ? value.slice(0, 50) : value)),
  },
  {
    ...echo,
    name: "webhook-url-in-small-letters",
    description: "The url of a new webhook loses its capitals.",
    operations: WEBHOOK,
    hooks: makeText(WEBHOOK, "url", (text) => text.toLowerCase()),
  },
  {
    ...echo,
    name: "webhook-url-without-query",
    description: "The url of a new webhook loses its query.",
    operations: WEBHOOK,
    hooks: makeText(WEBHOOK, "url", (text) => text.replace(/\?.*$/s, "")),
  },
  {
    ...echo,
    name: "webhook-with-first-event-only",
    description: "Only the first of several events is subscribed to.",
    operations: WEBHOOK,
    hooks: makeField(WEBHOOK, "events", (value, { body }) =>
      Array.isArray(body.events) && Array.isArray(value) ? value.slice(0, 1) : value,
    ),
  },
  {
    ...echo,
    name: "webhook-headers-lost",
    description: "customHeaders of a new webhook are not kept.",
    alsoBreaks: ["DELIVERY-HEADERS"],
    operations: WEBHOOK,
    hooks: makeField(WEBHOOK, "customHeaders", () => undefined),
  },
  {
    ...echo,
    name: "webhook-alert-emails-lost",
    description: "The alert addresses of a new webhook are not kept.",
    operations: WEBHOOK,
    hooks: makeField(WEBHOOK, "alertEmails", () => []),
  },
  {
    ...echo,
    name: "webhook-without-addresses-gets-one",
    description:
      "A new webhook for which an empty list of alertEmails was sent alerts the owner of the account.",
    operations: WEBHOOK,
    hooks: makeField(WEBHOOK, "alertEmails", (value) =>
      Array.isArray(value) && value.length === 0 ? ["owner@example.com"] : value,
    ),
  },
  {
    ...echo,
    name: "webhook-alert-emails-without-tags",
    description: "The part of an alert address behind a plus sign is lost.",
    operations: WEBHOOK,
    hooks: makeText(WEBHOOK, "alertEmails", (text) => text.replace(/\+[^@]*@/, "@")),
  },
  {
    ...echo,
    name: "webhook-api-version-always-newest",
    description: "apiVersion of a new webhook is the newest version, whatever was sent.",
    operations: WEBHOOK,
    hooks: makeField(WEBHOOK, "apiVersion", () => "caph.2025-08-23"),
  },
  {
    ...echo,
    name: "webhook-metadata-without-empty-texts",
    description: "Metadata entries with an empty text are lost from a new webhook.",
    operations: WEBHOOK,
    hooks: makeEntries(WEBHOOK, "metadata", (key, value) => (value === "" ? undefined : [key, value])),
  },
  {
    ...echo,
    name: "webhook-metadata-keys-without-dots",
    description: "Dots and dollar signs in metadata keys become underscores, as a document store wants it.",
    operations: WEBHOOK,
    hooks: makeEntries(WEBHOOK, "metadata", (key, value) => [key.replaceAll(/[.$]/g, "_"), value]),
  },
  {
    ...echo,
    name: "webhook-always-created-inactive",
    description: "A new webhook is inactive even when isActive is true.",
    operations: WEBHOOK,
    hooks: makeField(WEBHOOK, "isActive", () => false),
  },
  {
    ...default_,
    name: "webhook-active-by-default",
    description: "A new webhook is active unless isActive is false.",
    operations: WEBHOOK,
    hooks: makeField(WEBHOOK, "isActive", (value, { body }) => (body.isActive === undefined ? true : value)),
  },
  {
    ...default_,
    name: "webhook-active-by-default-under-older-version",
    description: "Under caph.2025-06-20 a new webhook is active unless isActive is false.",
    operations: WEBHOOK,
    hooks: makeField(WEBHOOK, "isActive", (value, ctx) =>
      ctx.body.isActive === undefined && isOlderVersion(ctx) ? true : value,
    ),
  },
  {
    ...echo,
    name: "account-description-cut-at-140",
    description: "The description of a new financial account is cut after 140 characters.",
    operations: ACCOUNT,
    hooks: makeText(ACCOUNT, "description", (text) => text.slice(0, 140)),
  },
  {
    ...echo,
    name: "account-null-description-as-empty-text",
    description: "A description of null is an empty text in the new financial account.",
    operations: ACCOUNT,
    hooks: makeField(ACCOUNT, "description", (value, { body }) => (body.description === null ? "" : value)),
  },
  {
    ...echo,
    name: "account-reference-null-as-a-word",
    description: "A reference of null is the text null in the new financial account.",
    operations: ACCOUNT,
    hooks: makeField(ACCOUNT, "reference", (value, { body }) => (body.reference === null ? "null" : value)),
  },
  {
    ...echo,
    name: "alert-addresses-in-lower-case",
    description: "The alert addresses of a new webhook are shown in lower case.",
    operations: WEBHOOK,
    hooks: makeText(WEBHOOK, "alertEmails", (text) => text.toLowerCase()),
  },
  {
    name: "alert-addresses-null-when-left-out",
    description: "A new webhook for which no alert addresses were sent shows null for them.",
    requirement: "WEBHOOK-FIELDS",
    row: 10,
    level: "MUST",
    operations: WEBHOOK,
    hooks: {
      item: (item, ctx) =>
        isAt(ctx, WEBHOOK) && ctx.body.alertEmails === undefined ? { ...item, alertEmails: null } : item,
    },
  },
];
