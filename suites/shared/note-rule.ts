/** Rules that only note how the service behaves if the specification leaves it open. */

import type { Entry } from "../../history/entry.ts";
import type { History } from "../../history/history.ts";
import { notExercised, type RuleResult } from "../../history/result.ts";
import { definedOnly } from "../../spec/defined-only.ts";
import type { Note, NoteAnswers, ObservedBehaviour } from "../../spec/model/note.ts";
import { type HistoryRule, historyRule, type Rules, type RuleTarget } from "./history-rule.ts";

/** How the service behaved once. */
export interface Seen<P extends ObservedBehaviour> {
  answer: NoteAnswers[P];
  field?: string | undefined;
  /** The case that was tested, if the behaviour has several. */
  tried?: string;
  shownBy: Entry | Entry[];
}

interface NoteRule<At extends RuleTarget, P extends ObservedBehaviour>
  extends Omit<HistoryRule<At>, "check" | "observe"> {
  notes: P;
  seen(history: History, at: At): Seen<P>[];
  /** Why nothing was seen. Default: no request had such a value. */
  unseen?: string | ((history: History, at: At) => RuleResult);
}

const NOT_SENT = "no request had such a value";

/** Returns the rule that notes this behaviour for its requirement and operation. */
export function noteRule<At extends RuleTarget, P extends ObservedBehaviour>(rule: NoteRule<At, P>): Rules {
  const { seen, unseen, ...common } = rule;
  return historyRule<At>({
    ...common,
    check: (history, at) =>
      noted(at, rule.requirement ?? at.requirement ?? "", rule.notes, seen(history, at), () =>
        typeof unseen === "function" ? unseen(history, at) : notExercised("no-data", unseen ?? NOT_SENT),
      ),
  });
}

/** Returns a note for each time, or `otherwise` if there are none. What shows the last is evidence. */
export function noted<P extends ObservedBehaviour>(
  { operation }: RuleTarget,
  requirement: string,
  behaviour: P,
  seen: readonly Seen<P>[],
  otherwise = () => notExercised("no-data", NOT_SENT),
): RuleResult {
  const last = seen.at(-1);
  if (!last) return otherwise();
  const notes = seen.map(
    ({ shownBy: _, ...facts }) =>
      ({ requirement, operation: operation.key, behaviour, ...definedOnly(facts) }) as Note,
  );
  return { outcome: "noted", notes, evidence: [last.shownBy].flat() };
}

/** Returns each answer with its status, to note. */
export function statusesSeen(answers: readonly { entry: Entry; status: number }[]) {
  return answers.map(({ entry, status }) => ({ shownBy: entry, answer: { status } }));
}
