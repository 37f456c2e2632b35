import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { defects } from "../../reference/defects/index.ts";
import { writingDefects } from "../../reference/defects/writing/index.ts";
import type { Json } from "../../reference/json.ts";
import { ACCESS } from "../../reference/start.ts";
import {
  ACCESS_HEADERS,
  Bench,
  BODIES,
  deliveriesOf,
  RAW_BODIES,
  resultOf,
  type Seen,
  VALID,
  type Written,
} from "./write-battery.ts";

const OLDER = { "service-version": "caph.2025-06-20" };
const there = { "service-space-id": ACCESS.secondSpace };
const written = Object.keys(BODIES) as Written[];

/** The path that an operation is sent to, and the reads that show what became of it. */
async function targetsOf(bench: Bench, operation: Written): Promise<{ path: string; reads: string[] }> {
  const { mutablePaymentCode, paymentCode, mutablePayout, payout } = bench.fixtures;
  switch (operation) {
    case "POST /v1/financial-accounts":
      return { path: operation, reads: [] };
    case "POST /webhooks":
      return { path: operation, reads: ["GET /webhooks?limit=3"] };
    case "PATCH /payment-codes/{id}":
      return {
        path: `PATCH /payment-codes/${mutablePaymentCode}`,
        reads: [`GET /payment-codes/${mutablePaymentCode}`, `GET /payment-codes/${paymentCode}`],
      };
    case "PATCH /payouts/{id}":
      return {
        path: `PATCH /payouts/${mutablePayout}`,
        reads: [`GET /payouts/${mutablePayout}`, `GET /payouts/${payout}`],
      };
    case "PATCH /webhooks/{id}": {
      const { id } = bench.service.store.all("webhook").find(({ space }) => space === ACCESS.space) ?? {};
      return { path: `PATCH /webhooks/${id}`, reads: ["GET /webhooks?limit=5"] };
    }
  }
}

/** Sends every `stride`-th body to one operation and notes all answers, and all reads after each. */
async function transcript(bench: Bench, operation: Written, stride = 1): Promise<unknown[]> {
  const { path, reads } = await targetsOf(bench, operation);
  const seen: unknown[] = [];
  const note = async (what: unknown, answer: Seen) => {
    const after = [];
    for (const read of reads) after.push(await bench.send(read));
    seen.push({ what, answer, after });
  };
  const valid = VALID[operation];
  await note("valid", await bench.send(path, valid));
  const bodies: readonly Json[] = BODIES[operation].filter((_, index) => index % stride === 0);
  for (const body of bodies) await note(body, await bench.send(path, body));
  for (const body of bodies) await note({ older: body }, await bench.send(path, body, OLDER));
  for (const body of RAW_BODIES) await note(body, await bench.send(path, body));
  for (const headers of ACCESS_HEADERS) {
    const body = { ...valid, name: JSON.stringify(headers), metadata: { headers: JSON.stringify(headers) } };
    await note(headers, await bench.send(path, body, headers));
  }
  if (operation.startsWith("POST")) await keys(bench, operation, path, note);
  else {
    await note("unknown", await bench.send(`${path.slice(0, path.lastIndexOf("/"))}/nobody`, valid));
    await note("part", await bench.send(path.slice(0, -1), valid));
  }
  if (operation === "PATCH /payment-codes/{id}") {
    const { cancellablePaymentCode } = bench.fixtures;
    const cancellable = `/payment-codes/${cancellablePaymentCode}`;
    const body = { status: "cancelled", name: "Over", metadata: { why: "over" } };
    seen.push([await bench.send(`PATCH ${cancellable}`, body), await bench.send(`GET ${cancellable}`)]);
  }
  if (operation === "POST /webhooks") seen.push(deliveriesOf(bench));
  return seen;
}

async function keys(
  bench: Bench,
  operation: Written,
  path: string,
  note: (what: unknown, answer: Seen) => Promise<void>,
): Promise<void> {
  const body = { ...VALID[operation], metadata: { of: "keys" } };
  const once = async (key: string | null, what: object = {}, headers = {}) =>
    note(
      { key, what, headers },
      await bench.send(path, { ...body, ...what }, { "idempotency-key": key, ...headers }),
    );
  for (const key of ["a", "b", "a", "A"]) await once(key);
  for (const what of [{ name: "Other" }, { metadata: {} }]) await once("a", what);
  await once("a", {}, there);
  await once("a", {}, OLDER);
  for (const key of ["under-older", "under-older"]) await once(key, {}, OLDER);
  for (const key of ["x-yz", "xy-z", "k".repeat(64), `${"k".repeat(63)}l`, "k".repeat(65)]) await once(key);
  for (const key of [null, ""]) for (const headers of [{}, OLDER]) await once(key, {}, headers);
  for (const headers of [{}, OLDER, there]) await once("ref", { reference: `r-${headers}` }, headers);
  for (const what of [{}, { currency: "USD" }, { name: "N" }])
    await once(`taken-${JSON.stringify(what)}`, { ...what, reference: "taken" });
  await once("taken-first", { reference: "full" });
  await once("taken-there", { reference: "taken" }, there);
  await once("taken-older", { reference: "taken" }, OLDER);
  await once("spaced-older", { reference: "  spaced " }, OLDER);
  const together = await Promise.all(
    [1, 2, 3].map(() => bench.send(path, body, { "idempotency-key": "together" })),
  );
  const ids = new Set(together.map((answer) => resultOf(answer).id).filter((id) => id !== undefined));
  await note({ together: ids.size }, await bench.send(path, body));
}

/** An operation that a defect does not name is asked less, so that the tests stay quick. */
const ELSEWHERE = 6;

const sound = new Map<string, string>();
for (const operation of written)
  for (const stride of [1, ELSEWHERE])
    sound.set(`${operation} ${stride}`, JSON.stringify(await transcript(new Bench([]), operation, stride)));

async function isSeen(chosen: readonly string[], operation: Written, stride: number): Promise<boolean> {
  const noted = await transcript(new Bench(chosen), operation, stride);
  return JSON.stringify(noted) !== sound.get(`${operation} ${stride}`);
}

test("two services without defects are seen alike", async () => {
  for (const operation of written)
    expect([operation, await isSeen([], operation, 1)]).toEqual([operation, false]);
});

describe("each defect is seen at the operations it names, and at no other", () => {
  for (const { name, operations } of writingDefects) {
    test(name, async () => {
      for (const operation of written) {
        const named = operations.includes(operation);
        const seen = await isSeen([name], operation, named ? 1 : ELSEWHERE);
        expect([operation, seen]).toEqual([operation, named]);
      }
    });
  }
});

/** Nothing that a creating call takes has documented values or a format but what CREATE-CURRENCY and CREATE-URL say. */
const WITHOUT_DEFECT = ["CREATE-INVALID"];

test("every requirement on creates and updates has a defect", () => {
  const catalogue = parse(readFileSync("spec/requirements.yaml", "utf8")) as {
    requirements: { id: string; row: number; level: string }[];
  };
  const known = catalogue.requirements.map(({ id }) => id);
  const further = writingDefects.flatMap(({ alsoBreaks = [] }) => alsoBreaks);
  expect(further.filter((id) => !known.includes(id))).toEqual([]);
  const ids = catalogue.requirements
    .filter(({ row, level }) => level !== "NOTE" && row >= 60 && row <= 85)
    .map(({ id }) => id);
  expect(ids.length).toBeGreaterThan(50);
  expect(ids.filter((id) => !defects.some(({ requirement }) => requirement === id))).toEqual(WITHOUT_DEFECT);
});
