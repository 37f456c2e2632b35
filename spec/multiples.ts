/** A service that adds doubles may show 0.30000000000000004. */
const TOLERANCE = 1e-9;

/** True for a whole multiple in decimals: the quotient of doubles is not whole for 1000004.44 and 0.01. */
export function isMultipleOf(value: number, step: number): boolean {
  const quotient = value / step;
  if (Math.abs(Math.round(quotient) - quotient) <= TOLERANCE) return true;
  if (!Number.isFinite(value)) return false;
  const [digits, exponent] = decimalOf(value);
  const [stepDigits, stepExponent] = decimalOf(step);
  const common = Math.min(exponent, stepExponent);
  const scaled = (number: bigint, from: number) => number * 10n ** BigInt(from - common);
  return scaled(digits, exponent) % scaled(stepDigits, stepExponent) === 0n;
}

function decimalOf(value: number): [digits: bigint, exponent: number] {
  const [mantissa = "", exponent = ""] = value.toExponential().split("e");
  const [whole = "", fraction = ""] = mantissa.split(".");
  return [BigInt(whole + fraction), Number(exponent) - fraction.length];
}
