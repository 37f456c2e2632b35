import type { ValidateFunction } from "ajv";
import type { Answer } from "../history/answers/answers.ts";
import type { AnswerFault } from "../history/answers/shape-faults.ts";
import { header, mediaType } from "../history/entry.ts";
import { shownParts } from "../history/journal/shown-parts.ts";
import { createProfileAjv } from "../spec/formats.ts";
import type { Spec } from "../spec/model/spec.ts";
import { describeValue } from "../spec/schema.ts";
import { openFields, type Promised } from "./promises.ts";

/** Null if the promise is kept, undefined if it does not apply. */
type Found = AnswerFault | null | undefined;

type Of<K extends Promised["kind"]> = Extract<Promised, { kind: K }>;

export type AnswerPromise = Of<"values" | "error-body" | "error-type" | "challenge">;

/** Returns the schemes of WWW-Authenticate, in lower case. */
export function challengeSchemes(value: string | undefined): string[] {
  const schemes = value?.match(/(?:^|,)\s*[A-Za-z][\w-]*(?=\s*(?:,|$)|\s+[^\s=])/g) ?? [];
  return schemes.map((scheme) => scheme.replace(/^[,\s]+/, "").toLowerCase());
}

/** True for rejections (4xx). An undocumented operation may not exist, so only its 401 and 403 count. */
export function isErrorAnswer({ operation, status }: Answer): boolean {
  if (status < 400 || status >= 500) return false;
  return operation.response !== undefined || status === 401 || status === 403;
}

export function answerHeader({ entry: { response } }: Answer, name: string): string | undefined {
  return "status" in response ? header(response.headers, name) : undefined;
}

/** Returns a check of single answers. It finds a fault, null if the answer keeps the promise, or undefined. */
export function promiseCheck(spec: Spec, promise: AnswerPromise): (answer: Answer) => Found {
  switch (promise.kind) {
    case "challenge":
      return (answer) => (answer.status === 401 ? challengeFault(promise, answer) : undefined);
    case "error-type":
      return (answer) => (isErrorAnswer(answer) ? typeFault(promise, answer) : undefined);
    case "error-body": {
      const validate = createProfileAjv().compile(promise.schema);
      return (answer) => (isErrorAnswer(answer) ? bodyFault(validate, answer) : undefined);
    }
    case "values": {
      const schema = openFields(spec).get(promise.field)?.schema;
      return (answer) => {
        const shown = shownParts(spec, answer).open.filter((each) => each.schema === schema);
        const wrong = shown.find(({ value }) => !promise.allowed.includes(String(value)));
        if (!wrong) return shown.length > 0 ? null : undefined;
        return {
          expected: `${promise.field}: one of ${promise.allowed.join(", ")}`,
          actual: describeValue(wrong.value),
          offending: wrong.pointer,
        };
      };
    }
  }
}

function mayBeLeftOut({ entry: { response } }: Answer, value: string | undefined): boolean {
  return value === undefined && "status" in response && response.isPartial === true;
}

/** Returns the first place at which the error body breaks the promised schema, or null. */
function bodyFault(validate: ValidateFunction, answer: Answer): Found {
  const { json, entry } = answer;
  if (json === undefined) {
    const text = "status" in entry.response ? entry.response.body.text : "";
    return { expected: "an error body that is JSON", actual: describeValue(text, 60), offending: "" };
  }
  if (validate(json)) return null;
  const [fault] = validate.errors ?? [];
  return {
    expected: "an error body that fits the profile's schema",
    actual: `${fault?.instancePath || "the body"} ${fault?.message ?? "does not"}`,
    offending: fault?.instancePath ?? "",
  };
}

/** Returns the fault if WWW-Authenticate lacks the promised scheme, or `undefined` if it may be left out. */
function challengeFault({ scheme }: Of<"challenge">, answer: Answer): Found {
  const value = answerHeader(answer, "www-authenticate");
  if (mayBeLeftOut(answer, value)) return undefined;
  const isKept =
    scheme === "none" ? value === undefined : challengeSchemes(value).includes(scheme.toLowerCase());
  if (isKept) return null;
  return {
    expected: scheme === "none" ? "no WWW-Authenticate" : `WWW-Authenticate: ${scheme}`,
    actual: value ?? "no WWW-Authenticate",
    offending: "header:www-authenticate",
  };
}

/** Returns the fault if the error body has another media type than promised. */
function typeFault({ types }: Of<"error-type">, answer: Answer): Found {
  const type = mediaType(answerHeader(answer, "content-type"));
  if (mayBeLeftOut(answer, type)) return undefined;
  if (type !== undefined && types.includes(type)) return null;
  return {
    expected: `an error body of type ${types.join(" or ")}`,
    actual: type ?? "no content type",
    offending: "header:content-type",
  };
}
