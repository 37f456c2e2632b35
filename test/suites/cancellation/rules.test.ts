import { describe, expect, test } from "vitest";
import type { Head } from "../../../history/entry.ts";
import { History } from "../../../history/history.ts";
import type { RuleResult } from "../../../history/result.ts";
import type { JsonObject } from "../../../spec/json.ts";
import { cancellationRules } from "../../../suites/cancellation/rules.ts";
import { HEAD, type HistoryBuilder, historyOfCodes } from "../../history/builder.ts";
import { documentCopy, objectAt, spec, specOf } from "../../spec/package-spec.ts";

const checks = cancellationRules(spec);
const GIVEN: Head = {
  ...HEAD,
  spaces: ["spc-main", "spc-second"],
  fixtures: { cancellablePaymentCode: "c1,c2" },
};
const STATUS = "CANCEL-STATUS PATCH /payment-codes/{id} status";
const OPEN: JsonObject = {
  name: "a",
  mode: "recurrent",
  status: "pending",
  metadata: {},
  createTime: "2026-01-01T00:00:00Z",
};
const CHANGE: JsonObject = { name: "b", metadata: { a: "1" }, status: "cancelled" };
const DONE: JsonObject = { ...OPEN, ...CHANGE };
const ALONE: JsonObject = { status: "cancelled" };

const cancelled = (answer = DONE, shown = answer) =>
  historyOfCodes(spec).reads("c1", OPEN).updates("c1", CHANGE, answer).waits(2_000).reads("c1", shown);

function judge(id: string, past: HistoryBuilder, head = GIVEN): RuleResult | undefined {
  const check = checks.find((each) => each.id === `updates/${id}`);
  if (!check) throw new Error(`there is no check ${id}`);
  return check.verdict(new History(spec, head, past.entries));
}

/** The outcome of a check. For a violation, its certainty instead; if nothing was judged, the reason. */
function verdictOf(id: string, past: HistoryBuilder, head = GIVEN): string | undefined {
  const result = judge(id, past, head);
  if (result?.outcome === "violated") return result.violations[0].certainty;
  return result?.outcome === "not-exercised" ? result.reason : result?.outcome;
}

describe("the status after cancelling", () => {
  test("is shown by the answer and by reads", () => {
    expect(verdictOf(STATUS, cancelled())).toBe("held");
  });

  test("is not proven by an answer alone", () => {
    const past = historyOfCodes(spec).reads("c1", OPEN).updates("c1", CHANGE, DONE);
    expect(verdictOf(STATUS, past)).toBe("no-data");
  });

  test.each([
    ["the answer shows the old one", cancelled({ ...DONE, status: "pending" }, DONE), "proven"],
    ["the answer shows another one", cancelled({ ...DONE, status: "expired" }, DONE), "proven"],
    ["a read shows the old one", cancelled(DONE, OPEN), "proven"],
    ["a read shows another one", cancelled(DONE, { ...DONE, status: "expired" }), "suspected"],
  ])("is wrong if %s", (_, past, certainty) => {
    expect(verdictOf(STATUS, past)).toBe(certainty);
  });

  test("may show late", () => {
    const past = historyOfCodes(spec)
      .reads("c1", OPEN)
      .updates("c1", CHANGE, DONE)
      .reads("c1", OPEN)
      .reads("c1", DONE);
    expect(verdictOf(STATUS, past)).toBe("held");
  });

  test("is wrong if a later read under another version shows the old one", () => {
    const past = cancelled().reads("c1", { ...DONE, status: "pending" }, { version: "caph.2025-06-20" });
    expect(verdictOf(STATUS, past)).toBe("proven");
  });

  test("may become another one later, but not the old one", () => {
    expect(verdictOf(STATUS, cancelled().reads("c1", { ...DONE, status: "expired" }))).toBe("held");
    expect(verdictOf(STATUS, cancelled().reads("c1", { ...DONE, status: "pending" }))).toBe("proven");
  });

  test("is judged for a change without another field by itself", () => {
    const past = historyOfCodes(spec)
      .reads("c2", OPEN)
      .updates("c2", ALONE, { ...OPEN, ...ALONE })
      .waits(2_000);
    past.reads("c2", OPEN);
    expect(verdictOf(STATUS, past)).toBe("no-data");
    expect(verdictOf(`${STATUS} alone`, past)).toBe("proven");
  });

  test("needs a second fixture to be tested without another field", () => {
    const one = { ...GIVEN, fixtures: { cancellablePaymentCode: "c1" } };
    expect(verdictOf(`${STATUS} alone`, cancelled(), one)).toBe("no-fixture");
    expect(verdictOf(`${STATUS} alone`, cancelled())).toBe("no-data");
  });
});

describe("a change that is rejected", () => {
  test("is a violation if it is rejected each time", () => {
    const once = historyOfCodes(spec).reads("c2", OPEN).rejects("c2", ALONE, { status: 409 });
    expect(judge(`${STATUS} alone`, once)).toMatchObject({ violations: [{ actual: "status 409" }] });
    const again = once.updates("c2", ALONE, { ...OPEN, ...ALONE }).reads("c2", { ...OPEN, ...ALONE });
    expect(verdictOf(`${STATUS} alone`, again)).toBe("held");
  });

  test("proves nothing if its other fields are rejected alone as well", () => {
    const { status: _, ...rest } = CHANGE;
    const past = () => historyOfCodes(spec).reads("c1", OPEN).updates("c1", rest).rejects("c1", CHANGE);
    expect(verdictOf(STATUS, past())).toBe("suspected");
    expect(verdictOf(STATUS, past().updates("c1", rest))).toBe("suspected");
    expect(verdictOf(STATUS, past().rejects("c1", rest))).toBe("no-data");
  });

  test("is no violation if its version is rejected and another is accepted", () => {
    const past = historyOfCodes(spec)
      .updates("c1", { name: "b" })
      .rejects("c2", ALONE, { version: "caph.2025-06-20" });
    expect(verdictOf(`${STATUS} alone`, past)).toBe("no-data");
  });

  const none = { credential: { kind: "none", token: null } } as const;
  test.each([
    ["UPDATE-NO-EFFECT", "with a fault", {}],
    ["UPDATE-NO-EFFECT", "with a fault", { space: null }],
    ["UPDATE-NO-EFFECT", "with a fault", { space: "no-space" }],
    ["AUTH-NO-EFFECT", "without authentication", none],
    ["ISOLATION-UNKNOWN-SPACE", "in a space that does not exist", { space: "spc-unknown" }],
    ["ISOLATION-WRITES", "in another space", { space: "spc-second" }],
  ])("changes nothing, by %s %s, %j", (requirement, what, more) => {
    const id = `${requirement} PATCH /payment-codes/{id} status ${what}`;
    const past = () => historyOfCodes(spec).reads("c1", OPEN).rejects("c1", CHANGE, more);
    expect(verdictOf(id, past().reads("c1", OPEN))).toBe("held");
    expect(verdictOf(id, past().reads("c1", { ...OPEN, status: "cancelled" }))).toBe("proven");
    expect(verdictOf(id, past().reads("c1", { ...OPEN, name: "b" }))).toBe("proven");
    expect(verdictOf(id, cancelled())).toBe("no-data");
  });

  test("changes nothing from another space, even if it is accepted there", () => {
    const id = "ISOLATION-WRITES PATCH /payment-codes/{id} status in another space";
    const past = () =>
      historyOfCodes(spec).reads("c1", OPEN).updates("c1", CHANGE, DONE, { space: "spc-second" });
    expect(verdictOf(id, past().reads("c1", DONE))).toBe("proven");
    expect(verdictOf(id, past().reads("c1", OPEN))).toBe("no-data");
  });
});

describe("the other fields", () => {
  const TOGETHER = "CANCEL-TOGETHER PATCH /payment-codes/{id} status";
  const KEEPS = "UPDATE-KEEPS PATCH /payment-codes/{id} status";

  test("that were sent with the change are updated", () => {
    expect(verdictOf(TOGETHER, cancelled())).toBe("held");
    const emptied = { ...DONE, metadata: {} };
    expect(verdictOf(TOGETHER, cancelled(emptied))).toBe("proven");
    expect(verdictOf(TOGETHER, cancelled(DONE, emptied))).toBe("suspected");
  });

  test("that a plain update does not show either are judged with updates", () => {
    const past = historyOfCodes(spec).reads("c3", OPEN).updates("c3", { name: "x", metadata: {} }, OPEN);
    past.reads("c1", OPEN).updates("c1", CHANGE, { ...DONE, name: "a" });
    expect(verdictOf(TOGETHER, past)).toBe("control-rejected");
  });

  test("that no update can set are kept, and those that one can set may change", () => {
    expect(verdictOf(KEEPS, cancelled({ ...DONE, expireTime: "2026-02-01T00:00:00Z" }))).toBe("held");
    expect(verdictOf(KEEPS, cancelled({ ...DONE, createTime: "2026-02-01T00:00:00Z" }))).toBe("suspected");
  });
});

describe("an update after the change", () => {
  const STAYS = "UPDATE-KEEPS PATCH /payment-codes/{id} status once cancelled";
  const reverted = { ...DONE, name: "c", status: "pending" };

  test("does not take it back", () => {
    const past = () =>
      cancelled()
        .updates("c1", { name: "c" }, { ...DONE, name: "c" })
        .waits(2_000);
    expect(verdictOf(STAYS, past().reads("c1", { ...DONE, name: "c" }))).toBe("held");
    expect(verdictOf(STAYS, past().reads("c1", reverted))).toBe("proven");
    expect(verdictOf(STAYS, cancelled().updates("c1", { name: "c" }, reverted))).toBe("proven");
  });

  test("does not take it back if it is rejected", () => {
    const past = cancelled().rejects("c1", { name: "c" }, { status: 409 }).waits(2_000).reads("c1", OPEN);
    expect(verdictOf(STAYS, past)).toBe("proven");
  });

  test("with the change once more may do anything", () => {
    const past = cancelled().updates("c1", ALONE, reverted).waits(2_000).reads("c1", reverted);
    for (const { id, verdict, requirements } of checks)
      if (!requirements.includes("CANCEL-AGAIN"))
        expect(verdict(new History(spec, GIVEN, past.entries)).outcome, id).not.toBe("violated");
  });

  test("is observed", () => {
    const past = cancelled().updates("c1", { name: "c" }, DONE).rejects("c1", ALONE, { status: 409 });
    expect(judge("CANCEL-AGAIN PATCH /payment-codes/{id} status", past)).toMatchObject({
      notes: [
        { tried: "other fields", answer: { status: 200 } },
        { tried: "status cancelled again", answer: { status: 409 } },
      ],
    });
  });

  test("is observed if the operations take no space", () => {
    const document = documentCopy();
    const paths = objectAt(document, "paths");
    for (const [path, method] of [
      ["/payment-codes/{id}", "patch"],
      ["/payment-codes/{id}", "get"],
    ] as const) {
      const operation = objectAt(paths, path, method);
      const { parameters } = operation;
      if (!Array.isArray(parameters)) throw new Error(`no parameters at ${path}`);
      operation.parameters = parameters.filter((each) => !JSON.stringify(each).includes("/Space"));
    }
    const spaceless = specOf(document);
    const space = null;
    const past = historyOfCodes(spaceless)
      .reads("c1", OPEN, { space })
      .updates("c1", CHANGE, DONE, { space })
      .updates("c1", { name: "c" }, DONE, { space });
    const check = cancellationRules(spaceless).find(({ requirements }) =>
      requirements.includes("CANCEL-AGAIN"),
    );
    expect(check?.verdict(new History(spaceless, GIVEN, past.entries))).toMatchObject({
      notes: [{ tried: "other fields", answer: { status: 200 } }],
    });
  });

  test("is not observed in the answer to a faulty request", () => {
    const faulty = cancelled().rejects("c1", { ...ALONE, name: true });
    expect(verdictOf("CANCEL-AGAIN PATCH /payment-codes/{id} status", faulty)).toBe("no-data");
  });
});

describe("the list after the change", () => {
  const AGREES = "SHAPES-AGREE GET /payment-codes/{id} after PATCH /payment-codes/{id} with status";
  const FILTERED = "FILTER-COMPLETE GET /v1/payment-codes status after PATCH /payment-codes/{id} with status";
  const query: [string, string][] = [["status", "cancelled"]];
  const item = { id: "c1", ...DONE };

  test("shows what a read shows", () => {
    expect(verdictOf(AGREES, cancelled().lists([item]))).toBe("held");
    const differing = () => cancelled().lists([{ ...item, status: "pending" }]);
    expect(verdictOf(AGREES, differing().reads("c1", DONE))).toBe("suspected");
    expect(verdictOf(AGREES, differing().reads("c1", DONE).lists([item]))).toBe("held");
    expect(verdictOf(AGREES, differing().reads("c1", OPEN))).toBe("drift");
  });

  test("shows it under the filter", () => {
    const all = (past: HistoryBuilder) => past.answers("GET /v1/payment-codes", page([item]));
    const filtered = (past: HistoryBuilder, items: JsonObject[]) =>
      past.answers("GET /v1/payment-codes", page(items), { query });
    expect(verdictOf(FILTERED, filtered(cancelled(), [item]))).toBe("held");
    const missing = filtered(all(cancelled()), []);
    expect(verdictOf(FILTERED, missing)).toBe("drift");
    expect(judge(FILTERED, all(missing))).toMatchObject({ violations: [{ difference: "missing" }] });
    expect(verdictOf(FILTERED, filtered(missing, [item]))).toBe("held");
  });
});

function page(result: JsonObject[]): JsonObject {
  return {
    success: true,
    messages: [],
    result,
    pagination: { count: result.length, total: result.length, next: null },
  };
}

describe("values that an update replaced before the code was cancelled", () => {
  const RESTORED = "UPDATE-KEEPS PATCH /payment-codes/{id} older values once cancelled";
  const RENAMED = { ...OPEN, name: "b" };
  const GONE = { ...RENAMED, status: "cancelled" };
  const renamed = (answer: JsonObject, shown = answer) =>
    historyOfCodes(spec)
      .reads("c1", OPEN)
      .updates("c1", { name: "b" }, RENAMED)
      .reads("c1", RENAMED)
      .updates("c1", ALONE, answer)
      .waits(3_000)
      .reads("c1", shown);

  test("stay replaced", () => {
    expect(verdictOf(RESTORED, renamed(GONE))).toBe("held");
  });

  test.each([
    ["the answer", renamed({ ...GONE, name: "a" }, GONE)],
    ["a late read", renamed(GONE, { ...GONE, name: "a" })],
  ])("must not come back in %s", (_, past) => {
    expect(verdictOf(RESTORED, past)).toBe("suspected");
  });

  test("may give way to values that are new, empty or lists", () => {
    expect(verdictOf(RESTORED, renamed({ ...GONE, name: "cancelled" }))).toBe("no-data");
    expect(verdictOf(RESTORED, renamed({ ...GONE, name: "" }))).toBe("no-data");
  });

  test("may show late", () => {
    const past = historyOfCodes(spec)
      .reads("c1", OPEN)
      .updates("c1", { name: "b" }, RENAMED)
      .updates("c1", ALONE, GONE)
      .reads("c1", { ...GONE, name: "a" })
      .waits(3_000)
      .reads("c1", GONE);
    expect(verdictOf(RESTORED, past)).toBe("held");
  });
});
