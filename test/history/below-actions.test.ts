/** After an action, a service may reject changes of its resource, and creates below it. */

import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { isDoneBefore } from "../../history/answers/actions-done.ts";
import { History } from "../../history/history.ts";
import { loadSpec } from "../../spec/loading/load.ts";
import { operationById } from "../../spec/operations.ts";
import { HEAD, HistoryBuilder } from "./builder.ts";

const file = (path: string) => ({ name: path, text: readFileSync(path, "utf8") });
const theatre = loadSpec(file("test/editions/theatre/openapi.yaml"), file("spec/requirements.yaml"));

const play = "0b7e0d6a-33a8-4a0e-9c1e-6a5f2f3d4c5b";
const venue = "3f0a1c52-6f0e-4d8f-8a53-6d1f1f1a7b10";
const head = { ...HEAD, spaces: [venue] };
const result = { id: play, phase: "running" };
const closing = { closedOn: "2026-02-03" };
const night = { slot: "N01:ab", doors: "19:00:00Z", price: 10 };

test("a create below a resource is open after an action on it, and the action again is not", () => {
  const more = { space: venue };
  const past = new HistoryBuilder(theatre)
    .answers("GET /stage/plays", { result: [result], pagination: { count: 1, next: null } }, more)
    .answers("POST /stage/plays/{play}/nights", {}, { ...more, path: play, sent: night, status: 409 })
    .answers("POST /stage/plays/{play}/close", { result }, { ...more, path: play, sent: closing })
    .answers("POST /stage/plays/{play}/nights", {}, { ...more, path: play, sent: night, status: 409 })
    .answers("POST /stage/plays/{play}/close", { result }, { ...more, path: play, sent: closing });
  const { answers } = new History(theatre, head, past.entries);
  const kinds = past.entries.map((entry) => answers.classification(entry).kind);
  expect(kinds).toEqual(["valid", "valid", "valid", "doubtful", "valid"]);
});

test("a POST that answers another resource may be accepted once, and close the one in its path", () => {
  const { name, text } = file("test/editions/theatre/openapi.yaml");
  const [before = "", after = ""] = text.split("operationId: closePlay");
  const answer = (component: string) => `{ "200": { $ref: "#/components/responses/${component}" } }`;
  const closes = after.replace(answer("Play"), answer("Patron"));
  const other = loadSpec(
    { name, text: `${before}operationId: closePlay${closes}` },
    file("spec/requirements.yaml"),
  );
  const more = { space: venue, path: play };
  const past = new HistoryBuilder(other)
    .answers("GET /stage/plays", { result: [result], pagination: { count: 1, next: null } }, more)
    .answers("POST /stage/plays/{play}/close", { result: { number: 1 } }, { ...more, sent: closing })
    .answers("PATCH /stage/plays/{play}", {}, { ...more, sent: { title: "a" }, status: 409 })
    .answers("POST /stage/plays/{play}/close", {}, { ...more, sent: closing, status: 409 });
  const { answers, entries } = new History(other, head, past.entries);
  const kinds = entries.map((entry) => answers.classification(entry).kind);
  expect(kinds).toEqual(["valid", "valid", "doubtful", "valid"]);
  const isDone = ({ entries: all }: HistoryBuilder) =>
    all.map(isDoneBefore(new History(other, head, all), operationById(other, "closePlay")));
  expect(isDone(past)).toEqual([false, false, false, true]);
  const twice = { ...more, sent: closing };
  past.answers("POST /stage/plays/{play}/close", { result: { number: 2 } }, twice);
  expect(isDone(past)).toEqual([false, false, false, false, false]);
});
