import { counted } from "../../spec/counted.ts";
import { forbiddenWrites } from "../answers/forbidden-writes.ts";
import type { History } from "../history.ts";
import type { FoundTrait } from "./trait.ts";

/** Finds out if the token may only read. */
export function readOnlyTokens(history: History): FoundTrait[] {
  const writes = [...forbiddenWrites(history)];
  if (writes.length === 0) return [];
  const statement = `The token may only read: all ${counted(writes.length, "valid write")} were answered 403. Use --read-only, or a token that may write.`;
  return [{ trait: "read-only-token", subject: "all operations that write", statement, shownBy: writes }];
}
