import type { Call } from "../../client/call.ts";
import type { RequestPlan } from "../../generators/request.ts";
import { isUndecided } from "../../history/lists/pairs.ts";
import { requirementsOf } from "../../history/lists/same-record.ts";
import { comparedRecords, type RecordComparison, type RecordRead } from "./records.ts";

/** Milliseconds between reads of a record that differs from its list. */
const PAUSE_MS = 100;

/**
 * Reads records and their lists. If one differs, both are read again until they agree, or until the difference
 * has lasted for the consistency timeout.
 */
export async function readUntilSettled(
  call: Call,
  at: RecordRead,
  reads: readonly { list: RequestPlan; path: string }[],
): Promise<void> {
  const { target, version } = call;
  const requirements = requirementsOf(at.operation.sameRecord);
  const isOpen = (comparison: RecordComparison) =>
    isUndecided(comparison) && comparison.read.version === version;
  const deadline = Date.now() + target.settings.visibilityDelay + PAUSE_MS;
  do {
    const compared = requirements.flatMap((requirement) =>
      comparedRecords(target.history(), at, requirement),
    );
    const doubtful = compared.filter((each) => isOpen(each) && each.differences.length > 0);
    const open = reads.find(({ path }) => doubtful.some((each) => each.path === path));
    if (!open) return;
    await target.send(open.list, { role: "list", valid: true });
    await readRecord(call, open.path);
    await target.send(open.list, { role: "list", valid: true });
    await target.pause(PAUSE_MS);
  } while (Date.now() < deadline);
}

export async function readRecord(call: Call, path: string): Promise<void> {
  await call.target.send(call.requestAt(path), { valid: true });
}
