import fc from "fast-check";
import { expect, test } from "vitest";
import { isSameBehindMasks } from "../../history/differences.ts";
import { keyedMask } from "../../reports/keyed-mask.ts";

const mask = keyedMask(Buffer.from("one run's key"));

test("keeps form, casing and length, and leaves no letter and no digit but 0 as it was", () => {
  const value = "Aïcha Diallo-Ngozi, +237612345670";
  const masked = mask(value);
  expect(masked).toMatch(/^[A-Z]\p{Ll}[a-z]{3} [A-Z][a-z]{5}-[A-Z][a-z]{4}, \+[1-9]{11}0$/u);
  expect([...masked].filter((each, index) => /[a-z1-9ï]/i.test(each) && each === value[index])).toEqual([]);
});

test("another key gives another mask", () => {
  const other = keyedMask(Buffer.from("another run's key"));
  expect(other("Aicha Diallo")).not.toBe(mask("Aicha Diallo"));
});

test("what a service hides itself stays hidden, and the rest stays the same behind it", () => {
  const [whole, hidden, other] = ["+237612345670", "+2376*****670", "+2377*****670"].map(mask);
  expect(hidden).toMatch(/^\+\d{4}\*{5}\d{3}$/);
  expect(isSameBehindMasks(whole, hidden)).toBe(true);
  expect(isSameBehindMasks(whole, other)).toBe(false);
  expect(mask("Axxx")).toMatch(/^[B-Z]xxx$/);
});

const texts = fc.string({ unit: "grapheme", maxLength: 90 });

test("equal stays equal, different stays different, in any casing", () => {
  fc.assert(
    fc.property(texts, texts, (one, other) => {
      expect(mask(one) === mask(other)).toBe(one === other);
      expect(mask(one).length).toBe(one.length);
    }),
  );
  fc.assert(
    fc.property(fc.stringMatching(/^[A-Za-z0-9é]*$/), (text) => {
      expect(mask(text.toUpperCase())).toBe(mask(text.toLowerCase()).toUpperCase());
    }),
  );
});
