import { isAt, showField, type Where } from "../../hook-tools.ts";
import type { Hooks } from "../../hooks.ts";
import { isObject, type Json } from "../../json.ts";
import {
  CODE_UPDATE,
  makeField,
  PAYOUT_UPDATE,
  setOtherwise,
  together,
  WEBHOOK_UPDATE,
} from "../../write-hook-tools.ts";
import type { LegacyDefect as Defect } from "../legacy.ts";

const keeps = { requirement: "UPDATE-KEEPS", row: 81, level: "MUST" } as const;
const identity = { requirement: "UPDATE-IDENTITY", row: 81, level: "MUST" } as const;
const rest = {
  requirement: "UPDATE-KEEPS-REST",
  row: 81,
  level: "MUST",
  alsoBreaks: ["UPDATE-KEEPS"],
  operations: PAYOUT_UPDATE,
} as const;

/** Sets a field that was not sent to a value of the service's own. */
function resetUnsent(where: Where, sent: string, value: Json | undefined, kept = sent): Hooks {
  return setOtherwise(where, (changes, { body }) =>
    Object.hasOwn(body, sent) ? changes : { ...changes, [kept]: value },
  );
}

/** Puts the updated webhook into the list as a new one, in place of the old. */
const underNewId: Hooks = {
  made: (record, ctx, previous) =>
    previous && isAt(ctx, WEBHOOK_UPDATE) ? { ...record, id: ctx.service.newId("whk") } : record,
  stored: (record, ctx) => (isAt(ctx, WEBHOOK_UPDATE) ? null : record),
  written: (ctx, record, previous) => {
    if (!previous || !isAt(ctx, WEBHOOK_UPDATE)) return;
    ctx.service.store.remove("webhook", previous.id);
    ctx.service.store.add(record);
  },
};

/** Gives the new metadata of one webhook to the others of its space. */
const reachingOthers: Hooks = {
  written: (ctx, record) => {
    if (!isAt(ctx, WEBHOOK_UPDATE) || !isObject(ctx.body.metadata)) return;
    const { store } = ctx.service;
    for (const other of store.all("webhook"))
      if (other.space === record.space && other.id !== record.id)
        store.replace({ ...other, data: { ...other.data, metadata: ctx.body.metadata } });
  },
};

/** Updates that change what they should leave alone (row 81). */
export const updateKeepsDefects: readonly Defect[] = [
  {
    ...keeps,
    name: "code-metadata-emptied-when-unsent",
    description: "An update of a payment code without metadata empties it.",
    operations: CODE_UPDATE,
    hooks: resetUnsent(CODE_UPDATE, "metadata", {}),
  },
  {
    ...keeps,
    name: "code-opened-to-all-when-unsent",
    description: "An update of a payment code without allowedProviders opens it to every provider.",
    operations: CODE_UPDATE,
    hooks: resetUnsent(CODE_UPDATE, "allowedProviders", [], "authorizedProviders"),
  },
  {
    ...keeps,
    name: "code-expiry-prolonged-by-any-update",
    description: "An update of a payment code without expireTime sets it to a day from now.",
    operations: CODE_UPDATE,
    hooks: setOtherwise(CODE_UPDATE, (changes, { body, service }) =>
      Object.hasOwn(body, "expireTime")
        ? changes
        : { ...changes, expireTime: new Date(service.now().getTime() + 86_400_000).toISOString() },
    ),
  },
  {
    ...keeps,
    name: "code-gets-a-new-ussd-code",
    description: "Renaming a payment code assigns it another USSD code.",
    alsoBreaks: ["UPDATE-KEEPS-REST"],
    operations: CODE_UPDATE,
    hooks: makeField(CODE_UPDATE, "ussdCode", (value, { body, service }) =>
      typeof body.name === "string" ? `*126*${service.random.digits(7)}#` : value,
    ),
  },
  {
    ...keeps,
    name: "code-amount-lost-in-the-answer",
    description: "The answer to an update of a payment code shows an amount of nothing.",
    operations: CODE_UPDATE,
    hooks: showField(CODE_UPDATE, "amount", () => ({ currency: "XAF", value: 0 })),
  },
  {
    ...keeps,
    name: "webhook-update-as-put",
    description: "An update of a webhook replaces it: optional fields that are not sent are lost.",
    operations: WEBHOOK_UPDATE,
    hooks: together(
      resetUnsent(WEBHOOK_UPDATE, "alertEmails", []),
      resetUnsent(WEBHOOK_UPDATE, "metadata", {}),
      resetUnsent(WEBHOOK_UPDATE, "customHeaders", undefined),
      resetUnsent(WEBHOOK_UPDATE, "verificationMethod", undefined),
      resetUnsent(WEBHOOK_UPDATE, "apiVersion", undefined),
    ),
  },
  {
    ...keeps,
    name: "webhook-update-raises-api-version",
    description: "An update of a webhook without apiVersion sets it to the newest.",
    operations: WEBHOOK_UPDATE,
    hooks: resetUnsent(WEBHOOK_UPDATE, "apiVersion", "caph.2025-08-23"),
  },
  {
    ...keeps,
    name: "webhook-deactivated-by-a-new-url",
    description: "A webhook whose url changes becomes inactive until somebody activates it.",
    operations: WEBHOOK_UPDATE,
    hooks: setOtherwise(WEBHOOK_UPDATE, (changes, { body }, previous) =>
      changes.url !== previous.url && !Object.hasOwn(body, "isActive")
        ? { ...changes, isActive: false }
        : changes,
    ),
  },
  {
    ...keeps,
    name: "webhook-update-reaches-the-others",
    description: "New metadata of a webhook is given to every webhook of the space.",
    operations: WEBHOOK_UPDATE,
    hooks: reachingOthers,
  },
  {
    ...identity,
    name: "code-create-time-moves",
    description: "createTime of a payment code is the time of its latest update.",
    operations: CODE_UPDATE,
    hooks: makeField(CODE_UPDATE, "createTime", (_value, { service }) => service.now().toISOString()),
  },
  {
    ...identity,
    name: "payout-create-time-moves",
    description: "The answer to an update of a payout shows the present time as its createTime.",
    alsoBreaks: ["UPDATE-KEEPS-REST"],
    operations: PAYOUT_UPDATE,
    hooks: showField(PAYOUT_UPDATE, "createTime", (_value, _item, { service }) =>
      service.now().toISOString(),
    ),
  },
  {
    ...identity,
    name: "webhook-update-makes-a-new-id",
    description: "An updated webhook is a new one: it gets another id, and the old one is gone.",
    alsoBreaks: ["UPDATE-ACCEPTED", "UPDATE-EDGES", "UPDATE-NULL-ACCEPTED", "UPDATE-STORED"],
    operations: WEBHOOK_UPDATE,
    hooks: underNewId,
  },
  {
    ...identity,
    name: "webhook-id-without-prefix-after-update",
    description: "The answer to an update of a webhook shows its id without the prefix.",
    operations: WEBHOOK_UPDATE,
    hooks: showField(WEBHOOK_UPDATE, "id", (value) => String(value).replace(/^[a-z]+_/, "")),
  },
  {
    ...rest,
    name: "payout-update-changes-the-status",
    description: "An update of a payout moves it between pending and processing.",
    hooks: makeField(PAYOUT_UPDATE, "status", (_value, _ctx, previous) =>
      previous === "pending" ? "processing" : "pending",
    ),
  },
  {
    ...rest,
    name: "payout-update-loses-the-charges",
    description: "The answer to an update of a payout shows no charges.",
    hooks: showField(PAYOUT_UPDATE, "charges", () => []),
  },
  {
    ...rest,
    name: "payout-update-answers-major-units",
    description: "The answer to an update of a payout shows its amount divided by a hundred.",
    hooks: showField(PAYOUT_UPDATE, "amount", (value) =>
      isObject(value) ? { ...value, value: Math.trunc(Number(value.value) / 100) } : value,
    ),
  },
  {
    ...rest,
    name: "payout-update-takes-any-field",
    description:
      "An update of a payout sets its amount, destination and delayedReason too, when they are sent.",
    // Whatever currency is sent is stored, one that is none as well.
    alsoBreaks: ["MONEY-FIELDS"],
    hooks: setOtherwise(PAYOUT_UPDATE, (changes, { body }) => {
      const { amount, destination, delayedReason } = body;
      return {
        ...changes,
        ...(isObject(amount) ? { amount } : {}),
        ...(isObject(destination) ? { destination } : {}),
        ...(typeof delayedReason === "string" ? { delayedReason } : {}),
      };
    }),
  },
  {
    ...keeps,
    name: "code-amount-lost-by-update",
    description: "An update of a payment code sets its amount to 0.",
    operations: CODE_UPDATE,
    hooks: makeField(CODE_UPDATE, "amount", (value) => (isObject(value) ? { ...value, value: 0 } : value)),
  },
  {
    ...keeps,
    name: "code-reference-lost-by-update",
    description: "An update of a payment code forgets the reference of its customer.",
    operations: CODE_UPDATE,
    hooks: makeField(CODE_UPDATE, "reference", () => undefined),
  },
];
