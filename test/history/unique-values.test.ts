import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { uniqueUses } from "../../history/creates/unique-values.ts";
import { type Entry, requestJson } from "../../history/entry.ts";
import { History } from "../../history/history.ts";
import { TakenValues } from "../../history/request-faults/taken-values.ts";
import { type JsonObject, valueAt } from "../../spec/json.ts";
import { loadSpec } from "../../spec/loading/load.ts";
import type { Operation } from "../../spec/model/spec.ts";
import { documentCopy, operation, specOf } from "../spec/package-spec.ts";
import { HEAD, HistoryBuilder } from "./builder.ts";

const file = (path: string) => ({ name: path, text: readFileSync(path, "utf8") });
const theatre = loadSpec(file("test/editions/theatre/openapi.yaml"), file("spec/requirements.yaml"));
const CREATE = "POST /stage/patrons";
const UPDATE = "PUT /stage/patrons/{number}/nick";

const isOfOperation = (entry: Entry): entry is Entry & { operation: Operation } => entry.operation !== null;
const enrolled = (past: HistoryBuilder, number: number, nick: string) =>
  past.answers(CREATE, { result: { number, nick } }, { sent: { nick } });
const renamed = (past: HistoryBuilder, number: number, nick: string) =>
  past.answers(UPDATE, { result: { number, nick } }, { path: String(number), sent: { nick } });

/** Whether the nick of the last request was right (true), wrong (false) or in doubt, after all others succeeded. */
function lastNick({ entries }: HistoryBuilder) {
  const taken = new TakenValues(theatre, false);
  const all = entries.filter(isOfOperation);
  const last = all.at(-1);
  if (!last) throw new Error("no request");
  const nickIn = (entry: Entry) => valueAt(requestJson(entry), "/nick");
  for (const entry of all.slice(0, -1)) taken.add(entry, "/nick", nickIn(entry));
  return taken.validity(last, "/nick", nickIn(last));
}

const start = () => enrolled(new HistoryBuilder(theatre), 1, "anna");

describe("a unique value of a create", () => {
  test("is good if nobody has it, and wrong if another resource has it", () => {
    expect(lastNick(enrolled(start(), 2, "bert"))).toBe("good");
    expect(lastNick(enrolled(start(), 2, "anna"))).toBe("wrong");
  });

  test("is wrong if an update gave it to another resource", () => {
    expect(lastNick(enrolled(renamed(start(), 1, "carl"), 2, "carl"))).toBe("wrong");
  });

  test("is in doubt if an update gave it up", () => {
    expect(lastNick(enrolled(renamed(start(), 1, "carl"), 2, "anna"))).toEqual({ open: null });
  });
});

describe("a unique value of an update", () => {
  test("is good if the resource has it already", () => {
    expect(lastNick(renamed(start(), 1, "anna"))).toBe("good");
  });

  test("is wrong if another resource has it, and in doubt if that one had it before an update", () => {
    expect(lastNick(renamed(start(), 2, "anna"))).toBe("wrong");
    expect(lastNick(renamed(renamed(start(), 1, "carl"), 2, "anna"))).toEqual({ open: null });
  });
});

describe("a value that must be unique in the whole service", () => {
  const document = documentCopy();
  const { Webhook } = (document.components as { schemas: Record<string, { properties: JsonObject }> })
    .schemas;
  const unique = { scope: "service", requirement: "ACCOUNT-NUMBER-UNIQUE" };
  Object.assign(Webhook?.properties ?? {}, { serial: { type: "string", "x-unique": unique } });
  const { "/webhooks": hooks } = document.paths as Record<string, { get: JsonObject }>;
  const active = { get: { ...hooks?.get, operationId: "listActiveWebhooks" } };
  Object.assign(document.paths as JsonObject, { "/webhooks/active": active });
  const edition = specOf(document);
  const CREATE_HOOK = operation("POST /webhooks", edition);
  const LIST_HOOKS = operation("GET /webhooks", edition);
  const listOf = (...items: JsonObject[]) => ({ result: items, pagination: { next: null } });

  function violations(past: HistoryBuilder) {
    const history = new History(edition, HEAD, past.entries);
    return [CREATE_HOOK, LIST_HOOKS].flatMap((at) => uniqueUses(history, at, unique.requirement).violations);
  }
  const sent = { name: "a", url: "https://a.example/x", events: ["payment.created"] };
  const made = () => new HistoryBuilder(edition).creates("w1", sent, { key: "k1", shown: { serial: "s1" } });

  test("may be shown by the create and by the list of one resource", () => {
    expect(violations(made().answers(LIST_HOOKS.key, listOf({ id: "w1", serial: "s1" })))).toEqual([]);
  });

  test("may be shown by another list of the resource", () => {
    const other = (id: string) => made().answers("GET /webhooks/active", listOf({ id, serial: "s1" }));
    expect(violations(other("w1"))).toEqual([]);
    expect(violations(other("w2"))).toHaveLength(1);
  });

  test("may go to another resource if updates can change it", () => {
    const changeable = documentCopy();
    const { schemas } = changeable.components as { schemas: Record<string, { properties: JsonObject }> };
    Object.assign(schemas.Webhook?.properties ?? {}, { serial: { type: "string", "x-unique": unique } });
    const body = "/paths/~1webhooks~1{id}/patch/requestBody/content/application~1json/schema/properties";
    Object.assign(valueAt(changeable, body) as JsonObject, { serial: { type: "string" } });
    const other = specOf(changeable);
    const found = (past: HistoryBuilder) =>
      uniqueUses(
        new History(other, HEAD, past.entries),
        operation("GET /webhooks", other),
        unique.requirement,
      ).violations;
    const freed = new HistoryBuilder(other)
      .creates("w1", sent, { key: "k1", shown: { serial: "s1" } })
      .updates("w1", { url: sent.url, serial: "s2" })
      .lists([{ id: "w2", serial: "s1" }]);
    expect(found(freed)).toEqual([]);
    const items = [
      { id: "w1", serial: "s3" },
      { id: "w2", serial: "s3" },
    ];
    expect(found(freed.lists(items.slice(1)).lists(items))).toHaveLength(1);
  });

  test("may go to another resource after a deletion", () => {
    const again = (method: string) => {
      const past = made().answers(CREATE_HOOK.key, {}, { operation: null, url: "/webhooks/w1" });
      for (const { operation: known, request } of past.entries) if (known === null) request.method = method;
      return past.creates("w2", sent, { key: "k2", shown: { serial: "s1" } });
    };
    expect(violations(again("DELETE"))).toEqual([]);
    expect(violations(again("POST"))).toHaveLength(1);
  });

  test("may go to another resource if an action can change it", () => {
    const other = documentCopy();
    const { schemas } = other.components as { schemas: Record<string, { properties: JsonObject }> };
    Object.assign(schemas.Webhook?.properties ?? {}, { serial: { type: "string", "x-unique": unique } });
    const paths = other.paths as Record<string, Record<string, JsonObject>>;
    const { patch } = paths["/webhooks/{id}"] ?? {};
    const body = { type: "object", required: ["serial"], properties: { serial: { type: "string" } } };
    const requestBody = { required: true, content: { "application/json": { schema: body } } };
    const { parameters, responses } = patch ?? {};
    const post = { operationId: "renumber", "x-section": "4.15", parameters, requestBody, responses };
    Object.assign(paths, { "/webhooks/{id}/renumber": { post } });
    const numbered = specOf(other);
    const past = new HistoryBuilder(numbered)
      .creates("w1", sent, { key: "k1", shown: { serial: "s1" } })
      .answers("POST /webhooks/{id}/renumber", { result: { id: "w1", serial: "s2" } }, { path: "w1" })
      .creates("w2", sent, { key: "k2", shown: { serial: "s1" } });
    const history = new History(numbered, HEAD, past.entries);
    const found = uniqueUses(history, operation("POST /webhooks", numbered), unique.requirement);
    expect(found.violations).toEqual([]);
  });

  test("is shared if the list shows it with another resource", () => {
    expect(violations(made().answers(LIST_HOOKS.key, listOf({ id: "w2", serial: "s1" })))).toHaveLength(2);
  });
});
