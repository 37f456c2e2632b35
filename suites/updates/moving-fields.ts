import type { Target } from "../../client/target.ts";
import { changes } from "../../history/differences.ts";
import type { JsonObject } from "../../spec/json.ts";

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
