/** Services that conform, and whose resources move again and again because of jobs and other clients. */

import { every } from "./habits-fresh-others.ts";
import type { ShownHabit } from "./habits-late2-shown.ts";
import { attempt, late3Habit, PENDING, soon, thenLater, varies } from "./habits-late3-shown.ts";

const CODES = "/v1/payment-codes";

export const jobHabits: readonly ShownHabit[] = [
  // A payment of a random code begins and fails, so the code is `processing` and soon pending again.
  late3Habit(
    "payments-fail-at-random",
    "",
    ({ get }) => varies(async () => (await get(`${CODES}?limit=50`)).items.map(({ status }) => status)),
    every(
      30,
      `const codes = ${PENDING}; const { id } = codes[Math.floor(Math.random() * codes.length)]; ${attempt(60)}`,
    ),
  ),
  // All pending codes are tried at once, again and again, even the codes that the run updates.
  late3Habit(
    "payments-fail-together",
    "",
    ({ readCode }) => varies(async () => (await readCode()).result.status),
    every(150, `for (const { id } of ${PENDING}) { ${attempt(70)} }`),
  ),
  // Payments of the run's own codes fail slowly: each code is `processing` half of the time.
  late3Habit(
    "payments-take-half-of-the-time",
    "",
    ({ readCode }) => varies(async () => (await readCode()).result.status),
    every(700, `for (const { id } of ${PENDING}) { ${attempt(350)} }`),
  ),
  // A code that is being paid can't be cancelled, because the source states of cancelling are not stated.
  late3Habit(
    "no-cancelling-while-paid",
    "",
    async ({ cancellable, cancel, get }) => {
      const is = (status: string) =>
        soon(async () => (await get(`/payment-codes/${cancellable}`)).result.status === status);
      return (await is("pending")) && (await is("processing")) && (await cancel()).status === 409;
    },
    [
      "payment-codes",
      'if (row.status !== "pending" && row.status !== "processing")',
      'if (row.status !== "pending")',
    ],
    every(160, `for (const { id } of ${PENDING}) { ${attempt(50)} }`),
  ),
  // The health of all providers changes many times a second.
  late3Habit(
    "providers-flap",
    "",
    ({ get }) => varies(async () => (await get("/momos?country=GH")).items[0]?.status),
    every(
      45,
      `database.run("UPDATE providers SET active = 1 - active, updated_at = ? WHERE country <> 'CM'", [Date.now()]);`,
    ),
  ),
  // Payouts are delayed and go on by turns, even the one that the run updates.
  late3Habit(
    "payouts-stop-and-go",
    "",
    ({ readPayout }) => varies(async () => (await readPayout()).result.delayedReason ?? null),
    every(
      55,
      `database.run("UPDATE payouts SET status = ?, delayed_reason = ? WHERE status IN ('pending', 'processing')",
          turn % 2 ? ["processing", "provider_busy"] : ["pending", null]);`,
    ),
  ),
  // Payments of recurrent codes are taken back soon, so that the progress rises and falls.
  late3Habit(
    "payments-taken-back",
    "",
    ({ get }) =>
      varies(async () => {
        const [id = ""] = (await get(`${CODES}?mode=recurrent&status=pending&limit=1`)).ids;
        return (await get(`/payment-codes/${id}`)).result.progress;
      }),
    every(
      65,
      `database.run("UPDATE payment_codes SET paid_count = ?1, paid_total = ?1 * amount, updated_at = ?2 WHERE status = 'pending'", [turn % 2, Date.now()]);`,
    ),
  ),
  // Once a session ends, its number is masked and its message and metadata are removed.
  late3Habit(
    "ended-sessions-are-cleared",
    "",
    ({ get }) =>
      soon(async () =>
        (await get("/v1/ussd-otps?limit=50")).items.some(
          ({ status, authorizedPhoneNumber, verificationMessage, metadata }) =>
            status === "expired" &&
            /^\*+$/.test(String(authorizedPhoneNumber)) &&
            verificationMessage === null &&
            metadata === null,
        ),
      ),
    every(
      250,
      `const row = database.first("SELECT id FROM otps WHERE status <> 'expired' AND space_id = ? ORDER BY random()", [here]);
        if (row) database.run("UPDATE otps SET status = 'expired', phone = '************', message = NULL, metadata_json = NULL, expires_at = ? WHERE id = ?", [Date.now(), row.id]);`,
    ),
  ),
  // Codes expire during the run, and an expired code is inactive and has no providers.
  late3Habit(
    "expired-codes-are-closed",
    "",
    ({ get }) =>
      soon(async () =>
        (await get(`${CODES}?status=expired&limit=50`)).items.some(
          ({ enable, authorizedProviders, createTime, updateTime }) =>
            enable === false && String(authorizedProviders) === "" && createTime !== updateTime,
        ),
      ),
    every(
      200,
      `const row = database.first("SELECT id FROM payment_codes WHERE status = 'processing' AND space_id = ? ORDER BY random()", [here]);
        if (row) database.run("UPDATE payment_codes SET status = 'expired', enabled = 0, providers_json = '[]', expires_at = ?1, updated_at = ?1 WHERE id = ?2", [Date.now(), row.id]);`,
    ),
  ),
  // New codes of another client get the USSD codes of codes that have ended.
  late3Habit(
    "ussd-codes-are-used-again",
    "",
    ({ get }) =>
      soon(async () => {
        const all = (await get(`${CODES}?limit=50`)).items.map(({ ussdCode }) => ussdCode);
        return new Set(all).size < all.length;
      }),
    ["tables", "ussd_code TEXT NOT NULL UNIQUE", "ussd_code TEXT NOT NULL"],
    every(
      300,
      `const ended = database.first("SELECT * FROM payment_codes WHERE status IN ('expired', 'completed') AND space_id = ? ORDER BY random()", [here]);
        database.insert("payment_codes", { ...ended, id: "PCR" + turn, status: "pending", processed_json: null, paid_count: 0, paid_total: 0,
          expires_at: Date.now() + 86400000, created_at: Date.now(), updated_at: Date.now() });`,
    ),
  ),
  // Another client edits its codes and webhooks, and takes each edit back.
  late3Habit(
    "others-edit-to-and-fro",
    "",
    ({ get }) => varies(async () => (await get("/webhooks?limit=1")).items[0]?.name),
    every(
      60,
      `const held = turn % 2 ? " (held)" : "";
        database.run("UPDATE webhooks SET name = replace(name, ' (held)', '') || ?1, metadata_json = json_object('held', ?1), active = ?2 WHERE name LIKE 'Shop %'", [held, turn % 2]);
        database.run("UPDATE payment_codes SET name = replace(name, ' (held)', '') || ?1, metadata_json = json_object('held', ?1), enabled = ?2, updated_at = ?3 WHERE status IN ('completed', 'expired') AND space_id = ?4", [held, turn % 2, Date.now(), here]);`,
    ),
  ),
  // Another client creates webhooks and sessions that last for 60 ms only.
  late3Habit(
    "others-create-for-a-moment",
    "",
    ({ get }) => varies(async () => (await get("/webhooks?limit=50")).count),
    every(
      110,
      thenLater(
        `database.insert("webhooks", { id: "brief" + turn, space_id: here, name: "Brief " + turn, url: "https://brief.example.com/" + turn, events_json: '["payout.failed"]', active: 0, created_at: Date.now() });
          const otp = database.first("SELECT * FROM otps WHERE space_id = ?", [here]);
          database.insert("otps", { ...otp, id: "brief" + turn, status: "pending", created_at: Date.now(), expires_at: Date.now() + 600_000 });`,
        60,
        `database.run("DELETE FROM webhooks WHERE name LIKE 'Brief %'"); database.run("DELETE FROM otps WHERE id LIKE 'brief%'");`,
      ),
    ),
  ),
];
