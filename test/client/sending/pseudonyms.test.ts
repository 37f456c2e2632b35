import fc from "fast-check";
import { expect, test } from "vitest";
import { Pseudonyms } from "../../../runner/redacted-entries.ts";

test("a pseudonym has the number of its secret, its length and its punctuation", () => {
  const { pseudonymOf: of } = new Pseudonyms();
  expect(of("k3Jq8Zr1Lm0Pw5Xy")).toBe("secret1xxxxxxxxx");
  expect(of("sk-live-9f8e7d6c5b4a")).toBe("xx-xxxx-secret2xxxxx");
  expect(of("ab.cd ef.gh ij")).toBe("se.cr et.3x xx");
  expect(of(" é1b ")).toBe(" ésecret4 ");
  expect(of("***")).toBe("[secret5]");
  expect(of("k3Jq8Zr1Lm0Pw5Xy")).toBe("secret1xxxxxxxxx");
});

test("no two secrets share a pseudonym", () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.string({ minLength: 1, maxLength: 12 })), (secrets) => {
      const { pseudonymOf: of } = new Pseudonyms();
      expect(new Set(secrets.map(of)).size).toBe(secrets.length);
    }),
  );
});
