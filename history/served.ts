/** An answer must show the requested resource, because some services answer 200 to everything. */

import { isObject } from "../spec/json.ts";
import type { Operation } from "../spec/model/spec.ts";
import type { Answer } from "./answers.ts";
import { type Entry, isAccepted, pathId, resourceIn } from "./entry.ts";
import type { History } from "./history.ts";
import { notExercised, type RuleResult, withoutFixture } from "./result.ts";

export function isServed({ entry, operation, page }: Answer): boolean {
  if (operation.list) return page !== undefined && (page.items.length > 0 || isObject(page.pagination));
  if (!operation.resource) return isAccepted(entry);
  if (operation.path.endsWith("}")) return showsNamed(entry);
  return Object.keys(resourceIn(entry) ?? {}).length > 0;
}

export function showsNamed(entry: Entry): boolean {
  return Object.values(resourceIn(entry) ?? {}).some((value) => String(value) === pathId(entry));
}

export function nothingServed({ head }: History, { key, pathParameter }: Operation): RuleResult {
  const { read, write } = pathParameter?.fixture ?? {};
  const name = write ?? read;
  return name !== undefined && head.fixtures[name] === undefined
    ? withoutFixture(`${name}=ID`, `give --fixture ${name}=ID to test ${key}`)
    : notExercised("no-data", "no valid request was answered with the requested resource");
}

export function leftOutBySeed(history: History, operation: Operation, value: string): RuleResult {
  const isTested = history.answers.to(operation).some(isServed);
  return isTested
    ? notExercised("not-sampled", `the seed left ${value} out`)
    : nothingServed(history, operation);
}
