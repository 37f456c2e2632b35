/**
 * Texts and attributes in creates: legal ones are shown unchanged, others are rejected or shown unchanged.
 */

import { MARKUP } from "../../generators/text.ts";
import { type Entry, isAccepted, requestJson, statusOf } from "../../history/entry.ts";
import type { History } from "../../history/history.ts";
import type { SentCreate } from "../../history/keys.ts";
import { judged, notExercised } from "../../history/result.ts";
import { isObject, type JsonObject, sameJson } from "../../spec/json.ts";
import type { Operation, Spec } from "../../spec/model/spec.ts";
import { mustBeTaken } from "../bodies/taken-parts.ts";
import { partsOf } from "../shared/body-parts.ts";
import { planningSupply } from "../shared/creation.ts";
import { type Declinable, declinableValues, inBrackets, takesText } from "../shared/echo.ts";
import { historyRule, type RuleTarget } from "../shared/history-rule.ts";
import { operationsWithBody, suiteOf } from "../shared/rule.ts";
import { fieldsWithText, isPlainTwin, isSuspect, isUnusual } from "../shared/texts-sent.ts";
import { respelled } from "../updates/details.ts";
import { sightingsFit } from "../updates/sighting-rules.ts";
import { pick } from "../updates/updating.ts";
import { scenario } from "./probes.ts";
import { plainUses, unshown, unshownInLists, validUses } from "./shown.ts";
import { anyText, declinableValuesSent, grouped, textInEachField } from "./text-probes.ts";

/** The kinds of legal texts. Those that may make a firewall block the run are sent last. */
const TEXTS = [
  { detail: "any text", which: "with any characters", isMeant: isUnusual, probe: anyText },
  {
    detail: MARKUP.detail,
    which: `${MARKUP.detail} too`,
    isMeant: (text: string) => isSuspect(text, [MARKUP]),
    probe: (create: Operation) => textInEachField(create, MARKUP),
    stage: "provoke" as const,
  },
];

const texts = TEXTS.map(({ detail, which, isMeant, probe, ...when }) =>
  historyRule({
    ...when,
    requirement: "CREATE-ECHO",
    targets: (spec) =>
      operationsWithBody(spec, "create")
        .filter((operation) => takesText(spec, operation))
        .map((operation) => ({ operation, detail, parts: partsOf(spec, operation, planningSupply(spec)) })),
    title: ({ operation }) => `${operation.key} shows sent texts unchanged, ${which}`,
    probes: ({ operation }) => [probe(operation)],
    writes: true,
    check(history, { operation, parts }) {
      const fieldsIn = (sent: JsonObject) => fieldsWithText(history.spec, operation, sent, isMeant);
      const made = sightingsFit(history, {
        create: operation,
        duty: "made",
        counts: ({ write, field }) => write !== null && fieldsIn(sentBy(write)).includes(field),
      });
      if (made.outcome === "violated") return made;
      const uses = validUses(history, operation).map((use) => ({
        ...use,
        sent: pick(use.sent, new Set(fieldsIn(use.sent))),
      }));
      return judged(
        [
          ...uses.flatMap(({ entry, sent, made: shown }) =>
            unshown(history, { operation, sent, shown }, [entry]),
          ),
          ...unshownInLists(history, operation, uses),
        ],
        [],
        mustBeTaken(
          history,
          operation,
          {
            what: "legal text",
            isIn: (sent) => fieldsIn(sent).length > 0,
            fieldsIn,
            isTwin: (plain, sent) => isPlainTwin(plain, sent, fieldsIn(sent)),
          },
          parts,
        ),
      );
    },
  }),
);

function sentBy(entry: Entry): JsonObject {
  const sent = requestJson(entry);
  return isObject(sent) ? sent : {};
}

/**
 * The rule about details that a careful service may change: the order of a list, the case of a mail address.
 */
const details = historyRule({
  requirement: "CREATE-ECHO-DETAILS",
  targets: (spec) => operationsWithBody(spec, "create").map((operation) => ({ operation })),
  title: ({ operation }) =>
    `${operation.key} shows lists in the order, and mail addresses in the case, that were sent`,
  probes: ({ operation }) => [scenario(operation)],
  writes: true,
  check(history, { operation }) {
    const uses = plainUses(history, operation);
    return judged(
      uses.flatMap((use) => respelled(history, operation, { ...use, answer: use.made })),
      uses.map(({ entry }) => entry),
      notExercised("control-rejected", `${operation.key} made nothing`),
    );
  },
});

interface DeclinableTarget extends RuleTarget {
  declinable: Declinable;
  /** All values that the operation may reject. Those of a group are sent together. */
  groups: Declinable[][];
  requirement: string;
}

function declinableTargets(spec: Spec): DeclinableTarget[] {
  return operationsWithBody(spec, "create").flatMap((operation) => {
    const values = declinableValues(spec, operation.body ?? {});
    const groups = grouped(values);
    return values.map((declinable) => ({
      operation,
      declinable,
      groups,
      requirement: declinable.trimmed ? "CREATE-ECHO-DETAILS" : "CREATE-ECHO",
      detail: `declinable ${declinable.detail}`,
    }));
  });
}

/** The rule about values that a service may reject: if it accepts one, it must show it unchanged. */
const declinable = historyRule<DeclinableTarget>({
  notes: "awkwardValues",
  targets: declinableTargets,
  title: ({ operation, declinable: { detail } }) =>
    `${operation.key} either rejects ${inBrackets(detail)} or shows it unchanged`,
  probes: ({ operation, declinable: own, groups }) => [
    declinableValuesSent(
      operation,
      groups,
      groups.findIndex((group) => group.includes(own)),
    ),
  ],
  writes: true,
  check(history, at) {
    const { detail, name, free } = at.declinable;
    const [first, ...others] = sentWith(history, at);
    if (!first) return notExercised("not-sampled", `the seed left ${detail} out`);
    const accepted = [first, ...others].filter(({ entry }) => isAccepted(entry)).map(({ entry }) => entry);
    if (accepted.length === 0)
      return notExercised("declined", `${detail} was answered ${statusOf(first.entry)}`, [first.entry]);
    const made = history.creates(at.operation).accepted.filter(({ entry }) => accepted.includes(entry));
    const partOf = ({ sent }: SentCreate) => (free ? {} : { [name]: valueIn(sent, at.declinable) });
    return judged(
      made.flatMap((use) => unshown(history, { ...at, sent: partOf(use), shown: use.made }, [use.entry])),
      made.map(({ entry }) => entry),
      notExercised("no-data", "no resource is shown", accepted.slice(0, 1)),
    );
  },
  observe: (history, at) =>
    sentWith(history, at).map(({ entry: by }) => ({
      by,
      note: {
        requirement: "CREATE-AWKWARD",
        operation: at.operation.key,
        practice: "awkwardValues",
        field: at.declinable.name,
        tried: at.declinable.detail,
        answer: { status: statusOf(by) ?? 0 },
      },
    })),
});

/** Creates with a value that a service may decline: accepted ones, and those that have no other such value. */
function sentWith(
  history: History,
  { operation, declinable: own, groups }: Pick<DeclinableTarget, "operation" | "declinable" | "groups">,
): SentCreate[] {
  const { schemas } = history.spec;
  const others = groups.flat().filter((each) => each !== own);
  const holds = (sent: JsonObject, each: Declinable) => {
    const value = valueIn(sent, each);
    // Hidden values are redacted, but not their names.
    const isHidden = schemas.hides(schemas.at(operation.body ?? {}, `/${each.name}`) ?? {});
    return isHidden && isObject(value) && isObject(each.value)
      ? sameJson(Object.keys(value), Object.keys(each.value))
      : sameJson(value, each.value);
  };
  return history
    .creates(operation)
    .sent.filter(
      ({ entry, sent }) =>
        holds(sent, own) && (isAccepted(entry) || !others.some((other) => holds(sent, other))),
    );
}

/** The value of its field; of attributes, only those with the same names. */
function valueIn(sent: JsonObject, { name, value }: Declinable): unknown {
  const own = sent[name];
  return isObject(value) && isObject(own) ? pick(own, new Set(Object.keys(value))) : own;
}

/** Records which values are declined. The rule above has judged them. */
const declines = historyRule({
  requirement: "CREATE-AWKWARD",
  targets: (spec) =>
    operationsWithBody(spec, "create").map((operation) => ({
      operation,
      groups: grouped(declinableValues(spec, operation.body ?? {})),
    })),
  title: ({ operation }) => `which unusual texts ${operation.key} rejects`,
  probes: ({ operation, groups }) => groups.map((_, index) => declinableValuesSent(operation, groups, index)),
  writes: true,
  check(history, { operation, groups }) {
    const own = groups.flat().flatMap((each) => sentWith(history, { operation, declinable: each, groups }));
    const entries = own.map(({ entry }) => entry);
    return judged([], entries, notExercised("control-rejected", "no unusual text was sent"));
  },
});

export const createTexts = suiteOf("creates", ...texts, details, declinable, declines);
