import type { Operation, Spec } from "../../spec/model/spec.ts";
import { isChange } from "../../spec/operations.ts";
import { describeValue } from "../../spec/schema.ts";
import type { Answer, Answers } from "../answers/answers.ts";
import type { History } from "../history.ts";
import { shownParts, type UniqueValue } from "../journal/shown-parts.ts";
import type { Violation } from "../result.ts";
import { type Deletion, deletionsOf, namesLast } from "./deletions.ts";

interface Use {
  answer: Answer;
  shown: UniqueValue;
}

export interface UniqueUses {
  violations: Violation[];
  compared: Answer[];
}

/** Returns the requirements by which a field of the resource is unique. */
export function uniqueRequirements({ schemas }: Spec, operation: Operation): string[] {
  const { resource, kind } = operation;
  if (!resource || (kind !== "list" && kind !== "create")) return [];
  return schemas.fields(resource).flatMap(([, field]) => field["x-unique"]?.requirement ?? []);
}

/** Finds unique values that two records share. Both operations of the records break the rule. */
export function uniqueUses(
  history: Pick<History, "spec" | "answers" | "context">,
  operation: Operation,
  requirement: string,
): UniqueUses {
  const { spec, answers } = history;
  if (!uniqueRequirements(spec, operation).includes(requirement)) return { violations: [], compared: [] };
  const uses = usesOf(spec, answers, requirement);
  const deletions = deletionsOf(history);
  const owners = new Map<unknown, Use>();
  const violations: Violation[] = [];
  for (const use of uses) {
    const known = owners.get(use.shown.value) ?? use;
    const mayBeFree = isChangeable(spec, known) || isDeletedBefore(use, known, deletions);
    const owner = known.answer !== use.answer && mayBeFree ? use : known;
    owners.set(use.shown.value, owner);
    if (isSameRecord(owner, use)) continue;
    if ([owner, use].some(({ answer }) => answer.operation === operation))
      violations.push(sharedBy(owner, use));
  }
  const here = uses.filter(({ answer }) => answer.operation === operation);
  return { violations, compared: owners.size > 1 ? here.map(({ answer }) => answer) : [] };
}

function usesOf(spec: Spec, answers: Answers, requirement: string): Use[] {
  const uses = spec.operations
    .filter((operation) => uniqueRequirements(spec, operation).includes(requirement))
    .flatMap((each) => answers.to(each))
    .flatMap((answer) =>
      shownParts(spec, answer)
        .unique.filter((shown) => shown.requirement === requirement)
        .map((shown) => ({ answer, shown })),
    );
  return uses.sort((a, b) => a.answer.entry.index - b.answer.entry.index);
}

function isDeletedBefore(
  { answer: later }: Use,
  { answer, shown }: Use,
  deletions: readonly Deletion[],
): boolean {
  return deletions.some(
    (deletion) =>
      namesLast(deletion, shown.id) &&
      deletion.entry.ended > answer.entry.begun &&
      deletion.entry.begun < later.entry.ended,
  );
}

/** True if the resource may give the value up. After an update or an action, another record may have it. */
function isChangeable(spec: Spec, { answer, shown }: Use): boolean {
  const { operations, schemas } = spec;
  const name = shown.pointer.slice(shown.pointer.lastIndexOf("/") + 1);
  const isChangeOf = (each: Operation) =>
    isChange(spec, each) && each.resource?.$ref === answer.operation.resource?.$ref;
  return operations.some(
    (operation) => isChangeOf(operation) && schemas.at(operation.body, `/${name}`) !== undefined,
  );
}

/** True if both uses may be of one record, which several operations show: of one name or one component. */
function isSameRecord(one: Use, other: Use): boolean {
  const [first, second] = [one, other].map(({ answer }) => answer.operation);
  const isAlike = nameOf(first) === nameOf(second) || first?.resource?.$ref === second?.resource?.$ref;
  return one.shown.id === other.shown.id && isAlike;
}

function nameOf(operation: Operation | undefined): string | undefined {
  return operation?.path.split("/").findLast((part) => part !== "" && !part.startsWith("{"));
}

function sharedBy(owner: Use, other: Use): Violation {
  const [one, two] = [owner, other].map(({ answer, shown }) => `${shown.id} (${answer.operation.key})`);
  return {
    certainty: "proven",
    difference: "repeated",
    expected: "a value that no other record has",
    actual: `${describeValue(other.shown.value)} of ${one} and of ${two}`,
    shownBy: [{ entry: owner.answer.entry }, { entry: other.answer.entry, offending: other.shown.pointer }],
  };
}
