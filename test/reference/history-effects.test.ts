/** What only a sequence of calls shows must show: each defect answers some session otherwise than the reference. */
import { expect, test } from "vitest";
import { recording } from "../../reference/history/journal.ts";
import { type Defect, historyDefects } from "../../reference/index.ts";
import { session } from "./history-session.ts";

/** The operations of a session, by the operation at fault. */
const SESSIONS: readonly (readonly [RegExp, readonly [string, ...string[]]])[] = [
  [
    /webhooks/,
    [
      "POST /webhooks",
      "PATCH /webhooks/{id}",
      "PATCH /webhooks/{id}",
      "GET /webhooks",
      "POST /v1/financial-accounts",
    ],
  ],
  [/payment-codes/, ["GET /payment-codes/{id}", "PATCH /payment-codes/{id}", "GET /v1/payment-codes"]],
  [/payouts/, ["GET /payouts/{id}", "PATCH /payouts/{id}"]],
  [
    /financial-accounts/,
    [
      "POST /v1/financial-accounts",
      "POST /v1/financial-accounts",
      "GET /v1/financial-accounts",
      "POST /webhooks",
    ],
  ],
  [/banks/, ["GET /banks", "GET /banks/{idOrCode}"]],
  [/momos/, ["GET /momos", "GET /momos/{idOrCode}"]],
  [/countries/, ["GET /countries", "GET /countries/{idOrCode}"]],
  [/ussd-otps/, ["GET /v1/ussd-otps"]],
];
const LENGTH = 6000;

const answers = new Map<string, Promise<string[]>>();

async function soundAnswers(seed: number, operations: readonly [string, ...string[]]): Promise<string[]> {
  const all: string[] = [];
  for await (const answer of session(seed, operations, LENGTH)) all.push(answer);
  return all;
}

/** Whether a service with the defect answers otherwise at some call of the session. */
async function showsIn({ operations: [operation], hooks }: Defect, seed: number): Promise<boolean> {
  const [, operations] = SESSIONS.find(([pattern]) => pattern.test(operation ?? "")) ?? [];
  if (!operations) throw new Error(`no session is about ${operation}`);
  const name = `${seed} ${operations.join()}`;
  const sound = answers.get(name) ?? soundAnswers(seed, operations);
  answers.set(name, sound);
  const expected = await sound;
  let step = 0;
  for await (const answer of session(
    seed,
    operations,
    LENGTH,
    typeof hooks === "function" ? hooks() : hooks,
  )) {
    if (answer !== expected[step]) return true;
    step += 1;
  }
  return false;
}

/** Enough for the rarest condition; nearly all defects show within a tenth of that. */
const SEEDS = [1, 2, 3];

async function shows(defect: Defect): Promise<boolean> {
  for (const seed of SEEDS) if (await showsIn(defect, seed)) return true;
  return false;
}

test("each defect shows in a session of calls", async () => {
  const silent: string[] = [];
  for (const defect of historyDefects) if (!(await shows(defect))) silent.push(defect.name);
  expect(silent).toEqual([]);
}, 600_000);

test.each(SESSIONS)(
  "a service that records what it is asked answers as the reference: %s",
  async (_pattern, operations) => {
    const expected = await soundAnswers(1, operations);
    const answered: string[] = [];
    for await (const answer of session(1, operations, LENGTH, recording())) answered.push(answer);
    expect(answered.filter((answer, step) => answer !== expected[step])).toEqual([]);
    expect(new Set(expected).size).toBeGreaterThan(30);
  },
);
