import { describe, expect, test } from "vitest";
import type { Check } from "../../client/check.ts";
import { planChecks } from "../../runner/planning/plan.ts";
import { Session } from "../../runner/session.ts";
import type { Settings } from "../../spec/model/settings.ts";
import { commitShare, isTurn } from "../commit-seed.ts";
import { parcelsEdition } from "../suites/parcels-edition.ts";
import { OTHER_SPACE, SPACE, startParcels, TOKEN } from "../suites/parcels-service.ts";
import { runChecks } from "../suites/run-checks.ts";
import type { Asked } from "../suites/tiny-server.ts";
import { exampleSettings } from "./settings.ts";

const edition = parcelsEdition();
const isParcels = ({ operation: key }: Check) => key.includes("/v1/parcels");
/** The ids of one in ten checks, which are run twice. Another commit picks others. */
const repeated = new Set(
  commitShare(
    planChecks(edition, exampleSettings({}))
      .map(({ check }) => check.id)
      .sort(),
    10,
  ),
);
const parcels = { token: TOKEN, space: SPACE, secondSpace: OTHER_SPACE };

describe("two runs with one seed", () => {
  /** A request as text, without what differs in any two runs: run tag, idempotency keys, cursors, unique values. */
  function withoutRunValues({ method, path, query, headers, body }: Asked, runId: string): string {
    const text = JSON.stringify([
      method,
      path,
      [...query],
      headers["service-version"],
      headers["idempotency-key"],
      headers.authorization,
      body,
    ]);
    return (
      text
        .replace(new RegExp(runId, "gi"), "RUN")
        .replace(/pc-[0-9a-f]{32}/g, "KEY")
        // A text that may have no letters has the run tag in emoji.
        .replace(/\p{Emoji_Presentation}/gu, "E")
        .replace(/[0-9a-fAB-]{36}/g, "CURSOR")
        // An altered cursor contains parts of a cursor of the service.
        .replace(/\["from","[^"]*"\]/g, "CURSOR")
        // Unique numbers are made from the run tag.
        .replace(/\\"code\\":\d+/g, "CODE")
        .replace(/(?:\\*"|%22)\d+x?(?:\\*"|%22)/g, "DIGITS")
    );
  }

  /** Runs checks one after the other. Returns the requests and the outcome of each. */
  async function oneByOne(seed: number) {
    const server = await startParcels();
    const settings: Settings = exampleSettings({
      baseUrl: server.baseUrl,
      timeout: 10_000,
      runs: 2,
      concurrency: 1,
      seed,
      ...parcels,
    });
    const session = new Session(edition, settings);
    const did: Record<string, { requests: string[]; outcome: string }> = {};
    let runId = "no run tag yet";
    try {
      const planned = planChecks(edition, settings).map(({ check }) => check);
      for (const check of planned.filter((each) => isParcels(each) && repeated.has(each.id))) {
        const before = server.asked.length;
        const result = await session.run({
          check: {
            ...check,
            run: (target) => {
              runId = target.runId;
              return check.run(target);
            },
          },
        });
        const requests = server.asked.slice(before).map((asked) => withoutRunValues(asked, runId));
        did[check.id] = { requests, outcome: result.reason ?? result.outcome };
      }
    } finally {
      await session.close();
      await server.close();
    }
    return did;
  }

  test.runIf(isTurn(0, 2))(
    "send the same requests, check by check and in the same order, with the same results",
    async () => {
      const [first, second] = [await oneByOne(7), await oneByOne(7)];
      expect(Object.keys(first).length).toBeGreaterThan(25);
      const differ = (a: typeof first, b: typeof first) =>
        Object.keys(a).filter((id) => JSON.stringify(a[id]) !== JSON.stringify(b[id]));
      // Compare only the checks that differ, so that a failure shows no others.
      const changed = differ(first, second);
      const only = (did: typeof first) => Object.fromEntries(changed.map((id) => [id, did[id]]));
      expect(only(second)).toEqual(only(first));
      const other = await oneByOne(8);
      expect(differ(first, other).length).toBeGreaterThan(0);
      // Another seed may pick other checks of a group, so compare only those of both runs.
      const both = Object.keys(first).filter((id) => id in other);
      expect(both.length).toBeGreaterThan(25);
      for (const id of both) expect(other[id]?.outcome, id).toBe(first[id]?.outcome);
    },
  );

  test.runIf(isTurn(1, 2))("have the same results if their checks run at once", async () => {
    const outcomes = async () => {
      const server = await startParcels();
      const settings = { baseUrl: server.baseUrl, seed: 3, ...parcels };
      const { results } = await runChecks(edition, settings, isParcels).finally(() => server.close());
      return Object.fromEntries(results.map(({ id, outcome, reason }) => [id, reason ?? outcome]).sort());
    };
    expect(await outcomes()).toEqual(await outcomes());
  });
});
