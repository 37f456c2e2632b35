import { Untestable, Violation } from "../../client/check.ts";
import { patient } from "../../client/patience.ts";
import { baseQueries } from "../../client/samples.ts";
import type { Target } from "../../client/target.ts";
import { usualVersion } from "../../client/version-choice.ts";
import type { Operation } from "../../spec/model/spec.ts";
import { findInList } from "../shared/own-items.ts";
import { evidenceOf, readPages } from "../shared/pages.ts";

const PAGES_SEARCHED = 12;

/** @throws Violation if a list shows an item with a value, but not when it is filtered by that value */
export async function mustBeUnder(
  target: Target,
  list: Operation,
  filter: string,
  field: string,
  value: string,
  id: string,
): Promise<void> {
  const shown = async () => {
    const item = await findInList(target, list, id, { until: (candidate) => candidate[field] === value });
    if (item?.[field] !== value)
      throw new Untestable("no-data", `${list.key} does not show ${id} with ${field} ${value}`);
  };
  await shown();
  const [query = []] = await baseQueries(target, list, 1);
  const look = () =>
    readPages(target, list, {
      version: usualVersion(target, list),
      query: [...query, [filter, value]],
      limit: list.list?.limit?.schema.maximum,
      mostPages: PAGES_SEARCHED,
    });
  const reading = await patient(target, list, look, ({ ids, complete }) => ids.includes(id) || !complete);
  if (reading.ids.includes(id)) return;
  if (!reading.complete)
    throw new Untestable("budget", `${list.key} under ${filter} is too long to search for ${id}`);
  await shown();
  throw new Violation(`the list under ${filter}=${value} to show ${id}`, "left out", evidenceOf(reading), {
    difference: "missing",
  });
}
