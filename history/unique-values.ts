import type { Operation, Spec } from "../spec/model/spec.ts";
import { describeValue } from "../spec/schema.ts";
import type { Answer, Answers } from "./answers.ts";
import type { Violation } from "./result.ts";
import { shownParts, type UniqueValue } from "./shown-parts.ts";

interface Use {
  answer: Answer;
  shown: UniqueValue;
}

export interface UniqueUses {
  violations: Violation[];
  compared: Answer[];
}

export function uniqueRequirements({ schemas }: Spec, operation: Operation): string[] {
  const { resource } = operation;
  if (!resource || !showsRecords(operation)) return [];
  return schemas.fields(resource).flatMap(([, field]) => field["x-unique"]?.requirement ?? []);
}

function showsRecords({ kind }: Operation): boolean {
  return kind === "list" || kind === "create";
}

/** Finds unique values that two records share. Both operations of the records break the rule. */
export function uniqueUses(
  spec: Spec,
  answers: Answers,
  operation: Operation,
  requirement: string,
): UniqueUses {
  if (!uniqueRequirements(spec, operation).includes(requirement)) return { violations: [], compared: [] };
  const uses = usesOf(spec, answers, requirement);
  const owners = new Map<unknown, Use>();
  const violations: Violation[] = [];
  for (const use of uses) {
    const owner = owners.get(use.shown.value) ?? use;
    owners.set(use.shown.value, owner);
    if (recordOf(owner) === recordOf(use)) continue;
    if ([owner, use].some(({ answer }) => answer.operation === operation))
      violations.push(sharedBy(owner, use));
  }
  const here = uses.filter(({ answer }) => answer.operation === operation);
  return { violations, compared: owners.size > 1 ? here.map(({ answer }) => answer) : [] };
}

function usesOf(spec: Spec, answers: Answers, requirement: string): Use[] {
  const uses = spec.operations
    .filter((each) => uniqueRequirements(spec, each).includes(requirement))
    .flatMap((each) => answers.to(each))
    .flatMap((answer) =>
      shownParts(spec, answer)
        .unique.filter((shown) => shown.requirement === requirement)
        .map((shown) => ({ answer, shown })),
    );
  return uses.sort((a, b) => a.answer.entry.index - b.answer.entry.index);
}

/** Names the record of a use. A create and lists may show one record, unless their paths end differently. */
function recordOf({ answer, shown }: Use): string {
  const names = answer.operation.path.split("/").filter((part) => part !== "" && !part.startsWith("{"));
  return `${names.at(-1)}#${shown.id}`;
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
