import { expect, test } from "vitest";
import type { Schema } from "../../../spec/model/spec.ts";
import { freeTextFields } from "../../../suites/shared/echo.ts";
import { spec } from "../../spec/package-spec.ts";

test("a short field has room for a few bytes of awkward text behind the run tag", () => {
  const text = (maxLength: number): Schema => ({ type: "string", maxLength });
  const body: Schema = {
    type: "object",
    properties: { a: text(24), b: text(25), c: text(40), d: text(500) },
  };
  expect(freeTextFields(spec, body)).toEqual([
    ["b", 8],
    ["c", 16],
    ["d", 80],
  ]);
});
