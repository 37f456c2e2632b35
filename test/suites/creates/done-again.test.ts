import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { History } from "../../../history/history.ts";
import type { JsonObject } from "../../../spec/json.ts";
import { loadSpec } from "../../../spec/loading/load.ts";
import { createTexts } from "../../../suites/creates/texts.ts";
import { HEAD, HistoryBuilder } from "../../history/builder.ts";

const file = (path: string) => ({ name: path, text: readFileSync(path, "utf8") });
const theatre = file("test/editions/theatre/openapi.yaml");
/** The theatre, whose closing takes a free text. */
const text = theatre.text.replace(
  "why: { type: string, enum: [end, illness, strike], default: end }",
  "why: { type: string, maxLength: 60 }",
);
const spec = loadSpec({ ...theatre, text }, file("spec/requirements.yaml"));
const CLOSE = "POST /stage/plays/{play}/close";
const [ONE, OTHER, NEW] = [
  "11111111-1111-4111-8111-111111111111",
  "22222222-2222-4222-8222-222222222222",
  "44444444-4444-4444-8444-444444444444",
];
const space = "33333333-3333-4333-8333-333333333333";
const check = createTexts(spec).find(({ id }) => id === `creates/CREATE-ECHO ${CLOSE} any text`);

class Plays extends HistoryBuilder {
  constructor() {
    super(spec);
    for (const id of [ONE, OTHER])
      this.answers(
        "POST /stage/plays",
        { result: { id, title: "a", phase: "running" } },
        { sent: {}, space },
      );
  }

  closes(id: string, why: string, shown: JsonObject = {}): this {
    const closedOn = "2026-01-01";
    const result = { id, phase: "closed", closedOn, why, ...shown };
    return this.answers(CLOSE, { result }, { path: id, sent: { closedOn, why }, space });
  }
}

const outcome = (past: HistoryBuilder) =>
  check?.verdict(new History(spec, { ...HEAD, spaces: [space] }, past.entries)).outcome;
const [FIRST, SECOND] = ["the first 💸", "the second 💸"];

test("an action for good may leave a resource as the first one left it", () => {
  const first = () => new Plays().closes(ONE, FIRST);
  expect(outcome(first().closes(ONE, SECOND, { why: FIRST }))).toBe("held");
  expect(outcome(first().closes(ONE, SECOND, { why: "another" }))).toBe("violated");
  expect(outcome(first().closes(OTHER, SECOND, { why: FIRST }))).toBe("violated");
});

test("an action that leaves no state behind must do the same again", () => {
  const running = { phase: "running" };
  const first = () => new Plays().closes(ONE, FIRST, running);
  expect(outcome(first().closes(ONE, SECOND, { why: FIRST, ...running }))).toBe("violated");
});

test("an action may leave a resource that is in its state already, if it changes the state of another", () => {
  const ignored = (past: HistoryBuilder) => {
    const sent = { closedOn: "2026-01-01", why: FIRST };
    const result = { id: NEW, title: "a", phase: "closed" };
    return past
      .answers("POST /stage/plays", { result }, { sent: {}, space })
      .answers(CLOSE, { result }, { path: NEW, sent, space });
  };
  expect(outcome(ignored(new Plays().closes(ONE, SECOND)))).toBe("held");
  expect(outcome(ignored(new Plays().closes(ONE, SECOND, { why: "another" })))).toBe("violated");
  expect(outcome(ignored(new Plays()))).toBe("violated");
});
