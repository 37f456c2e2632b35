import type { Call } from "../../../client/call.ts";
import { readOf } from "../../../client/relations.ts";
import { defaultQuery } from "../../../client/samples.ts";
import { asQuery } from "../../../client/target.ts";
import { pathId, resourceIn } from "../../../history/entry.ts";
import { valueAt } from "../../../spec/json.ts";
import { operationById } from "../../../spec/loading/load.ts";
import type { Operation } from "../../../spec/model/spec.ts";
import type { MadeResource } from "../../shared/made-resource.ts";
import { readList } from "../../shared/read-list.ts";

/**
 * Reads the list under filters after an action. After an action, a faulty service may filter by old values, or
 * hide the resource.
 */
export async function listsAfterAction(call: Call, on: MadeResource): Promise<void> {
  const { target } = call;
  const reader = readOf(target.spec, on.plan.operation.id);
  if (!reader?.sameRecord) return;
  const list = call.to(operationById(target.spec, reader.sameRecord.list));
  const values = valuesShown(call, reader, on.id, list.operation);
  if (values.length === 0) return;
  // The rules compare filtered reads with whole ones before and after.
  await readList(list, { again: true });
  for (const [name, value] of values)
    await readList(list, {
      query: [...(await defaultQuery(target, list.operation)), [name, value]],
      again: true,
    });
  await readList(list, { again: true });
}

/** Returns the filter values that fit the first and the last read of the resource. */
function valuesShown(
  { target }: Call,
  reader: Operation,
  id: string,
  { list }: Operation,
): [name: string, value: string][] {
  const reads = target
    .history()
    .entries.filter((entry) => entry.operation === reader && pathId(entry) === id)
    .flatMap((entry) => resourceIn(entry) ?? []);
  const ends = [reads[0], reads.at(-1)].filter((read) => read !== undefined);
  return (list?.filters ?? []).flatMap(({ name, filter = "" }) => {
    const values = ends.map((read) => asQuery(valueAt(read, filter))).filter((value) => value !== undefined);
    return [...new Set(values)].map((value): [string, string] => [name, value]);
  });
}
