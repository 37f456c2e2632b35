/** The operations of one resource may differ in paths, headers and names. */

import { expect, test } from "vitest";
import { History } from "../../history/history.ts";
import { isObject, type JsonObject, valueAt } from "../../spec/json.ts";
import { documentCopy, specOf } from "../spec/package-spec.ts";
import { HEAD, HistoryBuilder } from "./builder.ts";

const url = "https://a.example/x";
const made = { name: "a", url, events: ["one"] };
const changed = { ...made, name: `${HEAD.runTag}-1 b` };

function objectAt(document: JsonObject, pointer: string): JsonObject {
  const found = valueAt(document, pointer);
  if (!isObject(found)) throw new Error(`no object at ${pointer}`);
  return found;
}

/** The document without the space header in an operation. */
function withoutSpace(pointer: string): JsonObject {
  const document = documentCopy();
  const operation = objectAt(document, pointer);
  const { parameters } = operation;
  if (!Array.isArray(parameters)) throw new Error(`no parameters at ${pointer}`);
  operation.parameters = parameters.filter((each) => !JSON.stringify(each).includes("/Space"));
  return document;
}

function judgedUpdate(document: JsonObject, space: { create: string | null; update: string | null }) {
  const spec = specOf(document);
  const past = new HistoryBuilder(spec)
    .creates("w1", made, { key: "k-1", space: space.create })
    .updates("w1", { url, name: changed.name }, changed, { space: space.update })
    .lists([{ ...changed, id: "w1" }]);
  const history = new History(spec, HEAD, past.entries);
  const [, update] = past.entries;
  if (!update) throw new Error("no update");
  return {
    found: history.answers.classification(update).kind,
    mismatches: history.journal.sightings.filter(({ fits }) => !fits),
  };
}

const [own = ""] = HEAD.spaces;

test("an update without a space may change a resource that was made in a space", () => {
  const document = withoutSpace("/paths/~1webhooks~1{id}/patch");
  const judged = judgedUpdate(document, { create: own, update: null });
  expect(judged).toEqual({ found: "valid", mismatches: [] });
});

test("an update in a space may change a resource that was made without one", () => {
  const judged = judgedUpdate(withoutSpace("/paths/~1webhooks/post"), { create: null, update: own });
  expect(judged).toEqual({ found: "valid", mismatches: [] });
});

test("an update may leave out an optional space", () => {
  const document = documentCopy();
  objectAt(document, "/components/parameters/Space100").required = false;
  const judged = judgedUpdate(document, { create: own, update: null });
  expect(judged).toEqual({ found: "valid", mismatches: [] });
});

test("an update in another space changes nothing", () => {
  const judged = judgedUpdate(documentCopy(), { create: own, update: "spc-other" });
  expect(judged.mismatches).toMatchObject([{ field: "name", duty: "no-effect", standing: "proven" }]);
});

test("the create and the list may have another path than the update", () => {
  const document = documentCopy();
  const { "/webhooks": registrations, ...paths } = objectAt(document, "/paths");
  document.paths = { ...paths, "/registrations": registrations };
  expect(judgedUpdate(document, { create: own, update: own })).toEqual({ found: "valid", mismatches: [] });
});

test("the id may have another name", () => {
  const document = documentCopy();
  const webhook = objectAt(document, "/components/schemas/Webhook");
  const { id, ...others } = objectAt(document, "/components/schemas/Webhook/properties");
  Object.assign(webhook, { "x-identity": "no", "x-fixed": ["no"], required: ["no"] });
  webhook.properties = { ...others, no: id };
  const spec = specOf(document);
  const answer = { success: true, messages: [], result: { ...made, no: "w1" } };
  const past = new HistoryBuilder(spec)
    .answers("POST /webhooks", answer, { sent: made, key: "k-1" })
    .answers("PATCH /webhooks/{id}", answer, { path: "w1", sent: { url } });
  const [, update] = past.entries;
  expect(update && new History(spec, HEAD, past.entries).answers.classification(update).kind).toBe("valid");
});
