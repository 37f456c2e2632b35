import { Call } from "../../client/call.ts";
import { NotTested, stageOf } from "../../client/check.ts";
import { anotherParent, outerPath } from "../../client/resources.ts";
import { sampleItems } from "../../client/samples.ts";
import { sideBySide } from "../../client/side-by-side.ts";
import { asText, isRejected, type Probe, type Target } from "../../client/target.ts";
import { type RequestPlan, requestTo, withPageSize } from "../../generators/request.ts";
import { headerText } from "../../generators/values.ts";
import { type Entry, isAccepted, isWrite, requestJson } from "../../history/entry.ts";
import type { ListPage } from "../../history/lists/lists.ts";
import { isUndecided } from "../../history/lists/pairs.ts";
import { requirementsOf } from "../../history/lists/same-record.ts";
import { NO_SECOND_SPACE } from "../../history/result.ts";
import { textsIn } from "../../history/values/tags.ts";
import type { Operation, Parameter } from "../../spec/model/spec.ts";
import { createAt, operationById } from "../../spec/operations.ts";
import { allowedSizes, largestSize } from "../../spec/page-sizes.ts";
import { typesOf } from "../../spec/schema.ts";
import { knownPath, listedPages, listedRecords, recordReads } from "../shared/listed-records.ts";
import { pagesFrom } from "../shared/read-list.ts";
import { eachVersionProbe, plainProbe, probeOf, versionsToSend } from "../shared/sampled.ts";
import {
  comparedRecords,
  type RecordComparison,
  type RecordRead,
  type Referring,
  readersOf,
  referencesShown,
} from "./records.ts";
import { planOf, readUnknownSpace } from "./repeated-reads.ts";
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

export function listOf({ spec }: Target, { sameRecord }: Operation): Operation {
  return operationById(spec, sameRecord?.list ?? "");
}

/** Reads listed records, and lists again until read and list can be compared. */
export function readRecords(operation: RecordRead["operation"]): Probe {
  return plainProbe("records", operation, "read", async (byDefault) => {
    const { target } = byDefault;
    await Promise.all(readsOfTheseIds(target.spec, operation).map((probe) => target.probe(probe)));
    await sideBySide(versionsToSend(target, operation, "records"), async (version) => {
      const call = byDefault.under(version);
      await sideBySide(operation.sameRecord.by, async (field) => {
        const reads = await recordReads(call, field, async (index, plan) => {
          // READ-STABLE compares the first two records.
          if (index === 2) await readUnknownSpace(target, plan);
        });
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
  });
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

/** Sends a request with unknown parents in its path, and with another existing one. */
export const underOtherParents = probeOf("other parents", stageOf, async (call) => {
  const { target, operation } = call;
  await call.control();
  // Without resources, a correct list is empty under every parent, so one is created.
  const create = createAt(target.spec, operation);
  if (operation.list && create && !target.settings.readOnly) await new Call(target, create).plain("minimal");
  const parents = await outerPath(target, operation);
  for (const parameter of operation.outer) {
    const { name } = parameter;
    await sendUnder(call, { ...parents, [name]: unknownId(target, parameter) });
    if (operation.kind === "create" && parameter === operation.outer.at(-1)) continue;
    const other = await anotherParent(target, parameter);
    if (other !== undefined) await sendUnder(call, { ...parents, [name]: other });
  }
});

async function sendUnder(call: Call, outer: Record<string, string>): Promise<void> {
  await call.send({ ...(await call.fresh()), outer });
}

function unknownId({ runId, settings }: Target, { schema }: Parameter): string {
  if (typesOf(schema).includes("integer")) return String(2 ** 31 - 1 - (settings.seed % 1000));
  return headerText(schema, `conformance-${runId}`);
}

/** Creates a resource, and reads the list of another parent. */
export function listOfAnother(list: Operation, create: Operation): Probe {
  return plainProbe("list of another parent", list, stageOf(create), async (call) => {
    const { target } = call;
    await new Call(target, create).plain("full");
    const [parameter] = list.outer.slice(-1);
    const other = parameter && (await anotherParent(target, parameter));
    if (parameter === undefined || other === undefined) return;
    const parents = await outerPath(target, list);
    await sendUnder(call, { ...parents, [parameter.name]: other });
  });
}

/** Creates a resource in the second space under a parent of the first. */
export const fromSecondSpace = probeOf("parent of the first space", stageOf, async (call) => {
  if (call.target.settings.secondSpace === undefined) throw new NotTested(...NO_SECOND_SPACE);
  await call.control();
  const outer = await outerPath(call.target, call.operation);
  await call.send({ ...(await call.fresh()), outer, space: "second" });
});

/** The page that shows a record. First pages with more than `place` items also show it. */
interface PageToRead {
  page: ListPage;
  pagesBefore: number;
  place: number;
}

/** How often the page and another size are read by turns. */
export const TURNS = 4;

/** Reads the page of the doubtful record in its own size and in others by turns. */
export function pagesByTurns(operation: Operation, { page, pagesBefore, place }: PageToRead): Probe {
  return plainProbe("pages by turns", operation, "read", async ({ target }) => {
    const { limit } = operation.list ?? {};
    const asked = new Set(
      target
        .history()
        .lists.pages(operation)
        .map(({ size }: ListPage) => size),
    );
    const sizes = otherSizes(operation, { place, own: page.size, asked });
    const plan: RequestPlan = { ...requestTo(operation, page.entry.version), query: page.filters };
    const own = withPageSize(plan, page.size ?? undefined);
    const ask = (request: RequestPlan) => target.send(request, { role: "again", valid: true });
    const read = async (first: RequestPlan, most: number) => {
      for await (const _ of pagesFrom(ask, first, most));
    };
    if (!limit || sizes.length < TURNS) return;
    for (const size of sizes) {
      for (const _ of [1, 2]) await read(own, pagesBefore + 1);
      await read(withPageSize(plan, size), 1);
      await target.pause(target.settings.visibilityDelay / TURNS);
    }
    await read(own, pagesBefore + 1);
  });
}

/** Returns sizes of pages that reach the place. A service may have cached the pages of the `asked` sizes. */
export function otherSizes(
  operation: Operation,
  { place, own, asked }: { place: number; own: number | null; asked: ReadonlySet<number | null> },
): number[] {
  const all = Array.from({ length: largestSize(operation) - place }, (_, index) => place + 1 + index);
  const others = allowedSizes(operation, all).filter((size) => size > place && size !== own);
  const known = others.filter((size) => asked.has(size));
  return [...known, ...others.filter((size) => !asked.has(size))].slice(-TURNS);
}
