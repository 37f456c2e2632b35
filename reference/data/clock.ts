import type { Random } from "../random.ts";

const START = Date.parse("2025-06-23T08:00:00Z");
const END = Date.parse("2025-11-17T18:00:00Z");
const DAY = 86_400_000;

export function dateTime(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}

/** Returns milliseconds since 1970. The newest item has index 0. */
export function createdAt(random: Random, index: number, count: number): number {
  const step = (END - START) / Math.max(1, count);
  return Math.floor(END - index * step - random.next() * step * 0.9);
}

export function days(from: number, count: number): number {
  return from + Math.floor(count * DAY);
}

export function farAhead(random: Random): number {
  return Date.parse("2031-01-01T00:00:00Z") + random.integer(0, 700) * DAY;
}
