/** A run's connection to its target: sends requests within bounds, remembers what all checks share, judges each check. */

import { createHash, randomBytes } from "node:crypto";
import { setMaxListeners } from "node:events";
import { type Check, Untestable } from "../client/check.ts";
import { freshRequest, inTurn } from "../client/controls.ts";
import { Brackets } from "../client/later-acceptance.ts";
import { HttpClient, NoAnswer, type RawResponse } from "../client/sending/http.ts";
import { Gate, wait } from "../client/sending/load.ts";
import { proxyCredentials } from "../client/sending/network.ts";
import { publicText } from "../client/sending/public-text.ts";
import { cutBody, KEPT_BODY, parseJson, retryAfter, Trail } from "../client/sending/reading.ts";
import { startReceiver } from "../client/sending/receiver.ts";
import { Redactor } from "../client/sending/secrets.ts";
import { isUnauthorised, SENTINEL, Sentinel } from "../client/sending/token-expiry.ts";
import { wireRequest } from "../client/sending/wire.ts";
import { Turns } from "../client/sending/write-order.ts";
import { outerPath, sendBody } from "../client/subjects.ts";
import {
  type Answer,
  isAccepted,
  isRejected,
  type Receiver,
  type Seen,
  SIMULTANEOUS,
  type Target,
} from "../client/target.ts";
import { usualVersion } from "../client/version-choice.ts";
import type { RequestPlan } from "../generators/request.ts";
import { headerText } from "../generators/values.ts";
import { suggestProfile } from "../profiles/suggest.ts";
import type { CheckResult, Coverage, Exchange, Observation } from "../reports/report.ts";
import { isObject, type JsonObject } from "../spec/json.ts";
import type { Settings } from "../spec/model/settings.ts";
import type { Operation, Spec } from "../spec/model/spec.ts";
import { EVERY_ANSWER } from "../suites/every-answer-rules.ts";
import { allChecks } from "../suites/index.ts";
import { Witness } from "../trials/every-answer.ts";
import type { SecondTry } from "./confirm.ts";
import { type Judged, judge, skipped } from "./judge.ts";
import type { Judge, Summary } from "./loop.ts";
import { Maintenance } from "./maintenance.ts";
import { forbidden, type PlannedCheck } from "./plan.ts";
import { preflight } from "./preflight.ts";

const RATE_LIMIT_ATTEMPTS = 5;
const LONGEST_PAUSE = 30_000;
/** Conflict, Locked, Too Early: what a service may say to a write while it is at another. */
const IN_THE_WAY: ReadonlySet<number> = new Set([409, 423, 425]);
/** So many requests in a row without an answer, and the target is taken to be gone. */
const GONE_AFTER = 12;
/** Why nothing more is asked once the token has run out. */
const TURNED_AWAY = "the service no longer accepts the token that it accepted when the run began";
/** The name under which the preflight asks, in place of a check's id. */
const PREFLIGHT = "preflight";
/** Rate limits that outlast the patience this often end the asking. */
const LIMITED_AFTER = 3;

/** What checks share while they are tried; a check that is tried again shares nothing with its first try. */
class Scope {
  readonly shared = new Map<string, Promise<unknown>>();
  readonly locks = new Map<string, Promise<unknown>>();
  readonly asked = new Map<string, { epoch: number; answer: Promise<Answer> }>();
  /** By check id: what came of it, and all that it observed. */
  readonly tried = new Map<string, Promise<Judged>>();
  readonly seen = new Map<string, Seen[]>();
}

export class Session implements Judge {
  readonly #spec: Spec;
  readonly #settings: Settings;
  readonly #redactor = new Redactor();
  readonly #gate: Gate;
  readonly #client: HttpClient;
  readonly #writes = new Turns();
  readonly #interrupted = new AbortController();
  readonly #gone = new AbortController();
  readonly #witness: Witness;
  readonly #first = new Scope();
  readonly #observations = new Map<string, Observation>();
  readonly #ended = new Map<string, CheckResult>();
  readonly #suspects = new Set<string>();
  #receiving: Promise<Receiver | undefined> | undefined;
  readonly #constraints: Coverage["constraints"] = {};
  readonly #cleanups: (() => Promise<void>)[] = [];
  readonly #brackets = new Brackets();
  /** By check id: why the rejections it saw prove nothing. */
  readonly #unproven = new Map<string, string>();
  readonly #sentinel = new Sentinel((plan) => this.#send(plan, { check: SENTINEL, valid: false }));
  readonly #maintenance = new Maintenance();
  readonly #runId = randomBytes(4).toString("hex");
  /** Counts the run's own writes: between two of them, what is read stays as it is. */
  #epoch = 0;
  #texts = 0;
  #silent = 0;
  #limited = 0;
  #wasLimited = false;

  constructor(spec: Spec, settings: Settings) {
    this.#spec = spec;
    this.#settings = settings;
    this.#witness = new Witness(spec, EVERY_ANSWER, settings.profile);
    this.#gate = new Gate({
      concurrency: settings.concurrency,
      rate: settings.rate,
      maxRequests: settings.maxRequests,
    });
    this.#client = new HttpClient({ ...settings, direct: settings.embedded });
    // Every request in flight listens for the interruption.
    setMaxListeners(0, this.#interrupted.signal, this.#gone.signal);
    this.#redactor.addPublic(publicText(spec, settings));
    this.#redactor.add(settings.token, true);
    this.#redactor.add(settings.secondToken, true);
    for (const [name, value] of Object.entries(settings.headers ?? {})) this.#redactor.addHeader(name, value);
    for (const credential of proxyCredentials()) this.#redactor.add(credential);
  }

  /** Requests sent so far. */
  get requests(): number {
    return this.#gate.sent;
  }

  /** Asks the target for something cheap; a plain sentence when it can't be judged, else null. */
  preflight(): Promise<string | null> {
    const ask = async (plan: RequestPlan) => {
      try {
        const answer = await this.#send(plan, { check: PREFLIGHT, valid: true });
        if (isAccepted(answer)) this.#sentinel.post(plan);
        return answer;
      } catch (error) {
        if (error instanceof Untestable) return { reason: error.reason, message: error.message };
        throw error;
      }
    };
    const elsewhere = async (plan: RequestPlan, change: { baseUrl?: string; paths?: string }) => {
      const bare = { ...plan, headers: { ...plan.headers, authorization: null } };
      const raw = wireRequest(bare, { ...this.#settings, ...change }, this.#spec, "");
      return this.#attempt(raw).then(
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
    const { result } = await this.#try(check, new Scope(), trail);
    return { result: this.#redactor.result(result), shown: this.#redactor.value(trail.exchanges) };
  }

  /** Tries a check, once in a scope. */
  #try(check: Check, scope: Scope, trail = new Trail()): Promise<Judged> {
    const known = scope.tried.get(check.id);
    if (known) return known;
    const context = { spec: this.#spec, settings: this.#settings };
    const judged = this.#interrupted.signal.aborted
      ? Promise.resolve({
          result: skipped(check, context, "interrupted", "the run ended before this check began"),
          suspect: false,
        })
      : judge(check, context, (seed) => this.#target(check, seed, scope, trail));
    scope.tried.set(check.id, judged);
    return judged;
  }

  async #observedBy(check: Check, scope: Scope): Promise<{ result: CheckResult; seen: Seen[] }> {
    const left = forbidden(check, this.#settings);
    const context = { spec: this.#spec, settings: this.#settings };
    const result = left
      ? skipped(check, context, left.reason, left.message)
      : (await this.#try(check, scope)).result;
    if (scope === this.#first) this.#ended.set(check.id, result);
    return { result, seen: scope.seen.get(check.id) ?? [] };
  }

  /** Ends the run: requests in flight are given up, and every check that has not ended is a skip. */
  interrupt(): void {
    this.#interrupted.abort();
  }

  /** What the run saw as a whole. */
  summary(): Summary {
    if (!this.#wasLimited) this.#observe("SILENCE-RATE-LIMIT", "", "429 seen", "no");
    const operations: Coverage["operations"] = {};
    for (const operation of this.#spec.operations) {
      const statuses = this.#witness.statuses.get(operation.key) ?? new Map<number, number>();
      operations[operation.key] = {
        requests: [...statuses.values()].reduce((sum, count) => sum + count, 0),
        statuses: Object.fromEntries([...statuses].map(([status, count]) => [String(status), count])),
        outcomes: {},
      };
    }
    const order = (a: Observation, b: Observation) =>
      `${a.requirement} ${a.operation} ${a.subject}`.localeCompare(
        `${b.requirement} ${b.operation} ${b.subject}`,
        "en",
      );
    return this.#redactor.value({
      requests: this.#gate.sent,
      observations: [...this.#observations.values()].sort(order),
      coverage: { operations, fields: this.#witness.fields, constraints: this.#constraints },
      unproven: Object.fromEntries(this.#unproven),
      ...(this.#gone.signal.aborted ? { endedEarly: String(this.#gone.signal.reason) } : {}),
      ...(this.#gone.signal.aborted && this.#maintenance.since !== undefined
        ? { spoiltSince: this.#maintenance.since }
        : {}),
      ...(this.#settings.suggestProfile ? { suggestedProfile: this.#suggestProfile() } : {}),
    });
  }

  #suggestProfile(): string {
    const { embedded, baseUrl } = this.#settings;
    const checks = allChecks(this.#spec);
    return suggestProfile({
      spec: this.#spec,
      checks,
      whole: checks.every(({ id }) => this.#ended.has(id)),
      tally: this.#witness.tally,
      observed: ({ id }) => {
        const ended = this.#ended.get(id);
        return ended && { skipped: ended.outcome === "skip", seen: this.#first.seen.get(id) ?? [] };
      },
      service: embedded ? "the embedded reference service" : baseUrl,
    });
  }

  /** Leaves what the run created as harmless as can be, and closes all connections. */
  async close(): Promise<void> {
    await this.#closeBrackets();
    for (const cleanup of this.#cleanups.splice(0)) await cleanup().catch(() => undefined);
    await this.#client.close();
  }

  /** Asks once more each operation that has only rejected of late, and remembers what that leaves unproven. */
  async #closeBrackets(): Promise<void> {
    const target = this.#target({ id: "closing" }, this.#settings.seed, this.#first);
    for (const operation of this.#spec.operations.filter((each) => this.#brackets.isOpen(each))) {
      if (this.#interrupted.signal.aborted || this.#gone.signal.aborted) return;
      const rejected = this.#brackets.rejectedSinceAccepted(operation.key);
      try {
        const plan = await freshRequest(target, operation, usualVersion(target, operation));
        const answer = await inTurn(target, operation, () => sendBody(target, plan, "probe"));
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

  #goneBecause(): Untestable {
    const why = String(this.#gone.signal.reason);
    return new Untestable(why === TURNED_AWAY ? "control-rejected" : "no-answer", why);
  }

  #end(why: string): void {
    if (this.#gone.signal.aborted) return;
    for (const check of this.#brackets.rejectedAtLast()) this.#unproven.set(check, why);
    this.#gone.abort(why);
  }

  #target(check: Pick<Check, "id">, seed: number, scope: Scope, trail = new Trail()): Target {
    const target: Target = {
      spec: this.#spec,
      settings: this.#settings,
      runId: this.#runId,
      seed,
      replayPath: this.#settings.replayPaths?.[check.id],
      witness: this.#witness,
      send: async (planned, use = {}) => {
        const { operation, outer } = planned;
        const plan =
          operation.outer.length === 0 || outer
            ? planned
            : { ...planned, outer: await outerPath(target, operation) };
        const answer = await this.#send(plan, {
          check: check.id,
          valid: use.valid ?? false,
          role: use.role,
        });
        return trail.follow(answer);
      },
      ask: async (planned, role) => {
        const answer = await this.#ask(scope, planned, () =>
          target.send(planned, { valid: true, ...(role === undefined ? {} : { role }) }),
        );
        return trail.follow(answer);
      },
      once: (key, make) => once(scope, key, make),
      exclusive: (key, work) => exclusive(scope, key, work),
      observe: (requirement, operation, subject, value, evidence = trail.exchanges) => {
        // What was observed at first stands: a second try is about what is suspected.
        if (scope === this.#first) this.#observe(requirement, operation, subject, value);
        const seen = scope.seen.get(check.id) ?? [];
        scope.seen.set(check.id, [...seen, { requirement, operation, subject, value, evidence }]);
      },
      observedBy: (other) => this.#observedBy(other, scope),
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
      pause: (milliseconds) => wait(milliseconds, this.#interrupted.signal),
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

  /** Hands out the answer to an equal read of the same epoch: nothing was written since it was asked. */
  #ask(scope: Scope, plan: RequestPlan, send: () => Promise<Answer>): Promise<Answer> {
    const { operation, body: _, ...rest } = plan;
    const key = JSON.stringify([operation.id, rest]);
    const known = scope.asked.get(key);
    if (known?.epoch === this.#epoch) return known.answer;
    const epoch = this.#epoch;
    const answer = send();
    const asked = { epoch, answer };
    scope.asked.set(key, asked);
    const forget = () => {
      if (scope.asked.get(key) === asked) scope.asked.delete(key);
    };
    answer.then(() => (this.#epoch === epoch ? undefined : forget()), forget);
    return answer;
  }

  #observe(requirement: string, operation: string, subject: string, value: string): void {
    this.#observations.set(`${requirement} ${operation} ${subject}`, {
      requirement,
      operation,
      subject,
      value,
    });
  }

  async #send(
    plan: RequestPlan,
    use: { check: string; valid: boolean; role?: string | undefined },
  ): Promise<Answer> {
    // What a probe made of the token is nearly the token; a scheme alone is no secret.
    this.#redactor.add(plan.headers.authorization?.replace(/^[A-Za-z]+(?: +|$)/, ""));
    this.#rememberSecrets(plan.operation, plan.body?.kind === "json" ? plan.body.value : undefined);
    const key = createHash("sha256")
      .update(`${this.#runId} ${use.check} ${this.#texts++}`)
      .digest("hex")
      .slice(0, 32);
    const raw = wireRequest(
      plan,
      this.#settings,
      this.#spec,
      headerText(plan.operation.idempotencyKey?.schema ?? {}, `pc-${key}`),
    );
    let alone = false;
    for (let attempt = 1; ; attempt++) {
      const startedAt = new Date();
      const { response, accompanied } = await this.#inTurn(raw, alone);
      if (response.status === 429) {
        await this.#backOff(response, attempt, plan.operation);
        continue;
      }
      // That several writes go together is not specified: what one of them is told says nothing until it is alone.
      if (accompanied && use.role !== SIMULTANEOUS && IN_THE_WAY.has(response.status)) {
        alone = true;
        continue;
      }
      this.#limited = 0;
      const answer = this.#answer(plan, raw, response, startedAt, use.role);
      if (
        use.check !== SENTINEL &&
        isUnauthorised(answer.status) &&
        this.#isAuthorised(plan) &&
        (await this.#sentinel.isTurnedAway(use.valid))
      ) {
        this.#end(TURNED_AWAY);
        throw new Untestable("control-rejected", String(this.#gone.signal.reason), [answer.exchange]);
      }
      const turned = await this.#turnedInto(answer, use.check);
      if (turned !== undefined) throw new Untestable("no-answer", turned, [answer.exchange]);
      this.#witness.see(answer, use.check, use.valid);
      this.#brackets.see(plan.operation, answer.status, use.check);
      return answer;
    }
  }

  /** Why the service is taken to be gone, when what answers is no longer the service. */
  async #turnedInto(answer: Answer, check: string): Promise<string | undefined> {
    if (check === SENTINEL || check === PREFLIGHT) return undefined;
    const why = await this.#maintenance.see(answer, () => this.#sentinel.askAgain());
    if (why !== undefined) this.#end(why);
    return why;
  }

  /** A read at any time; a write beside other writes or alone, and whether there were others. */
  async #inTurn(
    raw: ReturnType<typeof wireRequest>,
    alone: boolean,
  ): Promise<{ response: RawResponse; accompanied: boolean }> {
    const attempt = () => this.#attempt(raw);
    if (raw.method === "GET") return { response: await attempt(), accompanied: false };
    this.#epoch++;
    try {
      return await this.#writeInTurn(attempt, alone);
    } finally {
      this.#epoch++;
    }
  }

  async #writeInTurn(
    attempt: () => Promise<RawResponse>,
    alone: boolean,
  ): Promise<{ response: RawResponse; accompanied: boolean }> {
    if (alone) return { response: await this.#writes.alone(attempt), accompanied: false };
    const { value, accompanied } = await this.#writes.beside(attempt);
    return { response: value, accompanied };
  }

  /** One try, and for calls that change nothing two more when the connection breaks. */
  async #attempt(raw: ReturnType<typeof wireRequest>): Promise<RawResponse> {
    for (let tries = 1; ; tries++) {
      const signal = this.#interrupted.signal;
      // What queues at the gate when the target is taken to be gone is not sent any more.
      if (!(await this.#gate.enter(AbortSignal.any([signal, this.#gone.signal])))) {
        if (this.#gone.signal.aborted) throw this.#goneBecause();
        if (signal.aborted) throw new Untestable("interrupted", "the run was interrupted");
        throw new Untestable("budget", `the budget of ${this.#settings.maxRequests} requests is spent`);
      }
      try {
        const response = await this.#client.exchange(raw, signal);
        this.#silent = 0;
        return response;
      } catch (error) {
        if (!(error instanceof NoAnswer)) throw error;
        if (error.kind === "aborted") throw new Untestable("interrupted", error.message);
        if (++this.#silent >= GONE_AFTER) this.#gone.abort("the service has stopped answering");
        const again = error.kind === "closed" && (raw.method === "GET" ? tries < 3 : tries < 2);
        if (again) continue;
        throw new Untestable("no-answer", `${raw.method} ${raw.path}: ${error.message}`, [
          {
            request: { ...this.#sent(raw) },
            fault: this.#redactor.text(error.message),
            startedAt: new Date().toISOString(),
            durationMs: 0,
          },
        ]);
      } finally {
        this.#gate.leave();
      }
    }
  }

  async #backOff(response: RawResponse, attempt: number, operation: Operation): Promise<void> {
    this.#wasLimited = true;
    const header = response.headers["retry-after"];
    this.#observe(
      "SILENCE-RATE-LIMIT",
      "",
      "429 seen",
      header === undefined ? "without Retry-After" : "with Retry-After",
    );
    if (attempt >= RATE_LIMIT_ATTEMPTS || this.#limited >= LIMITED_AFTER) {
      this.#limited++;
      throw new Untestable("rate-limited", `${operation.key} was answered 429 ${attempt} times`);
    }
    this.#gate.pause(Math.min(retryAfter(header) ?? 250 * 2 ** attempt, LONGEST_PAUSE));
  }

  #answer(
    plan: RequestPlan,
    raw: ReturnType<typeof wireRequest>,
    response: RawResponse,
    startedAt: Date,
    role: string | undefined,
  ): Answer {
    const text = new TextDecoder("utf-8").decode(response.body);
    const json = parseJson(response.body);
    if (plan.operation.response) this.#rememberShownSecrets(plan.operation, json);
    const exchange: Exchange = {
      request: this.#sent(raw),
      response: {
        status: response.status,
        headers: this.#redactor.headers(response.headers),
        ...cutBody(text),
      },
      startedAt: startedAt.toISOString(),
      durationMs: Date.now() - startedAt.getTime(),
      ...(role === undefined ? {} : { role }),
    };
    return { plan, exchange, status: response.status, headers: response.headers, text, json };
  }

  #sent(raw: ReturnType<typeof wireRequest>): Exchange["request"] {
    return {
      method: raw.method,
      url: raw.url,
      headers: this.#redactor.headers(raw.headers, raw.authorizationLabel),
      body: raw.body === null ? null : raw.body.slice(0, KEPT_BODY),
    };
  }

  #rememberSecrets(operation: Operation, body: unknown): void {
    if (!operation.body || !isObject(body) || !this.#spec.schemas.holdsSecret(operation.body)) return;
    this.#spec.schemas.walk(operation.body, body, ({ schema, value }) => {
      if (schema["x-secret"] && typeof value === "string") this.#redactor.add(value);
    });
  }

  #rememberShownSecrets(operation: Operation, json: unknown): void {
    if (!operation.response || !isObject(json) || !this.#spec.schemas.holdsSecret(operation.response)) return;
    this.#spec.schemas.walk(operation.response, json as JsonObject, ({ schema, value }) => {
      // A mask such as "****" is no secret, and would take other text with it.
      if (schema["x-secret"] && typeof value === "string" && !/[*•x]{3}|^(.)\1*$/i.test(value))
        this.#redactor.addShown(value);
    });
  }
}

function once<T>({ shared }: Scope, key: string, make: () => Promise<T>): Promise<T> {
  const known = shared.get(key);
  if (known) return known as Promise<T>;
  const made = make();
  shared.set(key, made);
  return made;
}

async function exclusive<T>({ locks }: Scope, key: string, work: () => Promise<T>): Promise<T> {
  const before = locks.get(key) ?? Promise.resolve();
  const turn = before.then(work, work);
  locks.set(
    key,
    turn.catch(() => undefined),
  );
  return turn;
}
