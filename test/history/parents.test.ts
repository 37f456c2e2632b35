/** Paths of one resource may name different parents. */

import { expect, test } from "vitest";
import { History } from "../../history/history.ts";
import { isObject, type JsonObject } from "../../spec/json.ts";
import type { Spec } from "../../spec/model/spec.ts";
import { documentCopy, specOf } from "../spec/package-spec.ts";
import { HEAD, HistoryBuilder } from "./builder.ts";

/** Moves a path of the document below shops. */
function belowShops(path: string): Spec {
  const document = documentCopy();
  const { paths } = document;
  if (!isObject(paths)) throw new Error("the document has no paths");
  const { [path]: moved, ...others } = paths;
  const shop = { name: "shop", in: "path", required: true, schema: { type: "string" } };
  const item = isObject(moved) ? moved : {};
  const shops = { parameters: [{ ...shop, "x-fixture": { read: "shop", write: "shop" } }], ...item };
  return specOf({ ...document, paths: { ...others, [`/shops/{shop}${path}`]: shops } });
}

const url = "https://a.example/x";
const made = { name: "a", url, events: ["one"] };
const changed = { ...made, name: `${HEAD.runTag}-1 b` };
const one = (result: JsonObject) => ({ success: true, messages: [], result });
const listOf = (...result: JsonObject[]) => ({
  success: true,
  messages: [],
  result,
  pagination: { count: result.length, next: null, total: result.length },
});

test("a resource that is made and listed below its parent, but updated without it, is one resource", () => {
  const spec = belowShops("/webhooks");
  const past = new HistoryBuilder(spec)
    .answers("POST /shops/{shop}/webhooks", one({ ...made, id: "w1" }), { path: "s1", sent: made, key: "1" })
    .updates("w1", { url, name: changed.name }, changed)
    .answers("GET /shops/{shop}/webhooks", listOf({ ...changed, id: "w1" }), { path: "s1" });
  const { journal, strays } = new History(spec, HEAD, past.entries);
  expect(strays.spills).toEqual([]);
  expect(journal.sightings.filter(({ fits }) => !fits)).toEqual([]);
  expect(journal.resources.map(({ id, owner }) => ({ id, owner }))).toEqual([{ id: "w1", owner: "run" }]);
  past
    .waits(2_000)
    .answers("GET /shops/{shop}/webhooks", listOf({ ...changed, name: "z", id: "w1" }), { path: "s1" });
  const { sightings } = new History(spec, HEAD, past.entries).journal;
  expect(sightings.filter(({ fits }) => !fits)).toMatchObject([{ field: "name", standing: "proven" }]);
});

test("a list without the parent may show what an update below the parent sent", () => {
  const spec = belowShops("/webhooks/{id}");
  const update = { outer: { shop: "s1" }, path: "w1", sent: { url, name: changed.name } };
  const past = new HistoryBuilder(spec)
    .creates("w1", made)
    .answers("PATCH /shops/{shop}/webhooks/{id}", one({ ...changed, id: "w1" }), update)
    .lists([{ ...changed, id: "w1" }]);
  const { journal, strays } = new History(spec, HEAD, past.entries);
  expect(strays.spills).toEqual([]);
  expect(journal.sightings.filter(({ fits }) => !fits)).toEqual([]);
});

test("a key may be used again below another parent, where a service may not know it", () => {
  const spec = belowShops("/webhooks");
  const create = (past: HistoryBuilder, shop: string, name: string) =>
    past.answers("POST /shops/{shop}/webhooks", one({ ...made, name, id: `${shop}${name}` }), {
      path: shop,
      sent: { ...made, name },
      key: "k1",
    });
  const last = ({ entries }: HistoryBuilder) => {
    const { answers } = new History(spec, { ...HEAD, fixtures: { shop: "s1,s2" } }, entries);
    return entries.slice(-1).map((entry) => answers.classification(entry))[0];
  };
  const past = () => create(new HistoryBuilder(spec), "s1", "a");
  expect(last(create(past(), "s2", "b"))).toMatchObject({ kind: "doubtful" });
  expect(last(create(past(), "s1", "b"))).toMatchObject({
    kind: "faulty",
    faults: [{ place: "header/idempotency-key" }],
  });
});
