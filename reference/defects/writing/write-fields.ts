import { showField, showItems } from "../../hook-tools.ts";
import { compact, type Json } from "../../json.ts";
import { ACCOUNT, CODE_UPDATE, PAYOUT_UPDATE, WEBHOOK, WEBHOOK_UPDATE } from "../../write-hook-tools.ts";
import type { LegacyDefect as Defect } from "../legacy.ts";

const fields = { row: 10, level: "MUST" } as const;
const present = { row: 11, level: "MUST" } as const;
const expected = { row: 12, level: "SHOULD" } as const;

function withoutZone(value: Json | undefined): Json | undefined {
  return typeof value === "string" ? value.replace("T", " ").replace(/(\.\d+)?Z$/, "") : value;
}

/** Defects of the fields in answers to creates and updates (rows 10 to 12). */
export const writeFieldDefects: readonly Defect[] = [
  {
    ...fields,
    name: "account-metadata-null-when-unsent",
    description: "The metadata of a financial account created without any is null.",
    requirement: "ACCOUNT-FIELDS",
    operations: ACCOUNT,
    hooks: showField(ACCOUNT, "metadata", (value, _item, { body }) =>
      body.metadata === undefined ? null : value,
    ),
  },
  {
    ...fields,
    name: "account-created-in-local-time",
    description: "The answer to the creation of a financial account shows createTime without T and zone.",
    requirement: "ACCOUNT-FIELDS",
    operations: ACCOUNT,
    hooks: showField(ACCOUNT, "createTime", withoutZone),
  },
  {
    ...fields,
    name: "webhook-events-joined",
    description: "The answer to the creation of a webhook shows its events as one text with commas.",
    requirement: "WEBHOOK-FIELDS",
    alsoBreaks: ["CREATE-ECHO"],
    operations: WEBHOOK,
    hooks: showField(WEBHOOK, "events", (value) => (Array.isArray(value) ? value.join(",") : value)),
  },
  {
    ...fields,
    name: "webhook-headers-null-when-unsent",
    description: "The answer to the creation of a webhook shows null for customHeaders that were not sent.",
    requirement: "WEBHOOK-FIELDS",
    operations: WEBHOOK,
    hooks: showField(WEBHOOK, "customHeaders", (value) => value ?? null),
  },
  {
    ...fields,
    name: "webhook-update-shows-state-as-number",
    description: "The answer to an update of a webhook shows isActive as 0 or 1.",
    requirement: "WEBHOOK-FIELDS",
    alsoBreaks: ["UPDATE-ECHO", "UPDATE-KEEPS"],
    operations: WEBHOOK_UPDATE,
    hooks: showField(WEBHOOK_UPDATE, "isActive", (value) => (value === true ? 1 : 0)),
  },
  {
    ...fields,
    name: "code-update-shows-no-providers-as-null",
    description:
      "The answer to an update of a payment code that is open to all shows null for allowedProviders.",
    requirement: "CODE-FIELDS",
    operations: CODE_UPDATE,
    hooks: showField(CODE_UPDATE, "allowedProviders", (value) =>
      Array.isArray(value) && value.length === 0 ? null : value,
    ),
  },
  {
    ...fields,
    name: "code-update-shows-expiry-in-milliseconds",
    description: "The answer to an update of a payment code shows expireTime as milliseconds of the epoch.",
    requirement: "CODE-FIELDS",
    alsoBreaks: ["UPDATE-ECHO", "UPDATE-KEEPS"],
    operations: CODE_UPDATE,
    hooks: showField(CODE_UPDATE, "expireTime", (value) => Date.parse(String(value))),
  },
  {
    ...present,
    name: "created-account-without-update-time",
    description: "The answer to the creation of a financial account lacks updateTime.",
    requirement: "ACCOUNT-PRESENT",
    operations: ACCOUNT,
    hooks: showField(ACCOUNT, "updateTime", () => undefined),
  },
  {
    ...present,
    name: "created-webhook-without-create-time",
    description: "The answer to the creation of a webhook lacks createTime.",
    requirement: "WEBHOOK-PRESENT",
    operations: WEBHOOK,
    hooks: showField(WEBHOOK, "createTime", () => undefined),
  },
  {
    ...present,
    name: "code-update-answers-in-list-shape",
    description:
      "The answer to an update of a payment code names enable and authorizedProviders as the list does.",
    requirement: "CODE-PRESENT",
    alsoBreaks: ["UPDATE-ECHO", "UPDATE-KEEPS"],
    operations: CODE_UPDATE,
    hooks: showItems(CODE_UPDATE, ({ isActive, allowedProviders, ...item }) =>
      compact({ ...item, enable: isActive, authorizedProviders: allowedProviders }),
    ),
  },
  {
    ...present,
    name: "payout-update-without-parties",
    description: "The answer to an update of a payout lacks source and destination.",
    requirement: "PAYOUT-PRESENT",
    alsoBreaks: ["UPDATE-KEEPS", "UPDATE-KEEPS-REST"],
    operations: PAYOUT_UPDATE,
    hooks: showItems(PAYOUT_UPDATE, ({ source: _source, destination: _destination, ...item }) => item),
  },
  {
    ...expected,
    name: "created-account-without-empty-fields",
    description: "The answer to the creation of a financial account leaves out what is null.",
    requirement: "ACCOUNT-EXPECTED",
    operations: ACCOUNT,
    hooks: showItems(ACCOUNT, (item) =>
      Object.fromEntries(Object.entries(item).filter(([, value]) => value !== null)),
    ),
  },
];
