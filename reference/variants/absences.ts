import { showItems } from "../hook-tools.ts";
import { isObject, type Json, type JsonObject } from "../json.ts";
import type { Kind, StoredRecord } from "../store.ts";
import { hashOf, seeded, together, withFields } from "./tools.ts";
import type { Variant } from "./variant.ts";

const ALWAYS: Partial<Record<Kind, readonly string[]>> = {
  ussdOtp: ["status", "dialCode", "authorizedPhoneNumber", "createTime", "expireTime"],
  financialAccount: ["uvan", "name", "currency", "balance", "createTime", "updateTime"],
  paymentCode: [
    ...["mode", "status", "name", "enable", "expireTime", "ussdCode"],
    ...["financialAccountId", "createTime", "updateTime"],
  ],
  payout: ["status", "amount", "source", "destination", "createTime"],
  webhook: ["name", "url", "events", "isActive", "createTime"],
};

function onlyAlways(record: StoredRecord): StoredRecord {
  const kept = ALWAYS[record.kind] ?? [];
  const data = Object.fromEntries(Object.entries(record.data).filter(([name]) => kept.includes(name)));
  return { ...record, data: record.kind === "payout" ? { ...data, source: {}, destination: {} } : data };
}

function bareProvider(record: StoredRecord): StoredRecord {
  const { featureSet } = record.data;
  const flag = (feature: string, name: string): JsonObject => {
    const features = isObject(featureSet) && isObject(featureSet[feature]) ? featureSet[feature] : {};
    return { [name]: features[name] ?? false };
  };
  return withFields(record, {
    featureSet: {
      payout: flag("payout", "canPayTo"),
      payment: flag("payment", "canPayFrom"),
      kycVerification: flag("kycVerification", "canVerifyAccount"),
    },
  });
}

function isEmpty(value: Json | undefined): boolean {
  return Array.isArray(value) ? value.length === 0 : isObject(value) && Object.keys(value).length === 0;
}

const optional = "Ruling on rows 10 and 11: optional fields may be absent";
const openNull = "Ruling on rows 10 and 11: what is shown after null was sent for events is left open";

function secretShown(change: (item: JsonObject) => JsonObject) {
  return showItems(["POST /webhooks", "PATCH /webhooks/{id}", "GET /webhooks"], (item) =>
    isObject(item.verificationMethod) && isObject(item.verificationMethod.hmac256) ? change(item) : item,
  );
}

function nullEventsAs(events: Json): Variant["hooks"] {
  return {
    made: (record, ctx) =>
      record.kind === "webhook" && ctx.body.events === null ? withFields(record, { events }) : record,
  };
}

const ONE_TIME = ["ONE_TIME", "one_time", "OneTime", "oneTime"] as const;

export const absenceVariants: readonly Variant[] = [
  {
    name: "only-what-must-be-there",
    description: "Resources show the required fields and what was sent, nothing else.",
    why: `${optional}; row 12 has the natural ones as a SHOULD.`,
    warns: [
      ...["OTP-EXPECTED", "ACCOUNT-EXPECTED", "CODE-LIST-EXPECTED", "CODE-EXPECTED"],
      ...["PAYOUT-EXPECTED", "PROVIDER-EXPECTED"],
    ],
    hooks: together(
      seeded(["ussdOtp", "financialAccount", "paymentCode", "payout", "webhook"], onlyAlways),
      seeded(["bank", "momo"], bareProvider),
      {
        made: (record, ctx, previous) =>
          previous
            ? record
            : withFields(
                record,
                Object.fromEntries(
                  Object.keys(record.data)
                    .filter((name) => !ALWAYS[record.kind]?.includes(name) && !Object.hasOwn(ctx.body, name))
                    .map((name) => [name, undefined]),
                ),
              ),
      },
      showItems(["GET /payment-codes/{id}", "PATCH /payment-codes/{id}"], (item) => {
        const { customerTarget, ...others } = item;
        return isEmpty(customerTarget) ? others : item;
      }),
    ),
  },
  {
    name: "absent-instead-of-null",
    description: "Fields that are null are left out.",
    why: "Row 12: that verificationMessage, metadata, reference and description are present is a SHOULD.",
    warns: ["OTP-EXPECTED", "ACCOUNT-EXPECTED"],
    hooks: showItems(["GET /v1/ussd-otps", "POST /v1/financial-accounts"], (item) =>
      Object.fromEntries(Object.entries(item).filter(([, value]) => value !== null)),
    ),
  },
  {
    name: "optional-lists-absent",
    description: "authorizedProviders, allowedProviders and alertEmails are left out when nothing was set.",
    why: `${optional}; row 52: an absent list equals an empty one.`,
    hooks: together(
      seeded(["paymentCode", "webhook"], (record) =>
        withFields(
          record,
          Object.fromEntries(
            ["authorizedProviders", "alertEmails", "metadata"]
              .filter((name) => isEmpty(record.data[name]))
              .map((name) => [name, undefined]),
          ),
        ),
      ),
      {
        made: (record, { body }) =>
          record.kind === "webhook" && (body.alertEmails ?? null) === null && isEmpty(record.data.alertEmails)
            ? withFields(record, { alertEmails: undefined })
            : record,
      },
      showItems(["GET /v1/payment-codes"], (item) => {
        const { authorizedProviders, ...others } = item;
        return isEmpty(authorizedProviders) ? others : item;
      }),
    ),
  },
  {
    name: "secrets-masked",
    description: "Webhook secrets are never shown.",
    why: "Row 62: a webhook secret may be masked.",
    hooks: secretShown((item) => ({ ...item, verificationMethod: { hmac256: { secret: "***" } } })),
  },
  {
    name: "secrets-left-out",
    description: "hmac256 is shown without its secret.",
    why: "Row 62: a webhook secret may be left out.",
    hooks: secretShown((item) => ({ ...item, verificationMethod: { hmac256: {} } })),
  },
  {
    name: "verification-left-out",
    description: "verificationMethod is not shown at all.",
    why: "Row 62: a webhook secret may be left out, and nothing but it is in verificationMethod.",
    hooks: secretShown(({ verificationMethod: _, ...item }) => item),
  },
  {
    name: "secret-shown-once",
    description: "A secret is shown in the answer that creates the webhook, and masked in part later.",
    why: "Row 62: a webhook secret may be masked.",
    hooks: showItems(["PATCH /webhooks/{id}", "GET /webhooks"], (item) => {
      const { verificationMethod } = item;
      const hmac = isObject(verificationMethod) ? verificationMethod.hmac256 : undefined;
      if (!isObject(hmac) || typeof hmac.secret !== "string") return item;
      return { ...item, verificationMethod: { hmac256: { secret: `${hmac.secret.slice(0, 2)}…` } } };
    }),
  },
  {
    name: "null-events-stay-null",
    description: "A webhook made with events null shows events null.",
    why: `${openNull}.`,
    hooks: nullEventsAs(null),
  },
  {
    name: "null-events-are-none",
    description: "A webhook made with events null shows an empty list.",
    why: `${openNull}.`,
    hooks: nullEventsAs([]),
  },
  {
    name: "modes-in-other-casings",
    description: "The single shape of a payment code spells its mode ONE_TIME, one_time, OneTime or oneTime.",
    why: "Section 2.7: mode is a string with a sample; row 52 compares it up to its casing.",
    hooks: showItems(["GET /payment-codes/{id}", "PATCH /payment-codes/{id}"], (item) =>
      item.mode === "oneTime"
        ? { ...item, mode: ONE_TIME[hashOf(String(item.id)) % 4] ?? "oneTime" }
        : { ...item, mode: "RECURRENT" },
    ),
  },
];
