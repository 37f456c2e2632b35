import type { Context, IncomingRequest } from "../context.ts";
import { encodeCursor } from "../cursors.ts";
import { isAt, overlook, PAGED } from "../hook-tools.ts";
import type { Hooks } from "../hooks.ts";
import type { OperationName } from "../operations.ts";
import { hashOf } from "./tools.ts";
import type { Variant } from "./variant.ts";

const OPAQUE: readonly OperationName[] = ["GET /v1/ussd-otps", "GET /v1/payment-codes"];
const OPAQUE_PATH = /^\/v1\/(ussd-otps|payment-codes)$/;

/** Sends the cursor that `read` returns, or an invalid one. */
function withInnerCursor(request: IncomingRequest, read: (text: string) => string | null): IncomingRequest {
  if (!OPAQUE_PATH.test(request.path) || !/(^|&)after=[^&]/.test(request.query)) return request;
  const query = new URLSearchParams(request.query);
  const text = query.get("after") ?? "";
  const inner = read(text);
  query.set("after", inner ?? `!${text}`);
  return { ...request, query: query.toString() };
}

function respelled(spell: (inner: string) => string, read: (text: string) => string | null): Hooks {
  return {
    request: (request) => withInnerCursor(request, read),
    cursorText: (text, ctx) => (text !== null && isAt(ctx, OPAQUE) ? spell(text) : text),
  };
}

const AWKWARD = "+/=&% #\"?;é€\\<>'ß{}|^`%2B%00+ ";

function long(inner: string): string {
  return `${AWKWARD.repeat(100).slice(0, 1999 - inner.length)}=${inner}`;
}

function issued(spell: (inner: string, number: number) => string, once: boolean): Hooks {
  const inners = new Map<string, string>();
  const read = (text: string) => {
    const inner = inners.get(text) ?? null;
    if (once) inners.delete(text);
    return inner;
  };
  return respelled((inner) => {
    const text = spell(inner, inners.size);
    inners.set(text, inner);
    return text;
  }, read);
}

function opaqueIdentity(ctx: Context) {
  const filters = ["ussd_code", "mode", "status"].flatMap((name): [string, string][] => {
    const value = ctx.query.get(name)?.[0];
    return value && isAt(ctx, ["GET /v1/payment-codes"]) ? [[name, value]] : [];
  });
  return { kind: isAt(ctx, ["GET /v1/payment-codes"]) ? "paymentCode" : "ussdOtp", filters } as const;
}

const opaque = "Section 2.2: a cursor is a string; what it holds and how it is spelled is the service's own";

export const cursorVariants: readonly Variant[] = [
  {
    name: "empty-last-page",
    description: "The last full page still has a next, which leads to an empty page.",
    why: "Ruling on row 33: a page with a next may be followed by an empty last page.",
    hooks: {
      cursorText: (text, ctx, { items, window }) => {
        const last = items[window.end - 1];
        const full = window.end - window.start === Number(ctx.query.get("limit")?.[0] ?? 10);
        if (text !== null || !isAt(ctx, PAGED) || !full || !last) return text;
        return isAt(ctx, ["GET /webhooks"]) ? last.id : encodeCursor(ctx, opaqueIdentity(ctx), last);
      },
    },
  },
  {
    name: "cursors-of-2000-characters",
    description: "Cursors have 2000 characters, most of them with a meaning in URLs or none in ASCII.",
    why: `${opaque}, up to 2000 characters (section 8).`,
    hooks: respelled(long, (text) => {
      const inner = text.slice(text.lastIndexOf("=") + 1);
      return long(inner) === text ? inner : null;
    }),
  },
  {
    name: "cursors-spelled-anew",
    description: "A cursor to the same page is another text at every read.",
    why: "Ruling on row 35: the cursor may be spelled differently each time.",
    hooks: () => issued((inner, number) => `${hashOf(`${number}`).toString(36)}.${number}.${inner}`, false),
  },
  {
    name: "cursors-of-one-use",
    description: "A cursor leads on once; every page gives a fresh one.",
    why: "Row 33: the list accepts its cursors; reading the same one again is a SHOULD (row 35).",
    warns: ["CURSOR-REPEATABLE"],
    hooks: () => {
      let serial = 0;
      return issued((inner) => {
        serial += 1;
        return `once:${serial}:${inner}`;
      }, true);
    },
  },
  {
    name: "cursors-are-short-numbers",
    description: "Cursors are small numbers that mean nothing outside of the service.",
    why: `${opaque}.`,
    hooks: () => {
      const numbers = new Map<string, string>();
      return respelled(
        (inner) => {
          const known = numbers.get(inner) ?? String(numbers.size);
          numbers.set(inner, known);
          return known;
        },
        (text) => [...numbers].find(([, number]) => number === text)?.[0] ?? null,
      );
    },
  },
  {
    name: "cursors-in-hexadecimal",
    description: "Cursors are written in hexadecimal digits, which may be sent in either casing.",
    why: `${opaque}; a digit in other casing is the same digit.`,
    hooks: respelled(
      (inner) => Buffer.from(inner).toString("hex"),
      (text) => (/^([\da-f]{2})+$/i.test(text) ? Buffer.from(text, "hex").toString() : null),
    ),
  },
  {
    name: "cursors-beyond-the-basic-plane",
    description: "Cursors are made of characters that take two UTF-16 units each.",
    why: `${opaque}.`,
    hooks: respelled(
      (inner) => [...Buffer.from(inner)].map((byte) => String.fromCodePoint(0x1f300 + byte)).join(""),
      (text) => {
        const bytes = [...text].map((character) => (character.codePointAt(0) ?? 0) - 0x1f300);
        return bytes.every((byte) => byte >= 0 && byte < 256) ? Buffer.from(bytes).toString() : null;
      },
    ),
  },
  {
    name: "unknown-cursor-is-the-start",
    description: "A cursor that was never issued gives the first page.",
    why: "Row 36: rejecting it is a SHOULD.",
    warns: ["CURSOR-UNKNOWN"],
    hooks: overlook(PAGED, { stage: "query", rule: "cursor" }),
  },
  {
    name: "long-cursor-is-the-start",
    description: "A cursor that was never issued gives the first page, however long it is.",
    why: "Row 36: rejecting it is a SHOULD.",
    warns: ["CURSOR-UNKNOWN", "CURSOR-TOO-LONG"],
    hooks: {
      problems: (problems, ctx, stage) =>
        isAt(ctx, PAGED) && stage === "query"
          ? problems.filter(
              ({ at, rule }) => rule !== "cursor" && !(rule === "maxLength" && /after|before/.test(at)),
            )
          : problems,
    },
  },
];
