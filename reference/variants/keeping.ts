import { EVERYWHERE, showItems, UPDATES } from "../hook-tools.ts";
import type { Hooks } from "../hooks.ts";
import { isObject, type Json, type JsonObject } from "../json.ts";
import { setOtherwise } from "../write-hook-tools.ts";
import { together, withFields } from "./tools.ts";
import type { Variant } from "./variant.ts";

/** Returns the value after a merge patch (RFC 7396). */
function mergePatch(before: Json | undefined, sent: Json): Json {
  if (!isObject(sent)) return sent;
  const merged: JsonObject = isObject(before) ? { ...before } : {};
  for (const [name, value] of Object.entries(sent)) {
    if (value === null) delete merged[name];
    else merged[name] = mergePatch(merged[name], value);
  }
  return merged;
}

const sortedTexts = (value: Json | undefined) => (Array.isArray(value) ? ([...value].sort() as Json) : value);

function keptAs(field: string, change: (value: Json | undefined) => Json | undefined): Hooks {
  return {
    made: (record) =>
      record.data[field] === undefined ? record : withFields(record, { [field]: change(record.data[field]) }),
  };
}

const details = "Ruling on rows 62 and 80";
const open = "Ruling on row 80";

export const keepingVariants: readonly Variant[] = [
  {
    name: "updates-are-merge-patches",
    description: "Objects in an update are merged into those there are; null in one takes a member away.",
    why: "Section 4 says PATCH, and RFC 7396 is what many take it for; whether other keys are kept is a NOTE.",
    hooks: setOtherwise(UPDATES, (changes, _ctx, previous) =>
      Object.fromEntries(
        Object.entries(changes).map(([name, value]) => [
          name,
          isObject(value) ? mergePatch(previous[name], value) : value,
        ]),
      ),
    ),
  },
  {
    name: "custom-headers-merged",
    description: "An update adds to the custom headers there are instead of replacing them.",
    why: `${open}: whether others are replaced or kept is open.`,
    hooks: setOtherwise(["PATCH /webhooks/{id}"], (changes, _ctx, previous) =>
      isObject(changes.customHeaders) && isObject(previous.customHeaders)
        ? { ...changes, customHeaders: { ...previous.customHeaders, ...changes.customHeaders } }
        : changes,
    ),
  },
  {
    name: "lists-kept-in-order-of-the-alphabet",
    description: "Events and alert addresses are kept in alphabetical order.",
    why: `${details}: the order of events and alertEmails is a SHOULD.`,
    warns: ["CREATE-ECHO-DETAILS", "UPDATE-ECHO-DETAILS"],
    hooks: together(keptAs("events", sortedTexts), keptAs("alertEmails", sortedTexts)),
  },
  {
    name: "providers-kept-in-order-of-the-alphabet",
    description: "allowedProviders is kept in alphabetical order.",
    why: `${open}: the same providers come back.`,
    hooks: keptAs("authorizedProviders", sortedTexts),
  },
  {
    name: "addresses-kept-once",
    description: "An alert address that is named several times is kept once.",
    why: `${details}: what is kept is the same addresses.`,
    hooks: keptAs("alertEmails", (value) => (Array.isArray(value) ? [...new Set(value)] : value)),
  },
  {
    name: "times-to-the-second",
    description: "Times are kept to the second.",
    why: "Ruling on row 10: RFC 3339 allows any fraction, and none.",
    hooks: showItems(EVERYWHERE, (item) =>
      Object.fromEntries(
        Object.entries(item).map(([name, value]) => [
          name,
          typeof value === "string" && /^\d{4}-\d\d-\d\dT/.test(value)
            ? value.replace(/\.\d+(?=Z)/, "")
            : value,
        ]),
      ),
    ),
  },
  {
    name: "update-time-stands-still",
    description: "updateTime is the time of the last change of state, and no update moves it.",
    why: "Section 2: what counts as an update is not said.",
    hooks: {
      changes: (changes, _ctx, record) => ({ ...changes, updateTime: record.data.updateTime }),
    },
  },
  {
    name: "cancelled-codes-expire-at-once",
    description: "Cancelling a payment code also sets its expireTime to now, unless it was sent.",
    why: "Section 3: what else a cancellation changes is not stated.",
    hooks: setOtherwise(["PATCH /payment-codes/{id}"], (changes, ctx) =>
      changes.status === "cancelled" && changes.expireTime === undefined
        ? { ...changes, expireTime: ctx.service.now().toISOString() }
        : changes,
    ),
  },
];
