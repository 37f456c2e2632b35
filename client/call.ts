/** The one door to the service: an operation, under a version, asked in the usual space. */

import type { RequestPlan } from "../generators/request.ts";
import type { Operation } from "../spec/model/spec.ts";
import { betweenStories, control, freshRequest } from "./controls.ts";
import { sendBody, validRequest } from "./subjects.ts";
import type { Answer, Target } from "./target.ts";
import { usualVersion, versionFor } from "./version-choice.ts";

export class Call {
  /** The run that the call is part of: its settings, what it shares, and what it notes. */
  readonly target: Target;
  readonly operation: Operation;
  /** Value of the version header; null sends none. */
  readonly version: string | null;

  constructor(target: Target, operation: Operation, version = usualVersion(target, operation)) {
    this.target = target;
    this.operation = operation;
    this.version = version;
  }

  /** A call of another operation, under the same version where it takes it. */
  to(operation: Operation): Call {
    return new Call(this.target, operation, versionFor(this.target, operation, this.version));
  }

  /** The same operation under another version. */
  under(version: string | null): Call {
    return new Call(this.target, this.operation, version);
  }

  /**
   * The answer to a valid request, sent once in a run for all probes that differ from it in one thing. Throws
   * Untestable (control-rejected) where it was not accepted.
   */
  control(): Promise<Answer> {
    return control(this.target, this.operation, this.version);
  }

  /** The plainest valid request. Throws Untestable when the target has no data for it. */
  valid(): Promise<RequestPlan> {
    return validRequest(this.target, this.operation, this.version);
  }

  /** A valid request that uses all that the operation takes; texts and unique values differ at every call. */
  fresh(): Promise<RequestPlan> {
    return freshRequest(this.target, this.operation, this.version);
  }

  /** Sends a request that may break a rule: updates go between the stories about their resource. `role` is what the exchange is to a finding. */
  send(plan: RequestPlan, role = "probe"): Promise<Answer> {
    return betweenStories(this.target, this.operation, () => sendBody(this.target, plan, role));
  }

  /**
   * The answer to a valid read, shared by all who ask the same while the run itself has written nothing in between.
   * What is about asking twice must `send`.
   */
  ask(plan: RequestPlan): Promise<Answer> {
    return this.target.ask(plan);
  }
}
