/**
 * A later edition of the specification, with four operations on a new resource, parcels. Its paths and fields are
 * named unlike those that the package knows.
 */

import type { JsonObject } from "../../spec/json.ts";
import type { Spec } from "../../spec/model/spec.ts";
import { documentCopy, specOf } from "../spec/package-spec.ts";

const reference = (path: string) => ({ $ref: `#/components/${path}` });

const resource = {
  type: "object",
  required: ["key", "title", "kind", "urgent", "state", "createTime", "updateTime"],
  "x-expected": ["notes"],
  "x-identity": "key",
  "x-fixed": ["key", "createTime"],
  "x-relations": [
    { requirement: "TIMES-ORDERED", relation: "not-before", fields: ["/updateTime", "/createTime"] },
  ],
  properties: {
    key: { type: "string" },
    title: { type: "string" },
    kind: { type: "string", enum: ["letter", "box", "pallet"] },
    code: { type: ["string", "null"] },
    grams: { type: "integer", minimum: 1, maximum: 30_000 },
    urgent: { type: "boolean" },
    notes: { type: ["string", "null"] },
    state: { type: "string", enum: ["new", "sent"] },
    createTime: { type: "string", format: "date-time" },
    updateTime: { type: "string", format: "date-time" },
    metadata: { type: "object" },
  },
};

const common = [reference("parameters/Space100"), reference("parameters/ServiceVersion")];

function answer(envelope: string, result: unknown) {
  return {
    "200": {
      description: "It.",
      content: {
        "application/json": {
          schema: { allOf: [reference(`schemas/${envelope}`), { properties: { result } }] },
        },
      },
    },
  };
}

function takes(schema: unknown) {
  return { required: true, content: { "application/json": { schema } } };
}

const operations = {
  "/v1/parcels": {
    get: {
      operationId: "listParcels",
      "x-section": "4.18",
      parameters: [
        {
          name: "kind",
          in: "query",
          schema: { type: ["string", "null"], enum: ["letter", "box", "pallet", null] },
          "x-filter": "/kind",
        },
        { name: "title", in: "query", schema: { type: ["string", "null"] }, "x-filter": "/title" },
        {
          name: "pageSize",
          in: "query",
          schema: { type: "integer", minimum: 1, maximum: 15, default: 5 },
          "x-role": "page-size",
        },
        {
          name: "from",
          in: "query",
          schema: { type: ["string", "null"], maxLength: 300 },
          "x-role": "cursor-after",
          "x-cursor": "token",
        },
        ...common,
      ],
      responses: answer("ListEnvelopeWithTotal", { items: reference("schemas/Parcel") }),
    },
    post: {
      operationId: "createParcel",
      "x-section": "4.19",
      parameters: [reference("parameters/IdempotencyKey"), ...common],
      requestBody: takes({
        type: "object",
        required: ["title", "kind"],
        properties: {
          title: { type: "string", minLength: 2, maxLength: 60 },
          kind: { type: "string", enum: ["letter", "box", "pallet"] },
          code: { type: ["string", "null"], maxLength: 50, "x-unique": { scope: "space" } },
          grams: { type: "integer", minimum: 1, maximum: 30_000 },
          urgent: { type: "boolean", default: false },
          notes: { type: ["string", "null"], maxLength: 80 },
          metadata: reference("schemas/SentMetadata"),
        },
      }),
      responses: answer("Envelope", reference("schemas/Parcel")),
    },
  },
  "/v1/parcels/{parcelKey}": {
    parameters: [
      {
        name: "parcelKey",
        in: "path",
        required: true,
        schema: { type: "string" },
        "x-made-by": "createParcel",
      },
    ],
    get: {
      operationId: "getParcel",
      "x-section": "4.20",
      "x-same-record": { list: "listParcels", by: ["key"], fields: "all" },
      parameters: common,
      responses: answer("Envelope", reference("schemas/Parcel")),
    },
    patch: {
      operationId: "updateParcel",
      "x-section": "4.21",
      "x-read-back": { read: "getParcel" },
      parameters: common,
      requestBody: takes({
        type: "object",
        properties: {
          title: { type: "string", minLength: 2, maxLength: 60 },
          grams: { type: "integer", minimum: 1, maximum: 30_000 },
          urgent: { type: "boolean" },
          notes: { type: ["string", "null"], maxLength: 80 },
          metadata: reference("schemas/SentMetadata"),
        },
      }),
      responses: answer("Envelope", reference("schemas/Parcel")),
    },
  },
};

export function parcelsDocument(): JsonObject {
  const document = documentCopy();
  Object.assign(document.paths as JsonObject, structuredClone(operations));
  const components = document.components as { schemas: JsonObject };
  components.schemas.Parcel = structuredClone(resource);
  return document;
}

export function parcelsEdition(): Spec {
  return specOf(parcelsDocument());
}
