import { isAt, overlook, showEnvelope, type Where, withData } from "../../hook-tools.ts";
import type { Hooks } from "../../hooks.ts";
import { isObject } from "../../json.ts";
import { CODE_READ, leaveOut, showAt } from "../../read-hook-tools.ts";
import type { StoredRecord } from "../../store.ts";
import { together } from "../../write-hook-tools.ts";
import type { LegacyDefect as Defect } from "../legacy.ts";

const BANK: Where = ["GET /banks/{idOrCode}"];
const MOMO: Where = ["GET /momos/{idOrCode}"];
const COUNTRY: Where = ["GET /countries/{idOrCode}"];
const PAYOUT: Where = ["GET /payouts/{id}"];

/** Finds something else than what is exactly under the id; `isMeant` tells the record it is taken for. */
function findLoosely(where: Where, isMeant: (id: string, record: StoredRecord) => boolean): Hooks {
  return {
    found: (record, ctx, { kind, id }) =>
      record !== undefined || !isAt(ctx, where)
        ? record
        : ctx.service.store
            .all(kind)
            .find((other) => (other.space === "" || other.space === ctx.space) && isMeant(id, other)),
  };
}

/** Does not find what is there. */
function lose(where: Where, isLost: (id: string, record: StoredRecord) => boolean): Hooks {
  return {
    found: (record, ctx, { id }) =>
      record !== undefined && isAt(ctx, where) && isLost(id, record) ? undefined : record,
  };
}

/** Changes a record whenever it is read. */
function touch(where: Where, change: (record: StoredRecord) => StoredRecord): Hooks {
  return {
    wasRead: (ctx, record) => {
      if (isAt(ctx, where)) ctx.service.store.replace(change(record));
    },
  };
}

function attributes({ data }: StoredRecord): object {
  return isObject(data.metadata) ? data.metadata : {};
}

/** Defects of single reads (rows 50, 51 and 53). */
export const readDefects: readonly Defect[] = [
  {
    name: "codes-found-for-banks-only",
    description: "Momos and countries are found by id, but not by code.",
    requirement: "READ-ACCEPTED",
    row: 50,
    level: "MUST",
    operations: ["GET /momos/{idOrCode}", "GET /countries/{idOrCode}"],
    hooks: lose([...MOMO, ...COUNTRY], (id, record) => id !== record.id),
  },
  {
    name: "bank-not-found-by-id",
    description: "Banks are found by code, but not by id.",
    requirement: "READ-ACCEPTED",
    row: 50,
    level: "MUST",
    operations: ["GET /banks/{idOrCode}"],
    hooks: lose(BANK, (id, record) => id === record.id),
  },
  {
    name: "processing-code-not-found",
    description: "Payment codes that are being paid are listed, but cannot be read.",
    requirement: "READ-ACCEPTED",
    row: 50,
    level: "MUST",
    operations: ["GET /payment-codes/{id}"],
    hooks: lose(CODE_READ, (_id, { data }) => data.status === "processing"),
  },
  {
    name: "bank-always-active-when-read",
    description: "A single bank is shown as active, also where the list says that it is not.",
    requirement: "READ-MATCHES-LIST",
    row: 50,
    level: "MUST",
    operations: ["GET /banks/{idOrCode}"],
    hooks: showAt(BANK, "status/active", () => true),
  },
  {
    name: "momo-read-without-scheme-metadata",
    description: "A single momo does not show the metadata of its payment feature.",
    requirement: "READ-MATCHES-LIST",
    row: 50,
    level: "MUST",
    operations: ["GET /momos/{idOrCode}"],
    hooks: leaveOut(MOMO, "featureSet/payment/metadata"),
  },
  {
    name: "country-by-code-with-own-currency-only",
    description: "A country read by code supports its own currency only; by id, all that the list shows.",
    requirement: "READ-MATCHES-LIST",
    row: 50,
    level: "MUST",
    operations: ["GET /countries/{idOrCode}"],
    hooks: showAt(COUNTRY, "supportedCurrencies", (value, { ctx, record }) =>
      Array.isArray(value) && ctx.params.idOrCode !== record.id ? value.slice(0, 1) : value,
    ),
  },
  {
    name: "unknown-bank-is-empty-object",
    description: "An unknown bank is answered with 200 and an empty object.",
    requirement: "READ-UNKNOWN",
    alsoBreaks: ["PROVIDER-PRESENT"],
    row: 51,
    level: "MUST",
    operations: ["GET /banks/{idOrCode}"],
    hooks: overlook(BANK, { stage: "find" }),
  },
  {
    name: "unknown-payout-is-null",
    description: "An unknown payout is answered with 200 and a result of null.",
    requirement: "READ-UNKNOWN",
    alsoBreaks: ["RESULT-OBJECT"],
    row: 51,
    level: "MUST",
    operations: ["GET /payouts/{id}"],
    hooks: together(
      overlook(PAYOUT, { stage: "find" }),
      showEnvelope(PAYOUT, (body) =>
        isObject(body.result) && body.result.id === undefined ? { ...body, result: null } : body,
      ),
    ),
  },
  {
    name: "code-found-by-beginning-of-id",
    description: "A payment code is found by an id of which the end is missing.",
    requirement: "READ-UNKNOWN",
    row: 51,
    level: "MUST",
    operations: ["GET /payment-codes/{id}"],
    hooks: findLoosely(CODE_READ, (id, record) => id.length >= 8 && record.id.startsWith(id)),
  },
  {
    name: "country-found-by-first-letters",
    description: "Only the first two letters of a country code are looked at.",
    requirement: "READ-UNKNOWN",
    row: 51,
    level: "MUST",
    operations: ["GET /countries/{idOrCode}"],
    hooks: findLoosely(COUNTRY, (id, { data }) => id.slice(0, 2) === data.code),
  },
  {
    name: "payout-id-cut-at-slash",
    description: "What follows an encoded slash in the id of a payout is ignored.",
    requirement: "READ-UNKNOWN",
    row: 51,
    level: "MUST",
    operations: ["GET /payouts/{id}"],
    hooks: findLoosely(PAYOUT, (id, record) => id.includes("/") && id.split("/")[0] === record.id),
  },
  {
    name: "momo-code-trimmed",
    description: "A momo is found by its code with spaces around it.",
    requirement: "READ-UNKNOWN",
    row: 51,
    level: "MUST",
    operations: ["GET /momos/{idOrCode}"],
    hooks: findLoosely(MOMO, (id, { data }) => id.trim() === data.code),
  },
  {
    name: "read-moves-bank-update-time",
    description: "Each read of a bank makes its updateTime a second later.",
    requirement: "READ-STABLE",
    alsoBreaks: ["READ-MATCHES-LIST", "VERSION-VALUES"],
    row: 53,
    level: "MUST",
    operations: ["GET /banks/{idOrCode}"],
    hooks: touch(BANK, (record) =>
      withData(record, {
        updateTime: new Date(Date.parse(String(record.data.updateTime)) + 1000).toISOString(),
      }),
    ),
  },
  {
    name: "first-read-marks-a-code-as-seen",
    description:
      "The first read of a payment code, and no later one, writes into its metadata that it was seen.",
    requirement: "READ-STABLE",
    alsoBreaks: ["UPDATE-KEEPS"],
    row: 53,
    level: "MUST",
    operations: CODE_READ,
    hooks: touch(CODE_READ, (record) =>
      withData(record, { metadata: { ...attributes(record), seen: "yes" } }),
    ),
  },
  {
    name: "reading-a-record-updates-it",
    description:
      "What is read of reference data alone is updated: its updateTime is that of the read, in whole seconds.",
    requirement: "READ-STABLE",
    row: 53,
    level: "MUST",
    operations: [...BANK, ...MOMO],
    hooks: {
      found(record, ctx) {
        if (!record || !isAt(ctx, [...BANK, ...MOMO])) return record;
        const seconds = Math.floor(ctx.service.now().getTime() / 1000) * 1000;
        const touched = withData(record, { updateTime: new Date(seconds).toISOString() });
        ctx.service.store.replace(touched);
        return touched;
      },
    },
  },
  {
    name: "code-read-counts-as-an-update",
    description: "A payment code that is read is updated: the list shows another updateTime.",
    requirement: "READ-STABLE",
    row: 53,
    level: "MUST",
    operations: CODE_READ,
    hooks: {
      wasRead(ctx, record) {
        if (!isAt(ctx, CODE_READ)) return;
        ctx.service.store.replace(withData(record, { updateTime: ctx.service.now().toISOString() }));
      },
    },
  },
  {
    name: "first-read-settles-a-payout",
    description: "A payout that is read for the first time is no longer pending at the second.",
    requirement: "READ-STABLE",
    row: 53,
    level: "MUST",
    operations: ["GET /payouts/{id}"],
    hooks: touch(PAYOUT, (record) => withData(record, { status: "settled" })),
  },
  {
    name: "momo-read-finds-banks",
    description: "A bank is found by its id or code among the single momos, too.",
    requirement: "READ-UNKNOWN",
    row: 51,
    level: "MUST",
    operations: ["GET /momos/{idOrCode}"],
    hooks: {
      found: (record, ctx, { id }) =>
        record !== undefined || !isAt(ctx, MOMO)
          ? record
          : ctx.service.store.all("bank").find((bank) => bank.id === id || bank.data.code === id),
    },
  },
];
