/**
 * Sees every answer of the run, whatever it was asked for, and holds it against the rules that any answer keeps by
 * itself, and against the shape that is documented for it. What it finds is told at the end, by the checks of `answers`.
 */

import { isInvented } from "../client/invented-names.ts";
import {
  type Answer,
  isAccepted,
  isServerError,
  itemsOf,
  paginationOf,
  type SeenAnswers,
  type SeenFault,
  SIMULTANEOUS,
} from "../client/target.ts";
import type { Profile } from "../profiles/promises.ts";
import { SeenValues } from "../profiles/seen-values.ts";
import { PromiseWatch } from "../profiles/watch-answers.ts";
import { isObject, type JsonObject } from "../spec/json.ts";
import type { Coverage, Exchange } from "../spec/model/result.ts";
import type { Operation, Spec } from "../spec/model/spec.ts";
import { type Shape, Shapes, type Visited, walkShape } from "../spec/schema/shape.ts";
import type { SchemaIndex } from "../spec/schema-index.ts";
import { PassingErrors } from "./passing-errors.ts";
import { SeenFields } from "./seen-fields.ts";
import { type Fault, nullsIn, shapeFaults } from "./shape-faults.ts";
import { UniqueValues } from "./unique-values.ts";
import { weight } from "./weight.ts";

/** An answer as a rule is shown it. */
export interface SeenAnswer {
  answer: Answer;
  /** Whether the request broke no rule. */
  valid: boolean;
  /** A success that has a body: 204 and 205 have none by definition, their status is the whole finding. */
  success: boolean;
  /** What is told of a list, where a list was answered and its body is to be judged. */
  page: SeenPage | undefined;
}

/** One page of a list. */
export interface SeenPage {
  items: JsonObject[];
  /** How many there are; undefined where result is neither a list nor null. */
  length: number | undefined;
  /** Undefined where there is none. */
  pagination: JsonObject | undefined;
}

/** A rule that any answer keeps by itself: the check of it, whether it was exercised, and the fault are all told by this. */
export interface AnswerRule {
  requirement: string;
  /** Whether answers to the operation can break it. */
  over(operation: Operation): boolean;
  /** Whether it can be broken by a page of which only the number of items is known, and that only at least. */
  ofSize?: true;
  /** undefined where the answer could not break it, null where it keeps it. */
  look(seen: SeenAnswer): Fault | null | undefined;
}

/** What was found at an operation, and what was looked at. */
interface Findings {
  rules: AnswerRule[];
  shape: Shape | undefined;
  /** By requirement: the fault that takes least to read, and how many there were. */
  faults: Map<string, { first: SeenFault; count: number }>;
  /** Requirements that some answer could have broken. */
  exercised: Set<string>;
}

export class EveryAnswer implements SeenAnswers {
  readonly #rules: readonly AnswerRule[];
  readonly #schemas: SchemaIndex;
  readonly #shapes: Shapes;
  readonly #findings = new Map<string, Findings>();
  readonly #seen: SeenFields;
  readonly #uniques: UniqueValues;
  readonly #promises: PromiseWatch;
  readonly #errors = new PassingErrors();
  readonly seenValues = new SeenValues();
  /** Is told of each violation that an answer shows, when it shows it. */
  found: ((operation: Operation, requirement: string) => void) | undefined;
  /** By operation: how often each status was answered. */
  readonly statuses = new Map<string, Map<number, number>>();
  /** By operation: how long each answer took, in milliseconds. */
  readonly durations = new Map<string, number[]>();

  /** With a profile, answers are held against its promises too. */
  constructor(spec: Spec, rules: readonly AnswerRule[], profile?: Profile) {
    this.#rules = rules;
    this.#schemas = spec.schemas;
    this.#shapes = new Shapes(spec.schemas);
    this.#seen = new SeenFields(spec);
    this.#uniques = new UniqueValues(spec);
    this.#promises = new PromiseWatch(spec, profile);
  }

  /** How often each documented field was shown, and shown as null. */
  get fields(): Coverage["fields"] {
    return this.#seen.counts;
  }

  /** Every requirement that answers to an operation can break by themselves. */
  requirementsAt(operation: Operation): string[] {
    const { rules, shape } = this.#of(operation);
    const demanded = shape ? this.#shapes.requirementsBelow(shape) : [];
    const unique = shape ? this.#uniques.requirementsOf(operation) : [];
    return [...new Set([...rules.map(({ requirement }) => requirement), ...demanded, ...unique])];
  }

  /** The first fault of a requirement by an operation's answers, if any, and how many there were. */
  fault(operation: Operation, requirement: string): { first: SeenFault; count: number } | undefined {
    return this.#of(operation).faults.get(requirement);
  }

  passingError(operation: Operation): Exchange[] | undefined {
    return this.#errors.passing(operation);
  }

  racedError(operation: Operation): SeenFault | undefined {
    return this.#errors.raced(operation);
  }

  /** Takes note of a server error that an equal request did not get again. */
  seePassing(error: Answer, instead: Answer): void {
    this.#errors.seePassing(error, instead);
  }

  /** Whether the operation has accepted a call in this run. */
  hasAccepted(operation: Operation): boolean {
    return this.statusesOf(operation).some((status) => status >= 200 && status < 300);
  }

  /** The statuses that the operation's calls were answered with. */
  statusesOf(operation: Operation): number[] {
    return [...(this.statuses.get(operation.key)?.keys() ?? [])];
  }

  /** Whether any answer of the operation could have broken the requirement. */
  wasExercised(operation: Operation, requirement: string): boolean {
    return this.#of(operation).exercised.has(requirement);
  }

  /** Values seen of the open enumerations (x-observe), by `operation requirement`. */
  observed(operation: Operation, requirement: string): string[] {
    return this.#seen.valuesOf(operation, requirement);
  }

  /** Pointers of fields that the operation's answers had and the specification does not name. */
  extraFields(operation: Operation): string[] {
    return this.#seen.extraOf(operation);
  }

  /** Whether the operation showed enough different resources for what none of them held to be left out on purpose. */
  showedEnough(operation: Operation): boolean {
    return this.#seen.showedEnough(operation);
  }

  /** Documented fields of the operation's resource that no answer of the run held. */
  unseenFields(operation: Operation): string[] {
    return this.#seen.unseenOf(operation);
  }

  /**
   * Takes note of an answer. `valid` says that the request broke no rule; `attempt` tells tries of a check apart. What is
   * answered on a path that is not under test is left open (row 93), and is part of nothing.
   */
  see(answer: Answer, check: string, valid: boolean, attempt = 1): void {
    const { operation, pathOverride } = answer.plan;
    if (pathOverride !== undefined) return;
    const findings = this.#of(operation);
    const note = (requirement: string, fault?: Fault): void => {
      findings.exercised.add(requirement);
      if (fault) this.#add(operation, requirement, fault, [shownWith(answer, fault)], check, valid);
    };
    const counts = this.statuses.get(operation.key) ?? new Map<number, number>();
    this.statuses.set(operation.key, counts.set(answer.status, (counts.get(answer.status) ?? 0) + 1));
    const durations = this.durations.get(operation.key) ?? [];
    this.durations.set(operation.key, durations);
    durations.push(answer.exchange.durationMs);
    this.#promises.see(answer, note);
    this.seenValues.see(answer);
    const success = isAccepted(answer) && answer.status !== 204 && answer.status !== 205;
    // A write that should have been rejected is a finding of its own; what it shows then is no further one.
    const judged = success && answer.json !== undefined && (valid || operation.method === "GET");
    const page = judged && operation.list ? pageOf(answer) : undefined;
    const seen: SeenAnswer = { answer, valid, success, page };
    const raced = isServerError(answer) && answer.exchange.role === SIMULTANEOUS;
    const passing = raced && !this.#errors.seeRaced(answer, check, attempt);
    for (const { requirement, look } of findings.rules) {
      if (passing && requirement === "NO-SERVER-ERROR") continue;
      const fault = look(seen);
      if (fault !== undefined) note(requirement, fault ?? undefined);
    }
    if (!success || answer.json === undefined) return;
    for (const fault of shapeFaults(this.#schemas, answer))
      if (judged || !fault.offending?.startsWith("/result")) note(fault.requirement, fault);
    if (!judged || !findings.shape) return;
    walkShape(findings.shape, answer.json, (at) => {
      for (const requirement of at.shape.exercisedBy(at.value) ?? []) findings.exercised.add(requirement);
      this.#visit(answer, at, note);
    });
  }

  /** Takes note of a page of which no more was read than that it has so many items at least. */
  seeBeginning(answer: Answer, items: number, { check, valid }: { check: string; valid: boolean }): void {
    const { operation, pathOverride } = answer.plan;
    if (pathOverride !== undefined) return;
    const page: SeenPage = { items: [], length: items, pagination: undefined };
    for (const { requirement, look, ofSize } of this.#of(operation).rules) {
      const fault = ofSize ? look({ answer, valid, success: true, page }) : undefined;
      if (!fault) continue;
      const atLeast = { ...fault, actual: `${fault.actual} or more` };
      this.#add(operation, requirement, atLeast, [shownWith(answer, fault)], check, valid);
    }
  }

  #visit(answer: Answer, at: Visited, note: (requirement: string, fault?: Fault) => void): void {
    const { shape, value, pointer, parent } = at;
    const { operation } = answer.plan;
    if (isObject(value)) this.#seen.fieldsOf(operation, shape, value, pointer);
    for (const schema of shape.schemas) {
      const { "x-unique": unique, "x-observe": observe } = schema;
      if (unique?.requirement && (typeof value === "string" || typeof value === "number"))
        this.#uniques.see(
          answer,
          unique.requirement,
          value,
          { pointer, owner: parent },
          (operations, fault) => {
            if (!fault) note(unique.requirement ?? "");
            // Two operations that show one value for different records are both at fault, as far as anybody can tell.
            else
              for (const each of new Set(operations))
                this.#add(each, fault.requirement, fault, fault.evidence, "", true);
          },
        );
      if (observe && value !== null && !isObject(value) && !isInvented(value)) {
        this.#seen.value(operation, observe, value);
        this.#promises.seeValue(schema, value, pointer, note);
        this.seenValues.seeValue(schema, value);
      }
    }
  }

  #of(operation: Operation): Findings {
    const known = this.#findings.get(operation.key);
    if (known) return known;
    const made: Findings = {
      rules: this.#rules.filter(({ over }) => over(operation)),
      shape: operation.response && this.#shapes.of([operation.response]),
      faults: new Map(),
      exercised: new Set(),
    };
    this.#findings.set(operation.key, made);
    return made;
  }

  #add(
    operation: Operation,
    requirement: string,
    fault: Fault,
    evidence: Exchange[],
    check: string,
    valid: boolean,
  ): void {
    const { faults, exercised } = this.#of(operation);
    exercised.add(requirement);
    const witnessed = { ...fault, requirement, evidence, check, valid };
    const known = faults.get(requirement);
    if (!known) {
      faults.set(requirement, { first: witnessed, count: 1 });
      this.found?.(operation, requirement);
      return;
    }
    known.count++;
    const nulls = [...new Set([...(known.first.nulls ?? []), ...(fault.nulls ?? [])])];
    // Of faults alike, one that a valid request shows, and of those the one that takes least to read; any other kind of
    // fault comes before nulls.
    if (weight(witnessed) < weight(known.first)) known.first = witnessed;
    if (known.first.nulls) known.first = { ...known.first, ...nullsIn(nulls) };
  }
}

function pageOf(answer: Answer): SeenPage {
  const { json } = answer;
  const result = isObject(json) ? json.result : undefined;
  return {
    items: itemsOf(answer),
    length: Array.isArray(result) ? result.length : result === null ? 0 : undefined,
    pagination: isObject(json) && isObject(json.pagination) ? paginationOf(answer) : undefined,
  };
}

function shownWith({ exchange }: Answer, { offending }: Fault): Exchange {
  return offending === undefined ? exchange : { ...exchange, offending };
}
