/** Awkward text and values in bodies (rows 62 and 80): legal ones are shown unchanged, others declined or shown unchanged. */

import { type Check, Untestable } from "../client/check.ts";
import { control } from "../client/controls.ts";
import { validBody } from "../client/supply.ts";
import { type Answer, isAccepted, isRejected, type Target } from "../client/target.ts";
import { controlAccepted, mustAccept } from "../client/verdicts.ts";
import { usualVersion } from "../client/version-choice.ts";
import type { JsonObject } from "../spec/json.ts";
import type { Operation, Schema, Spec } from "../spec/model/spec.ts";
import { check, perVersion } from "./derive.ts";
import {
  type AwkwardParts,
  awkwardParts,
  awkwardSamples,
  declinableValues,
  plainTwin,
  withAwkwardParts,
} from "./echo.ts";
import { holds } from "./property.ts";

/** A property sends a whole body for each case; every awkward piece of text is among its examples anyway. */
const MOST_RUNS = 4;

/** How a body is sent to an operation, and where it is to be shown. */
export interface Round {
  send(body: JsonObject, role?: string): Promise<Answer>;
  /** Throws a Violation where it does not show what was sent. */
  mustShow(body: JsonObject, answer: Answer): Promise<void>;
}

/** Checks that differ in what they send alone. `begin` gives a Round for the time of `work`. */
export interface Rounds {
  suite: string;
  requirement: string;
  /** What shows what was sent, in a title: "POST /things", "the next read after PATCH /things/{id}". */
  shower: string;
  begin(target: Target, version: string | null, work: (round: Round) => Promise<void>): Promise<void>;
}

/** Whatever characters a text holds, it is accepted and shown (fast-check shrinks to the smallest that is not). */
export function anyTextChecks(spec: Spec, operation: Operation, body: Schema, rounds: Rounds): Check[] {
  return perVersion(spec, {
    suite: rounds.suite,
    requirement: rounds.requirement,
    operation,
    detail: "any text",
    title: `${rounds.shower} shows what was sent, whatever characters it holds`,
    stage: "write",
    writes: true,
    async run(target, version) {
      await control(target, operation, version);
      await rounds.begin(target, version, async (round) => {
        const send = async (parts: AwkwardParts) => {
          const sent = withAwkwardParts(target, await validBody(target, operation, "full", 1), parts);
          return { sent, answer: await round.send(sent) };
        };
        await holds(
          target,
          awkwardParts(spec, body),
          async (parts) => {
            const { sent, answer } = await send(parts);
            if (isRejected(answer)) {
              const twin = await send(plainTwin(parts));
              controlAccepted(twin.answer, "plain text of the same length");
            }
            mustAccept(answer, "legal text");
            await round.mustShow(sent, answer);
          },
          Math.min(target.settings.runs, MOST_RUNS),
          awkwardSamples(spec, body),
        );
      });
    },
  });
}

/** What a service may decline it may decline; but what it takes it shows unchanged (ruling on rows 62 and 80). */
export function declinableChecks(
  spec: Spec,
  operation: Operation,
  body: Schema,
  rounds: Rounds & { note: string },
): Check[] {
  const sketch = { suite: rounds.suite, operation, stage: "write", writes: true } as const;
  return [
    ...declinableValues(spec, body)
      .filter(({ trimmed }) => !trimmed)
      .map(({ detail, name, value }) =>
        check({
          ...sketch,
          requirement: rounds.requirement,
          detail: `declinable ${detail}`,
          title: `${operation.key} declines ${detail}, or shows it unchanged`,
          async run(target) {
            const version = usualVersion(target, operation);
            await control(target, operation, version);
            await rounds.begin(target, version, async (round) => {
              const sent = { ...(await validBody(target, operation, "full", 1)), [name]: value };
              const answer = await round.send(sent, "probe");
              const told = isAccepted(answer) ? "accepted" : `declined (${answer.status})`;
              target.observe(rounds.note, operation.key, detail, told);
              if (!isAccepted(answer))
                throw new Untestable("declined", `${detail} was answered ${answer.status}`, [
                  answer.exchange,
                ]);
              await round.mustShow(sent, answer);
            });
          },
        }),
      ),
    // The observations themselves are made above.
    check({
      ...sketch,
      requirement: rounds.note,
      title: `what ${operation.key} declines`,
      async run(target) {
        await control(target, operation, usualVersion(target, operation));
      },
    }),
  ];
}
