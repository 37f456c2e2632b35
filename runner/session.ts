/** A run's connection to its target: what all checks share, and each check tried and judged. */

import { createHash, randomBytes } from "node:crypto";
import { type Check, Untestable } from "../client/check.ts";
import { betweenStories, freshRequest } from "../client/controls.ts";
import { LaterAcceptance } from "../client/later-acceptance.ts";
import { CreatedResources } from "../client/sending/created-resources.ts";
import { Ending } from "../client/sending/ending.ts";
import { overHttp, Trail } from "../client/sending/evidence.ts";
import { HttpClient } from "../client/sending/http.ts";
import { Load, wait, withinLoad } from "../client/sending/load-limits.ts";
import { proxyCredentials } from "../client/sending/network.ts";
import { publicText } from "../client/sending/public-text.ts";
import { startReceiver } from "../client/sending/receiver.ts";
import { Redactor } from "../client/sending/secrets.ts";
import type { Sender } from "../client/sending/sender.ts";
import { senderStack } from "../client/sending/stack.ts";
import { TOKEN_WATCH, TokenWatch } from "../client/sending/token-expiry.ts";
import { wireRequest } from "../client/sending/wire.ts";
import { WriteOrder } from "../client/sending/write-order.ts";
import { outerPath, sendBody } from "../client/subjects.ts";
import {
  type Answer,
  isAccepted,
  isRejected,
  type Receiver,
  type Seen,
  type Target,
} from "../client/target.ts";
import { usualVersion } from "../client/version-choice.ts";
import type { RequestPlan } from "../generators/request.ts";
import { headerText } from "../generators/values.ts";
import { observationOf } from "../profiles/prose.ts";
import { suggestProfile } from "../profiles/suggest.ts";
import type { CheckFacts } from "../spec/model/check.ts";
import type { Note, NoteAnswers } from "../spec/model/note.ts";
import type { CheckResult, Coverage, CreatedResource, Observation } from "../spec/model/result.ts";
import type { Settings } from "../spec/model/settings.ts";
import type { Spec } from "../spec/model/spec.ts";
import { EVERY_ANSWER } from "../suites/every-answer-rules.ts";
import { allChecks } from "../suites/index.ts";
import { EveryAnswer } from "../trials/every-answer.ts";
import type { SecondTry } from "./confirm.ts";
import type { Cost } from "./estimate.ts";
import { type Judged, judge, skipped } from "./judge.ts";
import type { Judge, Summary } from "./loop.ts";
import { Maintenance } from "./maintenance.ts";
import { atDepth, forbidden, type PlannedCheck } from "./plan.ts";
import { preflight } from "./preflight.ts";
import { Sharing } from "./sharing.ts";

/** The name under which the preflight asks, in place of a check's id. */
const PREFLIGHT = "preflight";

/** Milliseconds that an interrupted run takes at most to leave what it created harmless. */
const LONGEST_CLEAN_UP = 3_000;

export class Session implements Judge {
  readonly #spec: Spec;
  readonly #settings: Settings;
  readonly #answers: EveryAnswer;
  readonly #redactor = new Redactor();
  readonly #load: Load;
  readonly #client: HttpClient;
  readonly #order = new WriteOrder();
  readonly #ending = new Ending();
  readonly #creations: CreatedResources;
  readonly #tokenWatch = new TokenWatch((plan) => this.#send(plan, { check: TOKEN_WATCH, attempt: 1 }));
  readonly #sender: Sender;
  readonly #first = new Sharing(1);
  #attempts = 1;
  readonly #remembered = new Sharing(1);
  readonly #checks = new Map<string, Check>();
  readonly #ended = new Map<string, CheckResult>();
  readonly #suspects = new Set<string>();
  readonly #notes = new Map<string, Observation>();
  readonly #constraints: Coverage["constraints"] = {};
  readonly #cleanups: (() => Promise<void>)[] = [];
  #receiving: Promise<Receiver | undefined> | undefined;
  readonly #later = new LaterAcceptance();
  /** By check id: why the rejections it saw prove nothing. */
  readonly #unproven = new Map<string, string>();
  /** By id: the checks of this run's depth, whether or not they are planned. */
  #ofDepth: Map<string, Check> | undefined;
  readonly #maintenance = new Maintenance();
  readonly #runId = randomBytes(4).toString("hex");
  #texts = 0;
  #wasLimited = false;
  #charged = 0;

  /** `onCreated` hears of all that was created whenever something was. */
  constructor(spec: Spec, settings: Settings, onCreated?: (all: readonly CreatedResource[]) => void) {
    this.#spec = spec;
    this.#settings = settings;
    this.#answers = new EveryAnswer(spec, EVERY_ANSWER, settings.profile);
    this.#load = new Load(settings);
    this.#client = new HttpClient({ ...settings, direct: settings.embedded });
    this.#creations = new CreatedResources(settings.maxCreated, onCreated);
    this.#redactor.addPublic(publicText(spec, settings));
    this.#redactor.add(settings.token, true);
    this.#redactor.add(settings.secondToken, true);
    for (const [name, value] of Object.entries(settings.headers ?? {})) this.#redactor.addHeader(name, value);
    for (const credential of proxyCredentials()) this.#redactor.add(credential);
    this.#sender = senderStack({
      spec,
      client: this.#client,
      load: this.#load,
      ending: this.#ending,
      order: this.#order,
      creations: this.#creations,
      maxCreated: settings.maxCreated,
      redactor: this.#redactor,
      tokenWatch: this.#tokenWatch,
      isAuthorised: (plan) => this.#isAuthorised(plan),
      limited: (named) => this.#limited(named),
      passed: (error, instead) => this.#answers.seePassing(error, instead),
      ended: (why) => this.#end("control-rejected", why),
      see: async (answer, { check, valid, attempt }) => {
        const turned = await this.#turnedInto(answer, check);
        if (turned !== undefined) throw new Untestable("no-answer", turned, [answer.exchange]);
        this.#charge(check);
        this.#answers.see(answer, check, valid, attempt);
        this.#later.see(answer.plan.operation, answer.status, check);
      },
    });
  }

  /** Requests sent so far. */
  get requests(): number {
    return this.#load.sent;
  }

  /** Resources created so far. */
  get created(): number {
    return this.#creations.all.length;
  }

  /** By check id: what it sent and created. What several share is charged to the one that asked first. */
  readonly costs = new Map<string, Cost>();

  #charge(check: string): void {
    const cost = this.costs.get(check) ?? { requests: 0, created: 0 };
    const made = this.created - this.#charged;
    this.#charged += made;
    this.costs.set(check, { requests: cost.requests + 1, created: cost.created + made });
  }

  /** What holds requests back, where something does; for people. */
  get waiting(): string | undefined {
    const pause = this.#load.pausedFor;
    return pause === 0 ? undefined : `waiting ${Math.ceil(pause / 1000)} s, as the service asked`;
  }

  /** Asks the target for something cheap; a plain sentence when it can't be judged, else null. */
  preflight(): Promise<string | null> {
    const ask = async (plan: RequestPlan) => {
      try {
        const answer = await this.#send(plan, { check: PREFLIGHT, attempt: 1, valid: true });
        if (isAccepted(answer)) this.#tokenWatch.remember(plan);
        return answer;
      } catch (error) {
        if (error instanceof Untestable) return { reason: error.reason, message: error.message };
        throw error;
      }
    };
    const plainly = withinLoad(overHttp(this.#client, this.#ending), this.#load, this.#ending);
    const elsewhere = async (plan: RequestPlan, change: { baseUrl?: string; paths?: string }) => {
      const bare = { ...plan, headers: { ...plan.headers, authorization: null } };
      const wire = wireRequest(bare, { ...this.#settings, ...change }, this.#spec, "");
      return plainly({ plan: bare, wire }, { check: PREFLIGHT, attempt: 1, valid: true }).then(
        ({ status }) => status,
        // A certificate that is not trusted is a sign of life too.
        (error: unknown) => (/certificate|self.signed/i.test(String(error)) ? 0 : undefined),
      );
    };
    return preflight(this.#spec, this.#settings, { ask, elsewhere }).then((problem) =>
      problem === null ? null : this.#redactor.text(problem),
    );
  }

  /** Tries a check and judges what came of it. Never throws. */
  async run(planned: PlannedCheck): Promise<CheckResult> {
    const { check, skip } = planned;
    if (skip)
      return skipped(check, { spec: this.#spec, settings: this.#settings }, skip.reason, skip.message);
    const { result, suspect } = await this.#try(check, this.#first);
    if (suspect) this.#suspects.add(check.id);
    this.#ended.set(check.id, result);
    return this.#redactor.result(result);
  }

  /** Whether what a check found has to show again before it is told. */
  isSuspect(checkId: string): boolean {
    return this.#suspects.has(checkId);
  }

  /** Tries a check from scratch, and gives what it asked last: it shares nothing with what was tried before. */
  async again(check: Check): Promise<SecondTry> {
    const trail = new Trail();
    const { result } = await this.#try(check, new Sharing(++this.#attempts), trail);
    return { result: this.#redactor.result(result), shown: this.#redactor.value(trail.exchanges) };
  }

  /** Tries a check, once in a sharing. */
  #try(check: Check, sharing: Sharing, trail = new Trail()): Promise<Judged> {
    this.#checks.set(check.id, check);
    const known = sharing.tried.get(check.id);
    if (known) return known;
    const context = { spec: this.#spec, settings: this.#settings };
    const judged = this.#ending.interrupted.aborted
      ? Promise.resolve({
          result: skipped(check, context, "interrupted", "the run ended before this check began"),
          suspect: false,
        })
      : judge(check, context, (seed) => this.#target(check, seed, sharing, trail));
    sharing.tried.set(check.id, judged);
    return judged;
  }

  async #observedBy(asked: CheckFacts, sharing: Sharing): Promise<{ result: CheckResult; seen: Seen[] }> {
    const check = this.#checkOf(asked);
    const left = forbidden(check, this.#settings);
    const context = { spec: this.#spec, settings: this.#settings };
    const result = left
      ? skipped(check, context, left.reason, left.message)
      : (await this.#try(check, sharing)).result;
    if (sharing === this.#first) this.#ended.set(check.id, result);
    return { result, seen: sharing.seen.get(check.id) ?? [] };
  }

  /** Ends the run: requests in flight are given up, and every check that has not ended is a skip. */
  interrupt(): void {
    this.#ending.interrupt();
  }

  /** What the run saw as a whole. */
  summary(): Summary {
    if (!this.#wasLimited) this.#noteLimit("none seen");
    const operations: Coverage["operations"] = {};
    for (const operation of this.#spec.operations) {
      const statuses = this.#answers.statuses.get(operation.key) ?? new Map<number, number>();
      operations[operation.key] = {
        requests: [...statuses.values()].reduce((sum, count) => sum + count, 0),
        statuses: Object.fromEntries([...statuses].map(([status, count]) => [String(status), count])),
        outcomes: {},
        ...latencyOf(this.#answers.durations.get(operation.key) ?? []),
      };
    }
    const order = (a: Observation, b: Observation) =>
      `${a.requirement} ${a.operation} ${a.subject}`.localeCompare(
        `${b.requirement} ${b.operation} ${b.subject}`,
        "en",
      );
    const { endedBecause } = this.#ending;
    const { since: spoiltSince } = this.#maintenance;
    return this.#redactor.value({
      requests: this.#load.sent,
      observations: [...this.#notes.values()].sort(order),
      coverage: { operations, fields: this.#answers.fields, constraints: this.#constraints },
      created: [...this.#creations.all],
      unproven: Object.fromEntries(this.#unproven),
      ...(endedBecause === undefined ? {} : { endedEarly: endedBecause }),
      ...(endedBecause !== undefined && spoiltSince !== undefined ? { spoiltSince } : {}),
      ...(this.#settings.suggestProfile ? { suggestedProfile: this.#suggestProfile() } : {}),
    });
  }

  /** The check that this run tries under an id, or in the place of one that takes turns with others. */
  #checkOf({ id, rotation }: CheckFacts): Check {
    this.#ofDepth ??= new Map(
      atDepth(allChecks(this.#spec, this.#settings.profile), this.#settings).map((each) => [each.id, each]),
    );
    const check = this.#ofDepth.get(id) ?? this.#ofDepth.get(rotation ?? id);
    if (!check) throw new Error(`there is no check ${id}`);
    return check;
  }

  #suggestProfile(): string {
    const { embedded, baseUrl } = this.#settings;
    const checks = atDepth(allChecks(this.#spec), this.#settings);
    return suggestProfile({
      spec: this.#spec,
      checks,
      whole: checks.every(({ id }) => this.#ended.has(id)),
      seenValues: this.#answers.seenValues,
      observed: ({ id }) => {
        const ended = this.#ended.get(id);
        return ended && { skipped: ended.outcome === "skip", seen: this.#first.seen.get(id) ?? [] };
      },
      service: embedded ? "the embedded reference service" : baseUrl,
    });
  }

  /** Leaves what the run created as harmless as can be, and closes all connections. */
  async close(): Promise<void> {
    await this.#askOnceMore();
    this.#ending.allowCleanUp(LONGEST_CLEAN_UP);
    for (const cleanup of this.#cleanups.splice(0)) await cleanup().catch(() => undefined);
    await this.#client.close();
  }

  /** Asks once more each operation that has only rejected of late, and remembers what that leaves unproven. */
  async #askOnceMore(): Promise<void> {
    const target = this.#target({ id: "closing" }, this.#settings.seed, this.#first);
    for (const operation of this.#spec.operations.filter((each) => this.#later.isOpen(each))) {
      if (this.#ending.isOver) return;
      const rejected = this.#later.rejectedSinceAccepted(operation.key);
      try {
        const plan = await freshRequest(target, operation, usualVersion(target, operation));
        const answer = await betweenStories(target, operation, () => sendBody(target, plan, "probe"));
        if (!isRejected(answer)) continue;
        const why = `a valid ${operation.key} was answered ${answer.status} after it, so the rejection proves nothing`;
        for (const check of rejected) this.#unproven.set(check, why);
      } catch {
        // No answer says neither one nor the other, and what fails here must not cost the report.
      }
    }
  }

  /** Whether a request carries a token of the user, as it is. */
  #isAuthorised({ headers }: RequestPlan): boolean {
    const { token, secondToken } = this.#settings;
    const { authorization } = headers;
    if (authorization === undefined) return true;
    return [token, secondToken].some((own) => own !== undefined && authorization?.endsWith(` ${own}`));
  }

  #end(reason: "no-answer" | "control-rejected", why: string): void {
    if (this.#ending.isOver) return;
    for (const check of this.#later.rejectedAtLast()) this.#unproven.set(check, why);
    this.#ending.end(reason, why);
  }

  /** Why the service is taken to be gone, when what answers is no longer the service. */
  async #turnedInto(answer: Answer, check: string): Promise<string | undefined> {
    if (check === TOKEN_WATCH || check === PREFLIGHT) return undefined;
    const why = await this.#maintenance.see(answer, () => this.#tokenWatch.askAgain());
    if (why !== undefined) this.#end("no-answer", why);
    return why;
  }

  #limited(named: boolean): void {
    this.#wasLimited = true;
    this.#noteLimit(named ? "with Retry-After" : "without Retry-After");
  }

  #noteLimit(word: NoteAnswers["rateLimit"]["word"]): void {
    this.#note({
      requirement: "SILENCE-RATE-LIMIT",
      operation: "",
      practice: "rateLimit",
      answer: { word },
    });
  }

  #target(check: Pick<Check, "id">, seed: number, sharing: Sharing, trail = new Trail()): Target {
    const { attempt } = sharing;
    const target: Target = {
      spec: this.#spec,
      settings: this.#settings,
      runId: this.#runId,
      seed,
      replayPath: this.#settings.replayPaths?.[check.id],
      answers: this.#answers,
      send: async (planned, use = {}) => {
        const { operation, outer } = planned;
        const plan =
          operation.outer.length === 0 || outer
            ? planned
            : { ...planned, outer: await outerPath(target, operation) };
        return trail.follow(await this.#send(plan, { check: check.id, attempt, ...use }));
      },
      ask: async (planned, role) => {
        const answer = await sharing.ask(planned, this.#order, () =>
          target.send(planned, { valid: true, ...(role === undefined ? {} : { role }) }),
        );
        return trail.follow(answer);
      },
      once: (key, make) => sharing.once(key, make),
      remember: (key, make) => this.#remembered.once(key, make),
      exclusive: (key, work) => sharing.exclusive(key, work),
      beside: (key, work) => sharing.beside(key, work),
      note: (note, evidence = trail.exchanges) => {
        // What was noted at first stands: a second try is about what is suspected.
        if (sharing === this.#first) this.#note(note);
        sharing.seen.set(check.id, [...(sharing.seen.get(check.id) ?? []), { note, evidence }]);
      },
      observedBy: (other) => this.#observedBy(other, sharing),
      triedAgain: async (checkId) => {
        const other = this.#checks.get(checkId);
        if (sharing === this.#first || other === undefined) return false;
        await this.#try(other, sharing);
        return true;
      },
      exercised: (constraint, valid) => {
        const counts = this.#constraints[constraint] ?? { valid: 0, violating: 0 };
        this.#constraints[constraint] = counts;
        counts[valid ? "valid" : "violating"]++;
      },
      atEnd: (work) => this.#cleanups.push(work),
      receiver: () => {
        this.#receiving ??= this.#receive();
        return this.#receiving;
      },
      pause: (milliseconds) => wait(milliseconds, this.#ending.interrupted),
      unique: () => `pc-${this.#runId}-${(this.#texts++).toString(36).padStart(4, "0")}`,
    };
    return target;
  }

  async #receive(): Promise<Receiver | undefined> {
    const { callbackUrl, callbackPort } = this.#settings;
    if (callbackUrl === undefined) return undefined;
    const receiver = await startReceiver(callbackUrl, callbackPort ?? 0);
    this.#cleanups.push(() => receiver.close());
    return receiver;
  }

  #note(note: Note): void {
    const observation = observationOf(note);
    const { requirement, operation, subject } = observation;
    this.#notes.set(`${requirement} ${operation} ${subject}`, observation);
  }

  #send(
    plan: RequestPlan,
    use: { check: string; attempt: number; valid?: boolean; role?: string },
  ): Promise<Answer> {
    const key = createHash("sha256")
      .update(`${this.#runId} ${use.check} ${this.#texts++}`)
      .digest("hex")
      .slice(0, 32);
    const idempotencyKey = headerText(plan.operation.idempotencyKey?.schema ?? {}, `pc-${key}`);
    const wire = wireRequest(plan, this.#settings, this.#spec, idempotencyKey);
    return this.#sender({ plan, wire }, { valid: false, ...use });
  }
}

/** How long answers took: half of them at most p50, 95 of 100 at most p95. Nothing where there were none. */
function latencyOf(durations: readonly number[]): { latencyMs?: { p50: number; p95: number } } {
  if (durations.length === 0) return {};
  const sorted = [...durations].sort((a, b) => a - b);
  const at = (share: number) => sorted[Math.ceil(share * sorted.length) - 1] ?? 0;
  return { latencyMs: { p50: at(0.5), p95: at(0.95) } };
}
