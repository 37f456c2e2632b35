/** The one door to the service: an operation, under a version, asked in the usual space. */

import type { RequestPlan } from "../generators/request.ts";
import type { Supply } from "../generators/values.ts";
import type { JsonObject } from "../spec/json.ts";
import type { Note, NoteAnswers, NotedPractice } from "../spec/model/note.ts";
import type { Operation } from "../spec/model/spec.ts";
import { type Evidence, exchangesOf } from "./check.ts";
import { answerUnder, betweenStories, control, freshRequest, versionAccepted } from "./controls.ts";
import { type Creation, create, plainCreation } from "./creations.ts";
import { withSpace } from "./samples.ts";
import { sendBody, validRequest } from "./subjects.ts";
import { supplyFor, validBody } from "./supply.ts";
import { type Answer, isRejected, type Target } from "./target.ts";
import { controlAccepted, mustAccept, mustReject, mustServe, mustShow, noteRejection } from "./verdicts.ts";
import { allowedOf, usualVersion, versionFor, versionsOf } from "./version-choice.ts";

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

  /** The same operation under the version that checks send which are not about versions. */
  get usual(): Call {
    return new Call(this.target, this.operation);
  }

  /** Whether the version is that one. */
  get isUsual(): boolean {
    return this.version === usualVersion(this.target, this.operation);
  }

  /** Every version that the operation takes: none first, where the header may be left out. */
  get versions(): (string | null)[] {
    return versionsOf(this.target.spec, this.operation);
  }

  /** Those of them that the user allows; the usual one where the operation takes none of these. */
  get allowed(): (string | null)[] {
    return allowedOf(this.target, this.operation);
  }

  /**
   * The answer to a valid request, sent once in a run for all probes that differ from it in one thing. Throws
   * Untestable (control-rejected) where it was not accepted.
   */
  control(): Promise<Answer> {
    return control(this.target, this.operation, this.version);
  }

  /** The same answer, accepted or not. */
  controlAnswer(): Promise<Answer> {
    return answerUnder(this.target, this.operation, this.version);
  }

  /** The plainest valid request. Throws Untestable when the target has no data for it. */
  valid(): Promise<RequestPlan> {
    return validRequest(this.target, this.operation, this.version);
  }

  /** A valid request that uses all that the operation takes; texts and unique values differ at every call. */
  fresh(): Promise<RequestPlan> {
    return freshRequest(this.target, this.operation, this.version);
  }

  /** A valid body, with what is required alone or with all; of values that there are several of, others for another salt. */
  body(extent: "minimal" | "full" = "full", salt = 0): Promise<JsonObject> {
    return validBody(this.target, this.operation, extent, salt);
  }

  /** Everything that making values for the body needs of the target. */
  supply(): Promise<Supply> {
    return supplyFor(this.target, this.operation.body ?? {});
  }

  /** A request with the space header, whether or not the operation is shown with one. */
  withSpace(plan: RequestPlan): RequestPlan {
    return withSpace(this.target, plan);
  }

  /** A plain creating call, sent once in a run. */
  plain(extent: "minimal" | "full"): Promise<Creation> {
    return plainCreation(this.target, this.operation, extent, this.version);
  }

  /** Sends a creating call, under a key that differs in some way from the first one of its family. */
  create(sent: JsonObject, use?: Parameters<typeof create>[4]): Promise<Creation> {
    return create(this.target, this.operation, this.version, sent, use);
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

  /** Throws Untestable where the version is to blame for what is rejected, which another rule says. */
  versionAccepted(): Promise<void> {
    return versionAccepted(this.target, this.operation, this.version);
  }

  /** Throws Untestable unless the control of a probe was accepted. */
  controlAccepted(answer: Answer, what: string): void {
    controlAccepted(answer, what);
  }

  /** Throws a Violation unless what is within the rules was accepted. */
  mustAccept(answer: Answer, what: string, before: Answer[] = []): void {
    mustAccept(answer, what, before);
  }

  /** The same, and Untestable where it shows nothing for it. */
  mustServe(answer: Answer, what: string): void {
    mustServe(this.target, answer, what);
  }

  /** The same again, but for what the version is to blame for. */
  async mustTake(answer: Answer, what: string): Promise<void> {
    if (isRejected(answer)) await this.versionAccepted();
    this.mustServe(answer, what);
  }

  /** Throws Untestable where an accepted answer shows nothing of what was asked for. */
  mustShow(answer: Answer): void {
    mustShow(this.target, answer);
  }

  /** Throws a Violation unless a probe was rejected; what it was answered is noted, as `noted`, unless that is null. */
  mustReject(answer: Answer, what: string, noted: string | null = what, before: Answer[] = []): void {
    if (noted !== null) this.noteRejection(noted, answer);
    mustReject(answer, what, before);
  }

  /** Notes the status that a probe is answered with. */
  noteRejection(probe: string, answer: Answer): void {
    noteRejection(this.target, this.operation, probe, answer);
  }

  /** Notes what the operation does where the specification is silent; it is shown by what was asked last, when left out. */
  note<P extends NotedPractice>(
    requirement: string,
    practice: P,
    answer: NoteAnswers[P],
    about: { field?: string; tried?: string } = {},
    shownBy?: Evidence,
  ): void {
    const note = { requirement, operation: this.operation.key, practice, ...about, answer } as Note;
    this.target.note(note, shownBy && exchangesOf(shownBy));
  }
}
