import type { Context } from "../context.ts";
import { CREATES, EVERYWHERE, isAt, refuse, showField, showItems, UPDATES } from "../hook-tools.ts";
import type { Hooks } from "../hooks.ts";
import { isObject, type Json, type JsonObject } from "../json.ts";
import { Rejected } from "../problems.ts";
import { setOtherwise } from "../write-hook-tools.ts";
import { answering, repeatedly, seeded, textsOf, together, withFields } from "./tools.ts";
import type { Variant } from "./variant.ts";

/** RFC 7396: members of objects are merged, and null takes one away. */
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

/** Keeps a list in another way than it was sent. */
function keptAs(field: string, change: (value: Json | undefined) => Json | undefined): Hooks {
  return {
    made: (record) =>
      record.data[field] === undefined ? record : withFields(record, { [field]: change(record.data[field]) }),
  };
}

const EMOJI = "😀";

const details = "Ruling on rows 62 and 80";
const counting = "Row 71: how characters are counted is open";
const open = "Ruling on row 80";

/** Variants of how services keep, show and take single things. */
export const habitVariants: readonly Variant[] = [
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
    name: "names-of-accounts-are-taken-once",
    description: "A space has one account of a name.",
    why: "Row 64: that what is not said to be unique may be repeated is a SHOULD.",
    warns: ["UNIQUE-NO-OTHERS"],
    hooks: refuse(
      ["POST /v1/financial-accounts"],
      "conflict",
      { at: "body.name", rule: "unique", message: "there is one with this name" },
      ({ service, space, body }) =>
        service.store
          .all("financialAccount")
          .some((other) => other.space === space && other.data.name === body.name),
    ),
  },
  {
    name: "keys-in-use-refused",
    description: "While a call is under way, others with its key are refused; later they get what it made.",
    why: "Rows 66 and its ruling: of simultaneous calls with one key all but one may be rejected.",
    hooks: () => {
      const running = new Set<string>();
      const indexOf = (ctx: Context) => JSON.stringify([ctx.space, ctx.operation, ctx.key]);
      return {
        pause: async (point, ctx) => {
          if (!isAt(ctx, CREATES)) return;
          if (point === "checked") {
            running.add(indexOf(ctx));
            await new Promise((done) => setTimeout(done, 15));
          }
          if (point === "written") running.delete(indexOf(ctx));
        },
        keyEntry: (entry, ctx) => {
          if (entry && running.has(indexOf(ctx)))
            throw new Rejected({ status: 409, headers: {}, problems: [] });
          return entry;
        },
      };
    },
  },
  {
    name: "next-of-webhooks-is-no-id",
    description: "next in the list of webhooks is a cursor of its own, which after takes beside ids.",
    why: "Section 2.2: next is a cursor; row 37: after takes the id of an item.",
    hooks: {
      cursorText: (text, ctx) =>
        text !== null && isAt(ctx, ["GET /webhooks"]) ? Buffer.from(`n ${text}`).toString("base64url") : text,
      cursorStart: (start, ctx, { text, parameter, items }) => {
        if (start !== null || parameter !== "after" || !isAt(ctx, ["GET /webhooks"])) return start;
        const named = Buffer.from(text, "base64url").toString();
        const index = items.findIndex(({ id }) => `n ${id}` === named);
        return index < 0 ? null : index + 1;
      },
    },
  },
  {
    name: "texts-of-emoji-at-their-limits",
    description: "Messages of 255 and attributes of 100 emoji, names of webhooks of 100.",
    why: `${counting}: an emoji may count as one character.`,
    hooks: together(
      seeded(["ussdOtp"], (record, index) =>
        withFields(record, {
          verificationMessage: index % 2 === 0 ? EMOJI.repeat(255) : null,
          metadata: Object.fromEntries(
            Array.from({ length: 64 }, (_, each) => [`attribute ${each}`, EMOJI.repeat(100)]),
          ),
        }),
      ),
      seeded(["webhook"], (record) => withFields(record, { name: EMOJI.repeat(100) })),
    ),
  },
  {
    name: "nameless-things",
    description: "Names of accounts, codes, banks, momos and countries are empty texts, as are descriptions.",
    why: "Section 2: no least length is stated for them.",
    hooks: seeded(["paymentCode", "bank", "momo", "country"], (record) =>
      withFields(record, { name: "", ...(record.kind === "paymentCode" ? { reference: "" } : {}) }),
    ),
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
    name: "ussd-codes-have-a-form",
    description: "A filter by a text that is no USSD code is refused.",
    why: "Row 45 is about codes; what a USSD code looks like is the service's own.",
    hooks: refuse(
      ["GET /v1/payment-codes"],
      "query",
      { at: "query.ussd_code", rule: "format", message: "this is no USSD code" },
      ({ query }) => {
        const [code] = query.get("ussd_code") ?? [];
        return code !== undefined && !/^\*[0-9*]{1,30}#$/.test(code);
      },
    ),
  },
  {
    name: "null-is-shown-as-an-empty-text",
    description: "Where reference or description are null, they are shown as an empty text.",
    why: "Section 2.5 lets both be texts; what null means is open.",
    hooks: together(
      showField(CREATES, "reference", (value) => (value === null ? "" : value)),
      showField(CREATES, "description", (value) => (value === null ? "" : value)),
    ),
  },
  {
    name: "spaces-and-versions-in-any-casing",
    description: "Space ids behind their prefix, and versions, are taken in any casing.",
    why: "Section 5: that ids of spaces differ by case is not said; rejecting a version is a SHOULD.",
    hooks: {
      request: (request, service) => {
        const { "service-space-id": space, "service-version": version } = request.headers;
        const known = space?.startsWith("spc-")
          ? [...service.spaces].find((each) => each.toLowerCase() === space.toLowerCase())
          : undefined;
        return {
          ...request,
          headers: {
            ...request.headers,
            ...(known === undefined ? {} : { "service-space-id": known }),
            ...(version === undefined ? {} : { "service-version": version.toLowerCase() }),
          },
        };
      },
    },
  },
  {
    name: "encoded-slashes-refused",
    description:
      "A web server refuses paths with encoded slashes, backslashes, dots or null bytes: 400, a web page.",
    why: "Row 26: how a request is refused is open; no id of this service holds any of them.",
    hooks: together(
      {
        pause: (point, { request }) => {
          if (point === "arrived" && /%2f|%5c|%00|%2e|;/i.test(request.path))
            throw new Rejected({ status: 400, headers: { Server: "web" }, problems: [] });
        },
      },
      answering((response) =>
        response.headers.Server === "web"
          ? {
              ...response,
              headers: { ...response.headers, "Content-Type": "text/html" },
              body: "<!doctype html><h1>Bad Request</h1>",
            }
          : response,
      ),
    ),
  },
  {
    name: "parameters-in-paths-cut-off",
    description: "What follows a semicolon in a path is taken as a parameter of it, and not looked at.",
    why: "RFC 3986 section 3.3 lets a service give such parameters a meaning; ids hold no semicolon here.",
    hooks: {
      request: (request) => ({ ...request, path: request.path.replaceAll(/;[^/]*/g, "") }),
    },
  },
  {
    name: "headers-in-capitals",
    description: "The names of all headers are in capitals.",
    why: "RFC 9110 section 5.1: names of headers have no case.",
    hooks: answering((response) => ({
      ...response,
      headers: Object.fromEntries(
        Object.entries(response.headers).map(([name, value]) => [name.toUpperCase(), value]),
      ),
    })),
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
  {
    name: "one-account-in-a-currency",
    description: "A space has one account in a currency, those aside that were there from the start.",
    why: "Ruling on rows 60 and 64: creates that are refused from some number on meet a quota.",
    hooks: () => {
      const taken = new Set<string>();
      return {
        pause: (point, ctx) => {
          if (point !== "checked" || !isAt(ctx, ["POST /v1/financial-accounts"])) return;
          const place = `${ctx.space} ${String(ctx.body.currency)}`;
          if (taken.has(place)) throw new Rejected({ status: 409, headers: {}, problems: [] });
        },
        written: (ctx, { kind, data }) => {
          if (kind === "financialAccount") taken.add(`${ctx.space} ${String(data.currency)}`);
        },
      };
    },
  },
  {
    name: "payouts-move-on",
    description: "The status of every payout changes fourteen times a second.",
    why: "Ruling on row 81: status may move by itself.",
    hooks: {
      started: (service) =>
        repeatedly(service, 70, (round) => {
          for (const record of service.store.all("payout"))
            service.store.replace(
              withFields(record, { status: ["pending", "processing", "queued"][round % 3] ?? "pending" }),
            );
        }),
    },
  },
  {
    name: "few-attributes-taken",
    description: "Metadata has at most eight members, and no text of more than a thousand characters.",
    why: `${details}: what is sent for a verdict is of ordinary size.`,
    hooks: refuse(
      [...CREATES, ...UPDATES],
      "body",
      { at: "body.metadata", rule: "maxProperties", message: "there are too many" },
      ({ body }) =>
        (isObject(body.metadata) && Object.keys(body.metadata).length > 8) ||
        textsOf(body.metadata ?? null).some((text) => text.length > 1000),
    ),
  },
];
