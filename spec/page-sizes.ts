import type { Operation } from "./model/spec.ts";

/** Returns the smallest allowed page size as text. */
export function smallestSize({ list }: Operation): string {
  const { minimum = 1, multipleOf = 1 } = list?.limit?.schema ?? {};
  return String(Math.max(minimum, multipleOf));
}

const COMMON_SIZE = 10;

/** Returns the largest allowed page size, or the default if there is no maximum. */
export function largestSize(operation: Operation): number {
  const { minimum = 1, maximum, default: documented } = operation.list?.limit?.schema ?? {};
  return maximum ?? Math.max(minimum, typeof documented === "number" ? documented : COMMON_SIZE);
}

/** Returns the page size that shows most of a list, or null if the list takes no page size. */
export function wholeSize(operation: Operation): number | null {
  return operation.list?.limit ? largestSize(operation) : null;
}

/** Returns the documented default page size, or a common one. */
export function defaultSize(operation: Operation): number {
  return documentedDefault(operation) ?? Math.min(largestSize(operation), COMMON_SIZE);
}

export function documentedDefault({ list }: Operation): number | undefined {
  const documented = list?.limit?.schema.default;
  return typeof documented === "number" ? documented : undefined;
}

/** Limits each size to the allowed range, and replaces a forbidden one by the smallest. Returns each once, in order. */
export function allowedSizes(operation: Operation, sizes: number[]): number[] {
  const {
    maximum = Number.POSITIVE_INFINITY,
    enum: options,
    multipleOf = 1,
  } = operation.list?.limit?.schema ?? {};
  const smallest = Number(smallestSize(operation));
  const allowed = sizes
    .map((size) => Math.min(Math.max(size, smallest), maximum))
    .map((size) => ((options?.includes(size) ?? size % multipleOf === 0) ? size : smallest));
  return [...new Set(allowed)].sort((a, b) => a - b);
}
