import { EVERYWHERE, isAt, LISTS, showItems } from "../hook-tools.ts";
import type { Hooks } from "../hooks.ts";
import { hashOf, seeded, withFields } from "./tools.ts";
import type { Variant } from "./variant.ts";

const FIELDS = ["createTime", "updateTime", "expireTime"] as const;

function timesAs(spell: (time: string, inList: boolean) => string): Hooks {
  return showItems(EVERYWHERE, (item, ctx) => {
    const spelled = { ...item };
    for (const field of FIELDS) {
      const time = item[field];
      if (typeof time === "string") spelled[field] = spell(time, isAt(ctx, LISTS));
    }
    return spelled;
  });
}

function atOffset(time: string, minutes: number): string {
  const [, clock = "", fraction = "", zone = "Z"] = /^([^.Zz+]{19})(\.\d+)?(.*)$/.exec(time) ?? [];
  const known = Date.parse(`${clock}${zone}`);
  if (Number.isNaN(known) || clock.endsWith(":60")) return time;
  const moved = new Date(known + minutes * 60_000).toISOString().slice(0, 19);
  const size = Math.abs(minutes);
  const two = (number: number) => String(Math.floor(number)).padStart(2, "0");
  return `${moved}${fraction}${minutes < 0 ? "-" : "+"}${two(size / 60)}:${two(size % 60)}`;
}

function withFraction(time: string, digits: string): string {
  return time.replace(/(\.\d+)?(?=[Zz+-][\d:]*$)/, (fraction) => `${fraction || "."}${digits}`);
}

const grammar =
  "Ruling on row 10: RFC 3339 allows any offset, any fraction, leap seconds, and lower-case t and z";

const SPELLINGS: readonly ((time: string) => string)[] = [
  (time) => time,
  (time) => atOffset(time, 330),
  (time) => time.toLowerCase(),
  (time) => atOffset(time, -570),
  (time) => withFraction(time, "000000"),
  (time) => atOffset(time, 0),
  (time) => time.replace(/\.0+(?=Z)/, ""),
];

export const timeVariants: readonly Variant[] = [
  {
    name: "times-with-offset",
    description: "Times are on the clock of +05:30.",
    why: `${grammar}.`,
    hooks: timesAs((time) => atOffset(time, 330)),
  },
  {
    name: "times-in-lower-case",
    description: "Times have a small t and z.",
    why: `${grammar}.`,
    hooks: timesAs((time) => time.toLowerCase()),
  },
  {
    name: "times-to-the-nanosecond",
    description: "Times have nine digits behind the point.",
    why: `${grammar}.`,
    hooks: timesAs((time) => withFraction(time, /\.\d{3}/.test(time) ? "000000" : "000000000")),
  },
  {
    name: "times-in-every-spelling",
    description: "Each time has a spelling of its own.",
    why: `${grammar}.`,
    hooks: timesAs((time) => (SPELLINGS[hashOf(time) % SPELLINGS.length] ?? String)(time)),
  },
  {
    name: "times-differ-by-shape",
    description: "Lists spell times in UTC, single resources with an offset.",
    why: "Row 80 compares date-times as instants, and so row 52 has to for the two shapes of a payment code.",
    hooks: timesAs((time, inList) => (inList ? time : atOffset(time, -240))),
  },
  {
    name: "times-at-the-edges",
    description: "Some things were created in a leap second, or long ago, and some expire in the year 9999.",
    why: `${grammar}; section 2 bounds no year.`,
    hooks: seeded(["paymentCode", "ussdOtp", "financialAccount", "bank"], (record, index) => {
      const created = ["2016-12-31T23:59:60Z", "1900-02-28T00:00:00Z", "2000-02-29T23:59:59.9Z"][index % 5];
      if (created === undefined) return record;
      const { updateTime, expireTime, status } = record.data;
      const expiry = status === "expired" ? "2017-01-01T00:00:00Z" : "9999-12-31T23:59:59.999999Z";
      return withFields(record, {
        createTime: created,
        updateTime: updateTime === undefined ? undefined : "2017-01-01T05:29:60.123456789123+05:30",
        expireTime: expireTime === undefined ? undefined : expiry,
      });
    }),
  },
  {
    name: "updated-before-created",
    description: "Accounts and providers that were brought over show an updateTime before their createTime.",
    why: "Row 17: the order of times is a SHOULD.",
    warns: ["TIMES-ORDERED"],
    hooks: seeded(["paymentCode", "bank", "momo"], (record, index) =>
      index % 2 === 0 ? withFields(record, { updateTime: "2020-01-01T00:00:00Z" }) : record,
    ),
  },
  {
    name: "sessions-expired-from-the-start",
    description: "Expired sessions show an expireTime before their createTime.",
    why: "Row 17: the order of times is a SHOULD.",
    warns: ["OTP-TIMES-ORDERED"],
    hooks: seeded(["ussdOtp"], (record) =>
      record.data.status === "expired" ? withFields(record, { expireTime: "2020-01-01T00:00:00Z" }) : record,
    ),
  },
];
