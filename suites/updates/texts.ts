/** Texts and values at their limits in updates: shown unchanged, or rejected if that is allowed. */

import { Untestable } from "../../client/check.ts";
import { isAccepted } from "../../client/target.ts";
import { SUSPECT_TEXTS } from "../../generators/text.ts";
import type { Operation } from "../../spec/model/spec.ts";
import { inBrackets, takesText } from "../shared/echo.ts";
import { judges, suiteOf } from "../shared/rule.ts";
import {
  ANY_TEXT,
  declinableMembers,
  declinableUpdates,
  mustTakeTexts,
  type SpecialStep,
  specialPlaces,
  specialUpdates,
  suspectUpdates,
  within,
} from "./text-probes.ts";
import { mustBeShown, stepEvidence } from "./update.ts";
import { SIGHTS } from "./update-sights.ts";
import { throwDifferences, updatesOf } from "./updating.ts";

/** The rules about awkward texts, and about values as long and as many as allowed. */
const special = SIGHTS.map(({ requirement, shower, faults, where }) =>
  judges({
    requirement,
    over: specialPlaces,
    title: ({ operation, title }) => `${shower(operation)} shows what was sent, ${title}`,
    versions: "rotated",
    draw: "special updates",
    scenario: specialUpdates,
    async look(found, { operation, detail, title }, call) {
      const carrying = found.filter(({ members }) => members.some((member) => member.special === detail));
      if (detail === ANY_TEXT) await mustTakeTexts(call, carrying);
      const shown = carrying.filter(({ step }) => isAccepted(step.answer));
      if (shown.length === 0) throw new Untestable("no-data", `nothing was accepted, ${title}`);
      for (const each of shown) {
        // An empty list may look like nothing, so the answer must show the resource.
        mustBeShown(each.step);
        throwDifferences(within(faults(each.step, operation), each, detail), stepEvidence(each.step), where);
      }
      // All other texts were sent together with them.
      if (detail === ANY_TEXT)
        for (const { step } of found.filter(({ step }) => isAccepted(step.answer)))
          throwDifferences(faults(step, operation), stepEvidence(step), where);
    },
  }),
);

/**
 * The rules about texts that a firewall may take for an attack. They are sent last: the first under every
 * version, the others once. At depth quick each operation gets one, mostly the first.
 */
const suspect = SUSPECT_TEXTS.flatMap((text, index) =>
  SIGHTS.map(({ requirement, shower, faults, where }) =>
    judges({
      stage: "provoke",
      requirement,
      over: (spec) =>
        updatesOf(spec)
          .filter(({ operation }) => takesText(spec, operation))
          .map((at) => ({ ...at, detail: text.detail })),
      title: ({ operation, detail }) => `${shower(operation)} shows what was sent, ${detail} too`,
      versions: "rotated",
      under: (_, version, versions) => index === 0 || version === versions - 1,
      group: ({ operation }) => `${operation.key} suspect text`,
      draw: "suspect texts",
      scenario: (call) => suspectUpdates(call, text),
      async look(found, { operation }, call) {
        await mustTakeTexts(call, found);
        const shown = found.filter(({ step }) => isAccepted(step.answer));
        if (shown.length === 0) throw new Untestable("no-data", `${text.detail} was not accepted`);
        for (const each of shown)
          throwDifferences(
            within(faults(each.step, operation), each, ANY_TEXT),
            stepEvidence(each.step),
            where,
          );
      },
    }),
  ),
);

interface DeclinableUpdate {
  operation: Operation;
  detail: string;
  what: string;
  /** True if a careful service may trim the value. */
  trimmed: boolean;
  /** True if any shown value is right. */
  free: boolean;
}

/** The rule about values that a service may reject: if it accepts one, it must show it unchanged. */
const declinable = judges<DeclinableUpdate, SpecialStep[]>({
  requirement: ({ trimmed }) => (trimmed ? "UPDATE-ECHO-DETAILS" : "UPDATE-ECHO"),
  over: (spec) =>
    updatesOf(spec).flatMap(({ operation }) =>
      declinableMembers(spec, operation).map(({ what, trimmed = false, free = false }) => ({
        operation,
        detail: `declinable ${what}`,
        what,
        trimmed,
        free,
      })),
    ),
  title: ({ operation, what, free }) =>
    `${operation.key} either rejects ${inBrackets(what)} or ${free ? "accepts it" : "shows it unchanged"}`,
  scenario: declinableUpdates,
  look(found, { operation, what, free }, call) {
    const { target } = call;
    const tried = found.find(({ members }) => members.some(({ special: own }) => own === what));
    if (!tried) throw new Untestable("not-sampled", `the seed left ${what} out`);
    const { answer } = tried.step;
    target.note(
      {
        requirement: "UPDATE-AWKWARD",
        operation: operation.key,
        practice: "awkwardValues",
        tried: what,
        answer: { status: answer.status },
      },
      [answer.exchange],
    );
    if (!isAccepted(answer))
      throw new Untestable("declined", `${what} was answered ${answer.status}`, [answer]);
    if (!tried.step.unshown) throw new Untestable("no-data", "it was accepted, and shows nothing", [answer]);
    if (free) return;
    throwDifferences(within(tried.step.unshown, tried, what), [answer], "");
  },
});

/** Records which values are declined. The rule above has judged them. */
const declined = judges({
  requirement: "UPDATE-AWKWARD",
  over: updatesOf,
  title: ({ operation }) => `which unusual texts ${operation.key} rejects`,
  scenario: declinableUpdates,
  look() {},
});

export const updateTexts = suiteOf("updates", ...special, declinable, declined, ...suspect);
