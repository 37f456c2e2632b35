import { Call } from "../../client/call.ts";
import { sampleItems } from "../../client/samples.ts";
import { sideBySide } from "../../client/side-by-side.ts";
import { asText, isRejected, type Probe, type Target } from "../../client/target.ts";
import type { RequestPlan } from "../../generators/request.ts";
import { type Entry, isAccepted, isWrite, requestJson } from "../../history/entry.ts";
import { isUndecided } from "../../history/lists/pairs.ts";
import { requirementsOf } from "../../history/lists/same-record.ts";
import { textsIn } from "../../history/values/tags.ts";
import type { Operation } from "../../spec/model/spec.ts";
import { operationById } from "../../spec/operations.ts";
import { knownPath, listedPages, listedRecords, recordReads } from "../shared/listed-records.ts";
import { eachVersionProbe, plainProbe, versionsToSend } from "../shared/sampled.ts";
import { readUnknownSpace } from "./between-reads.ts";
import { comparedRecords, type RecordComparison, type RecordRead } from "./records.ts";
import { type Referring, readersOf, referencesShown } from "./references.ts";
import { planOf } from "./repeated-reads.ts";
import { readsOfTheseIds } from "./unknown-ids.ts";

/** Reads a record by each field that names it, such as id and code. */
export function readEachWay(operation: Operation): Probe {
  return eachVersionProbe("reads", operation, async (call) => {
    const plan = await call.valid();
    if (!operation.sameRecord) await call.target.ask(plan);
    else
      await sideBySide(operation.sameRecord.by, async (field) => {
        const path = await knownPath(call, field);
        const answer = await call.target.ask({ ...plan, path });
        if (isRejected(answer)) await listAgain(call);
      });
  });
}

/** Sends the read once more after the consistency timeout. A replica may not know a new resource at first. */
export function readAfterTimeout(operation: Operation, read: Entry): Probe {
  return plainProbe("read after the consistency timeout", operation, "read", async (call) => {
    await call.target.pause(call.target.settings.visibilityDelay);
    await call.send(planOf(read));
  });
}

/** Reads the list once more after a read of one of its records was rejected, because the record may be gone. */
export function listAfterRejected({ operation, field }: RecordRead, list: Entry): Probe {
  const name = `list after a rejected read by ${field} of`;
  return plainProbe(name, operation, "read", async ({ target }) => {
    if (list.operation?.outer.length === 0) await target.send(planOf(list), { role: "list", valid: true });
  });
}

async function listAgain({ target, operation, version }: Call): Promise<void> {
  await listedPages(target, listOf(target, operation), version, (plan) =>
    target.send(plan, { role: "list", valid: true }),
  );
}

function listOf({ spec }: Target, { sameRecord }: Operation): Operation {
  return operationById(spec, sameRecord?.list ?? "");
}

/** Reads listed records, and lists again until read and list can be compared. */
export function readRecords(operation: RecordRead["operation"]): Probe {
  return {
    id: `records ${operation.id}`,
    stage: "read",
    async run(target) {
      await Promise.all(readsOfTheseIds(target.spec, operation).map((probe) => target.probe(probe)));
      await sideBySide(versionsToSend(target, operation, "records"), async (version) => {
        const call = new Call(target, operation, version);
        await sideBySide(operation.sameRecord.by, async (field) => {
          const reads = await recordReads(call, field, unknownSpaceBefore(target));
          const missed = reads.filter(({ answer }) => isRejected(answer));
          if (missed.length > 0) {
            await listAgain(call);
            await sideBySide(missed, ({ path }) => readRecord(call, path));
            await listAgain(call);
          }
          const compared = reads.map(({ listed, path }) => ({ list: listed.page.plan, path }));
          await readUntilSettled(call, { operation, field }, compared);
        });
      });
    },
  };
}

/** Reads records again after writes that name them: a faulty service may change the record or its list item. */
export function recordAfterWrites(operation: RecordRead["operation"]): Probe {
  return plainProbe("record after writes", operation, "aftermath", async (call) => {
    const { target } = call;
    const [field = "id"] = operation.sameRecord.by;
    const writes = target.history().entries.filter((entry) => isWrite(entry) && isAccepted(entry));
    const sent = new Set(writes.flatMap((entry) => textsIn(requestJson(entry))));
    const records = await listedRecords(target, listOf(target, operation), call.version);
    const [most] = records
      .map((listed) => ({ listed, times: textsIn(listed.item).filter((text) => sent.has(text)).length }))
      .sort((one, other) => other.times - one.times);
    const path = asText(most?.listed.item[field]);
    if (most === undefined || path === undefined || most.times === 0) return;
    const list = most.listed.page.plan;
    await readRecord(call, path);
    await target.send(list, { role: "list", valid: true });
    await readUntilSettled(call, { operation, field }, [{ list, path }]);
  });
}

/** Precedes only the third record, because READ-STABLE compares the first two. */
function unknownSpaceBefore(target: Target): (index: number, plan: RequestPlan) => Promise<void> {
  return async (index, plan) => {
    if (index === 2) await readUnknownSpace(target, plan);
  };
}

const MOST_READ = 3;

/** Reads the records to which references point that no list shows. */
export function readReferences(at: Referring): Probe {
  const { operation, requirement } = at;
  return plainProbe(`references for ${requirement} in`, operation, "read", async (call) => {
    const { target } = call;
    const [field] = operation.sameRecord?.by ?? [];
    if (operation.kind === "list") await listedRecords(target, operation, call.version);
    else if (field === undefined) await target.ask(await call.valid());
    else await recordReads(call, field);
    for (const id of at.lists) await sampleItems(target, operationById(target.spec, id));
    const open = referencesShown(target.history(), at).filter(({ exists }) => exists === undefined);
    for (const { value } of open.slice(0, MOST_READ))
      await sideBySide(readersOf(target.spec, at), (reader) => readRecord(new Call(target, reader), value));
  });
}

/** Milliseconds between reads of a record that differs from its list. */
const PAUSE_MS = 100;

/**
 * Reads records and their lists. If one differs, both are read again until they agree, or until the difference
 * has lasted for the consistency timeout.
 */
async function readUntilSettled(
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

async function readRecord(call: Call, path: string): Promise<void> {
  await call.target.send(call.requestAt(path), { valid: true });
}
