/** Services that conform, with unusual ids, limits reached, times and currencies. */
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: pieces of source

import type { ShownHabit } from "./habits-late2-shown.ts";
import { late5Habit } from "./habits-late5-shown.ts";

const HOOK_ID = '`whk${randomBytes(9).toString("hex")}`';

export const valueHabits: readonly ShownHabit[] = [
  // Ids are digits that differ beyond the precision of a number: an id is a text.
  late5Habit(
    "identifiers-like-large-numbers",
    "",
    async ({ hook }) => /^9007\d{15}$/.test(await hook()),
    ["webhooks", HOOK_ID, "String((database.ids = (database.ids ?? 9007199254740993000n) + 1n))"],
    [
      "accounts",
      "id: randomUUID(),",
      "id: String((database.ids = (database.ids ?? 9007199254740993000n) + 1n)),",
    ],
  ),
  // Ids have plus and equals signs, as base64 has: nothing is said of the form of ids.
  late5Habit(
    "identifiers-in-base64",
    "",
    async ({ hook }) => (await hook()).endsWith("=="),
    ["webhooks", HOOK_ID, '("w+" + randomBytes(10).toString("base64").replaceAll("/", "+"))'],
    ["accounts", "id: randomUUID(),", 'id: Buffer.from(randomUUID()).toString("base64") + "+=",'],
  ),
  // Messages of sessions have 255 characters, and their metadata 64 properties of 100: all of it is at its limit.
  late5Habit(
    "sessions-at-their-limits",
    "",
    async ({ get }) => String((await get("/v1/ussd-otps")).items[0]?.verificationMessage).length === 255,
    [
      "seed",
      'message: n % 4 === 0 ? null : "Thank you, your number is verified.",',
      'message: "Thank you. ".padEnd(255, "m"),',
    ],
    [
      "seed",
      "n % 5 === 0 ? null : JSON.stringify({ session: `s${n}` })",
      'JSON.stringify(Object.fromEntries(Array.from({ length: 64 }, (_, k) => ["property" + k, "v".repeat(100)])))',
    ],
  ),
  // Codes that do not expire show the last second of the year 9999: it is a time as RFC 3339 writes it.
  late5Habit(
    "codes-without-end",
    "",
    async ({ get }) =>
      (await get("/v1/payment-codes")).items.some(({ expireTime }) =>
        String(expireTime).startsWith("9999-12-31"),
      ),
    ["seed", "now + (5 + (n % 20)) * DAY", "Date.UTC(9999, 11, 31, 23, 59, 59)"],
  ),
  // Each country supports the same twenty currencies and its own: the currencies are the choice of the service.
  late5Habit(
    "countries-support-twenty-currencies",
    "",
    async ({ get }) =>
      Number(((await get("/countries/CM")).result.supportedCurrencies as string[] | undefined)?.length) > 20,
    [
      "seed",
      "JSON.stringify([currency, ...more])",
      `JSON.stringify([...new Set([currency, ...more,
        ...["USD", "EUR", "GBP", "JPY", "CNY", "NGN", "ZAR", "XOF", "MAD", "EGP"],
        ...["UGX", "TZS", "ETB", "ZMW", "MWK", "CHF", "CAD", "AUD", "INR", "BHD"]])])`,
    ],
  ),
  // A payout has twelve charges of one name, in two currencies and some below zero: an integer may be any.
  late5Habit(
    "payouts-with-many-charges",
    "",
    async ({ readPayout }) => ((await readPayout()).result.charges as unknown[]).length === 12,
    [
      "seed",
      '[{ name: "fee", amount: { currency: "XAF", value: 250 }, metadata: {} }]',
      `Array.from({ length: 12 }, (_, k) =>
        ({ name: "fee", amount: { currency: k % 2 ? "XAF" : "USD", value: k - 3 }, metadata: { part: String(k) } }))`,
    ],
  ),
];
