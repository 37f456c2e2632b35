import { longTexts, type OpenValue, openValues } from "../../generators/open-values.ts";
import { openRequests } from "../../history/answers/acceptances.ts";
import { INVENTED_VALUE } from "../../history/creates/invented-names.ts";
import { type Entry, isAccepted, objectSent } from "../../history/entry.ts";
import type { History } from "../../history/history.ts";
import { UNIT_NAMES } from "../../profiles/prose.ts";
import { operationsOf } from "../../spec/operations.ts";
import { noteRule } from "../shared/note-rule.ts";
import { longBodies, openBodies } from "./probes.ts";

const BEHAVIOURS = ["unknownBodyFields", "emptyTexts", "lowerCaseCodes", "unheardOfValues"] as const;

const openFields = BEHAVIOURS.map((behaviour) =>
  noteRule({
    notes: behaviour,
    targets: (spec) =>
      operationsOf(spec, "create").flatMap((operation) => {
        const all = openValues(spec, operation, INVENTED_VALUE);
        return all
          .filter((open) => open.behaviour === behaviour)
          .map((open) => ({ operation, open, all, requirement: open.requirement, detail: open.subject }));
      }),
    title: ({ operation, open }) => `how ${operation.key} treats ${open.subject}`,
    probes: ({ operation, all }) => [openBodies(operation, all)],
    seen: (history, { operation, open }) =>
      openRequests(history, operation, (entry) => isSent(history, entry, open)).map(({ entry, status }) => ({
        field: open.field,
        answer: { status },
        shownBy: entry,
      })),
  }),
);

function isSent({ answers }: History, entry: Entry, { behaviour, field }: OpenValue): boolean {
  const { doubts } = answers.classification(entry);
  const isMeant = doubts.some(
    ({ behaviour: own, place }) =>
      own === behaviour && (field === undefined || `${place}/`.startsWith(`body/${field}/`)),
  );
  const isUnheardOf = behaviour !== "unheardOfValues" || entry.request.body?.text.includes(INVENTED_VALUE);
  return isMeant && isUnheardOf === true && (doubts.length === 1 || isAccepted(entry));
}

const counting = noteRule({
  requirement: "CREATE-COUNTING",
  notes: "countsCharactersAs",
  targets: (spec) =>
    operationsOf(spec, "create")
      .filter((operation) => longTexts(spec, operation).flat().length > 0)
      .map((operation) => ({ operation, texts: longTexts(spec, operation).flat() })),
  title: ({ operation }) => `how ${operation.key} counts the characters of a text`,
  sampledGroup: () => "texts at the limit",
  probes: ({ operation }) => [longBodies(operation)],
  seen: (history, { operation, texts }) =>
    texts.flatMap(({ field, unit, what: tried, text }) =>
      history.answers
        .to(operation)
        .filter(({ entry }) => isAsLong(objectSent(entry)?.[field], text))
        .map(({ entry, status }) => ({ field, tried, answer: { status, unit }, shownBy: entry })),
    ),
  unseen: "no text of such a length was sent",
  formerDetails: ({ texts }) =>
    texts.map(({ field, unit, what }) => `${field} of ${what} (${UNIT_NAMES[unit]} within the limit)`),
});

function isAsLong(sent: unknown, { length }: string): boolean {
  const isAstral = (character: string) => (character.codePointAt(0) ?? 0) > 0xffff;
  return typeof sent === "string" && sent.length === length && [...sent].every(isAstral);
}

export const openRules = [...openFields, counting];
