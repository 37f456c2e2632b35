/** Whole runs keep the limits of load, whatever the service does. The service itself counts the requests. */

import type { ServerResponse } from "node:http";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type ConformanceOptions, runConformance } from "../../command/api.ts";
import { isTurn } from "../commit-seed.ts";
import { passOn, type SoundAnswer, type Spoil, startFront, TOKEN } from "./hostile.ts";

/**
 * Behaviour that makes a run send requests again: closed connections, rate limits, errors that pass, findings
 * to confirm.
 */
const WAYS: Record<string, Spoil> = {
  closed: (_, response) => response.destroy(),
  limited: (_, response) => status(response, 429, { "retry-after": "0" }),
  unavailable: (_, response) => status(response, 503, { "retry-after": "0" }),
  crashed: (_, response) => status(response, 500),
  refused: (_, response) => status(response, 400),
  expired: (_, response) => status(response, 401),
  slow: (answer, response) => setTimeout(() => passOn(answer, response), 15),
};

const REJECTIONS: ReadonlySet<string> = new Set(["limited", "refused", "expired"]);

function status(response: ServerResponse, code: number, headers: Record<string, string> = {}): void {
  response.writeHead(code, headers).end();
}

interface Counted {
  requests: number;
  atOnce: number;
  methods: Set<string>;
  /** Ids that the service created, even if its answer was lost. */
  made: Set<string>;
  /** Milliseconds between the first request and the last one. */
  elapsed: number;
}

/**
 * Runs the suite against a service that misbehaves at one in `every` requests, in these ways. Returns the
 * service's counts.
 */
async function counted(options: ConformanceOptions, ways: string[], every: number): Promise<Counted> {
  const methods = new Set<string>();
  const made = new Set<string>();
  let first = 0;
  let last = 0;
  const front = await startFront((answer, response, request) => {
    last = performance.now();
    first ||= last;
    methods.add(request.method ?? "");
    const way = answer.count % every === 0 ? ways[(answer.count / every) % ways.length] : undefined;
    const id = request.method === "POST" ? idIn(answer) : undefined;
    // A rejected create counts as not done. A create without an answer counts, because it may have been done.
    if (id !== undefined && !REJECTIONS.has(way ?? "")) made.add(id);
    (WAYS[way ?? ""] ?? passOn)(answer, response, request);
  });
  try {
    const { baseUrl, space } = front;
    const only = ["* /webhooks", "* /webhooks/{id}", "GET /banks"];
    await runConformance({ baseUrl, space, token: TOKEN, seed: 1, only, visibilityDelay: 0, ...options });
    const { requests, atOnce } = front.seen;
    return { requests, atOnce, methods, made, elapsed: last - first };
  } finally {
    await front.close();
  }
}

function idIn({ status: code, body }: SoundAnswer): string | undefined {
  if (code < 200 || code > 299) return undefined;
  const { result } = JSON.parse(body) as { result?: { id?: string } | null };
  return result?.id;
}

const ways = fc.uniqueArray(fc.constantFrom(...Object.keys(WAYS)), { minLength: 1, maxLength: 4 });
const every = fc.integer({ min: 2, max: 9 });

describe("counted by the service itself, whatever it does", () => {
  test.runIf(isTurn(0, 2))(
    "the service gets no more requests, simultaneous requests and creates than allowed",
    () =>
      fc.assert(
        fc.asyncProperty(
          ways,
          every,
          fc.integer({ min: 1, max: 120 }),
          fc.integer({ min: 1, max: 6 }),
          fc.integer({ min: 0, max: 6 }),
          async (misbehaving, often, maxRequests, concurrency, maxCreated) => {
            const seen = await counted({ maxRequests, concurrency, maxCreated }, misbehaving, often);
            expect(seen.requests).toBeLessThanOrEqual(maxRequests);
            expect(seen.atOnce).toBeLessThanOrEqual(concurrency);
            expect(seen.made.size).toBeLessThanOrEqual(maxCreated);
          },
        ),
        { numRuns: 4, endOnFailure: true },
      ),
  );

  test("the service gets all allowed requests if there is more to test", async () => {
    const seen = await counted({ maxRequests: 60, maxCreated: 4 }, ["slow"], 2);
    expect([seen.requests, seen.made.size]).toEqual([60, 4]);
  });

  test.runIf(isTurn(1, 2))("the service gets no POST and no PATCH in a read-only run", () =>
    fc.assert(
      fc.asyncProperty(ways, every, async (misbehaving, often) => {
        const seen = await counted({ readOnly: true, maxRequests: 80 }, misbehaving, often);
        expect([...seen.methods]).toEqual(["GET"]);
      }),
      { numRuns: 2, endOnFailure: true },
    ),
  );

  test.runIf(isTurn(0, 2))(
    "the service gets no more requests per second than the rate, over a whole run",
    async () => {
      const rate = 50;
      const seen = await counted({ rate, maxRequests: 150, maxCreated: 3 }, Object.keys(WAYS), 3);
      // Requests do not arrive evenly, so one more second is allowed.
      expect(seen.requests).toBeLessThanOrEqual((seen.elapsed / 1000 + 1) * rate);
      expect(seen.requests).toBeGreaterThan(rate);
    },
  );

  test.runIf(isTurn(1, 2))("no request stays open for longer than the timeout", async () => {
    let given = 0;
    let open = 0;
    const front = await startFront((answer, response) => {
      if (answer.count % 5 !== 0 || response.destroyed) return passOn(answer, response);
      open++;
      // This service never answers, so each request ends when the run aborts it.
      response.on("close", () => {
        open--;
        given++;
      });
    });
    try {
      const { baseUrl, space } = front;
      const own = { baseUrl, space, token: TOKEN, seed: 1, only: ["GET /banks"], maxRequests: 40 };
      const report = await runConformance({ ...own, timeout: 1_000 });
      await expect.poll(() => open).toBe(0);
      expect(given).toBeGreaterThan(0);
      const unanswered = report.checks.filter(({ message }) => message?.includes("no answer within 1000 ms"));
      expect(unanswered.length).toBeGreaterThan(0);
    } finally {
      await front.close();
    }
  });
});
