import { describe, expect, test } from "vitest";
import { defects, historyDefects } from "../../reference/index.ts";
import { select } from "./select.ts";

const namesOf = (options: Parameters<typeof select>[0]) => select(options).defects.map(({ name }) => name);
const isHistory = (name: string) => name.startsWith("history-");

describe("defects that only a sequence of calls shows", () => {
  test("are left out of the proof by default", () => {
    expect(namesOf({})).toEqual(defects.map(({ name }) => name));
    expect(namesOf({ quick: true }).filter(isHistory)).toEqual([]);
    expect(() => select({ defects: "history-*" })).toThrow(RangeError);
  });

  test("are included by --history, and no page is written", () => {
    expect(namesOf({ history: true, defects: "history-*" })).toEqual(historyDefects.map(({ name }) => name));
    expect(select({ history: true })).toMatchObject({ partial: true });
    expect(namesOf({ history: true })).toHaveLength(defects.length + historyDefects.length);
  });
});
