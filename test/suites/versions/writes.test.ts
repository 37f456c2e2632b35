import { describe, expect, test } from "vitest";
import { History } from "../../../history/history.ts";
import { startReference } from "../../../reference/index.ts";
import type { CheckResult } from "../../../reports/report.ts";
import type { JsonObject } from "../../../spec/json.ts";
import { allChecks } from "../../../suites/index.ts";
import { HEAD, HistoryBuilder } from "../../history/builder.ts";
import { documentCopy, objectAt, spec, specOf } from "../../spec/package-spec.ts";
import { type Alter, withProxy } from "../altering-proxy.ts";
import { runChecks } from "../run-checks.ts";

const PATH = "/webhooks";
const [OLDER, NEWER] = ["caph.2025-06-20", "caph.2025-08-23"] as const;
const ID = new RegExp(`^versions/VERSION-(FIELDS|VALUES) POST ${PATH} ${OLDER} to ${NEWER}$`);

const unaltered: Alter = () => undefined;

/** The results of the checks that compare creates under two versions, if a proxy changes answers by `alter`. */
async function compared(options: { variant?: string; seed?: number; alter?: Alter }): Promise<CheckResult[]> {
  const { variant, seed = 1, alter = unaltered } = options;
  const service = await startReference(variant === undefined ? {} : { variant });
  const { token, space, fixtures } = service;
  try {
    return await withProxy(service.baseUrl, alter, async (baseUrl) => {
      const settings = { baseUrl, token, space, fixtures, seed, depth: "quick" as const };
      return (await runChecks(spec, settings, ({ id }) => ID.test(id))).results;
    });
  } finally {
    await service.close();
  }
}

const outcomes = (results: CheckResult[]) => results.map(({ outcome, message }) => [outcome, message]);
const PASS = ["pass", undefined];

/** Changes the answer to an accepted create, but only under the newer version. */
function underNewer(change: (result: JsonObject) => JsonObject): Alter {
  return (method, path, answer, sent) => {
    if (method !== "POST" || path !== PATH || answer.status !== 200) return undefined;
    if (sent["service-version"] !== NEWER) return undefined;
    const body = JSON.parse(answer.body) as { result: JsonObject };
    return { ...answer, body: JSON.stringify({ ...body, result: change(body.result) }) };
  };
}

describe("creates under two versions, whose bodies differ", () => {
  test.each(["header-names-canonical", "header-names-in-lower-case", "mail-addresses-in-lower-case"])(
    "may each show what was sent as %s does",
    async (variant) => {
      for (const seed of [1, 2]) expect(outcomes(await compared({ variant, seed }))).toEqual([PASS, PASS]);
    },
  );

  test.each<[string, string, (result: JsonObject) => JsonObject]>([
    ["lacks a field that nobody sends", "VERSION-FIELDS", ({ createTime: _, ...rest }) => rest],
    ["lacks a field that was sent", "VERSION-FIELDS", ({ name: _, ...rest }) => rest],
    [
      "shows a field that nobody sends as another type",
      "VERSION-VALUES",
      (result) => ({ ...result, createTime: 1 }),
    ],
    [
      "shows something else than was sent",
      "VERSION-VALUES",
      (result) => ({ ...result, name: String(result.name).slice(1) }),
    ],
  ])("fail if the later one %s", async (_, requirement, change) => {
    const results = await compared({ alter: underNewer(change) });
    const failed = results.filter(({ outcome }) => outcome === "fail");
    expect(failed.flatMap(({ requirements }) => requirements)).toEqual([requirement]);
    expect(results).toHaveLength(2);
  });
});

test("creates prove nothing after an update of a resource whose id is a number, because a replay may show it", () => {
  const document = documentCopy();
  objectAt(document, "components", "schemas", "Webhook", "properties", "id").type = "integer";
  const edition = specOf(document);
  const url = "https://example.com/a";
  const answer = (id: number, name: string) => ({ success: true, messages: [], result: { id, name } });
  const create = { name: "a", url, events: null };
  const judge = (isUpdated: boolean) => {
    const past = new HistoryBuilder(edition)
      .answers("POST /webhooks", answer(1, "a"), { sent: create, key: "key-1", version: OLDER })
      .answers("POST /webhooks", answer(2, "a"), { sent: create, key: "key-2", version: OLDER });
    if (isUpdated)
      past.answers("PATCH /webhooks/{id}", answer(2, "b"), { path: "2", sent: { url, name: "b" } });
    past.answers("POST /webhooks", answer(2, "b"), { sent: create, key: "key-2", version: NEWER });
    const check = allChecks(edition).find(
      ({ id }) => id === `versions/VERSION-VALUES POST /webhooks ${OLDER} to ${NEWER}`,
    );
    return check?.verdict(new History(edition, HEAD, past.entries)).outcome;
  };
  expect(judge(true)).not.toBe("violated");
  expect(judge(false)).toBe("violated");
});

test("an optional field may depend on what a create chose", () => {
  const document = documentCopy();
  objectAt(document, "components", "schemas", "Webhook", "properties").shard = { type: "string" };
  const edition = specOf(document);
  const create = { name: "a", url: "https://example.com/a", events: null };
  const answer = (id: string, more: JsonObject) => ({ success: true, result: { id, ...more } });
  const judge = (chosen: boolean) => {
    const past = new HistoryBuilder(edition)
      .answers("POST /webhooks", answer("w1", { shard: "s1" }), {
        sent: { ...create, isActive: true },
        key: "key-1",
        version: OLDER,
      })
      .answers("POST /webhooks", answer("w2", {}), {
        sent: { ...create, name: "b", isActive: chosen },
        key: "key-2",
        version: NEWER,
      });
    const check = allChecks(edition).find(
      ({ id }) => id === `versions/VERSION-FIELDS POST /webhooks ${OLDER} to ${NEWER}`,
    );
    return check?.verdict(new History(edition, HEAD, past.entries)).outcome;
  };
  expect(judge(false)).toBe("held");
  expect(judge(true)).toBe("violated");
});
