/** A rule is a record: which requirement, over which places of the spec, tried how, and what to see in what comes back. */

import { Call } from "../client/call.ts";
import type { Check, Stage, Suite } from "../client/check.ts";
import { mustReject, noteRejection } from "../client/verdicts.ts";
import { drawWords, versionsOf } from "../client/version-choice.ts";
import type { RequestPlan } from "../generators/request.ts";
import type { NotedPractice } from "../spec/model/note.ts";
import type { RejectionCause } from "../spec/model/profile.ts";
import type { Operation, Spec } from "../spec/model/spec.ts";

/** A place that a rule holds at: an operation, and whatever of it the rule is about. */
export interface Place {
  operation: Operation;
  /** Tells places of one operation apart, e.g. the constraint. */
  detail?: string;
  /** What is due there, where it differs from place to place. */
  requirement?: string;
}

/** The operations of some kinds. */
export function operationsOf(spec: Spec, ...kinds: Operation["kind"][]): Operation[] {
  return spec.operations.filter((operation) => kinds.includes(operation.kind));
}

/** Those of them that take a body. */
export function operationsWithBody(spec: Spec, ...kinds: Operation["kind"][]): Operation[] {
  return operationsOf(spec, ...kinds).filter(({ body }) => body !== undefined);
}

/**
 * Under which versions a rule is tried. `usual`: the newest that the user allows. `each`: one check for every version,
 * none included. `rotated`: one check for every version at depth full; at depth quick one of them, chosen by the seed.
 * `closely`: as `each`, but of those that are not the newest depth quick takes one, chosen by the seed. `one`: one of
 * them, chosen by the seed, at either depth.
 */
export type Versions = "usual" | "each" | "rotated" | "closely" | "one";

/** What every rule says, whatever its shape. `At` is one place that it holds at. */
interface RuleFacts<At extends Place> {
  /** The place's own when left out. */
  requirement?: string | ((at: At) => string);
  over(spec: Spec): At[];
  title(at: At): string;
  /** When it is tried; when left out, what changes nothing is read, and what is meant to change something written. */
  stage?: Stage | ((at: At) => Stage);
  /** Whether trying it sends a POST or PATCH; by the operation's method when left out. */
  writes?: boolean | ((at: At) => boolean);
  versions?: Versions | ((at: At) => Versions);
  /**
   * For `rotated` and `each`: whether a place is tried under the version at an index of so many; under all when left
   * out. Places whose probes are much alike share the versions out among themselves, at depth full too.
   */
  under?(at: At, index: number, versions: number): boolean;
  /**
   * Places that take turns at depth quick: of those for which it gives the same words, the seed picks one (and one of
   * its versions, where these are rotated). The words stand for the place in the check's id then.
   */
  group?(at: At): string | undefined;
  /** Whether trying it uses up what the user gave for it: it is then not tried again, whatever it shows. */
  consumes?: boolean;
  /** For `rotated`: rules that name the same at an operation are tried under the same version, and so share a story. */
  draw?: string;
  /** What its probes give the service cause to reject. */
  cause?: RejectionCause | ((at: At) => RejectionCause | undefined);
  /** What it notes of the service, where the specification is silent on it. */
  notes?: NotedPractice | ((at: At) => NotedPractice);
}

/** A rule of no common shape: a function over the door. Throws Violation or Untestable; returning is a pass. */
export interface Rule<At extends Place> extends RuleFacts<At> {
  run(call: Call, at: At): Promise<void>;
}

/** The checks of one rule or several, as part of a chapter. */
export type Rules = (spec: Spec, suite: string) => Check[];

/** The checks of a rule: one for each of its places, and versions. */
export function rule<At extends Place>(facts: Rule<At>): Rules {
  return (spec, suite) => facts.over(spec).flatMap((at) => checksAt(spec, suite, facts, at));
}

/** What a fact of a rule comes to at a place. */
function told<At extends Place, T>(fact: T | ((at: At) => T), at: At): T {
  return fact instanceof Function ? fact(at) : fact;
}

function checksAt<At extends Place>(spec: Spec, suite: string, facts: Rule<At>, at: At): Check[] {
  const { operation, detail } = at;
  const requirement = told(facts.requirement, at) ?? at.requirement;
  if (requirement === undefined) throw new Error(`a rule of ${suite} names no requirement`);
  const cause = told(facts.cause, at);
  const notes = told(facts.notes, at);
  const changes = operation.method !== "GET";
  const check = (version?: string | null): Check => ({
    id: [`${suite}/${requirement}`, operation.key, ...(detail === undefined ? [] : [detail])].join(" "),
    title: facts.title(at),
    suite,
    requirements: [requirement],
    operation: operation.key,
    serviceVersion: version ?? null,
    versioned: version !== undefined,
    stage: told(facts.stage, at) ?? (changes ? "write" : "read"),
    writes: told(facts.writes, at) ?? changes,
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
  const way = told(facts.versions, at) ?? "usual";
  if (way === "usual") return [{ ...check(), ...grouped }];
  const drawn = way === "one" ? { drawn: true } : {};
  if (versions.length === 1) {
    const turns = way === "closely" ? {} : { ...grouped, ...drawn };
    return [{ ...check(only), serviceVersion: null, versioned: false, ...turns }];
  }
  const tried = versions.filter((_, index) => under?.(at, index, versions.length) ?? true);
  return tried.map((version) => {
    const single = check(version);
    const named = { ...single, id: `${single.id} @${version ?? "none"}` };
    if (way === "each" && words === undefined) return { ...named, ...grouped };
    if (way === "closely" && version === versions.at(-1)) return named;
    const rotation = way === "closely" ? `${single.id} under another version` : single.id;
    return { ...named, rotation, ...drawn, ...grouped };
  });
}

/**
 * For `under`: whether the `number`th of some places that are much alike is tried under the version at an index. Each
 * place is tried under one version at least, and each version at one place.
 */
export function shareOf(number: number, places: number, index: number, versions: number): boolean {
  return places < versions ? index % places === number : number % versions === index;
}

/** A rule about a valid request that is changed in the one thing that the rule is about. */
export interface ProbeRule<At extends Place> extends RuleFacts<At> {
  /** The probe, made from a fresh valid request; Untestable where none can be made. */
  change(plan: RequestPlan, at: At, call: Call): RequestPlan | Promise<RequestPlan>;
  /** What is sent, as a noun phrase, for the message. */
  what(at: At): string;
}

/** Checks that a probe is rejected while the valid request beside it is accepted. */
export function rejects<At extends Place>(facts: ProbeRule<At>): Rules {
  return rule({
    ...facts,
    async run(call, at) {
      await call.control();
      const answer = await call.send(await facts.change(await call.fresh(), at, call));
      noteRejection(call.target, at.operation, facts.what(at), answer);
      mustReject(answer, facts.what(at));
    },
  });
}

/** Checks that a request within the rules is accepted. */
export function accepts<At extends Place>(facts: ProbeRule<At>): Rules {
  return rule({
    ...facts,
    async run(call, at) {
      const answer = await call.send(await facts.change(await call.fresh(), at, call), "accepted");
      call.mustServe(answer, facts.what(at));
    },
  });
}

/** A rule that looks at a story which several rules share: what is asked for it is asked once. */
export interface StoryRule<At extends Place, Story> extends RuleFacts<At> {
  /** Tells the story, or hands out the one that was told. */
  story(call: Call, at: At): Promise<Story>;
  /** Throws Violation or Untestable; returning is a pass, so a story without a subject is an Untestable (no-data). */
  look(story: Story, at: At, call: Call): void | Promise<void>;
}

/** Checks what a shared story shows. */
export function judges<At extends Place, Story>(facts: StoryRule<At, Story>): Rules {
  return rule({
    ...facts,
    async run(call, at) {
      await facts.look(await facts.story(call, at), at, call);
    },
  });
}

/** The rules of a chapter, in their order. */
export function suiteOf(suite: string, ...rules: Rules[]): Suite {
  return (spec) => rules.flatMap((each) => each(spec, suite));
}
