/** Whatever a service answers, every check has an outcome, and the suite itself never fails. */

import fc from "fast-check";
import { XMLValidator } from "fast-xml-parser";
import { expect, test } from "vitest";
import { renderJUnit } from "../../reports/formats/junit.ts";
import { renderMarkdown } from "../../reports/formats/markdown.ts";
import { renderHtml } from "../../reports/html/render.ts";
import { validateReport } from "../../reports/validate.ts";
import { isTurn } from "../commit-seed.ts";
import { type Spoil, startFront, TOKEN } from "../hostile/hostile.ts";
import { reportOf } from "../reports/example.ts";
import { spec } from "../spec/package-spec.ts";
import { runChecks } from "../suites/run-checks.ts";
import { anyJson, changed, times } from "./damage.ts";

const header = fc.stringMatching(/^x-[a-z]{1,8}$/);
const value = fc.stringMatching(/^[\x21-\x7e\x80-\xff][\x20-\x7e\x80-\xff]{0,30}$/);
const headers = fc.oneof(
  fc.constant({}),
  fc.dictionary(header, value, { maxKeys: 3 }),
  fc.constantFrom<Record<string, string>>(
    { "content-type": "text/html" },
    { "content-type": ";;;" },
    { "content-encoding": "gzip" },
    { "content-encoding": "br, , x" },
    { "retry-after": "soon" },
    { "set-cookie": "=;=" },
    { date: "yesterday" },
  ),
);

const spoilt: fc.Arbitrary<Spoil> = fc.oneof(
  fc.tuple(anyJson, headers).map(
    ([json, more]): Spoil =>
      (answer, response) => {
        response.writeHead(answer.status, { ...answer.headers, ...more }).end(JSON.stringify(json));
      },
  ),
  fc.tuple(fc.uint8Array({ maxLength: 300 }), headers).map(
    ([bytes, more]): Spoil =>
      (answer, response) => {
        response.writeHead(answer.status, { ...answer.headers, ...more }).end(bytes);
      },
  ),
  fc.uint8Array({ maxLength: 300 }).map(
    (bytes): Spoil =>
      (_, response) => {
        response.socket?.end(Buffer.concat([Buffer.from("HTTP/1.1 200 OK\r\n"), bytes]));
      },
  ),
  fc.tuple(fc.integer({ min: 200, max: 599 }), headers).map(
    ([status, more]): Spoil =>
      (answer, response) => {
        // After 429, 502, 503 and 504 the suite waits, which takes too long here. Other tests cover them.
        const waits = status === 429 || (status >= 502 && status <= 504);
        response.writeHead(waits ? 418 : status, { ...answer.headers, ...more }).end(answer.body);
      },
  ),
  { weight: 4, arbitrary: fc.nat().map((seed): Spoil => changing(seed)) },
);

/** Replaces, removes or adds values in the answer's body. The seed picks their places. */
function changing(seed: number): Spoil {
  return (answer, response) => {
    const [changedBody] = fc.sample(changed(JSON.parse(answer.body)), { seed, numRuns: 1 });
    response.writeHead(answer.status, answer.headers).end(JSON.stringify(changedBody));
  };
}

const FEW = new Set(["GET /banks", "GET /webhooks", "PATCH /webhooks/{id}", "GET /payouts/{id}"]);

test.runIf(isTurn(1, 2))(
  "whatever is answered, no check ends as suite-error, and all reports can be read",
  async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(spoilt, { minLength: 1, maxLength: 8 }),
        fc.boolean(),
        async (ways, often) => {
          const front = await startFront((answer, response, request) => {
            const way = often || answer.count % 3 === 0 ? ways[answer.count % ways.length] : undefined;
            if (way) way(answer, response, request);
            else response.writeHead(answer.status, answer.headers).end(answer.body);
          });
          try {
            const { baseUrl, space, fixtures } = front;
            const settings = { baseUrl, space, fixtures, token: TOKEN, depth: "quick" as const, runs: 2 };
            const { results } = await runChecks(spec, settings, ({ operation }) => FEW.has(operation));
            expect(results.length).toBeGreaterThan(50);
            expect(results.filter(({ reason }) => reason === "suite-error")).toEqual([]);
            const report = reportOf(results);
            expect(validateReport(JSON.parse(JSON.stringify(report)))).toMatchObject({ valid: true });
            expect(XMLValidator.validate(renderJUnit(report))).toBe(true);
            expect(renderMarkdown(report)).toContain("#");
            expect(renderHtml(report)).toContain("</html>");
          } finally {
            await front.close();
          }
        },
      ),
      { numRuns: times(3), endOnFailure: true },
    );
  },
);
