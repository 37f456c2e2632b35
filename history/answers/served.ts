import { isObject } from "../../spec/json.ts";
import type { Operation } from "../../spec/model/spec.ts";
import { type Entry, isAccepted, pathId, resourceIn } from "../entry.ts";
import type { History } from "../history.ts";
import { notExercised, type RuleResult, withoutFixture } from "../result.ts";
import type { Answer } from "./answers.ts";

/** True if the answer shows the requested resource or list: a service may answer 200 to everything. */
export function isServed({ entry, operation, page }: Answer): boolean {
  if (operation.list) return page !== undefined && (page.items.length > 0 || isObject(page.pagination));
  if (!operation.resource) return isAccepted(entry);
  if (operation.path.endsWith("}")) return showsNamed(entry);
  return Object.keys(resourceIn(entry) ?? {}).length > 0;
}

/** True if a field has the id of the path. */
export function showsNamed(entry: Entry): boolean {
  return Object.values(resourceIn(entry) ?? {}).some((value) => String(value) === pathId(entry));
}

/** Returns why nothing was served: a fixture is missing, or no valid request was answered. */
export function nothingServed({ head }: History, { key, pathParameter }: Operation): RuleResult {
  const { read, write } = pathParameter?.fixture ?? {};
  const name = write ?? read;
  return name !== undefined && head.fixtures[name] === undefined
    ? withoutFixture(`${name}=ID`, `give --fixture ${name}=ID to test ${key}`)
    : notExercised("no-data", "no valid request was answered with the requested resource");
}

/** Returns why a value was not sent: the seed left it out, or nothing was served. */
export function leftOutBySeed(history: History, operation: Operation, value: string): RuleResult {
  const isTested = history.answers.to(operation).some(isServed);
  return isTested
    ? notExercised("not-sampled", `the seed left ${value} out`)
    : nothingServed(history, operation);
}
