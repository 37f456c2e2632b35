import type { Context, ResponseDraft } from "../../context.ts";
import { DOCUMENTED, IN_SPACES, PAGED, type Where } from "../../hook-tools.ts";
import type { Hooks } from "../../hooks.ts";
import type { OperationName } from "../../operations.ts";
import { eachWith, operator } from "../../operators/operator.ts";
import { asked, FILTERS, isFiltered, limitOf, NEWER, OLDER } from "../../read-hook-tools.ts";
import type { StoredRecord } from "../../store.ts";
import type { Defect } from "../defect.ts";

interface Write {
  readonly ctx: Context;
  readonly record: StoredRecord;
  readonly previous: StoredRecord | null;
  readonly times: number;
}

interface Cache {
  readonly operation: OperationName;
  readonly key: (ctx: Context) => string;
  readonly isMeant: (ctx: Context) => boolean;
  readonly forgets: (write: Write, key: string) => boolean;
  /** True if the cache does not answer requests that must be rejected. */
  readonly checksFirst: boolean;
  readonly latestOnly: boolean;
}

function cached({ operation, key, isMeant, forgets, checksFirst, latestOnly }: Cache): () => Hooks {
  return () => {
    const kept = new Map<string, ResponseDraft>();
    const writes = new Map<string, number>();
    return {
      written: (ctx, record, previous) => {
        const times = (writes.get(record.id) ?? 0) + 1;
        writes.set(record.id, times);
        for (const name of kept.keys())
          if (forgets({ ctx, record, previous, times }, name)) kept.delete(name);
      },
      response: (response, ctx) => {
        if (ctx.operation !== operation || !isMeant(ctx)) return response;
        const name = key(ctx);
        const known = kept.get(name);
        if (known && (response.status === 200 || !checksFirst)) return known;
        if (response.status !== 200) return response;
        if (latestOnly) kept.clear();
        kept.set(name, response);
        return response;
      },
    };
  };
}

const versionOf = ({ request }: Context) => request.headers["service-version"] ?? "";

function keyWithout(part: string): (ctx: Context) => string {
  return (ctx) => {
    const { path, query, headers } = ctx.request;
    const parameters = new URLSearchParams(query);
    parameters.delete(part);
    const space = part === "space" ? "" : headers["service-space-id"];
    const token = part === "token" ? "" : headers.authorization;
    return JSON.stringify([versionOf(ctx), space, token, path, parameters.toString()]);
  };
}
const wholeKey = keyWithout("");

type Scope = readonly [says: string, isMeant: (ctx: Context) => boolean];

const SCOPES: Readonly<Record<string, Scope>> = {
  all: ["answers are kept", () => true],
  older: [`answers under ${OLDER} are kept`, (ctx) => versionOf(ctx) === OLDER],
  newer: [`answers under ${NEWER} are kept`, (ctx) => versionOf(ctx) === NEWER],
  unversioned: ["answers to requests without a version are kept", (ctx) => versionOf(ctx) === ""],
};
const PAGES: Readonly<Record<string, Scope>> = {
  ...SCOPES,
  "first-page": ["first pages are kept", (ctx) => asked(ctx, "after") + asked(ctx, "before") === ""],
  "page-of-50": ["pages of 50 are kept", (ctx) => asked(ctx, "limit") === "50"],
  "small-page": ["pages of less than 10 are kept", (ctx) => limitOf(ctx) < 10],
  "usual-page": ["pages without a limit are kept", (ctx) => asked(ctx, "limit") === ""],
};
/** Only updates outdate a page behind a cursor, because it shows no newer webhooks. */
const PAGES_OF_UPDATED: Readonly<Record<string, Scope>> = {
  ...PAGES,
  "behind-cursor": ["pages behind a cursor are kept", (ctx) => asked(ctx, "after") !== ""],
};
const PAGES_OF_CODES: Readonly<Record<string, Scope>> = {
  ...PAGES_OF_UPDATED,
  filtered: ["filtered lists are kept", isFiltered],
};

type Term = readonly [says: string, forgets: Cache["forgets"], of: RegExp];

const TERMS: Readonly<Record<string, Term>> = {
  "": ["for ever", () => false, /^/],
  "until-create": ["until the next create", ({ previous }) => previous === null, /webhooks/],
  "until-first-update": [
    "until the first update of a resource, and from then on for ever",
    ({ previous, times }) => previous !== null && times === 1,
    /^/,
  ],
  "until-same-version": [
    "until the next write under the same version",
    ({ ctx }, key) => key.startsWith(`["${versionOf(ctx)}"`),
    /^/,
  ],
  "until-metadata": [
    "until the metadata of something changes",
    ({ record, previous }) => previous?.data.metadata !== record.data.metadata,
    /payment-codes|webhooks/,
  ],
};

interface Shown {
  readonly write: OperationName;
  readonly read: OperationName;
  readonly at: OperationName;
  readonly breaks: readonly string[];
  readonly scopes: Readonly<Record<string, Scope>>;
}

const UPDATED = { breaks: ["UPDATE-STORED"], scopes: SCOPES };
const SHOWN_BY: readonly Shown[] = [
  {
    ...UPDATED,
    write: "PATCH /webhooks/{id}",
    read: "GET /webhooks",
    at: "PATCH /webhooks/{id}",
    scopes: PAGES_OF_UPDATED,
  },
  {
    ...UPDATED,
    write: "PATCH /payment-codes/{id}",
    read: "GET /payment-codes/{id}",
    at: "PATCH /payment-codes/{id}",
  },
  { ...UPDATED, write: "PATCH /payouts/{id}", read: "GET /payouts/{id}", at: "PATCH /payouts/{id}" },
  {
    write: "PATCH /payment-codes/{id}",
    read: "GET /v1/payment-codes",
    at: "GET /payment-codes/{id}",
    breaks: ["SHAPES-AGREE"],
    scopes: PAGES_OF_CODES,
  },
];

function stale(): Defect[] {
  return SHOWN_BY.flatMap(({ write, read, at, breaks, scopes }) =>
    operator(
      "cached",
      eachWith(Object.entries(scopes), ([scope]) =>
        Object.entries(TERMS).filter(([term]) => term === "" || scope === "all"),
      )
        .filter(([, [, [, , of]]]) => of.test(write))
        .map(([[scope, [says, isMeant]], [term, [lasts, forgets]]]) => ({
          operation: at,
          alsoAt: [write, read, "POST /webhooks"],
          at: [read.includes("{") ? "read" : "list", scope, term].filter((part) => part !== "").join("-"),
          breaks,
          does: `of ${read} ${says} ${lasts}`,
          hooks: cached({
            operation: read,
            key: wholeKey,
            isMeant,
            forgets,
            checksFirst: true,
            latestOnly: false,
          }),
        })),
    ),
  );
}

function staleForNew(): Defect[] {
  const terms = ["", "until-update", "until-same-version"] as const;
  const forgets = (term: (typeof terms)[number]): Cache["forgets"] =>
    term === "until-update" ? ({ previous }) => previous !== null : (TERMS[term]?.[1] ?? (() => false));
  return operator(
    "cached",
    eachWith(Object.entries(PAGES), ([scope]) => terms.filter((term) => term === "" || scope === "all")).map(
      ([[scope, [says, isMeant]], term]) => ({
        operation: "POST /webhooks",
        alsoAt: ["GET /webhooks", "PATCH /webhooks/{id}"],
        at: ["list", scope, term].filter((part) => part !== "").join("-"),
        breaks: ["CREATE-LISTED"],
        does: `of GET /webhooks ${says} ${term === "until-update" ? "until the next update" : (TERMS[term]?.[0] ?? "")}`,
        hooks: cached({
          operation: "GET /webhooks",
          key: wholeKey,
          isMeant,
          forgets: forgets(term),
          checksFirst: true,
          latestOnly: false,
        }),
      }),
    ),
  );
}

const READS: Where = DOCUMENTED.filter((name) => name.startsWith("GET"));
const isolation = (operation: OperationName) =>
  operation.includes("{")
    ? ["ISOLATION-READS", "ISOLATION-UNKNOWN-SPACE", "SPACE-MISSING"]
    : ["ISOLATION-LISTS"];

const FORGOTTEN: readonly (readonly [
  part: string,
  where: Where,
  breaks: (operation: OperationName) => readonly string[],
])[] = [
  ["token", READS, () => ["AUTH-MISSING", "AUTH-UNKNOWN-TOKEN", "AUTH-ALTERED-TOKEN", "AUTH-EMPTY-TOKEN"]],
  ["space", READS.filter((name) => IN_SPACES.includes(name)), isolation],
  ["limit", PAGED, () => ["LIST-LIMIT-RESPECTED", "LIST-LIMIT-DEFAULT"]],
  ["after", PAGED, () => ["CURSOR-ONCE", "CURSOR-END", "ITEM-CURSOR-AFTER"]],
  ["before", ["GET /webhooks"], () => ["ITEM-CURSOR-BEFORE"]],
  ...FILTERS.map((name) => [name, ["GET /v1/payment-codes"], () => ["FILTER-SOUND"]] as const),
  ["country", ["GET /banks", "GET /momos"], () => ["FILTER-SOUND"]],
];

function mixedUp(): Defect[] {
  return FORGOTTEN.flatMap(([part, where, breaks]) =>
    operator(
      "cached-without",
      eachWith(where, () => [false, true]).map(([operation, latestOnly]) => ({
        operation,
        alsoAt: DOCUMENTED.filter((name) => !name.startsWith("GET")),
        at: latestOnly ? `${part}-latest` : part,
        breaks: breaks(operation),
        does: `${latestOnly ? "the latest answer is" : "answers are"} kept until the next write, whatever the ${part}`,
        hooks: cached({
          operation,
          key: keyWithout(part),
          isMeant: () => true,
          forgets: () => true,
          // The service rejects a wrong token or space, so there the cache must answer first.
          checksFirst: part !== "token" && !(part === "space" && operation.includes("{")),
          latestOnly,
        }),
      })),
    ),
  );
}

export const cacheHistoryDefects: readonly Defect[] = [...stale(), ...staleForNew(), ...mixedUp()];
