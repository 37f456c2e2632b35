/** The rules reach the same results on a history after it was redacted, written to a file and read again. */

import { expect, test } from "vitest";
import type { Check } from "../../client/check.ts";
import { type Entry, responseJson } from "../../history/entry.ts";
import { History } from "../../history/history.ts";
import { type RecordedHistory, readHistory } from "../../history/lines.ts";
import type { RuleResult } from "../../history/result.ts";
import { traitsOf } from "../../history/traits/traits.ts";
import { type ReferenceOptions, startReference } from "../../reference/index.ts";
import { compareOutcomes, lastJudged, rejudge } from "../../runner/judging/rejudge.ts";
import { runLoop } from "../../runner/loop.ts";
import { planChecks } from "../../runner/planning/plan.ts";
import { Session } from "../../runner/session.ts";
import { allChecks } from "../../suites/index.ts";
import { commitShare } from "../commit-seed.ts";
import { settingsFor } from "../prove/run.ts";
import { spec } from "../spec/package-spec.ts";

const checks = allChecks(spec);

/** Runs these checks. Returns each round's history twice: as recorded, and as read from the file. */
async function histories(options: ReferenceOptions, chosen: readonly Check[]) {
  const service = await startReference(options);
  try {
    const people = { alertEmails: "Ngozi.Okafor@acme.cm,aicha@acme.cm" };
    const settings = settingsFor(service, 1, { fixtures: { ...service.fixtures, ...people } });
    const session = new Session(spec, settings);
    const planned = planChecks(spec, settings, chosen);
    const { results, summary } = await runLoop(session, planned, {});
    const lines = [...session.recorded.history(false)];
    const read = readHistory(lines, spec);
    const rounds = [...new Set(read.entries.map(({ round }) => round))];
    return {
      secrets: [service.token, service.secondToken, ...people.alertEmails.split(",")],
      lines,
      agreement: compareOutcomes(rejudge(spec, chosen, read), results, spec),
      traits: summary?.traits,
      traitsAgain: traitsOf(lastJudged(spec, read)),
      rounds: rounds.map((round) => ({
        // Later rounds confirm single checks, so only these are judged.
        judged: round === 1 ? chosen : chosen.filter(({ id }) => isJudgedIn(round, id, read)),
        live: session.histories.of(round),
        written: new History(
          spec,
          read.head,
          read.entries.filter((entry) => entry.round === round),
          read.entries,
          read.deliveries,
        ),
      })),
    };
  } finally {
    await service.close();
  }
}

function isJudgedIn(round: number, id: string, { judgements }: RecordedHistory): boolean {
  return judgements.some((judgement) => judgement.round === round && judgement.check === id);
}

/** A result without its messages, whose values may be masked in the file. */
function outcomeOf(result: RuleResult) {
  const indexes = (entries: readonly Entry[] = []) => entries.map(({ index }) => index);
  switch (result.outcome) {
    case "violated":
      return result.violations.map(({ certainty, shownBy }) => ({
        certainty,
        shownBy: shownBy.map(({ entry, offending }) => [entry.index, offending]),
      }));
    case "noted": {
      const words = result.notes.map(({ behaviour, answer }) => [
        behaviour,
        typeof answer === "object" && answer !== null && "shows" in answer ? "shows" : answer,
      ]);
      return { words, evidence: indexes(result.evidence) };
    }
    case "not-exercised":
      return { reason: result.reason, message: result.message, evidence: indexes(result.evidence) };
    case "unsteady":
      return { unsteady: result.shownBy.map(({ entry, offending }) => [entry.index, offending]) };
    case "held":
      return { held: result.times, evidence: indexes(result.evidence) };
  }
}

function verdicts(history: History, judged: readonly Check[]) {
  return judged.map(({ id, verdict }) => {
    const result = verdict(history);
    return { id, isViolated: result.outcome === "violated", outcome: outcomeOf(result) };
  });
}

function sightings({ journal }: History) {
  return journal.sightings.map(({ id, field, view, by, write, duty, fits, standing }) =>
    [id, field, view.operation.key, by.index, write?.index, duty, fits, standing].join(" "),
  );
}

interface Subject {
  options: ReferenceOptions;
  /** Part of a path. Only checks of operations with it run and are judged, to save time. */
  at?: string;
  /** A trait that must be listed, and its subject. Others may be listed, too, because some depend on time. */
  trait?: [string, string];
}

const SUBJECTS: readonly Subject[] = [
  { options: {} },
  { options: { defects: ["lower-cased@webhook-update.url"] }, at: "/webhooks" },
  { options: { defects: ["no-credentials-but-done@code-update"] }, at: "/payment-codes" },
  { options: { defects: ["id-moves@webhook-update"] }, at: "/webhooks" },
  { options: { variant: "provider-ids-in-codes-out" }, at: "/payment-codes" },
  { options: { variant: "updates-are-merge-patches" }, at: "/webhooks" },
  {
    options: { variant: "single-reads-now-and-then-late" },
    at: "/payment-codes",
    trait: ["late-reads", "GET /payment-codes/{id}"],
  },
  { options: { variant: "quota-of-twelve-each" }, at: "/webhooks", trait: ["quota", "POST /webhooks"] },
  {
    options: { variant: "providers-go-up-and-down" },
    at: "/banks",
    trait: ["volatile-field", "status in GET /banks"],
  },
];
test.each<Subject>(commitShare(SUBJECTS, 9))(
  "a history that was written and read again is judged alike: $options",
  async ({ options, at = "", trait }) => {
    const chosen = checks.filter(({ operation }) => operation.includes(at));
    const { secrets, lines, rounds, agreement, traits, traitsAgain } = await histories(options, chosen);
    const isPlain = !("variant" in options) && !("defects" in options);
    if (isPlain) expect(traits).toEqual([]);
    if (trait) expect(traits?.map((each) => [each.trait, each.subject])).toContainEqual(trait);
    expect(agreement.differ).toEqual([]);
    expect(traitsAgain).toEqual(traits);
    expect(agreement.compared).toBeGreaterThan(50);
    expect(rounds.length).toBeGreaterThan(0);
    const outcomes = rounds.map(({ live, judged }) => verdicts(live, judged));
    for (const [index, { live, written, judged }] of rounds.entries()) {
      expect(written.entries.length).toBe(live.entries.length);
      expect(sightings(written)).toEqual(sightings(live));
      expect(verdicts(written, judged)).toEqual(outcomes[index]);
    }
    const [first] = rounds;
    const isWritten = chosen.some(({ writes }) => writes);
    expect(first?.live.journal.sightings.length).toBeGreaterThanOrEqual(isWritten ? 100 : 0);
    const violated = outcomes.flat().filter(({ isViolated }) => isViolated);
    // A quota or a volatile field may look like a violation in one round, so only proven violations count.
    const proven = violated.filter(({ outcome }) => JSON.stringify(outcome).includes('"certainty":"proven"'));
    if ("defects" in options) expect(violated).not.toEqual([]);
    else expect(proven).toEqual([]);
    // The comparison proves something only if some answer was redacted.
    const changed = first?.live.entries.filter(
      (entry, index) =>
        JSON.stringify(responseJson(entry)) !==
        JSON.stringify(responseJson(first.written.entries[index] ?? entry)),
    );
    expect(changed?.length).toBeGreaterThan(5);
    for (const secret of secrets) expect(lines.filter((line) => line.includes(secret))).toEqual([]);
  },
);
