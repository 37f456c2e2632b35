import { expect, test } from "vitest";
import { Call } from "../../../client/call.ts";
import { isObject, type JsonObject } from "../../../spec/json.ts";
import { changeFilteredFields } from "../../../suites/updates/lists/last-lists.ts";
import { RoundRobin } from "../../../suites/updates/walk/round-robin.ts";
import { WalkUpdates } from "../../../suites/updates/walk/updates.ts";
import { WalkedResource } from "../../../suites/updates/walk/walked-resource.ts";
import { documentCopy, objectAt, operation, spec, specOf } from "../../spec/package-spec.ts";
import { runAgainst } from "../fakes.ts";
import type { Asked } from "../tiny-server.ts";

/** A service with one resource, and the bodies of its updates. */
function oneResource(first: JsonObject) {
  let shown = first;
  const sent: { body: JsonObject; before: JsonObject }[] = [];
  const answer = ({ method, body }: Asked) => {
    const update: unknown = method === "PATCH" ? JSON.parse(body) : undefined;
    if (isObject(update)) {
      sent.push({ body: update, before: shown });
      shown = { ...shown, ...update };
    }
    return update === undefined && "url" in first
      ? {
          status: 200,
          body: {
            success: true,
            messages: [],
            result: [shown],
            pagination: { count: 1, total: 1, next: null },
          },
        }
      : { status: 200, body: { success: true, messages: [], result: shown } };
  };
  return { answer, sent };
}

test("some updates send one field as it is shown, and others that change", async () => {
  const service = oneResource({ id: "c1", name: "a", metadata: { one: "1" } });
  await runAgainst(service.answer, async (target) => {
    const resource = new WalkedResource(new Call(target, operation("PATCH /payment-codes/{id}")), "c1");
    await resource.readAtStart();
    const updates = new WalkUpdates(resource, new RoundRobin(0));
    for (let count = 0; count < 4; count++) {
      await resource.read((await updates.firstHalf()) ?? {});
      updates.split(count);
    }
  });
  const counts = service.sent.map(({ body, before }) => {
    const isSame = (name: string) => JSON.stringify(body[name]) === JSON.stringify(before[name]);
    return { same: Object.keys(body).filter(isSame).length, isAlone: Object.keys(body).length === 1 };
  });
  expect(counts).toContainEqual({ same: 1, isAlone: false });
});

test("fields that a list is filtered by change before it is read under their former values", async () => {
  const document = documentCopy();
  const list = objectAt(document, "paths", "/webhooks", "get");
  const filter = { name: "by", in: "query", schema: { type: "string" }, "x-filter": "/name" };
  list.parameters = [...(Array.isArray(list.parameters) ? list.parameters : []), filter];
  const edition = specOf(document);
  const former = async (of: typeof spec) => {
    const service = oneResource({ id: "w1", name: "a", url: "https://a.example/x", isActive: true });
    const plans = await runAgainst(
      service.answer,
      async (target) => {
        const call = new Call(target, operation("PATCH /webhooks/{id}", of));
        await new WalkedResource(call, "w1").readAtStart();
        return changeFilteredFields(call, "w1");
      },
      {},
      of,
    );
    return {
      queries: plans.map(({ query }) => query),
      names: service.sent.map(({ body }) => body.name === "a"),
    };
  };
  expect(await former(spec)).toEqual({ queries: [], names: [] });
  expect(await former(edition)).toEqual({
    queries: [
      [
        ["limit", "50"],
        ["by", "a"],
      ],
    ],
    names: [false],
  });
});
