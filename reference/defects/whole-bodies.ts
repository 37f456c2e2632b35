import type { Context } from "../context.ts";
import { prefixOf } from "../fields/bodies.ts";
import { answerSuccess, CREATES, refuse, UPDATES, type Where } from "../hook-tools.ts";
import type { Hooks } from "../hooks.ts";
import { isObject } from "../json.ts";
import { across, SOME_VERSION } from "../operators/operator.ts";
import { overlookWhen, parsedJson, rewriteBody, together } from "../write-hook-tools.ts";
import type { Defect } from "./defect.ts";

const WRITES: Where = [...CREATES, ...UPDATES];

export function wholes(): Defect[] {
  return [
    ...across("broken-json-taken", WRITES, SOME_VERSION, {
      breaks: (operation) => [`${prefixOf(operation)}-MALFORMED`],
      does: "a body that is not quite JSON is taken as what it comes closest to",
      hooks: (where) => together(rewriteBody(where, asJson), filled),
    }),
    ...across("no-object-taken", WRITES, SOME_VERSION, {
      breaks: (operation) => [`${prefixOf(operation)}-NOT-OBJECT`],
      does: "a body that is no object is taken for one",
      hooks: (where) => together(rewriteBody(where, asObject), filled),
    }),
    ...across("text-taken", WRITES, SOME_VERSION, {
      breaks: (operation) => [`${prefixOf(operation)}-TEXT-PLAIN`],
      does: "JSON sent as text/plain is taken",
      hooks: (where) =>
        overlookWhen(
          where,
          { at: "body", rule: "contentType" },
          ({ request }) => request.headers["content-type"]?.startsWith("text/plain") ?? false,
        ),
    }),
    ...across("null-body-taken", WRITES, SOME_VERSION, {
      breaks: (operation) => [`${prefixOf(operation)}-NULL-BODY`],
      does: "a body of null is taken for one without fields",
      hooks: (where) =>
        together(
          overlookWhen(
            where,
            { at: "body", rule: "object" },
            ({ request }) => String(request.body) === "null",
          ),
          filled,
        ),
    }),
    ...across("form-taken", WRITES, SOME_VERSION, {
      breaks: (operation) => [`${prefixOf(operation)}-FORM-DATA`],
      does: "a body sent as form data is taken",
      hooks: (where) => together(overlookWhen(where, { at: "body", rule: "contentType" }, isForm), filled),
    }),
    ...across("unescaped", WRITES, SOME_VERSION, {
      breaks: ["JSON-BODY"],
      does: "an answer with a quotation mark in a text is no JSON",
      hooks: (where) =>
        answerSuccess(where, (answer) => ({ ...answer, body: String(answer.body).replaceAll('\\"', '"') })),
    }),
    ...across("charset-refused", WRITES, SOME_VERSION, {
      breaks: (operation) => [`${prefixOf(operation)}-CHARSET`],
      does: "a content type with a charset is refused",
      hooks: (where) =>
        refuse(where, "body", { at: "body", rule: "contentType", message: "no charset" }, ({ request }) =>
          /charset/i.test(request.headers["content-type"] ?? ""),
        ),
    }),
  ];
}

const isForm = ({ request }: Context) => /form-urlencoded/.test(request.headers["content-type"] ?? "");

/** Otherwise a malformed body would be rejected for missing fields. */
const filled: Hooks = {
  problems: (problems, ctx, stage) =>
    stage === "body" && Object.keys(ctx.body).length < 2
      ? problems.filter(({ rule }) => rule !== "required")
      : problems,
};

function asObject(text: string): string {
  const value = parsedJson(text);
  if (Array.isArray(value) && isObject(value[0])) return JSON.stringify(value[0]);
  return isObject(value) ? text : "{}";
}

function asJson(text: string): string {
  return parsedJson(text) === undefined ? nearest(text) : text;
}

/** Corrects a text that is nearly JSON, or returns `{}`. */
function nearest(text: string): string {
  for (const tail of ["}", '"}', "]}", "}}"]) if (parsedJson(text + tail) !== undefined) return text + tail;
  const cleaned = text.replaceAll(/,\s*([}\]])/g, "$1").replaceAll("'", '"');
  return isObject(parsedJson(cleaned)) ? cleaned : "{}";
}
