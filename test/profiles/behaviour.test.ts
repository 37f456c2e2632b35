import { expect, test } from "vitest";
import { agreesByStatus } from "../../profiles/behaviour.ts";
import { behaviourOf } from "../../profiles/behaviours.ts";
import type { Note } from "../../spec/model/note.ts";
import { spec } from "../spec/package-spec.ts";

const about = { requirement: "PARAMETER-SPELLING", operation: "GET /banks" };
const answered = (status: number) =>
  ({ ...about, behaviour: "emptyParameters", answer: { status } }) satisfies Note;

test.each([
  [200, true],
  [400, false],
  [0, undefined],
  [408, undefined],
  [429, undefined],
  [503, undefined],
])("a promise to accept is judged by status %i as %s", (status, expected) => {
  expect(agreesByStatus("accepted", answered(status))).toBe(expected);
});

test("a 429 does not show if two spellings of a unique value are the same", () => {
  const behaviour = behaviourOf("uniqueValuesInOtherCasing");
  const agrees = (second: number) =>
    behaviour?.agrees(
      "distinct",
      { ...about, behaviour: "uniqueValuesInOtherCasing", answer: { statuses: [200, second] } },
      spec,
    );
  expect([200, 409, 429].map(agrees)).toEqual([true, false, undefined]);
});
