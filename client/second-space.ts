import { operationById } from "../spec/loading/load.ts";
import type { Operation } from "../spec/model/spec.ts";
import { NotTested } from "./check.ts";
import { createdId, sendFullCreate } from "./resources.ts";
import type { Target } from "./target.ts";

/**
 * Creates parents in the second space, and returns their ids by their path parameters.
 * @throws NotTested if no operation creates one, or the service rejects the create
 */
export async function outerPathInSecondSpace(
  target: Target,
  { key, outer }: Operation,
): Promise<Record<string, string>> {
  const values: Record<string, string> = {};
  for (const { name, madeBy } of outer) {
    if (madeBy === undefined)
      throw new NotTested("no-data", `no ${name} of the second space is known for ${key}`);
    const create = operationById(target.spec, madeBy);
    const parents = { ...values };
    values[name] = await target.memoize(`own ${madeBy} in the second space`, async () =>
      createdId(target, create, await sendFullCreate(target, create, { space: "second", outer: parents })),
    );
  }
  return values;
}
