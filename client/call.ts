import { type BodyFault, bodyViolations, isConfirmed } from "../generators/body-faults.ts";
import { type RequestPlan, requestTo, withBody, withHeaders } from "../generators/request.ts";
import { headerText, type ValueSource } from "../generators/values.ts";
import type { JsonObject } from "../spec/json.ts";
import type { Operation } from "../spec/model/spec.ts";
import { versionsOf } from "../spec/versions.ts";
import { NotTested } from "./check.ts";
import { controlAccepted, withResourceReadLock } from "./controls.ts";
import { type CreateOptions, type Creation, create, plainCreation } from "./creations.ts";
import { sendBody, validRequest } from "./resources.ts";
import { type Answer, isAccepted, isRejected, type Target, type VersionedOperation } from "./target.ts";
import { validBody, valueSourceFor } from "./value-source.ts";
import { allowedOf, defaultVersion, sendsAll, versionFor } from "./version-choice.ts";

/** An operation under a version, and its requests. */
export class Call implements VersionedOperation {
  constructor(
    readonly target: Target,
    readonly operation: Operation,
    readonly version: string | null = defaultVersion(target, operation),
  ) {}

  /** Returns a call of another operation under the same version, or under its default one if it has no such version. */
  to(operation: Operation): Call {
    return new Call(this.target, operation, versionFor(this.target, operation, this.version));
  }

  under(version: string | null): Call {
    return new Call(this.target, this.operation, version);
  }

  get underDefaultVersion(): Call {
    return new Call(this.target, this.operation);
  }

  get isDefaultVersion(): boolean {
    return this.version === defaultVersion(this.target, this.operation);
  }

  /** True at depth full. */
  get sendsAll(): boolean {
    return sendsAll(this.target);
  }

  /** Returns all versions of the operation. Null is a request without a version. */
  get versions(): (string | null)[] {
    return versionsOf(this.target.spec, this.operation);
  }

  /** Returns the versions that the user allows. */
  get allowed(): (string | null)[] {
    return allowedOf(this.target, this.operation);
  }

  /** Returns a request without parameters and body. */
  request(): RequestPlan {
    return requestTo(this.operation, this.version);
  }

  /** Returns the request for the resource with this id. */
  requestAt(id: string): RequestPlan {
    return { ...this.request(), path: id };
  }

  /** Returns the request with this body alone. */
  requestWith(body: JsonObject): RequestPlan {
    return withBody(this.request(), body);
  }

  /**
   * Sends a valid request, or reuses its answer.
   * @throws NotTested if the service rejects it
   */
  async control(): Promise<Answer> {
    const answer = await this.controlAnswer();
    controlAccepted(answer, `a valid ${this.operation.key}`);
    return answer;
  }

  /** Returns the answer to a valid request, also if it is a rejection. All probes of the version share it. */
  async controlAnswer(): Promise<Answer> {
    const { target, operation, version } = this;
    if (operation.kind === "create" && operation.body)
      return (await this.plain(this.isDefaultVersion ? "full" : "minimal")).answer;
    return target.memoize(`control ${operation.id} ${version ?? "none"}`, async () => {
      const plan = withOwnKey(target, await this.fresh());
      return isPlainRead(operation) ? target.ask(plan, "control") : this.send(plan, "control");
    });
  }

  /** Returns the valid request of the run, which several probes share. */
  valid(): Promise<RequestPlan> {
    return validRequest(this);
  }

  /** Returns a valid request with new unique values and, for a create, a new key. */
  async fresh(): Promise<RequestPlan> {
    const plan = await this.valid();
    return this.operation.body ? withBody(plan, await this.body()) : plan;
  }

  /** Returns a valid body with the required or all fields. Other variations have other values. */
  body(extent: "minimal" | "full" = "full", variation = 0): Promise<JsonObject> {
    return validBody(this.target, this.operation, extent, variation);
  }

  /** Returns where values of the body come from that only the service knows. */
  valueSource(): Promise<ValueSource> {
    return valueSourceFor(this.target, this.operation.body ?? {});
  }

  /** Returns the faults of a body like this one, each of which breaks one constraint. */
  async bodyFaults(valid: JsonObject): Promise<BodyFault[]> {
    const { body = {} } = this.operation;
    const source = await this.valueSource();
    return bodyViolations(body, source).filter((fault) => isConfirmed(fault, valid, body, source));
  }

  /** Returns the create with the required or all fields, sent once for all probes. */
  plain(extent: "minimal" | "full"): Promise<Creation> {
    return plainCreation(this, extent);
  }

  /** Sends a create with the body and a new key. */
  create(sent: JsonObject, options?: CreateOptions): Promise<Creation> {
    return create(this, sent, options);
  }

  /** Sends the request while no probe changes the resources of the operation. */
  send(plan: RequestPlan, role = "probe"): Promise<Answer> {
    return withResourceReadLock(this.target, this.operation, () => sendBody(this.target, plan, role));
  }

  /**
   * Checks that the service accepts valid requests under the version.
   * @throws NotTested (control-rejected) if only other versions do, which VERSION-ACCEPTED reports
   */
  async versionAccepted(): Promise<void> {
    const answer = await this.controlAnswer();
    if (!isRejected(answer)) return;
    for (const other of this.versions) {
      if (other === this.version || !isAccepted(await this.under(other).controlAnswer())) continue;
      if (await this.acceptsPlainest()) return;
      const why = `version ${this.version ?? "none"} is rejected, another is accepted`;
      throw new NotTested("control-rejected", why, [answer.exchange]);
    }
  }

  /** True if the service accepts the required fields alone: another field may explain a rejection. */
  async acceptsPlainest(): Promise<boolean> {
    const { target, operation, version } = this;
    if (!operation.body) return false;
    if (operation.kind === "create") return isAccepted((await this.plain("minimal")).answer);
    const name = `plainest ${operation.id} ${version ?? "none"}`;
    return isAccepted(await target.memoize(name, async () => this.send(await this.valid())));
  }
}

function withOwnKey(target: Target, plan: RequestPlan): RequestPlan {
  const key = plan.operation.idempotencyKey;
  return key ? withHeaders(plan, { [key.name]: headerText(key.schema, target.unique()) }) : plan;
}

function isPlainRead({ kind, method }: Operation): boolean {
  return method === "GET" && (kind === "list" || kind === "read");
}
