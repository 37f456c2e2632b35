import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import type { Entry } from "../../../history/entry.ts";
import { History } from "../../../history/history.ts";
import { type RuleResult, violationIn } from "../../../history/result.ts";
import type { JsonObject } from "../../../spec/json.ts";
import { loadSpec } from "../../../spec/loading/load.ts";
import { updateRules } from "../../../suites/updates/rules.ts";
import { HEAD, HistoryBuilder } from "../../history/builder.ts";

const file = (path: string) => ({ name: path, text: readFileSync(path, "utf8") });
const spec = loadSpec(file("test/editions/theatre/openapi.yaml"), file("spec/requirements.yaml"));
const checks = updateRules(spec);
const CLOSE = "POST /stage/plays/{play}/close";
const READ = "GET /stage/plays/{play}";
const [ONE, OTHER] = ["11111111-1111-4111-8111-111111111111", "22222222-2222-4222-8222-222222222222"];
const space = "33333333-3333-4333-8333-333333333333";
const faulty = { closedOn: "never" };

class Plays extends HistoryBuilder {
  constructor() {
    super(spec);
  }

  shows(id: string, phase: string): this {
    return this.answers(READ, { result: { id, phase } }, { path: id, space });
  }

  closes(id: string, shown: JsonObject = { phase: "closed" }): this {
    return this.answers(
      CLOSE,
      { result: { id, ...shown } },
      { path: id, sent: { closedOn: "2026-01-01" }, space },
    );
  }

  refuses(id: string, credential?: Entry["credential"]): this {
    const more = credential ? { credential, status: 401 } : { status: 422 };
    return this.answers(CLOSE, {}, { path: id, sent: faulty, space, ...more });
  }
}

function judge(past: HistoryBuilder, requirement: string): RuleResult | undefined {
  const check = checks.find(({ id }) => id === `updates/${requirement} ${CLOSE} action`);
  return check?.verdict(new History(spec, { ...HEAD, spaces: [space] }, past.entries));
}

function outcome(past: HistoryBuilder, requirement = "UPDATE-NO-EFFECT"): string | undefined {
  return judge(past, requirement)?.outcome;
}

/** A history with an accepted action, so that its effect is known. */
const known = () => new Plays().shows(OTHER, "running").closes(OTHER);

test("a rejected action must not do what an accepted one does", () => {
  const after = (phase: string) => known().shows(ONE, "running").refuses(ONE).shows(ONE, phase);
  expect(outcome(after("closed"))).toBe("violated");
  expect(outcome(after("running"))).toBe("held");
});

test("the evidence has an accepted action, because a history without one shows no violation", () => {
  const past = known().shows(ONE, "running").refuses(ONE).shows(ONE, "closed").closes(ONE);
  const shownBy = violationIn(judge(past, "UPDATE-NO-EFFECT"))?.shownBy.map(({ entry }) => entry);
  expect(shownBy).toEqual(past.entries.slice(0, 5));
});

test("an action without a token must not do it either", () => {
  const past = known()
    .shows(ONE, "running")
    .refuses(ONE, { kind: "none", token: null } as never)
    .shows(ONE, "closed");
  expect(outcome(past, "AUTH-NO-EFFECT")).toBe("violated");
  expect(outcome(past)).toBe("not-exercised");
});

test("a field that moves to another value by itself is no effect of a rejected action", () => {
  const shown = { phase: "closed", edited: "2026-01-01T00:00:02Z" };
  const past = new Plays().shows(OTHER, "running").closes(OTHER, shown).shows(ONE, "running").refuses(ONE);
  past.answers(
    READ,
    { result: { id: ONE, phase: "running", edited: "2026-01-01T00:00:09Z" } },
    { path: ONE, space },
  );
  expect(outcome(past)).toBe("held");
});

test("an accepted action may show late", () => {
  const past = known().closes(ONE).shows(ONE, "running").refuses(ONE).shows(ONE, "closed");
  expect(outcome(past)).toBe("not-exercised");
});

test("a state that another resource took without a write may come by itself", () => {
  const THIRD = "44444444-4444-4444-8444-444444444444";
  const moving = (phase: string) =>
    new Plays()
      .answers(
        "POST /stage/plays",
        { result: { id: THIRD, title: "a", phase: "running" } },
        { sent: { title: "a" }, space },
      )
      .shows(THIRD, "running")
      .shows(THIRD, phase)
      .shows(OTHER, "running")
      .closes(OTHER)
      .shows(ONE, "running")
      .refuses(ONE)
      .shows(ONE, "closed");
  expect(outcome(moving("closed"))).toBe("excused");
  expect(outcome(moving("running"))).toBe("violated");
});
