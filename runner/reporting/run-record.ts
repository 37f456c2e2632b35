import type { Answers } from "../../history/answers/answers.ts";
import { shownParts } from "../../history/journal/shown-parts.ts";
import { observationOf } from "../../profiles/prose.ts";
import { addTo } from "../../spec/grouped.ts";
import type { Note, NoteAnswers } from "../../spec/model/note.ts";
import type { Coverage, Exchange, Observation } from "../../spec/model/result.ts";
import type { Spec } from "../../spec/model/spec.ts";
import type { Cost } from "../planning/estimate.ts";

export class RunRecord {
  readonly costs = new Map<string, Cost>();
  readonly #observations = new Map<string, Observation>();
  readonly #constraints: Coverage["constraints"] = {};
  #wasLimited = false;
  #charged = 0;
  readonly #underWay = new Map<string, [from: number, to: number][]>();

  /** Adds the exchange to the costs of the probe or check. */
  charge(asker: string, created: number, { startedAt, durationMs }: Exchange): void {
    const from = Date.parse(startedAt);
    addTo(this.#underWay, asker, [from, from + durationMs] as [number, number]);
    const cost = this.costs.get(asker) ?? { requests: 0, created: 0 };
    const made = created - this.#charged;
    this.#charged = created;
    this.costs.set(asker, { requests: cost.requests + 1, created: cost.created + made });
  }

  /** Returns for how many milliseconds requests of these probes and checks were under way. */
  wallTime(askers: readonly string[]): number {
    let time = 0;
    let end = 0;
    const spans = askers.flatMap((asker) => this.#underWay.get(asker) ?? []);
    for (const [from, to] of spans.sort(([a], [b]) => a - b)) {
      time += Math.max(0, to - Math.max(from, end));
      end = Math.max(end, to);
    }
    return time;
  }

  note(note: Note): void {
    const observation = observationOf(note);
    const { requirement, operation, subject } = observation;
    this.#observations.set(`${requirement} ${operation} ${subject}`, observation);
  }

  limited(hasRetryAfter: boolean): void {
    this.#wasLimited = true;
    this.#noteLimit(hasRetryAfter ? "with Retry-After" : "without Retry-After");
  }

  #noteLimit(word: NoteAnswers["rateLimit"]["word"]): void {
    this.note({ requirement: "SILENCE-RATE-LIMIT", operation: "", behaviour: "rateLimit", answer: { word } });
  }

  exercised(constraint: string, by: "valid" | "violating"): void {
    const counts = this.#constraints[constraint] ?? { valid: 0, violating: 0 };
    this.#constraints[constraint] = counts;
    counts[by]++;
  }

  get observations(): Observation[] {
    if (!this.#wasLimited) this.#noteLimit("none seen");
    const key = ({ requirement, operation, subject }: Observation) =>
      `${requirement} ${operation} ${subject}`;
    return [...this.#observations.values()].sort((a, b) => key(a).localeCompare(key(b), "en"));
  }

  /** Returns the coverage of the run, by operation, field and constraint. */
  coverage(spec: Spec, answers: Answers): Coverage {
    const operations: Coverage["operations"] = {};
    for (const operation of spec.operations) {
      const statuses = answers.statusesOf(operation);
      operations[operation.key] = {
        requests: statuses.length,
        statuses: countsOf(statuses),
        outcomes: {},
        ...latencyOf(answers.durationsOf(operation)),
      };
    }
    return { operations, fields: fieldsOf(spec, answers), constraints: this.#constraints };
  }
}

function countsOf(statuses: readonly number[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const status of statuses) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

function fieldsOf(spec: Spec, answers: Answers): Coverage["fields"] {
  const all: Coverage["fields"] = {};
  for (const answer of spec.operations.flatMap((operation) => answers.to(operation)))
    for (const [label, { seen, null: nulls }] of shownParts(spec, answer).fields) {
      const count = all[label] ?? { seen: 0, null: 0 };
      all[label] = { seen: count.seen + seen, null: count.null + nulls };
    }
  return all;
}

function latencyOf(durations: readonly number[]): { latencyMs?: { p50: number; p95: number } } {
  if (durations.length === 0) return {};
  const sorted = [...durations].sort((a, b) => a - b);
  const at = (share: number) => sorted[Math.ceil(share * sorted.length) - 1] ?? 0;
  return { latencyMs: { p50: at(0.5), p95: at(0.95) } };
}
