import { describe, expect, test } from "vitest";
import type { Check } from "../../client/check.ts";
import { httpAnswer, rawServer } from "../client/sending/raw-server.ts";
import { spec } from "../spec/package-spec.ts";
import { listOf } from "../spec/samples.ts";
import { parcelsEdition } from "../suites/parcels-edition.ts";
import { OTHER_SPACE, SPACE, startParcels, TOKEN } from "../suites/parcels-service.ts";
import { runChecks } from "../suites/run-checks.ts";
import { tinyServer } from "../suites/tiny-server.ts";
import { closing } from "./closing.ts";

const edition = parcelsEdition();
const isParcels = ({ operation: key }: Check) => key.includes("/v1/parcels");
const parcels = { token: TOKEN, space: SPACE, secondSpace: OTHER_SPACE };

describe("the load on the service", () => {
  test.each([1, 3])("is never more than %i requests at once", async (concurrency) => {
    let running = 0;
    let most = 0;
    const server = closing(
      await tinyServer(async () => {
        running++;
        most = Math.max(most, running);
        await new Promise(setImmediate);
        await new Promise((resolve) => setTimeout(resolve, 2));
        running--;
        return { status: 200, body: listOf([], 0) };
      }),
    );
    const picked = ({ suite }: Check) => suite === "pagination" || suite === "access";
    await runChecks(spec, { baseUrl: server.baseUrl, concurrency, readOnly: true }, picked);
    expect(most).toBe(concurrency);
  });

  test("is never more than the budget, repeated requests included", async () => {
    let count = 0;
    const server = closing(
      await rawServer((socket) => {
        if (++count % 2 === 0) socket.destroy();
        else socket.write(httpAnswer(JSON.stringify(listOf([], 0))));
      }),
    );
    const settings = { baseUrl: server.url.replace(/\/$/, ""), maxRequests: 25, concurrency: 8 };
    const { results, requests } = await runChecks(spec, settings, ({ suite }) => suite === "pagination");
    expect(requests).toBe(25);
    expect(count).toBeLessThanOrEqual(25);
    expect(results.filter(({ reason }) => reason === "budget").length).toBeGreaterThan(0);
  });

  test("has no POST and no PATCH in a read-only run", async () => {
    const server = closing(await startParcels());
    const ran = await runChecks(edition, { baseUrl: server.baseUrl, ...parcels, readOnly: true }, isParcels);
    expect(new Set(server.asked.map(({ method }) => method))).toEqual(new Set(["GET"]));
    const left = ran.results.filter(({ reason }) => reason === "read-only");
    expect(left.length).toBeGreaterThan(100);
    expect(ran.results.some(({ outcome }) => outcome === "pass")).toBe(true);
    expect(ran.results.filter(({ outcome }) => outcome === "fail").map(({ id }) => id)).toEqual([]);
  });
});
