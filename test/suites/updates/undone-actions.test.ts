import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { History } from "../../../history/history.ts";
import { loadSpec } from "../../../spec/loading/load.ts";
import { updateRules } from "../../../suites/updates/rules.ts";
import { HEAD, HistoryBuilder } from "../../history/builder.ts";

const file = (path: string) => ({ name: path, text: readFileSync(path, "utf8") });
const spec = loadSpec(file("test/editions/theatre/openapi.yaml"), file("spec/requirements.yaml"));
const CLOSE = "POST /stage/plays/{play}/close";
const READ = "GET /stage/plays/{play}";
const id = "11111111-1111-4111-8111-111111111111";
const space = "33333333-3333-4333-8333-333333333333";
const check = updateRules(spec).find((each) => each.id === `updates/CREATE-ECHO ${CLOSE} action`);

/** Judges an action whose answer shows nothing that was sent. The four phases are shown by answers in this order. */
function outcome(before: string, answered: string, atOnce: string, later: string): string | undefined {
  const past = new HistoryBuilder(spec);
  const shows = (phase: string) => past.answers(READ, { result: { id, phase } }, { path: id, space });
  shows(before).answers(
    CLOSE,
    { result: { id, phase: answered } },
    { path: id, sent: { closedOn: "2026-01-01" }, space },
  );
  shows(atOnce).waits(5_000);
  shows(later);
  return check?.verdict(new History(spec, { ...HEAD, spaces: [space] }, past.entries)).outcome;
}

test("an action is not done if no read shows what its answer showed", () => {
  expect(outcome("running", "closed", "running", "running")).toBe("violated");
  expect(outcome("running", "closed", "running", "closed")).toBe("held");
});

test("a state that an action gives for a moment is seen at once", () => {
  expect(outcome("running", "closed", "closed", "running")).toBe("not-exercised");
});

/** Judges an action whose answer shows the sent values. The last read lacks them, the read before may show them. */
function outcomeWithout(atOnce: boolean, phaseLater: string): string | undefined {
  const past = new HistoryBuilder(spec);
  const closed = { id, phase: "closed", closedOn: "2026-01-01" };
  past
    .answers(READ, { result: { id, phase: "running" } }, { path: id, space })
    .answers(CLOSE, { result: closed }, { path: id, sent: { closedOn: "2026-01-01" }, space })
    .answers(READ, { result: atOnce ? closed : { id, phase: "running" } }, { path: id, space })
    .waits(5_000);
  past.answers(READ, { result: { id, phase: phaseLater } }, { path: id, space });
  return check?.verdict(new History(spec, { ...HEAD, spaces: [space] }, past.entries)).outcome;
}

test("what an action was sent may go with the state that it gave, if a read showed both", () => {
  expect(outcomeWithout(true, "running")).toBe("not-exercised");
  expect(outcomeWithout(true, "closed")).toBe("violated");
  expect(outcomeWithout(false, "running")).toBe("violated");
});
