import fc from "fast-check";
import { expect, test } from "vitest";
import { isSameBehindMasks } from "../../history/values/differences.ts";
import { keyedMask } from "../../reports/keyed-mask.ts";

const mask = keyedMask(Buffer.from("one run's key"));

test("a mask keeps form, casing and length, and replaces every letter and every digit except 0", () => {
  const value = "Aïcha Diallo-Ngozi, +237612345670";
  const masked = mask(value);
  expect(masked).toMatch(/^[A-Z]\p{Ll}[a-z]{3} [A-Z][a-z]{5}-[A-Z][a-z]{4}, \+[1-9]{11}0$/u);
  expect([...masked].filter((each, index) => /[a-z1-9ï]/i.test(each) && each === value[index])).toEqual([]);
});

test("another key gives another mask", () => {
  const other = keyedMask(Buffer.from("another run's key"));
  expect(other("Aicha Diallo")).not.toBe(mask("Aicha Diallo"));
});

test("text that a service masks itself stays masked, and compares with the unmasked text", () => {
  const [whole, hidden, other] = ["+237612345670", "+2376*****670", "+2377*****670"].map(mask);
  expect(hidden).toMatch(/^\+\d{4}\*{5}\d{3}$/);
  expect(isSameBehindMasks(whole, hidden)).toBe(true);
  expect(isSameBehindMasks(whole, other)).toBe(false);
  expect(mask("+2376•••••670")).toMatch(/^\+\d{4}•{5}\d{3}$/);
  expect(mask("…0670")).toMatch(/^…0\d{3}$/);
  expect(mask("Axxx")).toMatch(/^[B-Z]xxx$/);
});

const texts = fc.string({ unit: "grapheme", maxLength: 90 });

test("equal values stay equal, different ones different, in any casing", () => {
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
