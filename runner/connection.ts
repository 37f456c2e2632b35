import { createHash } from "node:crypto";
import { NotTested } from "../client/check.ts";
import { CreatedResources, withinCreations } from "../client/sending/created-resources.ts";
import { Ending } from "../client/sending/ending.ts";
import { overHttp } from "../client/sending/evidence.ts";
import { hidingSecrets, learningSecrets, withoutSecretHeaders } from "../client/sending/hidden-secrets.ts";
import { HttpClient } from "../client/sending/http.ts";
import { Load, withinLoad } from "../client/sending/load-limits.ts";
import { overLostConnections } from "../client/sending/lost-connections.ts";
import { proxyCredentials } from "../client/sending/network.ts";
import { publicText } from "../client/sending/public-text.ts";
import { overRateLimits } from "../client/sending/rate-limits.ts";
import { Recorder } from "../client/sending/recording.ts";
import { kindsBy, RequestOrder } from "../client/sending/request-order.ts";
import { Redactor } from "../client/sending/secrets.ts";
import type { Sender, Use } from "../client/sending/sender.ts";
import { TOKEN_WATCH, TokenWatch, watchingToken } from "../client/sending/token-expiry.ts";
import { overTransientFaults } from "../client/sending/transient-faults.ts";
import { wireRequest } from "../client/sending/wire.ts";
import { inWriteOrder, overBusyResources, WriteOrder } from "../client/sending/write-order.ts";
import { type Answer, isAccepted, isUnavailable } from "../client/target.ts";
import type { RequestPlan } from "../generators/request.ts";
import { headerText } from "../generators/values.ts";
import type { Entry } from "../history/entry.ts";
import type { CreatedResource, Exchange } from "../spec/model/result.ts";
import type { Settings } from "../spec/model/settings.ts";
import type { Spec } from "../spec/model/spec.ts";
import { isPage, serviceMessage } from "./starting/diagnosis.ts";
import { preflight } from "./starting/preflight.ts";

const PREFLIGHT = "preflight";

export interface Listeners {
  answered(answer: Answer, use: Use): void;
  limited(hasRetryAfter: boolean): void;
  ended(why: string): void;
}

export interface Onlookers {
  created?: (all: readonly CreatedResource[]) => void;
  recorded?: (entry: Entry) => void;
}

export class Connection {
  readonly ending = new Ending();
  readonly order = new WriteOrder();
  readonly redactor = new Redactor();
  readonly load: Load;
  readonly recorder: Recorder;
  readonly creations: CreatedResources;
  readonly remarks: string[] = [];
  readonly #client: HttpClient;
  readonly #tokenWatch = new TokenWatch((plan) => this.send(plan, { asker: TOKEN_WATCH, round: 1 }));
  readonly #maintenance = new Maintenance();
  readonly #sender: Sender;
  readonly #created: Onlookers["created"];
  #sent = 0;

  constructor(
    private readonly spec: Spec,
    private readonly settings: Settings,
    private readonly runId: string,
    private readonly listeners: Listeners,
    onlookers: Onlookers,
  ) {
    this.load = new Load({ ...settings, order: new RequestOrder(settings.seed) });
    this.recorder = new Recorder(settings, spec, onlookers.recorded);
    this.#client = new HttpClient({ ...settings, direct: settings.embedded });
    this.#created = onlookers.created;
    this.creations = new CreatedResources(settings.maxCreated, () => this.#tellCreated());
    this.redactor.addPublic(publicText(spec, settings));
    // The run tag is not secret, even if a secret contains it.
    this.redactor.addPublic(`pc-${runId}-`);
    this.redactor.setOwn(new RegExp(`pc-${runId}-[0-9a-z]{0,4}`));
    this.redactor.add(settings.token, true);
    this.redactor.add(settings.secondToken, true);
    for (const [name, value] of Object.entries(settings.headers ?? {})) this.redactor.addHeader(name, value);
    for (const credential of proxyCredentials()) this.redactor.addUnlessPublic(credential);
    this.#sender = this.#senderStack();
  }

  #senderStack(): Sender {
    const { ending, load, creations, redactor } = this;
    const { maxCreated, visibilityDelay } = this.settings;
    const plain = overHttp(this.#client, ending, this.recorder);
    const learning = learningSecrets(plain, redactor, this.spec.schemas);
    const exchange = withinLoad(learning, load, ending, kindsBy(this.spec, this.recorder));
    const lasting = overLostConnections(exchange, load, ending);
    const bounded = withinCreations(lasting, creations, this.spec, maxCreated);
    const ordered = inWriteOrder(bounded, this.order);
    const uncontested = overBusyResources(ordered, visibilityDelay, ending.signal, ({ plan }) =>
      creations.isYounger(plan.path ?? "", visibilityDelay),
    );
    const unlimited = overRateLimits(uncontested, load, (hasRetryAfter) =>
      this.listeners.limited(hasRetryAfter),
    );
    const settled = overTransientFaults(unlimited, load, ending.signal);
    const authorised = watchingToken(
      settled,
      this.#tokenWatch,
      (plan) => this.#isAuthorised(plan),
      (why) => this.#end("control-rejected", why),
    );
    const hidden = hidingSecrets(authorised, redactor);
    return async (outgoing, use) => {
      const answer = await hidden(outgoing, use);
      const why = await this.#whyNotFromService(answer, use.asker);
      if (why !== undefined) throw new NotTested("no-answer", why, [answer.exchange]);
      this.listeners.answered(answer, use);
      return answer;
    };
  }

  get spoiltSince(): string | undefined {
    return this.#maintenance.since;
  }

  /** Returns the problem that keeps the run from judging the service, or null. */
  preflight(): Promise<string | null> {
    const ask = async (plan: RequestPlan) => {
      try {
        const answer = await this.send(plan, { asker: PREFLIGHT, round: 1, valid: true });
        if (isAccepted(answer)) this.#tokenWatch.remember(plan);
        return answer;
      } catch (error) {
        if (error instanceof NotTested) return { reason: error.reason, message: error.message };
        throw error;
      }
    };
    const sendWithoutJudging = withinLoad(
      overHttp(this.#client, this.ending, this.recorder),
      this.load,
      this.ending,
    );
    const statusAt = async (plan: RequestPlan, change: { baseUrl?: string; paths?: string }) => {
      const bare = { ...plan, headers: { ...plan.headers, authorization: null } };
      const wire = wireRequest(bare, { ...this.settings, ...change }, this.spec);
      // No credentials are sent, because the address may belong to another service.
      return sendWithoutJudging(
        { plan: { ...bare, pathOverride: wire.path }, wire },
        { asker: PREFLIGHT, round: 1, valid: true },
      ).then(
        ({ status }) => status,
        // Even an untrusted certificate shows that a server listens.
        (error: unknown) => (/certificate|self.signed/i.test(String(error)) ? 0 : undefined),
      );
    };
    const remark = (sentence: string) => void this.remarks.push(this.redactor.text(sentence));
    const client = { ask, statusAt, remark };
    return preflight({ spec: this.spec, settings: this.settings, client }).then((problem) => {
      // A fixture command may have added fixtures, which are not secret.
      this.redactor.addPublic(JSON.stringify(this.settings.fixtures));
      return problem === null ? null : this.redactor.text(problem);
    });
  }

  send(plan: RequestPlan, use: Pick<Use, "asker" | "round"> & Partial<Use>): Promise<Answer> {
    const { idempotencyKey } = plan.operation;
    const key = idempotencyKey && headerText(idempotencyKey.schema, this.#freshKey(use.asker));
    const wire = wireRequest(plan, this.settings, this.spec, key);
    return this.#sender({ plan, wire }, { valid: false, ...use });
  }

  #freshKey(asker: string): string {
    const digest = createHash("sha256")
      .update(`${this.runId} ${asker} ${this.#sent++}`)
      .digest("hex");
    return `pc-${digest.slice(0, 32)}`;
  }

  exchangeOf(entry: Entry): Exchange {
    const { exchange, outgoing } = this.recorder.evidenceOf(entry);
    return withoutSecretHeaders(exchange, outgoing, this.redactor);
  }

  allowCleanUp(milliseconds: number): void {
    this.load.allowLate();
    this.ending.allowCleanUp(milliseconds);
  }

  close(): Promise<void> {
    if (this.creations.all.length > 0) this.#tellCreated();
    return this.#client.close();
  }

  #tellCreated(): void {
    this.#created?.(this.redactor.value(this.creations.all));
  }

  #isAuthorised({ headers }: RequestPlan): boolean {
    const { token, secondToken } = this.settings;
    const { authorization } = headers;
    if (authorization === undefined) return true;
    return [token, secondToken].some((own) => own !== undefined && authorization?.endsWith(` ${own}`));
  }

  #end(reason: "no-answer" | "control-rejected", why: string): void {
    if (this.ending.isOver) return;
    this.listeners.ended(why);
    this.ending.end(reason, why);
  }

  async #whyNotFromService(answer: Answer, asker: string): Promise<string | undefined> {
    if (asker === TOKEN_WATCH || asker === PREFLIGHT) return undefined;
    const why = await this.#maintenance.see(answer, () => this.#tokenWatch.askAgain());
    if (why !== undefined) this.#end("no-answer", why);
    return why;
  }
}

const SUSPICIOUS_AFTER = 5;

class Maintenance {
  #row = 0;
  #since: string | undefined;
  #asking = false;

  get since(): string | undefined {
    return this.#since;
  }

  /** Returns why the service is gone, if answers of something else have lasted. */
  async see(answer: Answer, again: () => Promise<Answer | undefined>): Promise<string | undefined> {
    if (!isForeign(answer)) {
      if (this.#asking) return undefined;
      this.#row = 0;
      this.#since = undefined;
      return undefined;
    }
    this.#since ??= answer.exchange.startedAt;
    if (++this.#row < SUSPICIOUS_AFTER || this.#asking) return undefined;
    this.#asking = true;
    try {
      const asked = await again();
      if (asked !== undefined && isForeign(asked))
        return `something else answers in place of the service: a request that it accepted at first is answered ${asked.status}${isPage(asked) ? " with a web page" : ""} now.${serviceMessage(asked)}`;
      this.#row = 0;
      this.#since = undefined;
      return undefined;
    } finally {
      this.#asking = false;
    }
  }
}

function isForeign(answer: Answer): boolean {
  return isUnavailable(answer) || (isPage(answer) && (answer.status < 400 || answer.status >= 500));
}
