import { BadValue, type Kind } from "./kinds.ts";

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 };
const DURATION = /^(\d+(?:\.\d+)?)(ms|s|m|h)$/;

/** Reads `500ms`, `30s`, `2m` or `1h` as milliseconds, at most `max`. */
export function duration(max: number): Kind<number> {
  const read = (text: string): number => {
    const [, amount, unit = ""] = DURATION.exec(text) ?? [];
    if (amount === undefined)
      throw new BadValue("must be a duration with its unit, such as 500ms, 30s or 2m");
    const milliseconds = Math.round(Number(amount) * (UNITS[unit] ?? Number.NaN));
    if (milliseconds > max) throw new BadValue(`must be at most ${max / 1_000}s`);
    return milliseconds;
  };
  return {
    argument: "<duration>",
    many: false,
    schema: { type: "string", pattern: DURATION.source },
    split: (text) => [text],
    fromText: (texts) => read(texts.at(-1) ?? ""),
    fromFile: (value) => read(String(value)),
  };
}
