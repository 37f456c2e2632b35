import { expect, test } from "vitest";
import { unknownSpace } from "../../client/spaces.ts";
import type { Target } from "../../client/target.ts";
import { operation, spec } from "../spec/package-spec.ts";

const schema = operation("GET /webhooks").space?.schema ?? {};
const target = (space: string) =>
  ({ spec, runId: "e456577e", settings: { space, secondSpace: undefined } }) as unknown as Target;

test("an unknown space begins like the known one, because a service may compare beginnings", () => {
  expect(unknownSpace(target("spc-main"), schema)).toBe("spc-main-e456577e");
});

test("a known space of the greatest length gives another unknown one", () => {
  const known = "spc-".padEnd(schema.maxLength ?? 0, "m");
  expect(unknownSpace(target(known), schema)).toBe("spc-conformance-e456577e");
});

test("a known space that is a number gives another number", () => {
  const numbered = { type: "integer", minimum: 1000, maximum: 9999 } as const;
  const made = Number(unknownSpace(target("1000"), numbered));
  expect(made).toBeGreaterThan(1000);
  expect(made).toBeLessThanOrEqual(9999);
});
