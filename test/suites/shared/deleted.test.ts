import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { History } from "../../../history/history.ts";
import { loadSpec } from "../../../spec/loading/load.ts";
import { allChecks } from "../../../suites/index.ts";
import { HEAD, HistoryBuilder } from "../../history/builder.ts";

const file = (path: string) => ({ name: path, text: readFileSync(path, "utf8") });
const harbour = loadSpec(file("test/editions/harbour/openapi.yaml"), file("spec/requirements.yaml"));
const checks = allChecks(harbour);
const SHIPS = "/api/ships";
const CORE = {
  title: "Anna",
  class: "tug",
  power: { kind: "sail", sails: 3 },
  engines: [],
  imo: "IMO 1234567",
};

const entered = (past: HistoryBuilder, number: number) =>
  past.answers(
    `POST ${SHIPS}`,
    { result: { number, ...CORE } },
    { sent: CORE, sentHeaders: [["x-key", `key-${number}`]] },
  );
const dropped = (past: HistoryBuilder, status = 204) =>
  past.answers(`DELETE ${SHIPS}/{ship}`, "", { path: "1", status });
const outcome = ({ entries }: HistoryBuilder, id: string) =>
  checks.find((check) => check.id === id)?.verdict?.(new History(harbour, HEAD, entries)).outcome;
const start = () => entered(new HistoryBuilder(harbour), 1);

describe("a resource that another client deleted", () => {
  test("need not be listed", () => {
    const empty = (past: HistoryBuilder) =>
      past.answers(`GET ${SHIPS}`, { result: [], pagination: { count: 0, next: null } });
    const listed = (past: HistoryBuilder) =>
      outcome(empty(empty(past.waits(2_000))), `creates/CREATE-LISTED POST ${SHIPS}`);
    expect(listed(start())).toBe("violated");
    expect(listed(dropped(start(), 404))).toBe("violated");
    expect(listed(dropped(start()))).toBe("not-exercised");
  });

  test("frees its unique values", () => {
    const id = `uniqueness/UNIQUE-REJECTED POST ${SHIPS} imo`;
    expect(outcome(entered(start(), 2), id)).toBe("violated");
    expect(outcome(entered(dropped(start()), 2), id)).toBe("not-exercised");
  });

  test("need not be found", () => {
    const isInDoubt = ({ entries }: HistoryBuilder) => {
      const { answers } = new History(harbour, HEAD, entries);
      const [found] = entries.slice(-1).map((entry) => answers.classification(entry));
      return found && "doubts" in found && found.doubts.some(({ place }) => place === "path/ship");
    };
    const get = (past: HistoryBuilder) => past.answers(`GET ${SHIPS}/{ship}`, {}, { path: "1", status: 404 });
    expect(isInDoubt(get(start()))).toBeFalsy();
    expect(isInDoubt(get(dropped(start())))).toBe(true);
    expect(isInDoubt(get(dropped(start(), 404)))).toBeFalsy();
  });
});
