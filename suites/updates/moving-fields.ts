import { lookUntil } from "../../client/patience.ts";
import type { Target } from "../../client/target.ts";
import { changes } from "../../history/differences.ts";
import type { JsonObject } from "../../spec/json.ts";
import type { Operation } from "../../spec/model/spec.ts";

const LOOKS = 6;
const BETWEEN_LOOKS = 20;

export async function volatileFields(
  target: Pick<Target, "pause">,
  look: () => Promise<JsonObject>,
): Promise<Set<string>> {
  const first = await look();
  const volatileNames = new Set<string>();
  for (let count = 1; count < LOOKS; count++) {
    await target.pause(BETWEEN_LOOKS);
    for (const { pointer } of changes(first, await look())) volatileNames.add(pointer);
  }
  return volatileNames;
}

/**
 * Pointers of fields that change within the consistency timeout though nothing is sent, such as a state.
 * Memoized for the run.
 */
export async function movingByThemselves(
  target: Target,
  operation: Operation,
  pointers: readonly string[],
  look: () => Promise<JsonObject>,
): Promise<Set<string>> {
  const known = await target.once(`moving by themselves ${operation.id}`, async () => ({
    moving: new Set<string>(),
    still: new Set<string>(),
  }));
  const asked = pointers.filter((pointer) => !known.moving.has(pointer) && !known.still.has(pointer));
  if (asked.length > 0) {
    const first = await look();
    await lookUntil(target, target.settings.visibilityDelay, look, (seen) => {
      for (const { pointer } of changes(first, seen)) known.moving.add(pointer);
      return asked.every((pointer) => known.moving.has(pointer));
    });
    for (const pointer of asked) if (!known.moving.has(pointer)) known.still.add(pointer);
  }
  return known.moving;
}
