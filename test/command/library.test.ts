import { expect, test } from "vitest";
import { conformanceChecks } from "../../command/api.ts";

const target = { baseUrl: "http://127.0.0.1:1", token: "tokentoken", space: "spc-1" };

test("conformanceChecks returns only the selected checks", async () => {
  const all = await conformanceChecks(target);
  const some = await conformanceChecks({ ...target, only: ["LIST-COUNT"] });
  const skipped = await conformanceChecks({ ...target, skip: ["LIST-COUNT"] });
  const smoke = await conformanceChecks({ ...target, preset: "smoke" });
  for (const { close } of [all, some, skipped, smoke]) await close();
  const isCount = ({ requirements }: { requirements: string[] }) => requirements.includes("LIST-COUNT");
  expect(some.checks.length).toBeGreaterThan(3);
  expect(some.checks.map(({ id }) => id)).toEqual(all.checks.filter(isCount).map(({ id }) => id));
  expect(skipped.checks.some(isCount)).toBe(false);
  expect(smoke.checks.length).toBeLessThan(all.checks.length);
});
