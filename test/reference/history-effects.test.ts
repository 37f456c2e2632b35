/** Each defect that needs a sequence of calls changes an answer in a session of random calls. */
import { expect, onTestFinished, test, vi } from "vitest";
import { recording } from "../../reference/history/journal.ts";
import { type Defect, historyDefects } from "../../reference/index.ts";
import { globMatcher } from "../../spec/glob.ts";
import { commitShare } from "../commit-seed.ts";
import { session } from "./history-session.ts";

/** The operations that a session calls, by the path of the operation with the defect. */
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
/** The number of calls in a session: enough for the rarest defect. Nearly all show within a tenth of it. */
const LENGTH = 6000;
const SEEDS = [1, 2, 3];
/** One in this many defects is tested. Each commit tests others. */
const SHARE = 48;
/** If set, all defects whose names match this glob are tested, and no others. */
const CHOSEN = process.env.DEFECTS;

const answers = new Map<string, Promise<string[]>>();

async function soundAnswers(seed: number, operations: readonly [string, ...string[]]): Promise<string[]> {
  const all: string[] = [];
  for await (const answer of session(seed, operations, LENGTH)) all.push(answer);
  return all;
}

/** True if the defect changes an answer of the session. `meanwhile` is called after each answer. */
async function showsIn(
  { operations: [operation], hooks }: Defect,
  seed: number,
  meanwhile: () => void,
): Promise<boolean> {
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
    meanwhile();
  }
  return false;
}

/** The names of the defects that show in no session. */
async function silent(defects: readonly Defect[], meanwhile = () => {}): Promise<string[]> {
  const names: string[] = [];
  for (const defect of defects) {
    let shows = false;
    for (const seed of SEEDS) shows ||= await showsIn(defect, seed, meanwhile);
    if (!shows) names.push(defect.name);
  }
  return names;
}

/** The share of the defects that is this commit's turn, or all if some are chosen by name. */
function shareOf(defects: readonly Defect[]): readonly Defect[] {
  return CHOSEN === undefined ? commitShare(defects, SHARE) : defects;
}

const isChosen = globMatcher([CHOSEN ?? "*"]);
const [later = [], others = []] = [true, false].map((isLater) =>
  historyDefects.filter(({ name }) => isChosen(name) && name.includes("-later@") === isLater),
);

test("there are defects to test", () => {
  expect(later.length + others.length, `DEFECTS is ${CHOSEN}`).toBeGreaterThan(0);
  if (CHOSEN === undefined) expect(later.length).toBeGreaterThan(0);
});

test("each defect shows in a session of calls", async () => {
  expect(
    await silent(shareOf(others)),
    "test/reference/history-session.ts must send what shows these",
  ).toEqual([]);
}, 600_000);

test("each defect that acts later shows in a session of calls with time between them", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  expect(await silent(shareOf(later), () => vi.advanceTimersByTime(200))).toEqual([]);
}, 600_000);

test.each(SESSIONS)(
  "a service that records its requests answers as the reference does: %s",
  async (_pattern, operations) => {
    const expected = await soundAnswers(1, operations);
    const answered: string[] = [];
    for await (const answer of session(1, operations, LENGTH, recording())) answered.push(answer);
    expect(answered.filter((answer, step) => answer !== expected[step])).toEqual([]);
    expect(new Set(expected).size).toBeGreaterThan(30);
  },
);
