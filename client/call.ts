/** An operation under one version, with the functions by which probes send its requests. */

import type { RequestPlan } from "../generators/request.ts";
import type { ValueSource } from "../generators/values.ts";
import type { JsonObject } from "../spec/json.ts";
import type { Operation } from "../spec/model/spec.ts";
import { versionsOf } from "../spec/versions.ts";
import { answerUnder, control, freshRequest, versionAccepted, withResourceReadLock } from "./controls.ts";
import { type Creation, create, plainCreation } from "./creations.ts";
import { sendBody, validRequest } from "./resources.ts";
import { withSpace } from "./samples.ts";
import type { Answer, Target } from "./target.ts";
import { validBody, valueSourceFor } from "./value-source.ts";
import { allowedOf, defaultVersion, versionFor } from "./version-choice.ts";

export class Call {
  readonly target: Target;
  readonly operation: Operation;
  readonly version: string | null;

  constructor(target: Target, operation: Operation, version = defaultVersion(target, operation)) {
    this.target = target;
    this.operation = operation;
    this.version = version;
  }

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

  get versions(): (string | null)[] {
    return versionsOf(this.target.spec, this.operation);
  }

  get allowed(): (string | null)[] {
    return allowedOf(this.target, this.operation);
  }

  /**
   * The answer to the valid request, sent once for all probes that differ from it in one thing.
   * @throws NotTested (control-rejected) if the request was not accepted
   */
  control(): Promise<Answer> {
    return control(this.target, this.operation, this.version);
  }

  controlAnswer(): Promise<Answer> {
    return answerUnder(this.target, this.operation, this.version);
  }

  /**
   * The valid request with the fewest parts.
   * @throws NotTested if the target has no data for it
   */
  valid(): Promise<RequestPlan> {
    return validRequest(this.target, this.operation, this.version);
  }

  fresh(): Promise<RequestPlan> {
    return freshRequest(this.target, this.operation, this.version);
  }

  body(extent: "minimal" | "full" = "full", variation = 0): Promise<JsonObject> {
    return validBody(this.target, this.operation, extent, variation);
  }

  valueSource(): Promise<ValueSource> {
    return valueSourceFor(this.target, this.operation.body ?? {});
  }

  withSpace(plan: RequestPlan): RequestPlan {
    return withSpace(this.target, plan);
  }

  plain(extent: "minimal" | "full"): Promise<Creation> {
    return plainCreation(this.target, this.operation, extent, this.version);
  }

  create(sent: JsonObject, use?: Parameters<typeof create>[4]): Promise<Creation> {
    return create(this.target, this.operation, this.version, sent, use);
  }

  /** Sends a request while no scenario changes the same resource. `role` names the exchange in a finding. */
  send(plan: RequestPlan, role = "probe"): Promise<Answer> {
    return withResourceReadLock(this.target, this.operation, () => sendBody(this.target, plan, role));
  }

  /**
   * Sends a valid read, or returns the answer to an equal read since the run's last write. To test repeated
   * reads, use `send`.
   */
  ask(plan: RequestPlan): Promise<Answer> {
    return this.target.ask(plan);
  }

  /**
   * Ends normally if the service accepts the version.
   * @throws NotTested if valid requests are rejected under this version and accepted under another, which
   * VERSION-ACCEPTED reports
   */
  versionAccepted(): Promise<void> {
    return versionAccepted(this.target, this.operation, this.version);
  }
}
