import { createHash } from "node:crypto";
import type { Schema } from "../spec/model/spec.ts";
import { isMultipleOf } from "../spec/multiples.ts";

/** A service may keep two or three decimals only. */
const FRACTION = 0.3725;
const NARROW = 2;
const SHARES_OF_RANGE = [0.3725, 0.5, 0.83];

/** Returns a fraction between narrow limits, because few whole numbers lie there. */
function betweenNarrowLimits(
  { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf }: Schema,
  variation: number,
): number | undefined {
  const lowest = minimum ?? exclusiveMinimum;
  const highest = maximum ?? exclusiveMaximum;
  if (multipleOf !== undefined || lowest === undefined || highest === undefined) return undefined;
  const share = SHARES_OF_RANGE[variation % SHARES_OF_RANGE.length] ?? 0.5;
  return highest - lowest > NARROW
    ? undefined
    : Number((lowest + (highest - lowest) * share).toPrecision(12));
}

/** True if the number is within the limits of the schema and a multiple as it asks. */
export function allowsNumber(schema: Schema, number: number): boolean {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema;
  return (
    number >= (minimum ?? number) &&
    number <= (maximum ?? number) &&
    number > (exclusiveMinimum ?? Number.NEGATIVE_INFINITY) &&
    number < (exclusiveMaximum ?? Number.POSITIVE_INFINITY) &&
    (multipleOf === undefined || isMultipleOf(number, multipleOf))
  );
}

/** Returns a number within the limits. Another variation is another number, if there is one. */
export function validNumber(schema: Schema, integer: boolean, variation: number): number {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema;
  const between = integer ? undefined : betweenNarrowLimits(schema, variation);
  if (between !== undefined) return between;
  const step = multipleOf ?? 1;
  const lowest = Math.max(
    minimum ?? Number.NEGATIVE_INFINITY,
    exclusiveMinimum === undefined ? Number.NEGATIVE_INFINITY : exclusiveMinimum + step,
  );
  const highest = Math.min(
    maximum ?? Number.POSITIVE_INFINITY,
    exclusiveMaximum === undefined ? Number.POSITIVE_INFINITY : exclusiveMaximum - step,
  );
  const most = Math.floor(highest / step);
  const least = Number.isFinite(lowest) ? Math.ceil(lowest / step) : Math.min(1, most);
  // No whole number may lie between the limits, such as 0.2 and 0.8.
  if (least > most && !integer && multipleOf === undefined) return (lowest + highest) / 2;
  // A service may lose fractions, or reset to the least number, so that comes last.
  const further = Number.isFinite(lowest) ? variation + 1 : variation;
  const steps = least + (Number.isFinite(most) ? further % Math.max(most - least + 1, 1) : further);
  const fraction = steps + FRACTION;
  const isFraction = !integer && multipleOf === undefined && variation % 2 === 1 && fraction <= highest;
  // The sum may have an error in its last digits.
  if (isFraction) return Number(fraction.toFixed(4));
  const number = steps * step;
  return Number.isInteger(step) ? number : Number(number.toPrecision(12));
}

/** Returns a whole number of at most nine digits that differs for each unique text. */
export function freshNumber(source: { unique(): string }): number {
  const digest = createHash("sha256").update(source.unique()).digest("hex");
  return Number.parseInt(digest.slice(0, 7), 16);
}
