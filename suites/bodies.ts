/** Limits of request bodies (sections 4 and 8): inside edges are accepted, and each single fault is rejected, for creates and updates alike. */

import { type Check, Untestable } from "../client/check.ts";
import { control, freshRequest, inTurn, versionAccepted } from "../client/controls.ts";
import { inventedNames, UNHEARD_OF } from "../client/invented-names.ts";
import { sendBody, validRequest } from "../client/subjects.ts";
import { supplyFor, validBody } from "../client/supply.ts";
import { type Answer, isAccepted, isServerError, type Target } from "../client/target.ts";
import { mustAccept, mustReject } from "../client/verdicts.ts";
import { usualVersion } from "../client/version-choice.ts";
import {
  type Violation as BodyViolation,
  bodyEdges,
  bodyViolations,
  type Constraint,
  type Edge,
  isConfirmed,
  withValue,
} from "../generators/probes.ts";
import { type RequestPlan, withBody, withHeaders } from "../generators/request.ts";
import type { Supply } from "../generators/values.ts";
import type { RejectionCause } from "../profiles/promises.ts";
import type { Operation, Schema, Spec } from "../spec/model/spec.ts";
import { allowsNull, typesOf } from "../spec/schema.ts";
import { check, operationsOf, perVersion } from "../trials/derive.ts";
import { noteRejection } from "./access.ts";

const SUITE = "bodies";

type Side = "CREATE" | "UPDATE";

/** What a violated rule is called in the catalogue, for creates and updates alike. */
const RULES: Record<Constraint, string> = {
  required: "REQUIRED",
  type: "TYPE",
  null: "NULL",
  enum: "INVALID",
  const: "INVALID",
  format: "INVALID",
  pattern: "INVALID",
  minimum: "INVALID",
  maximum: "INVALID",
  additionalProperties: "INVALID",
  oneOf: "INVALID",
  anyOf: "INVALID",
  uniqueItems: "INVALID",
  exclusiveMinimum: "INVALID",
  exclusiveMaximum: "INVALID",
  multipleOf: "INVALID",
  minLength: "TOO-SHORT",
  maxLength: "TOO-LONG",
  minItems: "TOO-FEW",
  maxItems: "TOO-MANY",
  minProperties: "TOO-FEW",
  maxProperties: "TOO-MANY",
};

export function bodyChecks(spec: Spec): Check[] {
  return operationsOf(spec, "create", "update").flatMap((operation) => {
    const { body } = operation;
    if (!body) return [];
    const side: Side = operation.kind === "create" ? "CREATE" : "UPDATE";
    return [
      ...acceptanceChecks(spec, operation, side),
      ...groupedViolations(spec, body).flatMap((group) =>
        violationChecks(spec, operation, body, side, group),
      ),
      ...edgeGroups(spec, body).map((edge) => edgeCheck(operation, body, side, edge)),
      ...nullableProperties(spec, body).map((name) => nullCheck(operation, side, name)),
      ...wholeBodyChecks(spec, operation, side),
      ...openValueNotes(spec, operation, body, side),
    ];
  });
}

/** A supply without a target, for planning: names and lengths are the same, values are not sent. */
function planningSupply(spec: Spec): Supply {
  return {
    schemas: spec.schemas,
    unique: () => "pc-00000000-0000",
    known: () => ["known"],
    references: () => ["known"],
    seed: 0,
  };
}

function acceptanceChecks(spec: Spec, operation: Operation, side: Side): Check[] {
  const extents = operation.kind === "create" ? (["minimal", "full"] as const) : (["full"] as const);
  const accepted = extents.flatMap((extent) =>
    perVersion(spec, {
      suite: SUITE,
      requirement: `${side}-ACCEPTED`,
      operation,
      detail: extent,
      title: `${operation.key} accepts a valid body, ${extent === "full" ? "all fields" : "required fields alone"}`,
      stage: "write",
      writes: true,
      async run(target, version) {
        await versionAccepted(target, operation, version);
        const plan = withBody(
          await validRequest(target, operation, version),
          await validBody(target, operation, extent),
        );
        mustAccept(await inTurn(target, operation, () => sendBody(target, plan)), `a valid body (${extent})`);
      },
    }),
  );
  return [...accepted, ...(operation.kind === "update" ? singleFieldChecks(spec, operation) : [])];
}

/** Each optional field of an update alone, beside the required ones. */
function singleFieldChecks(spec: Spec, operation: Operation): Check[] {
  const flat = spec.schemas.flatten(operation.body ?? {});
  const names = Object.keys(flat.properties ?? {}).filter(
    (name) => !spec.schemas.flatten(flat.properties?.[name] ?? {})["x-consumes"],
  );
  return names.map((name) =>
    check({
      suite: SUITE,
      requirement: "UPDATE-ACCEPTED",
      operation,
      detail: `${name} alone`,
      title: `${operation.key} accepts ${name} alone, beside what is required`,
      stage: "write",
      writes: true,
      async run(target) {
        await versionAccepted(target, operation, usualVersion(target, operation));
        const full = await validBody(target, operation, "full", 1);
        if (!(name in full)) throw new Untestable("no-data", `no value is known for ${name}`);
        const kept = new Set([name, ...(flat.required ?? [])]);
        const body = Object.fromEntries(Object.entries(full).filter(([key]) => kept.has(key)));
        const plan = withBody(await validRequest(target, operation, usualVersion(target, operation)), body);
        mustAccept(await inTurn(target, operation, () => sendBody(target, plan)), `${name} alone`);
      },
    }),
  );
}

interface ViolationGroup {
  pointer: string;
  constraint: Constraint;
}

/** The rules of a body, one entry for each place and rule, however many values break it. */
function groupedViolations(spec: Spec, body: Schema): ViolationGroup[] {
  const groups = new Map<string, ViolationGroup>();
  for (const { pointer, constraint } of bodyViolations(body, planningSupply(spec))) {
    groups.set(`${pointer} ${constraint}`, { pointer, constraint });
  }
  return [...groups.values()];
}

function violationRequirement(spec: Spec, body: Schema, side: Side, group: ViolationGroup): string {
  const schema = spec.schemas.at(body, group.pointer);
  const own = schema && spec.schemas.ownRequirement(schema, group.constraint);
  return own ?? `${side}-${RULES[group.constraint]}`;
}

function violationChecks(
  spec: Spec,
  operation: Operation,
  body: Schema,
  side: Side,
  group: ViolationGroup,
): Check[] {
  const requirement = violationRequirement(spec, body, side, group);
  const place = `body${group.pointer} ${group.constraint}`;
  return perVersion(spec, {
    suite: SUITE,
    requirement,
    operation,
    detail: place,
    title: `${operation.key} rejects a body whose ${group.pointer.slice(1)} breaks ${group.constraint}`,
    stage: "write",
    writes: true,
    cause: "invalid-body",
    async run(target, version) {
      await control(target, operation, version);
      const supply = await supplyFor(target, body);
      const inGroup = (from: Supply) =>
        bodyViolations(body, from).filter(
          (probe) => probe.pointer === group.pointer && probe.constraint === group.constraint,
        );
      // Names that only the service knows are made up where none is known; the neighbour tells whether they will do.
      const known = inGroup(supply);
      const probes = known.length > 0 ? known : inGroup({ ...supply, known: inventedNames });
      let sent = 0;
      for (const probe of probes) {
        const plan = await validRequest(target, operation, version);
        if (await tryViolation(target, operation, body, supply, plan, probe, requirement)) sent++;
        else target.exercised(`${operation.key} ${place}`, false);
      }
      if (sent === 0)
        throw new Untestable("no-data", `no body is known that breaks ${place} and nothing else`);
    },
  });
}

/** Sends one broken body; false when it can't be made so that nothing else is broken. Throws Violation when accepted. */
async function tryViolation(
  target: Target,
  operation: Operation,
  body: Schema,
  supply: Supply,
  plan: RequestPlan,
  probe: BodyViolation,
  requirement: string,
): Promise<boolean> {
  const valid = await validBody(target, operation, "full");
  if (!isConfirmed(probe, valid, body, supply)) return false;
  if (probe.neighbour) {
    const neighbour = probe.neighbour(await validBody(target, operation, "full"));
    const near = await inTurn(target, operation, () =>
      sendBody(target, withBody(plan, neighbour), "control"),
    );
    if (!isAccepted(near)) {
      throw new Untestable("control-rejected", `the nearest valid body was answered ${near.status}`, [
        near.exchange,
      ]);
    }
  }
  target.exercised(`${operation.key} body${probe.pointer} ${probe.constraint}`, false);
  const answer = await inTurn(target, operation, () =>
    target.send(withBody(plan, probe.breaking(valid)), { role: "probe" }),
  );
  const what = `${probe.pointer.slice(1)}: ${probe.what}`;
  if (target.spec.requirements.get(requirement)?.level === "NOTE") {
    target.observe(requirement, operation.key, what, outcome(answer));
    return true;
  }
  noteRejection(target, operation, `${probe.pointer.slice(1)} ${probe.constraint}`, answer);
  mustReject(answer, what);
  return true;
}

function outcome(answer: Answer): string {
  return `${isAccepted(answer) ? "accepted" : "rejected"} (${answer.status})`;
}

/** The inside edges of a body, as places and what stands there; the values are made when they are sent. */
function edgeGroups(spec: Spec, body: Schema): Pick<Edge, "pointer" | "constraint" | "what">[] {
  return bodyEdges(body, planningSupply(spec)).map(({ pointer, constraint, what }) => ({
    pointer,
    constraint,
    what,
  }));
}

function edgeCheck(
  operation: Operation,
  body: Schema,
  side: Side,
  wanted: Pick<Edge, "pointer" | "constraint" | "what">,
): Check {
  const place = `body${wanted.pointer} ${wanted.constraint}`;
  return check({
    suite: SUITE,
    requirement: `${side}-EDGES`,
    operation,
    detail: `${place} ${wanted.what}`,
    title: `${operation.key} accepts ${wanted.pointer.slice(1)} of ${wanted.what}`,
    stage: "write",
    writes: true,
    async run(target) {
      await control(target, operation, usualVersion(target, operation));
      const supply = await supplyFor(target, body);
      const find = (from: Supply) =>
        bodyEdges(body, from).find(
          (edge) =>
            edge.pointer === wanted.pointer &&
            edge.constraint === wanted.constraint &&
            edge.what === wanted.what,
        );
      // Names that only the service knows are made up where none was given: an acceptance counts, a rejection does not.
      const edge = find(supply) ?? find({ ...supply, known: inventedNames });
      if (!edge)
        throw new Untestable("no-data", `no value of ${wanted.what} is known for ${wanted.pointer.slice(1)}`);
      const invented = find(supply) === undefined;
      const plan = await freshRequest(target, operation, usualVersion(target, operation));
      const value = plan.body?.kind === "json" ? (plan.body.value as Record<string, unknown>) : {};
      target.exercised(`${operation.key} ${place}`, true);
      const probe = withBody(plan, withValue(value, edge.pointer, edge.value));
      const answer = await inTurn(target, operation, () => sendBody(target, probe));
      if (!isAccepted(answer) && !isServerError(answer) && (invented || edge.doubtful)) {
        // A short list that repeats a name tells whether it is the number that is declined, or the repeating.
        const fewer = Array.isArray(edge.value) ? shortestRepeating(edge.value) : undefined;
        const near =
          fewer && withBody(plan, withValue(await validBody(target, operation, "full"), edge.pointer, fewer));
        if (!near || !isAccepted(await inTurn(target, operation, () => sendBody(target, near, "probe")))) {
          const reason = invented ? "no-fixture" : "declined";
          throw new Untestable(reason, `${edge.what} needs more names than are known`, [answer.exchange]);
        }
      }
      mustAccept(answer, `${wanted.pointer.slice(1)} of ${wanted.what}`);
    },
  });
}

/** The first element that is there twice, twice and alone; undefined where none is, or where that is the whole list. */
function shortestRepeating(values: unknown[]): unknown[] | undefined {
  const repeated = values.find((value, index) => values.indexOf(value) !== index);
  return repeated === undefined || values.length < 3 ? undefined : [repeated, repeated];
}

function nullableProperties(spec: Spec, body: Schema): string[] {
  return Object.entries(spec.schemas.flatten(body).properties ?? {})
    .filter(([, child]) => {
      const flat = spec.schemas.flatten(child);
      return typesOf(flat).length > 0 && allowsNull(flat);
    })
    .map(([name]) => name);
}

function nullCheck(operation: Operation, side: Side, name: string): Check {
  return check({
    suite: SUITE,
    requirement: `${side}-NULL-ACCEPTED`,
    operation,
    detail: `body/${name} null`,
    title: `${operation.key} accepts null for ${name}`,
    stage: "write",
    writes: true,
    async run(target) {
      const version = usualVersion(target, operation);
      await control(target, operation, version);
      const body = { ...(await validBody(target, operation, "full")), [name]: null };
      target.exercised(`${operation.key} body/${name} null`, true);
      const plan = withBody(await validRequest(target, operation, version), body);
      const answer = await inTurn(target, operation, () => sendBody(target, plan));
      mustAccept(answer, `null for ${name}`);
    },
  });
}

interface WholeBody {
  requirement: (side: Side) => string;
  cause: RejectionCause;
  detail: string;
  title: string;
  contentType: string | null;
  text(valid: string): string;
}

const WHOLE_BODIES: WholeBody[] = [
  {
    requirement: (side) => `${side}-MALFORMED`,
    cause: "malformed-json",
    detail: "cut short",
    title: "JSON that is cut short",
    contentType: "application/json",
    text: (valid) => valid.slice(0, -1),
  },
  {
    requirement: (side) => `${side}-MALFORMED`,
    cause: "malformed-json",
    detail: "text behind",
    title: "JSON with text behind it",
    contentType: "application/json",
    text: (valid) => `${valid} and more`,
  },
  {
    requirement: (side) => `${side}-MALFORMED`,
    cause: "malformed-json",
    detail: "trailing comma",
    title: "JSON with a trailing comma",
    contentType: "application/json",
    text: (valid) => (valid === "{}" ? "{,}" : valid.replace(/}$/, ",}")),
  },
  {
    requirement: (side) => `${side}-MALFORMED`,
    cause: "malformed-json",
    detail: "no body",
    title: "an empty body",
    contentType: "application/json",
    text: () => "",
  },
  {
    requirement: (side) => `${side}-NOT-OBJECT`,
    cause: "invalid-body",
    detail: "array",
    title: "an array",
    contentType: "application/json",
    text: (valid) => `[${valid}]`,
  },
  {
    requirement: (side) => `${side}-NOT-OBJECT`,
    cause: "invalid-body",
    detail: "string",
    title: "a string",
    contentType: "application/json",
    text: (valid) => JSON.stringify(valid),
  },
  {
    requirement: (side) => `${side}-NOT-OBJECT`,
    cause: "invalid-body",
    detail: "number",
    title: "a number",
    contentType: "application/json",
    text: () => "42",
  },
  {
    requirement: (side) => `${side}-NOT-OBJECT`,
    cause: "invalid-body",
    detail: "null",
    title: "null",
    contentType: "application/json",
    text: () => "null",
  },
  {
    requirement: (side) => `${side}-TEXT-PLAIN`,
    cause: "unsupported-media-type",
    detail: "text/plain",
    title: "JSON sent as text/plain",
    contentType: "text/plain",
    text: (valid) => valid,
  },
];

function wholeBodyChecks(spec: Spec, operation: Operation, side: Side): Check[] {
  // Where no field is required, a service may take an empty body for an update without fields.
  const anyRequired = (spec.schemas.flatten(operation.body ?? {}).required?.length ?? 0) > 0;
  const rejected = WHOLE_BODIES.filter((whole) => whole.detail !== "no body" || anyRequired).flatMap(
    (whole) =>
      perVersion(spec, {
        suite: SUITE,
        requirement: whole.requirement(side),
        operation,
        detail: whole.detail,
        title: `${operation.key} rejects ${whole.title}`,
        stage: "write",
        writes: true,
        cause: whole.cause,
        async run(target, version) {
          await control(target, operation, version);
          const plan = await freshRequest(target, operation, version);
          const valid = JSON.stringify(plan.body?.kind === "json" ? plan.body.value : {});
          const probe: RequestPlan = {
            ...plan,
            body: { kind: "text", text: whole.text(valid), contentType: whole.contentType },
          };
          const answer = await inTurn(target, operation, () => target.send(probe, { role: "probe" }));
          noteRejection(target, operation, whole.title, answer);
          mustReject(answer, whole.title);
        },
      }),
  );
  return [
    ...rejected,
    charsetCheck(operation, side),
    ...(side === "CREATE" ? [noContentTypeNote(operation)] : []),
    ...emptyUpdate(spec, operation),
  ];
}

function charsetCheck(operation: Operation, side: Side): Check {
  return check({
    suite: SUITE,
    requirement: `${side}-CHARSET`,
    operation,
    title: `${operation.key} takes application/json with a charset`,
    stage: "write",
    writes: true,
    async run(target) {
      await control(target, operation, usualVersion(target, operation));
      const plan = withHeaders(await freshRequest(target, operation, usualVersion(target, operation)), {
        "content-type": "application/json; charset=utf-8",
      });
      mustAccept(
        await inTurn(target, operation, () => sendBody(target, plan)),
        "a content type with a charset",
      );
    },
  });
}

function noContentTypeNote(operation: Operation): Check {
  return check({
    suite: SUITE,
    requirement: "CREATE-NO-CONTENT-TYPE",
    operation,
    title: `what ${operation.key} makes of a body without a content type`,
    stage: "write",
    writes: true,
    async run(target) {
      const plan = withHeaders(await freshRequest(target, operation, usualVersion(target, operation)), {
        "content-type": null,
      });
      target.observe(
        "CREATE-NO-CONTENT-TYPE",
        operation.key,
        "no content type",
        outcome(await target.send(plan)),
      );
    },
  });
}

/** Where no field is required, an update without any. */
function emptyUpdate(spec: Spec, operation: Operation): Check[] {
  const flat = spec.schemas.flatten(operation.body ?? {});
  if (operation.kind !== "update" || (flat.required?.length ?? 0) > 0) return [];
  return perVersion(spec, {
    suite: SUITE,
    requirement: flat["x-requirements"]?.empty ?? "UPDATE-EMPTY",
    operation,
    title: `${operation.key} accepts an update without any field`,
    stage: "write",
    writes: true,
    async run(target, version) {
      await versionAccepted(target, operation, version);
      const plan = withBody(await validRequest(target, operation, version), {});
      mustAccept(
        await inTurn(target, operation, () => sendBody(target, plan)),
        "an update without any field",
      );
    },
  });
}

/** An astral character for each hexadecimal digit. */
function astral(digit: number): string {
  return String.fromCodePoint(0x1f600 + digit);
}

/** A hand with a skin tone for each hexadecimal digit, as far as there are hands. */
function toned(digit: number): string {
  return String.fromCodePoint(0x1f446 + (digit % 11), 0x1f3fd);
}

/** `count` characters that spell the mark of the run, so that no other run has sent them. */
function spelled(runId: string, count: number, character: (digit: number) => string): string {
  return Array.from({ length: count }, (_, index) =>
    character(Number.parseInt(runId.charAt(index) || "0", 16)),
  ).join("");
}

/** What the specification leaves open about a body: recorded. */
function openValueNotes(spec: Spec, operation: Operation, body: Schema, side: Side): Check[] {
  if (side === "UPDATE") return [];
  const flat = spec.schemas.flatten(body);
  const note = (
    requirement: string,
    subject: string,
    change: (valid: Record<string, unknown>, target: Target) => Record<string, unknown>,
  ) =>
    check({
      suite: SUITE,
      requirement,
      operation,
      detail: subject,
      title: `what ${operation.key} makes of ${subject}`,
      stage: "write",
      writes: true,
      async run(target) {
        const version = usualVersion(target, operation);
        await control(target, operation, version);
        const changed = change(await validBody(target, operation, "minimal"), target);
        const answer = await sendBody(
          target,
          withBody(await validRequest(target, operation, version), changed),
          "probe",
        );
        target.observe(requirement, operation.key, subject, outcome(answer));
      },
    });
  const notes = [
    note("CREATE-UNKNOWN-FIELDS", "a field that is not documented", (valid) => ({
      ...valid,
      conformanceUnknown: "x",
    })),
  ];
  for (const [name, child] of Object.entries(flat.properties ?? {})) {
    const schema = spec.schemas.flatten(child);
    const text = typesOf(schema).includes("string") && !schema.format && !schema.enum && !schema.pattern;
    if (text && schema.minLength === undefined && !schema["x-send"]) {
      notes.push(note("CREATE-EMPTY-TEXT", `an empty ${name}`, (valid) => ({ ...valid, [name]: "" })));
    }
    if (text && schema.maxLength !== undefined) {
      const { maxLength } = schema;
      // An astral character is one code point, two UTF-16 units and four bytes, and a hand with a skin tone is one
      // grapheme of two code points: the first length that fails tells.
      for (const [unit, count, characters, character] of [
        ["graphemes", maxLength, "characters of two code points", toned],
        ["code points", maxLength, "astral characters", astral],
        ["UTF-16 units", Math.floor(maxLength / 2), "astral characters", astral],
        ["bytes", Math.floor(maxLength / 4), "astral characters", astral],
      ] as const) {
        notes.push(
          note(
            "CREATE-COUNTING",
            `${name} of ${count} ${characters} (${unit} within the limit)`,
            (valid, { runId }) => ({
              ...valid,
              [name]: spelled(runId, count, character),
            }),
          ),
        );
      }
    }
    if (schema.format === "currency-code") {
      notes.push(
        note("CREATE-CODE-CASE", `${name} in lower case`, (valid) => ({
          ...valid,
          [name]: String(valid[name]).toLowerCase(),
        })),
      );
    }
    if (schema["x-open"]) {
      const array = typesOf(schema).includes("array");
      const unheard = array ? [UNHEARD_OF] : UNHEARD_OF;
      notes.push(
        note(schema["x-open"], `an unheard-of value in ${name}`, (valid) => ({ ...valid, [name]: unheard })),
      );
    }
  }
  return notes;
}
