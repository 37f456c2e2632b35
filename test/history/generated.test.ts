/**
 * The generators and the classifier of requests agree: a generated valid body has no fault, and a faulty body
 * has the intended one.
 */

import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type BodyFault, bodyViolations, isConfirmed } from "../../generators/body-faults.ts";
import { type Constraint, KEYWORD_FAULTS } from "../../generators/keyword-faults.ts";
import { parameterViolations } from "../../generators/parameters.ts";
import { type ValueSource, validObject } from "../../generators/values.ts";
import { bodyOf } from "../../history/body.ts";
import type { Classification } from "../../history/classification.ts";
import { classify } from "../../history/request-faults/classify.ts";
import { appendPointer, type JsonObject } from "../../spec/json.ts";
import { loadSpec } from "../../spec/loading/load.ts";
import type { Operation, Schema, Spec } from "../../spec/model/spec.ts";
import { anyBodySchema } from "../generators/schemas.ts";
import { exampleSource } from "../generators/value-source.ts";
import { operation, spec } from "../spec/package-spec.ts";

function classified(
  edition: Spec,
  one: Operation,
  body: JsonObject | null,
  query: [string, string][] = [],
): Classification {
  const key: [string, string][] = one.idempotencyKey
    ? [[one.idempotencyKey.name.toLowerCase(), "key-1"]]
    : [];
  return classify(edition, {
    operation: one,
    path: {},
    version: null,
    space: one.space ? "spc-1" : null,
    credential: { kind: "token", token: "token 1" },
    request: {
      method: one.method,
      url: "",
      query,
      headers: [["authorization", "Bearer t"], ["content-type", "application/json"], ...key],
      body: body && bodyOf(JSON.stringify(body)),
    },
  });
}

/** The faults of a body, as `constraint pointer`. */
function faultsOf(edition: Spec, one: Operation, body: JsonObject): string[] {
  const found = classified(edition, one, body);
  const faults = "faults" in found ? found.faults : [];
  const doubts = found.kind === "doubtful" ? found.doubts : [];
  // If the specification leaves a rule open, the classifier reports a doubt instead of a fault.
  const left = doubts.filter(({ behaviour }) => behaviour === "brokenField");
  return [
    ...faults
      .filter(({ place }) => place.startsWith("body"))
      .map(({ place, constraint }) => `${constraint} ${place.slice("body".length)}`),
    ...left.map(({ place }) => `open ${place.slice("body".length)}`),
  ];
}

function meant({ constraint, pointer }: BodyFault): string[] {
  return [`${constraint} ${pointer}`, `open ${pointer}`];
}

/** The keywords that a schema states for the values in a body, at any depth, as `keyword pointer`. */
function stated(schema: Schema, source: ValueSource, pointer = "", within: Schema[] = []): string[] {
  const flat = source.schemas.flatten(schema);
  if (within.includes(flat)) return [];
  const inner = [...within, flat];
  const own = RULES_OF_VALUES.filter((keyword) => pointer !== "" && Object.hasOwn(flat, keyword));
  // A list that is too long may need more different elements than exist, so this fault is not expected.
  const made = own.filter((keyword) => keyword !== "maxItems" || !flat.uniqueItems);
  const required = (flat.required ?? []).map((name) => `required ${appendPointer(pointer, name)}`);
  const below = Object.entries(flat.properties ?? {}).flatMap(([name, child]) =>
    stated(child, source, appendPointer(pointer, name), inner),
  );
  const items = flat.items ? stated(flat.items, source, `${pointer}/0`, inner) : [];
  return [...made.map((keyword) => `${keyword} ${pointer}`), ...required, ...below, ...items];
}

/** These keywords are about the fields of an object, so their faults are reported at other places. */
const OF_OBJECTS = ["required", "additionalProperties", "propertyNames", "dependentRequired"];
const RULES_OF_VALUES = Object.keys(KEYWORD_FAULTS).filter((keyword) => !OF_OBJECTS.includes(keyword));

describe("random schemas of bodies", () => {
  const accounts = operation("POST /v1/financial-accounts");

  test("a valid body has no fault", () => {
    fc.assert(
      fc.property(
        anyBodySchema,
        fc.nat(20),
        fc.constantFrom("minimal", "full"),
        (body, variation, extent) => {
          const valid = validObject(body, exampleSource(), extent, variation);
          expect(faultsOf(spec, { ...accounts, body }, valid)).toEqual([]);
        },
      ),
      { numRuns: 150 },
    );
  });

  test("a faulty body has the intended fault, and no other", () => {
    const confirmed = new Map<Constraint, number>();
    fc.assert(
      fc.property(anyBodySchema, fc.nat(20), (body, variation) => {
        const source = exampleSource();
        const valid = validObject(body, source, "full", variation);
        for (const fault of bodyViolations(body, source)) {
          if (!isConfirmed(fault, valid, body, source)) continue;
          confirmed.set(fault.constraint, (confirmed.get(fault.constraint) ?? 0) + 1);
          expect(faultsOf(spec, { ...accounts, body }, fault.breaking(valid))).toEqual([meant(fault)[0]]);
        }
      }),
      { numRuns: 100 },
    );
    expect(Object.keys(KEYWORD_FAULTS).filter((keyword) => !confirmed.has(keyword as Constraint))).toEqual(
      [],
    );
  });

  test("nearly every generated fault is confirmed", () => {
    let [all, confirmed] = [0, 0];
    fc.assert(
      fc.property(anyBodySchema, (body) => {
        const source = exampleSource();
        const valid = validObject(body, source, "full");
        for (const fault of bodyViolations(body, source)) {
          all++;
          if (isConfirmed(fault, valid, body, source)) confirmed++;
        }
      }),
      { numRuns: 100, seed: 7 },
    );
    expect(confirmed / all).toBeGreaterThan(0.95);
  });
});

function edition(folder: string): Spec {
  const url = new URL(`../editions/${folder}/`, import.meta.url);
  const file = (name: string) => ({ name, text: readFileSync(new URL(name, url), "utf8") });
  const catalogue = new URL(
    folder === "library" ? "requirements.yaml" : "../../../spec/requirements.yaml",
    url,
  );
  return loadSpec(file("openapi.yaml"), { name: "requirements.yaml", text: readFileSync(catalogue, "utf8") });
}

const EDITIONS: [name: string, spec: Spec][] = [
  ["the package's own", spec],
  ["library", edition("library")],
  ["workshop", edition("workshop")],
];

describe.each(EDITIONS)("edition: %s", (_, known) => {
  const examples = exampleSource();
  const source = (): ValueSource => ({
    ...examples,
    schemas: known.schemas,
    known: (fixture) =>
      examples.known(fixture).length > 0 ? examples.known(fixture) : ["known-1", "known-2"],
  });
  const bodies = known.operations.flatMap((one) =>
    one.body && ["create", "update"].includes(one.kind) ? [[one.key, one, one.body] as const] : [],
  );

  test.each(bodies)("%s: a valid body has no fault", (_key, one, body) => {
    for (let variation = 0; variation < 10; variation++)
      for (const extent of ["minimal", "full"] as const)
        expect(faultsOf(known, one, validObject(body, source(), extent, variation))).toEqual([]);
  });

  test.each(bodies)("%s: each faulty body has its fault, and every rule is broken", (_key, one, body) => {
    const from = source();
    const valid = validObject(body, from, "full");
    const violations = bodyViolations(body, from).filter((fault) => isConfirmed(fault, valid, body, from));
    for (const fault of violations) {
      const [found, ...others] = faultsOf(known, one, fault.breaking(valid));
      expect(others, `${fault.pointer} ${fault.constraint}`).toEqual([]);
      if (found !== undefined) expect(meant(fault), fault.constraint).toContain(found);
    }
    const broken = new Set(violations.map(({ constraint, pointer }) => `${constraint} ${pointer}`));
    expect(stated(body, from).filter((rule) => !broken.has(rule))).toEqual([]);
  });

  const queries = known.operations
    .filter(({ kind }) => kind !== "named" && kind !== "other")
    .flatMap((one) =>
      one.parameters
        .filter((parameter) => parameter.in === "query")
        .map((parameter) => [`${one.key} ${parameter.name}`, one, parameter] as const),
    );

  test.each(queries)("%s: each faulty text has its fault", (_key, one, parameter) => {
    for (const { constraint, text } of parameterViolations(parameter, known.schemas)) {
      const found = classified(known, one, null, [[parameter.name, text]]);
      const place = `query/${parameter.name}`;
      const faults = "faults" in found ? found.faults.filter((fault) => fault.place === place) : [];
      const isOpen = found.kind === "doubtful" && found.doubts.some((doubt) => doubt.place === place);
      if (!isOpen)
        expect(
          faults.map((fault) => fault.constraint),
          text,
        ).toEqual([constraint]);
    }
  });
});
