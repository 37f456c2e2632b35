/** Questions about bodies that the specification leaves open: recorded. */

import { counted, countPlaces, type Open, openValues, tried, UNITS, UNKNOWN } from "../trials/open-values.ts";
import { operationsOf, type Place, rule, suiteOf } from "../trials/rule.ts";

interface OpenPlace extends Place {
  open: Open;
}

/** The values are sent in one body, so one answer covers all, unless it is a rejection. */
const openNotes = rule<OpenPlace & { all: Open[] }>({
  requirement: ({ open }) => open.requirement,
  notes: ({ open }) => open.practice,
  over: (spec) =>
    operationsOf(spec, "create").flatMap((operation) => {
      if (!operation.body) return [];
      const all = [UNKNOWN, ...openValues(spec, operation)];
      const told = all.filter(({ unique = false }) => !unique);
      return told.map((open) => ({ operation, open, all, detail: open.subject }));
    }),
  title: ({ operation, open }) => `how ${operation.key} treats ${open.subject}`,
  async run(call, { open, all }) {
    await call.control();
    const answers = await call.target.once(`open ${call.operation.id}`, () => tried(call, all));
    const answer = answers.get(open.subject);
    if (!answer) return;
    const { requirement, practice, field } = open;
    const note = { requirement, operation: call.operation.key, practice, answer: { status: answer.status } };
    call.target.note(field === undefined ? note : { ...note, field });
  },
});

const counting = rule({
  requirement: "CREATE-COUNTING",
  notes: "countsCharactersAs",
  over: countPlaces,
  title: ({ operation, subject }) => `how ${operation.key} treats ${subject}`,
  versions: "one",
  group: () => "texts at the limit",
  async run(call, { unit, field, sent }) {
    await call.control();
    const { status } = await counted(call, UNITS.indexOf(unit));
    call.note("CREATE-COUNTING", "countsCharactersAs", { status, unit: unit.unit }, { field, tried: sent });
  },
});

export const bodyNotes = suiteOf("bodies", openNotes, counting);
