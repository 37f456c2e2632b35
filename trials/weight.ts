/** Which of several faults alike is shown. */
import type { SeenFault } from "../client/target.ts";

/** Characters to read in the evidence of a fault; what shows only where a request was wrong comes later, nulls last. */
export function weight({ evidence, nulls, valid }: SeenFault): number {
  const size = evidence.reduce(
    (sum, { request, response }) =>
      sum + request.url.length + (request.body?.length ?? 0) + (response?.body?.length ?? 0),
    0,
  );
  return size + (valid ? 0 : 1e8) + (nulls ? 1e9 : 0);
}
