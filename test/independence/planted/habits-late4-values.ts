/** Services that conform, with unusual times, ids, numbers and meanings of null. */
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: pieces of source

import type { ShownHabit } from "./habits-late2-shown.ts";
import { late4Habit, within } from "./habits-late4-shown.ts";

const HOUR = 3_600_000;

export const valueHabits: readonly ShownHabit[] = [
  // Times have a lower-case t and the offset -00:00, as RFC 3339 writes an unknown local time.
  late4Habit(
    "times-of-an-unknown-zone",
    "",
    async ({ addHook }) => /t.*-00:00$/.test(String((await addHook()).result.createTime)),
    ["database", ".toISOString()", '.toISOString().replace("T", "t").replace("Z", "-00:00")'],
  ),
  // Clocks change to summer time during the run: times are the same instants with any offset.
  late4Habit(
    "summer-time-begins-midway",
    "",
    async ({ get }) => {
      const time = async () => String((await get("/webhooks?limit=1")).items[0]?.createTime);
      return (await time()).endsWith("+01:00") && within(6000, async () => (await time()).endsWith("+02:00"));
    },
    [
      "database",
      "export const flag",
      `const began = Date.now();
      const zoned = (at) => {
        const hours = Date.now() < began + 4000 ? 1 : 2;
        return new Date(at + hours * 3_600_000).toISOString().replace("Z", "+0" + hours + ":00");
      };
      export const flag`,
    ],
    ["database", "new Date(number(value)).toISOString()", "zoned(number(value))"],
  ),
  // The clock for new resources is five hours behind: no MUST ties a time of creation to the clock of the client.
  late4Habit(
    "clock-behind",
    "",
    async ({ addHook }) => Date.parse(String((await addHook()).result.createTime)) < Date.now() - 4 * HOUR,
    ["webhooks", "created_at: Date.now()", "created_at: Date.now() - 5 * 3_600_000"],
    ["accounts", "const now = Date.now();", "const now = Date.now() - 5 * 3_600_000;"],
  ),
  // The chain of owners has twelve links, some without metadata, and ends with null: it may have any depth.
  late4Habit(
    "twelve-owners",
    "",
    async ({ get }) => JSON.stringify((await get("/v1/payment-codes")).items).includes('"level-11"'),
    [
      "payment-codes",
      "owner: json(row.owner_json, {})",
      `owner: Array.from({ length: 11 }).reduce(
        (owner, _, n) => ({ id: "level-" + (10 - n), type: "unit", ...(n % 2 && { metadata: {} }), owner }),
        { id: "level-11", type: "root", owner: null })`,
    ],
  ),
  // Ids of new resources have letters beyond ASCII, because nothing is said of the form of ids.
  late4Habit(
    "identifiers-beyond-ascii",
    "",
    async ({ hook }) => (await hook()).startsWith("hameçon-"),
    [
      "webhooks",
      '`whk${randomBytes(9).toString("hex")}`',
      '("hameçon-" + randomBytes(9).toString("hex") + "-крюк")',
    ],
    ["accounts", "id: randomUUID(),", 'id: "конто-" + randomUUID(),'],
  ),
  // A new account owes its fee, and its number has blanks: its balance is a note, and an integer may be negative.
  late4Habit(
    "new-accounts-owe-a-fee",
    "",
    async ({ account }) => JSON.stringify((await account()).result).includes('"value":-250'),
    ["accounts", "available: 0,", "available: -250,"],
    ["accounts", '.padStart(10, "0")', '.padStart(10, "0").replace(/(.{5})/g, " $1")'],
  ),
  // Null as the name of a code makes the name empty: what null means is a note, and no minimum is stated.
  late4Habit(
    "null-empties-the-name-of-a-code",
    "",
    async ({ editCode }) => (await editCode({ name: null })).result.name === "",
    [
      "payment-codes",
      'if (typeof sent.name === "string") change.name = sent.name;',
      'if (sent.name !== undefined) change.name = sent.name ?? "";',
    ],
  ),
  // Null as isActive switches a code or a webhook off: what null means is a note.
  late4Habit(
    "null-switches-off",
    "",
    async ({ hook, editHook }) => {
      const id = await hook({ isActive: true });
      return (await editHook(id, { isActive: null })).result.isActive === false;
    },
    [
      "payment-codes",
      'if (typeof sent.isActive === "boolean") change.enabled = Number(sent.isActive);',
      "if (sent.isActive !== undefined) change.enabled = Number(sent.isActive ?? false);",
    ],
    [
      "webhooks",
      'if (typeof sent.isActive === "boolean") change.active = Number(sent.isActive);',
      "if (sent.isActive !== undefined) change.active = Number(sent.isActive ?? false);",
    ],
  ),
  // Null as the metadata of a payout leaves it as it is: what null means is a note.
  late4Habit(
    "null-leaves-payout-metadata",
    "",
    async ({ editPayout }) => {
      await editPayout({ till: "1" });
      return JSON.stringify((await editPayout(null)).result.metadata).includes('"till"');
    },
    ["payouts", "if (metadata !== undefined) {", "if (metadata) {"],
  ),
];
