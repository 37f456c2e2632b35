/** Compares every answer of the run with the promises of a profile about all answers. */

import type { ValidateFunction } from "ajv";
import { type Answer, isRejected } from "../client/target.ts";
import { createProfileAjv } from "../spec/formats.ts";
import type { Schema, Spec } from "../spec/model/spec.ts";
import { describeValue } from "../spec/schema.ts";
import { openFields, type Profile, type Promised } from "./promises.ts";

/** Records that an answer could have broken a requirement, and the fault if it did. */
export type NoteFault = (
  requirement: string,
  fault?: { expected: string; actual: string; offending?: string },
) => void;

/** The media type of a content type, in lower case and without parameters. */
export function mediaType(header: string | undefined): string | undefined {
  return header?.split(";")[0]?.trim().toLowerCase();
}

/** The authentication schemes of WWW-Authenticate, in lower case. */
export function challengeSchemes(header: string | undefined): string[] {
  const schemes = header?.match(/(?:^|,)\s*[A-Za-z][\w-]*(?=\s*(?:,|$)|\s+[^\s=])/g) ?? [];
  return schemes.map((scheme) => scheme.replace(/^[,\s]+/, "").toLowerCase());
}

/** True if a 4xx shows how the service rejects. An undocumented path, or an operation that may not exist, does not. */
export function isErrorAnswer(answer: Answer): boolean {
  const { operation, pathOverride } = answer.plan;
  if (!isRejected(answer) || pathOverride !== undefined) return false;
  return operation.response !== undefined || answer.status === 401 || answer.status === 403;
}

export class PromiseWatch {
  readonly #errors: Extract<Promised, { kind: "error-body" | "error-type" }>[] = [];
  readonly #challenges: Extract<Promised, { kind: "challenge" }>[] = [];
  readonly #values = new Map<Schema, Extract<Promised, { kind: "values" }>>();
  readonly #validators = new Map<string, ValidateFunction>();

  constructor(spec: Spec, profile: Profile | undefined) {
    const open = openFields(spec);
    for (const promise of profile?.promised ?? []) {
      if (promise.kind === "values") {
        const field = open.get(promise.field);
        if (field) this.#values.set(field.schema, promise);
      } else if (promise.kind === "challenge") this.#challenges.push(promise);
      else if (promise.kind === "error-type") this.#errors.push(promise);
      else if (promise.kind === "error-body") {
        this.#errors.push(promise);
        this.#validators.set(promise.id, createProfileAjv().compile(promise.schema));
      }
    }
  }

  /** Compares an answer with the promises about errors. */
  see(answer: Answer, note: NoteFault): void {
    if (answer.status === 401) for (const promise of this.#challenges) seeChallenge(promise, answer, note);
    if (!isErrorAnswer(answer)) return;
    for (const promise of this.#errors) {
      if (promise.kind === "error-type") seeType(promise, answer, note);
      else this.#seeBody(promise.id, answer, note);
    }
  }

  /** Compares a value with the promised values of its field. */
  seeValue(schema: Schema, value: unknown, pointer: string, note: NoteFault): void {
    const promise = this.#values.get(schema);
    if (!promise) return;
    note(
      promise.id,
      promise.allowed.includes(String(value))
        ? undefined
        : {
            expected: `${promise.field}: one of ${promise.allowed.join(", ")}`,
            actual: describeValue(value),
            offending: pointer,
          },
    );
  }

  #seeBody(id: string, answer: Answer, note: NoteFault): void {
    const validate = this.#validators.get(id);
    if (!validate) return;
    if (answer.json === undefined) {
      note(id, {
        expected: "an error body that is JSON",
        actual: describeValue(answer.text, 60),
        offending: "",
      });
    } else if (validate(answer.json)) note(id);
    else {
      const [fault] = validate.errors ?? [];
      note(id, {
        expected: `an error body that fits the profile's schema`,
        actual: `${fault?.instancePath || "the body"} ${fault?.message ?? "does not"}`,
        offending: fault?.instancePath ?? "",
      });
    }
  }
}

function seeChallenge(
  { id, scheme }: Extract<Promised, { kind: "challenge" }>,
  answer: Answer,
  note: NoteFault,
): void {
  const header = answer.headers["www-authenticate"];
  const kept =
    scheme === "none" ? header === undefined : challengeSchemes(header).includes(scheme.toLowerCase());
  note(
    id,
    kept
      ? undefined
      : {
          expected: scheme === "none" ? "no WWW-Authenticate" : `WWW-Authenticate: ${scheme}`,
          actual: header ?? "no WWW-Authenticate",
          offending: "header:www-authenticate",
        },
  );
}

function seeType(
  { id, types }: Extract<Promised, { kind: "error-type" }>,
  answer: Answer,
  note: NoteFault,
): void {
  const type = mediaType(answer.headers["content-type"]);
  note(
    id,
    type !== undefined && types.includes(type)
      ? undefined
      : {
          expected: `an error body of type ${types.join(" or ")}`,
          actual: type ?? "no content type",
          offending: "header:content-type",
        },
  );
}
