import { isAt, moveLimit, overlook, refuse } from "../../hook-tools.ts";
import { asked, CODES } from "../../read-hook-tools.ts";
import { together } from "../../write-hook-tools.ts";
import type { LegacyDefect as Defect } from "../legacy.ts";

const COUNTRY = "query.country";

/** Defects of filters (rows 45 to 48). */
export const filterDefects: readonly Defect[] = [
  {
    name: "status-filter-lost-beside-mode",
    description: "The status filter is ignored when a mode is given too.",
    requirement: "FILTER-SOUND",
    alsoBreaks: ["CURSOR-FILTERED"],
    row: 45,
    level: "MUST",
    operations: CODES,
    hooks: {
      matches: (matches, ctx, { parameter }) =>
        matches || (parameter === "status" && asked(ctx, "mode") !== ""),
    },
  },
  {
    name: "mode-or-status",
    description: "Beside each other, mode and status give what matches one of them.",
    requirement: "FILTER-SOUND",
    alsoBreaks: ["CURSOR-FILTERED"],
    row: 45,
    level: "MUST",
    operations: CODES,
    hooks: {
      matches: (matches, ctx, { parameter, record: { data } }) =>
        matches ||
        (parameter === "status" && data.mode === asked(ctx, "mode")) ||
        (parameter === "mode" && data.status === asked(ctx, "status")),
    },
  },
  {
    name: "ussd-code-by-its-beginning",
    description: "ussd_code finds payment codes whose USSD code begins with the value.",
    requirement: "FILTER-SOUND",
    row: 45,
    level: "MUST",
    operations: CODES,
    hooks: {
      matches: (matches, _ctx, { parameter, value, record: { data } }) =>
        matches || (parameter === "ussd_code" && String(data.ussdCode).startsWith(value)),
    },
  },
  {
    name: "status-ignored-beside-ussd-code",
    description: "Beside ussd_code, the other filters are ignored.",
    requirement: "FILTER-SOUND",
    alsoBreaks: ["CURSOR-FILTERED"],
    row: 45,
    level: "MUST",
    operations: CODES,
    hooks: {
      matches: (matches, ctx, { parameter }) =>
        matches || (parameter !== "ussd_code" && asked(ctx, "ussd_code") !== ""),
    },
  },
  {
    name: "banks-of-the-currency-zone",
    description: "The banks of a country that shares its currency are listed together with the others'.",
    requirement: "FILTER-SOUND",
    row: 45,
    level: "MUST",
    operations: ["GET /banks"],
    hooks: {
      matches: (matches, ctx, { value, record: { data } }) =>
        matches ||
        (isAt(ctx, ["GET /banks"]) &&
          ["SN", "CI"].includes(value) &&
          ["SN", "CI"].includes(String(data.country))),
    },
  },
  {
    name: "filter-searches-the-newest-40",
    description: "Filters look at the newest 40 payment codes only.",
    requirement: "FILTER-COMPLETE",
    row: 45,
    level: "MUST",
    operations: CODES,
    hooks: {
      members: (records, ctx) =>
        isAt(ctx, CODES) && (asked(ctx, "mode") || asked(ctx, "status") || asked(ctx, "ussd_code"))
          ? records.slice(0, 40)
          : records,
    },
  },
  {
    name: "one-code-for-each-ussd-code",
    description: "ussd_code finds only the newest of the payment codes that share a USSD code.",
    requirement: "FILTER-COMPLETE",
    row: 45,
    level: "MUST",
    operations: CODES,
    hooks: {
      members: (records, ctx) => {
        const code = isAt(ctx, CODES) ? asked(ctx, "ussd_code") : "";
        if (code === "") return records;
        const newest = records.find(({ data }) => data.ussdCode === code);
        return newest ? [newest] : [];
      },
    },
  },
  {
    name: "recurrent-filter-misses-processing",
    description: "mode=recurrent leaves out payment codes that are being paid.",
    requirement: "FILTER-COMPLETE",
    row: 45,
    level: "MUST",
    operations: CODES,
    hooks: {
      matches: (matches, _ctx, { parameter, value, record: { data } }) =>
        matches && !(parameter === "mode" && value === "recurrent" && data.status === "processing"),
    },
  },
  {
    name: "unknown-status-finds-nothing",
    description: "A status that does not exist gives an empty list.",
    requirement: "FILTER-ENUM",
    row: 46,
    level: "SHOULD",
    operations: CODES,
    hooks: overlook(CODES, { at: "query.status", rule: "enum" }),
  },
  {
    name: "unknown-mode-ignored",
    description: "A mode that does not exist is ignored.",
    requirement: "FILTER-ENUM",
    row: 46,
    level: "SHOULD",
    operations: CODES,
    hooks: together(overlook(CODES, { at: "query.mode", rule: "enum" }), {
      matches: (matches, _ctx, { parameter, value }) =>
        matches || (parameter === "mode" && !["one_time", "recurrent"].includes(value)),
    }),
  },
  {
    name: "banks-without-country",
    description: "Without country, the banks of all countries are listed.",
    requirement: "PARAMETER-REQUIRED",
    row: 47,
    level: "MUST",
    operations: ["GET /banks"],
    hooks: overlook(["GET /banks"], { at: COUNTRY, rule: "required" }),
  },
  {
    name: "momos-without-country",
    description: "Without country, an empty list of momos is given.",
    requirement: "PARAMETER-REQUIRED",
    row: 47,
    level: "MUST",
    operations: ["GET /momos"],
    hooks: together(overlook(["GET /momos"], { at: COUNTRY, rule: "required" }), {
      members: (records, ctx) => (isAt(ctx, ["GET /momos"]) && asked(ctx, "country") === "" ? [] : records),
    }),
  },
  {
    name: "country-of-three-letters",
    description: "A country of three letters is accepted for momos.",
    requirement: "PARAMETER-INVALID",
    row: 47,
    level: "MUST",
    operations: ["GET /momos"],
    hooks: moveLimit(["GET /momos"], { at: COUNTRY, rule: "maxLength" }, () => 3),
  },
  {
    name: "country-of-one-letter",
    description: "A country of one letter finds the banks of every country that begins with it.",
    requirement: "PARAMETER-INVALID",
    row: 47,
    level: "MUST",
    operations: ["GET /banks"],
    hooks: together(
      moveLimit(["GET /banks"], { at: COUNTRY, rule: "minLength" }, () => 1),
      {
        matches: (matches, ctx, { value, record: { data } }) =>
          matches ||
          (isAt(ctx, ["GET /banks"]) && value.length === 1 && String(data.country).startsWith(value)),
      },
    ),
  },
  {
    name: "recurrent-mode-refused",
    description: "mode=recurrent is refused.",
    requirement: "PARAMETER-ACCEPTED",
    alsoBreaks: ["FILTER-COMPLETE"],
    row: 47,
    level: "MUST",
    operations: CODES,
    hooks: refuse(
      CODES,
      "query",
      { at: "query.mode", rule: "enum", message: "mode is none of one_time, recurring" },
      (ctx) => asked(ctx, "mode") === "recurrent",
    ),
  },
  {
    name: "ussd-code-of-digits-only",
    description: "A ussd_code that holds other characters than digits is refused.",
    requirement: "PARAMETER-ACCEPTED",
    alsoBreaks: ["FILTER-COMPLETE"],
    row: 47,
    level: "MUST",
    operations: CODES,
    hooks: refuse(
      CODES,
      "query",
      { at: "query.ussd_code", rule: "pattern", message: "ussd_code is not made of digits" },
      (ctx) => /[^0-9]/.test(asked(ctx, "ussd_code")),
    ),
  },
  {
    name: "unserved-country-refused",
    description: "A country in which the service has no banks or momos is refused.",
    requirement: "FILTER-NOTHING-FOUND",
    row: 48,
    level: "SHOULD",
    operations: ["GET /banks", "GET /momos"],
    hooks: refuse(
      ["GET /banks", "GET /momos"],
      "query",
      { at: COUNTRY, rule: "known", message: "country is not served" },
      (ctx) => {
        const kind = isAt(ctx, ["GET /banks"]) ? "bank" : "momo";
        const country = asked(ctx, "country");
        return country !== "" && !ctx.service.store.all(kind).some(({ data }) => data.country === country);
      },
    ),
  },
  {
    name: "mode-in-camel-case-taken",
    description: "oneTime is taken for mode, and finds single-use payment codes.",
    requirement: "FILTER-ENUM",
    row: 46,
    level: "SHOULD",
    operations: CODES,
    hooks: together(
      {
        problems: (problems, ctx) =>
          isAt(ctx, CODES) && asked(ctx, "mode") === "oneTime"
            ? problems.filter(({ at }) => at !== "query.mode")
            : problems,
      },
      {
        matches: (matches, _ctx, { parameter, value, record: { data } }) =>
          matches || (parameter === "mode" && value === "oneTime" && data.mode === "one_time"),
      },
    ),
  },
  {
    name: "status-in-capitals-taken",
    description: "The casing of status does not matter.",
    requirement: "FILTER-ENUM",
    row: 46,
    level: "SHOULD",
    operations: CODES,
    hooks: together(
      {
        problems: (problems, ctx) =>
          isAt(ctx, CODES) && /^[A-Z]+$/.test(asked(ctx, "status"))
            ? problems.filter(({ at }) => at !== "query.status")
            : problems,
      },
      {
        matches: (matches, _ctx, { parameter, value, record: { data } }) =>
          matches || (parameter === "status" && data.status === value.toLowerCase()),
      },
    ),
  },
];
