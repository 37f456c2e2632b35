import { expect, test } from "vitest";
import { type RequestPlan, requestTo, withBody } from "../../generators/request.ts";
import type { Entry } from "../../history/entry.ts";
import { History } from "../../history/history.ts";
import { Resender, type Sender } from "../../runner/confirming/sent-again.ts";
import type { JsonObject } from "../../spec/json.ts";
import type { Spec } from "../../spec/model/spec.ts";
import { HEAD, HistoryBuilder } from "../history/builder.ts";
import { documentCopy, objectAt, operation, spec, specOf } from "../spec/package-spec.ts";
import { exampleSettings } from "./settings.ts";

const RUN_TAG = "ab12cd34";
const text = (number: string) => `pc-${RUN_TAG}-${number}`;

/** Sends the updates of the history again, and returns their bodies. */
async function sentAgain(past: HistoryBuilder, of: Spec = spec): Promise<unknown[]> {
  const bodies: unknown[] = [];
  let count = 0;
  const target = {
    spec: of,
    settings: exampleSettings(),
    send: async ({ body }: RequestPlan) => {
      bodies.push(body?.kind === "json" ? body.value : undefined);
      return {} as Awaited<ReturnType<Sender["send"]>>;
    },
    unique: () => text(`new${String.fromCharCode(97 + count++)}`),
    pause: async () => undefined,
  };
  const history = new History(of, { ...HEAD, runTag: RUN_TAG }, past.entries);
  const planOf = ({ request }: Entry) =>
    withBody(
      { ...requestTo(operation("PATCH /webhooks/{id}", of), null), path: "w1" },
      JSON.parse(request.body?.text ?? "{}") as JsonObject,
    );
  const resender = new Resender(target, { history, planOf });
  for (const entry of past.entries.filter((each) => each.operation?.kind === "update"))
    await resender.send(entry);
  return bodies;
}

test("texts of updates are new, and equal ones stay equal", async () => {
  const past = new HistoryBuilder(spec)
    .creates("w1", { name: "a" })
    .updates("w1", { name: text("000a") })
    .updates("w1", { name: text("000a") })
    .updates("w1", { name: text("000A") });
  expect(await sentAgain(past)).toEqual([
    { name: text("newa") },
    { name: text("newa") },
    { name: text("NEWA") },
  ]);
});

test("the text of another resource stays, because it may be the reason for the violation", async () => {
  const past = new HistoryBuilder(spec)
    .creates("w2", { name: text("000a") })
    .creates("w1", { name: "a" })
    .updates("w1", { name: text("000a") });
  expect(await sentAgain(past)).toEqual([{ name: text("000a") }]);
});

test("a unique number is new, and equal numbers of other fields stay", async () => {
  const document = documentCopy();
  const fields = objectAt(document, "paths", "/webhooks/{id}", "patch", "requestBody", "content");
  const properties = objectAt(fields, "application/json", "schema", "properties");
  properties.line = { type: "integer", minimum: 1, maximum: 9_999_999, "x-unique": { scope: "space" } };
  properties.size = { type: "integer", minimum: 1 };
  const edition = specOf(document);
  const past = new HistoryBuilder(edition).creates("w1", { name: "a" }).updates("w1", { line: 7, size: 7 });
  const [sent] = await sentAgain(past, edition);
  expect(sent).toEqual({ line: expect.any(Number), size: 7 });
  expect(sent).not.toHaveProperty("line", 7);
});

test("a page is asked for with the cursor that the service gives out now, and the last one is followed to the end", async () => {
  const page = (next: string | null) => ({ success: true, messages: [], result: [], pagination: { next } });
  const list = operation("GET /webhooks");
  const past = new HistoryBuilder(spec)
    .answers(list.key, page("old"))
    // A faulty service may give out the cursor for another page, too.
    .answers(list.key, page("old"), { query: [["limit", "1"]] })
    .answers(list.key, page(null), { query: [["after", "old"]] });
  const sent: RequestPlan["query"][] = [];
  const target = {
    spec,
    settings: exampleSettings(),
    send: async ({ query }: RequestPlan) => {
      sent.push(query);
      return { json: page(sent.length < 5 ? `new${sent.length}` : null) } as Awaited<
        ReturnType<Sender["send"]>
      >;
    },
    unique: () => text("new"),
    pause: async () => undefined,
  };
  const planOf = ({ request }: Entry) => ({ ...requestTo(list, null), query: request.query });
  const resender = new Resender(target, { history: new History(spec, HEAD, past.entries), planOf });
  for (const entry of past.entries) await resender.send(entry);
  expect(sent.slice(2)).toEqual(["new1", "new3", "new4"].map((cursor) => [["after", cursor]]));
});
