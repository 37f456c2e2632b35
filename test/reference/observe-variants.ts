import { expect, test } from "vitest";
import type { ReferenceOptions, Variant } from "../../reference/index.ts";
import { commitShare } from "../commit-seed.ts";
import { type Asker, startAs } from "./variant-client.ts";

/** Returns something that a client sees. It differs between the variant and the reference service. */
export type Observation = (asker: Asker) => Promise<unknown>;

/** Tests that a client can observe each of the variants. `observations` must have one for every variant. */
export function observeVariants(
  variants: readonly Variant[],
  observations: Readonly<Record<string, Observation>>,
  options: ReferenceOptions = {},
): void {
  test("each variant has a test that observes it", () => {
    expect(
      Object.keys(observations).toSorted(),
      "name a request here whose answer differs between the variant and the reference service",
    ).toEqual(variants.map(({ name }) => name).toSorted());
  });

  // Each commit observes a third of the variants. Some differ in time alone, which a busy machine may hide.
  for (const [name, observation] of commitShare(Object.entries(observations), 3))
    test(`a client can observe ${name}`, { retry: 2 }, async () => {
      const unchanged = await observation(await startAs(undefined, options));
      expect(await observation(await startAs(name, options))).not.toEqual(unchanged);
    });
}

export async function statusOf(asker: Asker, ...[operation, beyond]: Parameters<Asker["ask"]>) {
  return (await asker.ask(operation, beyond)).status;
}
