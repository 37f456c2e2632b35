/** Editors use this schema to complete profiles. */

import type { Spec } from "../spec/model/spec.ts";
import { offerNames } from "../spec/offers.ts";
import { answersOf, type Behaviour } from "./behaviour.ts";
import { BEHAVIOURS } from "./behaviours.ts";
import { openFields, REJECTION_CAUSES } from "./promises.ts";

type JsonSchema = Record<string, unknown>;

const BY_OPERATION = "or a map from operations (patterns; the longest that fits counts) to these";

/** Allows one value, or a map by operation. Error messages show the `$comment`. */
function byOperation(value: JsonSchema, expected: string, fields: boolean): JsonSchema {
  const at = fields
    ? `${BY_OPERATION.replace("operations", "operations, or operation and field,")}`
    : BY_OPERATION;
  return {
    $comment: `${expected}, ${at}`,
    anyOf: [
      value,
      {
        type: "object",
        minProperties: 1,
        propertyNames: { $ref: "#/$defs/place" },
        additionalProperties: value,
      },
    ],
  };
}

/** Returns the JSON Schema of one behaviour's promise: a word, or words by operation. */
function behaviourSchema(behaviour: Behaviour, spec: Spec): JsonSchema {
  const { about, fills, pattern } = behaviour;
  const answers = answersOf(behaviour, spec);
  const words = Object.keys(answers);
  const value: JsonSchema = pattern === undefined ? { enum: words } : { type: "string", pattern };
  const meanings = pattern === undefined ? words.map((word) => `${word}: ${answers[word]}`) : [];
  const expected = pattern === undefined ? `one of ${words.join(", ")}` : `a text that fits ${pattern}`;
  return {
    description: [about, ...meanings, `Fills ${fills}.`].join("\n"),
    ...byOperation(value, expected, true),
  };
}

function rejectionSchema(sentence: string): JsonSchema {
  return { description: `${sentence}: the statuses it is rejected with.`, $ref: "#/$defs/statuses" };
}

/** Returns the JSON Schema of profiles for this edition. */
export function profileSchema(spec: Spec): JsonSchema {
  const status: JsonSchema = { type: "integer", minimum: 400, maximum: 499 };
  const values = [...openFields(spec).values()].map(({ field, requirement }) => [
    field,
    {
      description: `The values of ${field}. Fills ${requirement}.`,
      $ref: "#/$defs/words",
    },
  ]);
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    $id: "urn:payments-conformance:profile:1",
    title: "Vendor profile of payments-conformance",
    description:
      "What one service promises where the specification is silent. Each statement becomes a MUST requirement of runs with this profile.",
    type: "object",
    additionalProperties: false,
    required: ["name"],
    properties: {
      name: { type: "string", minLength: 1, description: "What reports and certificates call this profile." },
      vendor: { type: "string", minLength: 1, description: "Who makes the promises." },
      service: { type: "string", minLength: 1, description: "The service that they are about." },
      spec: {
        type: "string",
        pattern: "^[0-9a-f]{12,64}$",
        description:
          "The edition that the profile is for: the SHA-256 that reports name, or its beginning. Any other edition is then refused.",
      },
      offers: {
        type: "array",
        minItems: 1,
        uniqueItems: true,
        items: { enum: offerNames(spec) },
        description: "The parts of the API that the service offers. The rest is checked to be absent.",
      },
      rejections: {
        type: "object",
        additionalProperties: false,
        minProperties: 1,
        description: "Status codes by what is wrong with a call. Fills REJECTION-STATUS.",
        properties: Object.fromEntries(
          Object.entries(REJECTION_CAUSES).map(([cause, sentence]) => [cause, rejectionSchema(sentence)]),
        ),
      },
      errorBody: {
        type: "object",
        additionalProperties: false,
        minProperties: 1,
        description: "What every 4xx answer holds. Fills SILENCE-ERROR-BODY.",
        properties: {
          contentType: {
            description: "Media types, without parameters.",
            $ref: "#/$defs/words",
          },
          schema: {
            type: "object",
            description: "A JSON Schema (2020-12) that every 4xx body is valid against.",
          },
        },
      },
      challenge: {
        type: "string",
        pattern: "^[A-Za-z][A-Za-z0-9-]*$",
        description:
          "The scheme of WWW-Authenticate on every 401; none for no such header. Fills REJECTION-CHALLENGE.",
      },
      values: {
        type: "object",
        additionalProperties: false,
        minProperties: 1,
        description: "All values of enumerations that the specification leaves open, by resource and field.",
        properties: Object.fromEntries(values),
      },
      ...Object.fromEntries(BEHAVIOURS.map((behaviour) => [behaviour.key, behaviourSchema(behaviour, spec)])),
    },
    $defs: {
      place: {
        anyOf: [{ enum: ["*", ...spec.operations.map((operation) => operation.key)] }, { type: "string" }],
      },
      status,
      statuses: byOperation(
        {
          anyOf: [
            { $ref: "#/$defs/status" },
            { type: "array", minItems: 1, uniqueItems: true, items: { $ref: "#/$defs/status" } },
          ],
        },
        "a status from 400 to 499, a list of them",
        false,
      ),
      words: {
        $comment: "a text or a list of texts",
        anyOf: [
          { type: "string", minLength: 1 },
          { type: "array", minItems: 1, uniqueItems: true, items: { type: "string", minLength: 1 } },
        ],
      },
    },
  };
}
