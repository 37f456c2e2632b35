import type { Context } from "../context.ts";
import { EVERYWHERE, isAt, PAGED, showEnvelope, showItems, type Where } from "../hook-tools.ts";
import type { Hooks } from "../hooks.ts";
import { isObject, type Json, type JsonObject } from "../json.ts";
import type { Dataset, Kind, StoredRecord } from "../store.ts";
import { mapDeep, seeded, spelled, together, withFields } from "./tools.ts";
import type { Variant } from "./variant.ts";

const OPAQUE: Where = ["GET /v1/ussd-otps", "GET /v1/payment-codes"];

function more(kind: Kind, names: readonly string[]): Hooks {
  return {
    seed: (data): Dataset => {
      const [first] = data[kind] ?? [];
      if (!first) return data;
      const added = names.map((code, index) => {
        const id = `more_${kind}_${index}`;
        return { ...withFields(first, { code, name: `Another one, ${code}` }), id };
      });
      return { ...data, [kind]: [...(data[kind] ?? []), ...added] };
    },
  };
}

const COUNTRIES =
  "DE FR IT ES PT NL BE LU AT CH SE NO DK FI IS IE GB PL CZ SK HU RO BG GR CY MT EE LV LT SI HR RS BA ME MK AL UA MD GE AM " +
  "AZ TR IL JO SA AE QA KW OM BH YE IN PK BD LK NP BT MM TH VN";

function ownerOf({ operation, query, version, token, space }: Context): string {
  const { after: _, ...rest } = Object.fromEntries(query);
  return JSON.stringify([operation, rest, version, token, space]);
}

function cursorsOfTheirQuery(): Hooks {
  const issued = new Set<string>();
  return {
    cursorText: (text, ctx) => {
      if (text !== null && isAt(ctx, OPAQUE)) issued.add(`${text} ${ownerOf(ctx)}`);
      return text;
    },
    cursorStart: (start, ctx, { text }) =>
      isAt(ctx, OPAQUE) && !issued.has(`${text} ${ownerOf(ctx)}`) ? null : start,
  };
}

function withoutEmpty(item: JsonObject): JsonObject {
  const entries = Object.entries(item).filter(
    ([, value]) => !(isObject(value) && Object.keys(value).length === 0),
  );
  return Object.fromEntries(entries);
}

function withoutMomos(data: Dataset): Dataset {
  const [bank] = data.bank ?? [];
  const gone = new Map<Json, Json>();
  for (const { id, data: own } of data.momo ?? []) {
    gone.set(id, bank?.id ?? "");
    gone.set(own.code ?? "", bank?.data.code ?? "");
  }
  const about = (value: Json) => gone.get(value) ?? value;
  const entries = Object.entries({ ...data, momo: [] }).map(([kind, records]) => [
    kind,
    records.map((record) => ({ ...record, data: mapDeep(record.data, about) as JsonObject })),
  ]);
  return Object.fromEntries(entries);
}

function byName(a: StoredRecord, b: StoredRecord): number {
  const [one, other] = [a, b].map(({ id, data }) => `${String(data.name)} ${id}`);
  return (one ?? "") < (other ?? "") ? -1 : 1;
}

const free = "Section 2: ids, codes and names are strings, with no form stated";
const size = "Section 2.2 sets no bound to a list that takes no limit";

export const recordVariants: readonly Variant[] = [
  {
    name: "ids-in-any-casing",
    description: "Everything is found under its id in any casing, for reads and for updates.",
    why: "Ruling on rows 47 and 51: a known id in other casing is left open.",
    hooks: {
      found: (record, { service, space }, { kind, id }) =>
        record ??
        service.store
          .all(kind)
          .find(
            (other) =>
              (other.space === "" || other.space === space) && other.id.toLowerCase() === id.toLowerCase(),
          ),
    },
  },
  {
    name: "ids-are-codes",
    description: "The id of a bank, momo or country is its code.",
    why: `${free}.`,
    hooks: {
      seed: (data) => {
        const changed: Dataset = { ...data };
        for (const kind of ["bank", "momo", "country"] as const)
          changed[kind] = (data[kind] ?? []).map((record) => ({ ...record, id: String(record.data.code) }));
        return changed;
      },
    },
  },
  {
    name: "ordered-by-name",
    description: "Webhooks and payment codes are in the order of their names, new ones among the others.",
    why: "Sections 2.2 and 4 state no order.",
    hooks: { members: (records, ctx) => (isAt(ctx, PAGED) ? records.toSorted(byName) : records) },
  },
  {
    name: "all-named-alike",
    description: "Payment codes, webhooks, banks and momos have one name, and were made at the same time.",
    why: `${free}.`,
    hooks: seeded(["paymentCode", "webhook", "bank", "momo"], (record) =>
      withFields(record, { name: "The same", createTime: "2020-01-01T00:00:00Z" }),
    ),
  },
  {
    name: "before-goes-backwards",
    description: "A page before a webhook holds the nearest one first.",
    why: "Section 4.16: items before the named one; in which order they come is not shown.",
    hooks: showEnvelope(["GET /webhooks"], (body, { query }) =>
      query.get("before")?.[0] && !query.get("after")?.[0] && Array.isArray(body.result)
        ? { ...body, result: body.result.toReversed() }
        : body,
    ),
  },
  {
    name: "cursors-of-their-query",
    description: "A cursor is good with the limit, filters, version and token that it was given to.",
    why: "Ruling on rows 30 to 36: a traversal keeps its limit and repeats its filters.",
    hooks: cursorsOfTheirQuery,
  },
  {
    name: "unknown-cursor-finds-nothing",
    description: "A cursor that was never issued gives an empty page.",
    why: "Row 36: rejecting it is a SHOULD.",
    warns: ["CURSOR-UNKNOWN"],
    hooks: {
      cursorStart: (start, ctx, { items }) => start ?? (isAt(ctx, PAGED) ? items.length : start),
    },
  },
  {
    name: "sixty-more-countries",
    description: "There are sixty countries more, all in one answer.",
    why: `${size}; row 31 is about lists that do.`,
    hooks: more("country", COUNTRIES.split(" ")),
  },
  {
    name: "four-hundred-banks-in-a-country",
    description: "One country has four hundred banks more, all in one answer.",
    why: `${size}; row 31 is about lists that do.`,
    hooks: more(
      "bank",
      Array.from({ length: 400 }, (_, index) => `MORE${index}`),
    ),
  },
  {
    name: "no-momos",
    description: "There are banks, and no momos in any country.",
    why: "Row 48: an assigned code without providers gives an empty success.",
    hooks: { seed: withoutMomos },
  },
  {
    name: "names-with-half-characters",
    description: "Names hold halves of surrogate pairs, as escapes can spell them.",
    why: `${free}; RFC 8259 section 8.2 allows such texts.`,
    hooks: seeded(["paymentCode", "bank", "webhook", "country"], (record, index) =>
      index % 2 === 0 ? record : withFields(record, { name: `a\ud800b\udfff${index}` }),
    ),
  },
  {
    name: "attributes-like-members-of-objects",
    description: "Metadata and answers have members named __proto__, constructor and toString.",
    why: "Section 2: metadata is free-form; row 5: undocumented fields are allowed.",
    hooks: together(
      seeded(["paymentCode", "webhook", "payout"], (record) =>
        withFields(record, {
          metadata: JSON.parse(
            '{"__proto__":"x","constructor":"y","toString":"z","length":"1"}',
          ) as JsonObject,
        }),
      ),
      spelled((value) => JSON.stringify(value).replace(/\}$/, ',"__proto__":{"a":1},"toString":null}')),
    ),
  },
  {
    name: "amounts-beyond-doubles",
    description: "Amounts have more digits than a double holds.",
    why: "Section 2.3: value is an integer, of no stated size.",
    hooks: spelled((value) =>
      JSON.stringify(value).replaceAll(/"value":-?\d+/g, '"value":900719925474099312345'),
    ),
  },
  {
    name: "empty-maps-left-out",
    description: "Objects that hold nothing are left out.",
    why: "Row 12: that metadata is present is a SHOULD; elsewhere it may be absent.",
    warns: ["ACCOUNT-EXPECTED", "OTP-EXPECTED"],
    hooks: showItems(EVERYWHERE, withoutEmpty),
  },
];
