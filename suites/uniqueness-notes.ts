/** The specification does not say when two values count as equal, so it is recorded. */

import type { Call } from "../client/call.ts";
import type { Answer } from "../client/target.ts";
import { rule, suiteOf } from "../trials/rule.ts";
import { firstUse, planWith, type UniquePlace, uniquePlaces } from "../trials/unique-uses.ts";

interface SpellingPlace extends UniquePlace {
  spelling: string;
  practice: "uniqueValuesInOtherCasing" | "emptyUniqueValues";
  values(call: Call, at: UniquePlace): Promise<[first: Answer, second: Answer]>;
}

const SPELLINGS: Pick<SpellingPlace, "practice" | "spelling" | "values">[] = [
  {
    practice: "emptyUniqueValues",
    spelling: "empty twice",
    values: async (call, at) => [await withValue(call, at, ""), await withValue(call, at, "")],
  },
  {
    practice: "uniqueValuesInOtherCasing",
    spelling: "in other casing",
    async values(call, at) {
      const first = await firstUse(call, at);
      return [first.answer, await withValue(call, at, String(first.sent[at.name]).toUpperCase())];
    },
  },
];

async function withValue(call: Call, { name }: UniquePlace, value: string): Promise<Answer> {
  const body = { ...(await call.body()), [name]: value };
  return call.send(planWith(call, body));
}

export const uniquenessNotes = suiteOf(
  "uniqueness",
  rule<SpellingPlace>({
    requirement: "UNIQUE-SPELLING",
    notes: ({ practice }) => practice,
    over: (spec) =>
      uniquePlaces(spec).flatMap((place) =>
        SPELLINGS.map((each) => ({ ...place, ...each, detail: `${place.name} ${each.spelling}` })),
      ),
    title: ({ operation, name, spelling }) => `how ${operation.key} treats a second ${name}: ${spelling}`,
    versions: "one",
    group: ({ operation, name }) => `${operation.key} ${name}`,
    async run(call, at) {
      const [one, two] = await at.values(call, at);
      call.note("UNIQUE-SPELLING", at.practice, { statuses: [one.status, two.status] });
    },
  }),
);
