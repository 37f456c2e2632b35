/** Services that conform, in which others change data during the run. */

import { first } from "./bug.ts";
import { every } from "./habits-fresh-others.ts";
import type { ShownHabit } from "./habits-late2-shown.ts";
import { varies } from "./habits-late3-shown.ts";
import { late4Habit, within } from "./habits-late4-shown.ts";

/** Runs code once, some milliseconds after the start. */
const once = (milliseconds: number, code: string) =>
  first(`setTimeout(() => { try { ${code} } catch {} }, ${milliseconds}).unref();`);

export const jobHabits: readonly ShownHabit[] = [
  // The service opens in another country during the run, with a bank and a momo: reference data may change.
  late4Habit(
    "a-country-opens-midway",
    "",
    ({ get }) => within(6000, async () => (await get("/countries/SN")).status === 200),
    once(
      4000,
      `database.insert("countries", { id: "6", code: "SN", name: "Senegal", currency: "XOF", unit: "centime", unit_length: 0, supported_json: '["XOF","EUR"]' });
        const times = { created_at: Date.now(), updated_at: Date.now() };
        for (const [kind, code, name] of [["momo", "WAVE_SN", "Wave"], ["bank", "CBAO_SN", "CBAO"]])
          database.insert("providers", { id: "new-" + kind, code, kind, name, country: "SN", active: 1, pay_to: 1, pay_from: 1, verify: 0, ...times });`,
    ),
  ),
  // A momo gets another code during the run: nothing says that the code of a provider stays.
  late4Habit(
    "a-provider-gets-another-code-midway",
    "",
    ({ get }) => within(6000, async () => (await get("/momos/MTN_RWANDA")).status === 200),
    once(
      4000,
      `database.run("UPDATE providers SET code = 'MTN_RWANDA', updated_at = ? WHERE code = 'MTN_RW'", [Date.now()]);`,
    ),
  ),
  // Another client writes a note into the metadata of payouts again and again, beside the values that were sent.
  late4Habit(
    "payouts-get-notes",
    "",
    ({ readPayout }) => varies(async () => (await readPayout()).result.metadata),
    every(
      400,
      `database.run("UPDATE payouts SET metadata_json = json_set(metadata_json, '$.ledger', ?) WHERE status = 'pending'", ["n" + turn]);`,
    ),
  ),
  // Another client creates, renames and removes webhooks in the second space: only the first one is the run's alone.
  late4Habit(
    "others-work-in-the-second-space",
    "",
    ({ get, second: space }) => varies(async () => (await get("/webhooks?limit=50", { space })).ids),
    every(
      180,
      `const there = "spc-harbour-branch";
        database.insert("webhooks", { id: "branch" + turn, space_id: there, name: "Branch " + turn, url: "https://branch.example.com/" + turn, events_json: '["payout.failed"]', active: 0, created_at: Date.now() });
        database.run("UPDATE webhooks SET name = 'Shop at ' || ? WHERE space_id = ? AND name LIKE 'Shop %'", [turn, there]);
        database.run("DELETE FROM webhooks WHERE id = ?", ["branch" + (turn - 3)]);`,
    ),
  ),
  // The dial code of a pending session changes again and again: a field may move by itself.
  late4Habit(
    "sessions-get-other-dial-codes",
    "",
    ({ get }) => varies(async () => (await get("/v1/ussd-otps")).items.map(({ dialCode }) => dialCode)),
    every(
      300,
      `if (turn === 1) database.run("UPDATE otps SET status = 'pending', expires_at = ? WHERE created_at > ?", [Date.now() + 3_600_000, Date.now() - 3_600_000]);
        database.run("UPDATE otps SET dial_code = '*126*9*' || (400 + abs(random()) % 500) || '#' WHERE status = 'pending'");`,
    ),
  ),
  // Codes that have ended give up their dial codes during the run, which are empty texts from then on.
  late4Habit(
    "ended-codes-give-up-their-dial-codes",
    "",
    ({ get }) =>
      within(6000, async () =>
        (await get("/v1/payment-codes?limit=50")).items.some(({ ussdCode }) => ussdCode === ""),
      ),
    ["tables", "ussd_code TEXT NOT NULL UNIQUE", "ussd_code TEXT NOT NULL"],
    once(
      4000,
      `database.run("UPDATE payment_codes SET ussd_code = '', updated_at = ? WHERE status IN ('completed', 'expired')", [Date.now()]);`,
    ),
  ),
];
