import { expect, test } from "vitest";
import { halfOfFields } from "../../../suites/shared/update-fields.ts";
import { operation, spec } from "../../spec/package-spec.ts";

const create = operation("POST /v1/financial-accounts");
const body = { name: "a", currency: "ZMW", reference: null, description: "b", metadata: { c: "d" } };
const turns = Array.from({ length: 12 }, (_, turn) => halfOfFields(spec, create, body, turn));

test("in some turn each optional field is sent without each other one", () => {
  const fields = ["description", "metadata"];
  const isSentAlone = (one: string, other: string) => turns.some((sent) => one in sent && !(other in sent));
  const pairs = fields.flatMap((one) => fields.map((other) => [one, other] as const));
  expect(pairs.filter(([one, other]) => one !== other && !isSentAlone(one, other))).toEqual([]);
});

test("required fields and nulls are always sent", () => {
  for (const sent of turns) expect(sent).toMatchObject({ name: "a", currency: "ZMW", reference: null });
});
