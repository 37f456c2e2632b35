/** Bodies as a whole (sections 4.2 to 4.15): malformed JSON, bodies that are no object, and content types. */

import { withBody, withHeaders } from "../generators/request.ts";
import type { Operation, Spec } from "../spec/model/spec.ts";
import { sideOf } from "../trials/broken-bodies.ts";
import { minimalAgain } from "../trials/creation-again.ts";
import { accepts, operationsWithBody, type Place, rejects, rule, suiteOf } from "../trials/rule.ts";

function requiresAny(spec: Spec, { body = {} }: Operation): boolean {
  return (spec.schemas.flatten(body).required?.length ?? 0) > 0;
}

interface WholeBody {
  rule: keyof typeof CAUSES;
  detail: string;
  title: string;
  type?: string;
  text(valid: string): string;
}

/** The reason for a rejection, by rule. */
const CAUSES = {
  MALFORMED: "malformed-json",
  "NOT-OBJECT": "invalid-body",
  "NULL-BODY": "invalid-body",
  "TEXT-PLAIN": "unsupported-media-type",
  "FORM-DATA": "unsupported-media-type",
} as const;

const FORM = "application/x-www-form-urlencoded";

const WHOLE_BODIES: WholeBody[] = [
  {
    rule: "MALFORMED",
    detail: "cut short",
    title: "JSON that is cut short",
    text: (valid) => valid.slice(0, -1),
  },
  {
    rule: "MALFORMED",
    detail: "text behind",
    title: "JSON with text behind it",
    text: (valid) => `${valid} and more`,
  },
  {
    rule: "MALFORMED",
    detail: "trailing comma",
    title: "JSON with a trailing comma",
    text: (valid) => (valid === "{}" ? "{,}" : valid.replace(/}$/, ",}")),
  },
  { rule: "MALFORMED", detail: "no body", title: "an empty body", text: () => "" },
  { rule: "NOT-OBJECT", detail: "array", title: "an array", text: (valid) => `[${valid}]` },
  { rule: "NOT-OBJECT", detail: "string", title: "a string", text: (valid) => JSON.stringify(valid) },
  { rule: "NOT-OBJECT", detail: "number", title: "a number", text: () => "42" },
  { rule: "NULL-BODY", detail: "null", title: "null", text: () => "null" },
  {
    rule: "TEXT-PLAIN",
    detail: "text/plain",
    title: "JSON sent as text/plain",
    type: "text/plain",
    text: (valid) => valid,
  },
  { rule: "FORM-DATA", detail: "form data", title: "form data", type: FORM, text: formOf },
];

/** A JSON object as form data. */
function formOf(valid: string): string {
  const fields = Object.entries(JSON.parse(valid) as Record<string, unknown>);
  const text = (value: unknown) => (typeof value === "string" ? value : JSON.stringify(value));
  return new URLSearchParams(fields.map(([name, value]): [string, string] => [name, text(value)])).toString();
}

interface WholePlace extends Place {
  whole: WholeBody;
}

const wholeRejected = rejects<WholePlace>({
  requirement: ({ operation, whole }) => `${sideOf(operation)}-${whole.rule}`,
  over: (spec) =>
    operationsWithBody(spec, "create", "update").flatMap((operation) =>
      // If no field is required, a service may accept an empty body for an update without fields.
      WHOLE_BODIES.filter(({ detail }) => detail !== "no body" || requiresAny(spec, operation)).map(
        (whole) => ({ operation, whole, detail: whole.detail }),
      ),
    ),
  title: ({ operation, whole }) => `${operation.key} rejects ${whole.title}`,
  versions: "rotated",
  cause: ({ whole }) => CAUSES[whole.rule],
  change(plan, { whole: { text, type: contentType = "application/json" } }) {
    const valid = JSON.stringify(plan.body?.kind === "json" ? plan.body.value : {});
    return { ...plan, body: { kind: "text", text: text(valid), contentType } };
  },
  what: ({ whole }) => whole.title,
});

const WITH_CHARSET = { "content-type": "application/json; charset=utf-8" };

const createCharset = rule({
  requirement: "CREATE-CHARSET",
  over: (spec) => operationsWithBody(spec, "create").map((operation) => ({ operation })),
  title: ({ operation }) => `${operation.key} accepts application/json with a charset`,
  versions: "rotated",
  // It creates a resource each time.
  group: () => "a create",
  async run(call) {
    await call.versionAccepted();
    const plain = await call.plain("minimal");
    call.controlAccepted(plain.answer, "the same call without a charset");
    const { withCharset } = await minimalAgain(call);
    call.mustServe(withCharset, "a content type with a charset");
  },
});

const updateCharset = accepts({
  requirement: "UPDATE-CHARSET",
  over: (spec) => operationsWithBody(spec, "update").map((operation) => ({ operation })),
  title: ({ operation }) => `${operation.key} accepts application/json with a charset`,
  versions: "rotated",
  async change(plan, _, call) {
    await call.control();
    return withHeaders(plan, WITH_CHARSET);
  },
  what: () => "a content type with a charset",
});

const noContentType = rule({
  requirement: "CREATE-NO-CONTENT-TYPE",
  notes: "missingContentType",
  over: (spec) => operationsWithBody(spec, "create").map((operation) => ({ operation })),
  title: ({ operation }) => `how ${operation.key} treats a body without a content type`,
  async run(call) {
    const answer = await call.send(withHeaders(await call.fresh(), { "content-type": null }));
    call.note("CREATE-NO-CONTENT-TYPE", "missingContentType", { status: answer.status });
  },
});

/** If no field is required, an update without any is accepted. */
const emptyUpdate = rule({
  over: (spec) =>
    operationsWithBody(spec, "update")
      .filter((operation) => !requiresAny(spec, operation))
      // A schema with a minimum of properties excludes an empty body.
      .filter(({ body = {} }) => (spec.schemas.flatten(body).minProperties ?? 0) === 0)
      .map((operation) => {
        const own = spec.schemas.flatten(operation.body ?? {})["x-requirements"]?.empty;
        return { operation, requirement: own ?? "UPDATE-EMPTY" };
      }),
  title: ({ operation }) => `${operation.key} accepts an update without any field`,
  versions: "rotated",
  async run(call) {
    await call.versionAccepted();
    const answer = await call.send(withBody(await call.valid(), {}), "create");
    call.mustServe(answer, "an update without any field");
  },
});

export const bodyChecks = suiteOf(
  "bodies",
  wholeRejected,
  createCharset,
  updateCharset,
  noContentType,
  emptyUpdate,
);
