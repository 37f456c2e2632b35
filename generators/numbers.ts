import type { Schema } from "../spec/model/spec.ts";

export function validNumber(schema: Schema, integer: boolean, variation: number): number {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema;
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
  // There may be no whole step between two fractions.
  if (least > most && !integer && multipleOf === undefined) return (lowest + highest) / 2;
  const steps = least + (Number.isFinite(most) ? variation % Math.max(most - least + 1, 1) : variation);
  // Every second value has a fraction, which a service may lose.
  const isFraction = !integer && multipleOf === undefined && variation % 2 === 1 && steps + 0.5 <= highest;
  if (isFraction) return steps + 0.5;
  return Number((steps * step).toPrecision(12));
}
