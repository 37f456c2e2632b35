import type { Hooks } from "../hooks.ts";
import { isObject, type Json, type JsonObject } from "../json.ts";
import type { Dataset, Kind, StoredRecord } from "../store.ts";
import { mapDeep, renamedFixtures, together } from "./tools.ts";
import type { Variant } from "./variant.ts";

type Rename = (id: string, kind: Kind, index: number) => string;

function renamed(data: Dataset, rename: Rename): { data: Dataset; names: ReadonlyMap<string, string> } {
  const names = new Map<string, string>();
  for (const records of Object.values(data))
    records.forEach(({ id, kind }, index) => {
      names.set(id, rename(id, kind, index));
    });
  const refer = (value: Json) => (typeof value === "string" ? (names.get(value) ?? value) : value);
  const changed: Dataset = {};
  for (const [kind, records] of Object.entries(data) as [Kind, readonly StoredRecord[]][])
    changed[kind] = records.map((record) => {
      const moved = mapDeep(record.data, refer);
      return {
        ...record,
        id: names.get(record.id) ?? record.id,
        data: isObject(moved) ? moved : record.data,
      };
    });
  return { data: changed, names };
}

function identifiedAs(rename: Rename): Pick<Variant, "hooks" | "fixtures"> {
  // All services of a variant share their data, and so the names.
  const names = new Map<string, string>();
  const hooks = (): Hooks => {
    let created = 0;
    return {
      seed: (data) => {
        const all = renamed(data, rename);
        for (const [from, to] of all.names) names.set(from, to);
        return all.data;
      },
      made: (record, _ctx, previous) => {
        if (previous) return record;
        created += 1;
        return { ...record, id: rename(record.id, record.kind, 100_000 + created) };
      },
    };
  };
  return { hooks, fixtures: renamedFixtures((value) => names.get(value) ?? value) };
}

const free = "Section 2: an id is a string, with no characters or length stated";

const AWKWARD = ["a/b", "50%", "%2F", "a b", "ключ", "日本", "q?a=1&b=2#c", "+", "é|{}", "\"'<>", "\\", "😀"];
const LOOKALIKES = ["null", "true", "NaN", "{}", "[]", "constructor", "__proto__", "undefined", "toString"];

export const identifierVariants: readonly Variant[] = [
  {
    name: "ids-that-need-encoding",
    description: "Ids hold slashes, percent signs, spaces, quotes, and characters beyond ASCII.",
    why: `${free}; paths and cursors carry them percent-encoded.`,
    ...identifiedAs((id, _kind, index) => `${AWKWARD[index % AWKWARD.length]} ${id}/${AWKWARD[index % 5]}`),
  },
  {
    name: "ids-in-sequence",
    description: "Ids are consecutive numbers, each kind from 1 on.",
    why: `${free}; ids are unique within their list (row 16).`,
    ...identifiedAs((_id, _kind, index) => String(index + 1)),
  },
  {
    name: "ids-like-values",
    description: "The first ids of a kind look like values or names of a programming language.",
    why: `${free}.`,
    ...identifiedAs((id, _kind, index) => LOOKALIKES[index] ?? id),
  },
  {
    name: "ids-of-100-characters",
    description: "Every id has 100 characters.",
    why: `${free}; the cursors of webhooks are ids of at most 100 characters (section 4.16).`,
    ...identifiedAs((id) => id.padEnd(100, "-x")),
  },
  {
    name: "ids-differ-by-case",
    description: "Pairs of ids differ in nothing but the case of their letters.",
    why: `${free}; texts that differ in case are different texts.`,
    ...identifiedAs((_id, kind, index) => {
      const id = `${kind}-Pair-${Math.floor(index / 2)}-x`;
      return index % 2 === 0 ? id.toLowerCase() : id.toUpperCase();
    }),
  },
  {
    name: "awkward-provider-codes",
    description: "Codes of banks and momos hold spaces, slashes, plus and percent signs.",
    why: "Section 2.10: a code is a unique string.",
    hooks: together({
      seed: (data) => {
        const codes = new Map<Json | undefined, string>();
        for (const kind of ["bank", "momo"] as const)
          for (const [index, { data: own }] of (data[kind] ?? []).entries())
            codes.set(own.code, `${kind === "bank" ? "Bank" : "Momo"} #${index}/50% é+&?`);
        const refer = (value: Json) => codes.get(value) ?? value;
        return Object.fromEntries(
          Object.entries(data).map(([kind, records]) => [
            kind,
            records.map((record) => ({ ...record, data: mapDeep(record.data, refer) as JsonObject })),
          ]),
        );
      },
    }),
  },
  {
    name: "ids-compared-by-the-database",
    description:
      "Single reads take no notice of blanks behind an id or code, as the collations of some databases.",
    why: "Ruling on rows 47 and 51: what differs in trailing blanks only should be unknown, and may be found.",
    warns: ["READ-UNKNOWN-BLANKS"],
    hooks: {
      found: (record, ctx, { kind, id }) =>
        record ??
        (ctx.operation.startsWith("GET") && id !== id.trimEnd()
          ? ctx.service.store
              .all(kind)
              .find(
                (other) =>
                  (other.space === "" || other.space === ctx.space) &&
                  [other.id, other.data.code].includes(id.trimEnd()),
              )
          : undefined),
    },
  },
  {
    name: "codes-in-any-casing",
    description: "Banks, momos and countries are found under their code in any casing.",
    why: "Row 51: a known code in other casing is left open.",
    hooks: {
      found: (record, ctx, { kind, id }) =>
        record ??
        (["bank", "momo", "country"].includes(kind)
          ? ctx.service.store
              .all(kind)
              .find(({ data }) => String(data.code).toLowerCase() === id.toLowerCase())
          : undefined),
    },
  },
  {
    name: "ussd-codes-nearly-alike",
    description: "USSD codes differ in the case of a letter, in a space, or in being longer.",
    why: "Section 2.6: a USSD code is a string; ruling on row 45: it is compared exactly.",
    hooks: {
      seed: (data) => ({
        ...data,
        paymentCode: (data.paymentCode ?? []).map((record, index) => ({
          ...record,
          data: {
            ...record.data,
            ussdCode: ["*12a#", "*12A#", "*12a# ", "*12a#1", "*12%23", "*12a"][index % 6] ?? "*1#",
          },
        })),
      }),
    },
  },
];
