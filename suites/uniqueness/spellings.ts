import type { Probe } from "../../client/target.ts";
import type { SentCreate } from "../../history/creates/keys.ts";
import { isAccepted, isRejected, statusOf } from "../../history/entry.ts";
import { notExercised } from "../../history/result.ts";
import { type FieldTarget, noteRule } from "../shared/history-rule.ts";
import { emptyTwice, otherCasing } from "./probes.ts";
import { uniqueTargets } from "./targets.ts";

interface Spelling {
  behaviour: "uniqueValuesInOtherCasing" | "emptyUniqueValues";
  spelling: string;
  probe(at: FieldTarget): Probe;
  isOther(first: string, second: string): boolean;
}

const SPELLINGS: Spelling[] = [
  {
    behaviour: "emptyUniqueValues",
    spelling: "empty twice",
    probe: emptyTwice,
    isOther: (first, second) => first === "" && second === "",
  },
  {
    behaviour: "uniqueValuesInOtherCasing",
    spelling: "in other casing",
    probe: otherCasing,
    isOther: (first, second) => first !== second && first.toLowerCase() === second.toLowerCase(),
  },
];

export const spellingNotes = SPELLINGS.map(({ behaviour, spelling, probe, isOther }) =>
  noteRule({
    requirement: "UNIQUE-SPELLING",
    notes: behaviour,
    targets: (spec) => uniqueTargets(spec).map((at) => ({ ...at, detail: `${at.field} ${spelling}` })),
    title: ({ operation, field }) => `how ${operation.key} treats a second ${field}: ${spelling}`,
    sampledGroup: ({ operation, field }) => `${operation.key} ${field}`,
    alwaysSampled: true,
    probes: (at) => [probe(at)],
    seen(history, { operation, field }) {
      const sent = history
        .creates(operation)
        .sent.filter(({ entry }) => isAccepted(entry) || isRejected(entry));
      const isSecond = (call: SentCreate, before: SentCreate) =>
        before.entry.ended < call.entry.begun &&
        before.entry.space === call.entry.space &&
        (isAccepted(before.entry) || before.sent[field] === "") &&
        isOther(String(before.sent[field]), String(call.sent[field]));
      const two = sent.find((call) => sent.some((before) => isSecond(call, before)));
      const one = two && sent.find((before) => isSecond(two, before));
      if (!one || !two) return [];
      const statuses: [number, number] = [statusOf(one.entry) ?? 0, statusOf(two.entry) ?? 0];
      return [{ answer: { statuses }, shownBy: [one.entry, two.entry] }];
    },
    unseen: (_, { field }) => notExercised("no-data", `no ${field} was sent in such a spelling`),
  }),
);
