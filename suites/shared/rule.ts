/** Rules that send and judge in one step. */

import { Call } from "../../client/call.ts";
import type { Check, Stage, Suite } from "../../client/check.ts";
import { drawWords } from "../../client/version-choice.ts";
import type { NotedPractice } from "../../spec/model/note.ts";
import type { RejectionCause } from "../../spec/model/profile.ts";
import type { Operation, Spec } from "../../spec/model/spec.ts";
import { versionsOf } from "../../spec/versions.ts";

export interface Place {
  operation: Operation;
  detail?: string;
  requirement?: string;
}

export function operationsOf(spec: Spec, ...kinds: Operation["kind"][]): Operation[] {
  return spec.operations.filter((operation) => kinds.includes(operation.kind));
}

export function operationsWithBody(spec: Spec, ...kinds: Operation["kind"][]): Operation[] {
  return operationsOf(spec, ...kinds).filter(({ body }) => body !== undefined);
}

/**
 * The versions with which a rule is sent. `usual`: the default version. `rotated`: a check for every version,
 * and for none, of which depth quick runs one. `closely`: the same, but depth quick always runs the newest,
 * too.
 */
type Versions = "usual" | "rotated" | "closely";

interface RuleFacts<At extends Place> {
  requirement?: string | ((at: At) => string);
  over(spec: Spec): At[];
  title(at: At): string;
  /** The stage; by default "read" for reads and "write" for writes. */
  stage?: Stage | ((at: At) => Stage);
  /** True if it sends a POST or PATCH; by default, the operation's method decides. */
  writes?: boolean | ((at: At) => boolean);
  versions?: Versions | ((at: At) => Versions);
  /**
   * For `rotated`: true if the check at a target exists for the version at an index; by default always.
   * Similar targets share the versions, at depth full too.
   */
  under?(at: At, index: number, versions: number): boolean;
  /**
   * At depth quick the seed picks one of the targets with the same text. The text replaces the target in the
   * check's id.
   */
  group?(at: At): string | undefined;
  /** True if the rule uses up a fixture. It is then not sent again. */
  consumes?: boolean;
  /**
   * For `rotated`: rules with the same text at an operation run under the same version, and so share a
   * scenario.
   */
  draw?: string;
  cause?: RejectionCause | ((at: At) => RejectionCause | undefined);
  notes?: NotedPractice | ((at: At) => NotedPractice);
}

/** `run` throws Violation or Untestable; returning is a pass. */
interface Rule<At extends Place> extends RuleFacts<At> {
  run(call: Call, at: At): Promise<void>;
}

export type Rules = (spec: Spec, suite: string) => Check[];

function rule<At extends Place>(facts: Rule<At>): Rules {
  return (spec, suite) => facts.over(spec).flatMap((at) => checksAt(spec, suite, facts, at));
}

function factAt<At extends Place, T>(fact: T | ((at: At) => T), at: At): T {
  return fact instanceof Function ? fact(at) : fact;
}

function checksAt<At extends Place>(spec: Spec, suite: string, facts: Rule<At>, at: At): Check[] {
  const { operation, detail } = at;
  const requirement = factAt(facts.requirement, at) ?? at.requirement;
  if (requirement === undefined) throw new Error(`a rule of ${suite} names no requirement`);
  const cause = factAt(facts.cause, at);
  const notes = factAt(facts.notes, at);
  const changes = operation.method !== "GET";
  const check = (version?: string | null): Check => ({
    id: [`${suite}/${requirement}`, operation.key, ...(detail === undefined ? [] : [detail])].join(" "),
    title: facts.title(at),
    suite,
    requirements: [requirement],
    operation: operation.key,
    serviceVersion: version ?? null,
    versioned: version !== undefined,
    stage: factAt(facts.stage, at) ?? (changes ? "write" : "read"),
    writes: factAt(facts.writes, at) ?? changes,
    ...(cause === undefined ? {} : { cause }),
    ...(notes === undefined ? {} : { notes }),
    ...(facts.consumes === undefined ? {} : { consumes: facts.consumes }),
    run: (target) => facts.run(new Call(target, operation, version), at),
  });
  const versions = versionsOf(spec, operation);
  const [only = null] = versions;
  const words = facts.group?.(at);
  const grouped = {
    ...(words === undefined ? {} : { rotation: `${suite}/${requirement} ${words}` }),
    ...(facts.draw === undefined ? {} : { draw: drawWords(facts.draw, words ?? operation.key) }),
  };
  const { under } = facts;
  const way = factAt(facts.versions, at) ?? "usual";
  if (way === "usual") return [{ ...check(), ...grouped }];
  if (versions.length === 1) {
    const turns = way === "closely" ? {} : grouped;
    return [{ ...check(only), serviceVersion: null, versioned: false, ...turns }];
  }
  const tried = versions.filter((_, index) => under?.(at, index, versions.length) ?? true);
  return tried.map((version) => {
    const single = check(version);
    const named = { ...single, id: `${single.id} @${version ?? "none"}` };
    if (way === "closely" && version === versions.at(-1)) return named;
    const rotation = way === "closely" ? `${single.id} under another version` : single.id;
    return { ...named, rotation, ...grouped };
  });
}

/**
 * For `under`: true if the `number`th of similar targets runs under the version at an index. Each target gets
 * a version, and each version a target.
 */
export function shareOf(number: number, places: number, index: number, versions: number): boolean {
  return places < versions ? index % places === number : number % versions === index;
}

export interface ScenarioRule<At extends Place, Scenario> extends RuleFacts<At> {
  scenario(call: Call, at: At): Promise<Scenario>;
  /**
   * Throws Violation or Untestable; returning is a pass. A scenario without evidence throws Untestable
   * (no-data).
   */
  look(scenario: Scenario, at: At, call: Call): void | Promise<void>;
}

export function judges<At extends Place, Scenario>(facts: ScenarioRule<At, Scenario>): Rules {
  return rule({
    ...facts,
    async run(call, at) {
      await facts.look(await facts.scenario(call, at), at, call);
    },
  });
}

export function suiteOf(suite: string, ...rules: Rules[]): Suite {
  return (spec) => rules.flatMap((each) => each(spec, suite));
}
