import type { RequestPlan } from "../generators/request.ts";
import type { ValueSource } from "../generators/values.ts";
import type { JsonObject } from "../spec/json.ts";
import type { Operation } from "../spec/model/spec.ts";
import { versionsOf } from "../spec/versions.ts";
import {
  answerUnder,
  controlAccepted,
  freshRequest,
  versionAccepted,
  withResourceReadLock,
} from "./controls.ts";
import { type Creation, create, plainCreation } from "./creations.ts";
import { sendBody, validRequest } from "./resources.ts";
import type { Answer, Target } from "./target.ts";
import { validBody, valueSourceFor } from "./value-source.ts";
import { allowedOf, defaultVersion, sendsAll, versionFor } from "./version-choice.ts";

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

  /** True at depth full. */
  get sendsAll(): boolean {
    return sendsAll(this.target);
  }

  get versions(): (string | null)[] {
    return versionsOf(this.target.spec, this.operation);
  }

  get allowed(): (string | null)[] {
    return allowedOf(this.target, this.operation);
  }

  /** @throws NotTested if the service rejects the valid request */
  async control(): Promise<Answer> {
    const answer = await this.controlAnswer();
    controlAccepted(answer, `a valid ${this.operation.key}`);
    return answer;
  }

  controlAnswer(): Promise<Answer> {
    return answerUnder(this.target, this.operation, this.version);
  }

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

  plain(extent: "minimal" | "full"): Promise<Creation> {
    return plainCreation(this.target, this.operation, extent, this.version);
  }

  create(sent: JsonObject, use?: Parameters<typeof create>[4]): Promise<Creation> {
    return create(this.target, this.operation, this.version, sent, use);
  }

  send(plan: RequestPlan, role = "probe"): Promise<Answer> {
    return withResourceReadLock(this.target, this.operation, () => sendBody(this.target, plan, role));
  }

  versionAccepted(): Promise<void> {
    return versionAccepted(this.target, this.operation, this.version);
  }
}
