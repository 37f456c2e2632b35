import type { Context } from "../context.ts";
import { CREATES, isAt, refuse, UPDATES } from "../hook-tools.ts";
import { isObject } from "../json.ts";
import { Rejected } from "../problems.ts";
import { answering, repeatedly, seeded, textsOf, together, withFields } from "./tools.ts";
import type { Variant } from "./variant.ts";

const EMOJI = "😀";

const details = "Ruling on rows 62 and 80";
const counting = "Row 71: how characters are counted is open";

export const habitVariants: readonly Variant[] = [
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
