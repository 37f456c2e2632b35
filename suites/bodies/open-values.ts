import type { Call } from "../../client/call.ts";
import { isAccepted, type Probe } from "../../client/target.ts";
import { sampledVersion } from "../../client/version-choice.ts";
import { longTexts, type OpenValue, openValues } from "../../generators/open-values.ts";
import { withBody } from "../../generators/request.ts";
import { notesOn, openRequests } from "../../history/answers/acceptances.ts";
import { INVENTED_VALUE } from "../../history/creates/invented-names.ts";
import { type Entry, isAccepted as isAcceptedEntry, objectSent } from "../../history/entry.ts";
import type { History } from "../../history/history.ts";
import { noted } from "../../history/result.ts";
import { UNIT_NAMES } from "../../profiles/prose.ts";
import type { Operation } from "../../spec/model/spec.ts";
import { historyRule, type RuleTarget } from "../shared/history-rule.ts";
import { plainProbe } from "../shared/sampled.ts";
import { operationsOf } from "../shared/suite.ts";

const BEHAVIOURS = ["unknownBodyFields", "emptyTexts", "lowerCaseCodes", "unheardOfValues"] as const;

const openFields = BEHAVIOURS.map((behaviour) =>
  historyRule<RuleTarget & { open: OpenValue; all: OpenValue[] }>({
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
    check(history, { operation, open }) {
      const { requirement, field } = open;
      const sent = openRequests(history, operation, (entry) => isSent(history, entry, open));
      return notesOn(sent, ({ status }) => ({
        requirement,
        operation: operation.key,
        behaviour,
        ...(field === undefined ? {} : { field }),
        answer: { status },
      }));
    },
  }),
);

function isSent({ answers }: History, entry: Entry, { behaviour, field }: OpenValue): boolean {
  const { doubts } = answers.classification(entry);
  const isMeant = doubts.some(
    ({ behaviour: own, place }) =>
      own === behaviour && (field === undefined || `${place}/`.startsWith(`body/${field}/`)),
  );
  const isUnheardOf = behaviour !== "unheardOfValues" || entry.request.body?.text.includes(INVENTED_VALUE);
  return isMeant && isUnheardOf === true && (doubts.length === 1 || isAcceptedEntry(entry));
}

/** Most services accept these values, so after a rejection they are sent separately. */
const LIKELY_ACCEPTED: ReadonlySet<string> = new Set(["CREATE-UNKNOWN-FIELDS", "CREATE-EMPTY-TEXT"]);

/** Sends several values that a service may reject in one body, and each alone if that body is rejected. */
function openBodies(operation: Operation, all: OpenValue[]): Probe {
  const send = async (call: Call, opens: OpenValue[]): Promise<void> => {
    const valid = await call.body("minimal");
    const body = opens.reduce((sent, open) => open.change(sent), valid);
    const answer = await call.send(withBody(await call.valid(), body));
    if (isAccepted(answer) || opens.length === 1) return;
    const likely = opens.filter(({ requirement }) => LIKELY_ACCEPTED.has(requirement));
    const isMixed = likely.length > 0 && likely.length < opens.length;
    const first = isMixed ? likely : opens.slice(0, Math.ceil(opens.length / 2));
    await send(call, first);
    await send(
      call,
      opens.filter((open) => !first.includes(open)),
    );
  };
  return plainProbe("open values", operation, "write", async (call) => {
    await call.control();
    await send(call, all);
  });
}

const counting = historyRule({
  requirement: "CREATE-COUNTING",
  notes: "countsCharactersAs",
  targets: (spec) =>
    operationsOf(spec, "create")
      .filter((operation) => longTexts(spec, operation).flat().length > 0)
      .map((operation) => ({ operation, texts: longTexts(spec, operation).flat() })),
  title: ({ operation }) => `how ${operation.key} counts the characters of a text`,
  sampledGroup: () => "texts at the limit",
  probes: ({ operation }) => [longBodies(operation)],
  check(history, { operation, texts }) {
    const seen = texts.flatMap(({ field, unit, what: tried, text }) =>
      history.answers
        .to(operation)
        .filter(({ entry }) => isAsLong(objectSent(entry)?.[field], text))
        .map(({ entry, status }) => ({ entry, note: { field, tried, answer: { status, unit } } })),
    );
    const alike = { requirement: "CREATE-COUNTING", behaviour: "countsCharactersAs" as const };
    const notes = seen.map(({ note }) => ({ ...alike, operation: operation.key, ...note }));
    const entries = seen.map(({ entry }) => entry);
    return noted(notes, entries, "no text of such a length was sent");
  },
  formerDetails: ({ texts }) =>
    texts.map(({ field, unit, what }) => `${field} of ${what} (${UNIT_NAMES[unit]} within the limit)`),
});

function isAsLong(sent: unknown, { length }: string): boolean {
  const isAstral = (character: string) => (character.codePointAt(0) ?? 0) > 0xffff;
  return typeof sent === "string" && sent.length === length && [...sent].every(isAstral);
}

/** Sends texts that are much longer than usual, though the specification names no limit. */
function longBodies(operation: Operation): Probe {
  return plainProbe("long texts", operation, "write", async (byDefault) => {
    const { target } = byDefault;
    const call = byDefault.under(sampledVersion(target, operation, "long texts"));
    await call.control();
    const valid = await call.body("minimal");
    for (const texts of longTexts(target.spec, operation, target.runId)) {
      const fields = Object.fromEntries(texts.map(({ field, text }) => [field, text]));
      const answer = await call.send(withBody(await call.valid(), { ...valid, ...fields }));
      if (isAccepted(answer)) return;
    }
  });
}

export const openRules = [...openFields, counting];
