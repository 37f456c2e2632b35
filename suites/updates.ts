/** Updates (sections 3, 4.5, 4.7 and 4.15): what was sent is shown and stored, all else stays, and a rejected update changes nothing. */

import { type Violation as BodyViolation, bodyViolations, isConfirmed } from "../generators/probes.ts";
import { type RequestPlan, requestTo, withBody, withHeaders } from "../generators/request.ts";
import { awkwardId } from "../generators/text.ts";
import { isDateTime } from "../spec/formats.ts";
import { isObject, type JsonObject, sameJson } from "../spec/json.ts";
import { operationById } from "../spec/load.ts";
import { allowsNull, describeValue, typesOf } from "../spec/schema.ts";
import type { Operation, Schema, Spec } from "../spec/types.ts";
import { noteRejection } from "./access.ts";
import { anyTextChecks, declinableChecks, type Rounds } from "./awkward.ts";
import { type Check, Untestable, Violation } from "./check.ts";
import { changes, type Difference, describeDifferences, restlessFields } from "./compare.ts";
import { control, refusedHeaders, subjectLock } from "./controls.ts";
import { check, operationsOf, perVersion } from "./derive.ts";
import { bodiesAtLimits, echoFaults, specials } from "./echo.ts";
import { holds } from "./property.ts";
import { documentedResource, readBack, readerOf, type Seen } from "./read-back.ts";
import { mustAgree } from "./reads.ts";
import {
  beforeUpdates,
  createdResource,
  identityOf,
  mustReject,
  ownResource,
  sendBody,
  sendCreate,
  subjectOf,
  supplyFor,
  usualVersion,
  validBody,
} from "./samples.ts";
import { type Answer, isAccepted, isRejected, resourceOf, type Target } from "./target.ts";

const SUITE = "updates";
const LONG_ID = 16;

export function updateChecks(spec: Spec): Check[] {
  return operationsOf(spec, "update").flatMap((operation) => {
    const { body } = operation;
    if (!body) return [];
    const fields = updatableFields(spec, body);
    return [
      ...shownChecks(spec, operation, body, fields),
      ...keepChecks(spec, operation, body, fields),
      ...noEffectChecks(spec, operation, body),
      ...settledCheck(spec, operation, body),
      ...agreeCheck(spec, operation),
      ...unknownChecks(operation),
      ...meaningNotes(spec, operation, body, fields),
      ...untakenChecks(spec, operation, body),
      ...(operation.pathParameter?.madeBy === undefined
        ? []
        : [
            bystanderCheck(operation),
            firstUpdateCheck(
              operation,
              (operation.resource && spec.schemas.flatten(operation.resource)["x-fixed"]) ?? [],
            ),
          ]),
      ...declinableChecks(spec, operation, body, {
        ...roundsOf(operation, "answer"),
        note: "UPDATE-AWKWARD",
      }),
    ];
  });
}

/** The fields of an update that can be sent without using the resource up. */
function updatableFields(spec: Spec, body: Schema): string[] {
  return Object.entries(spec.schemas.flatten(body).properties ?? {})
    .filter(([, child]) => !spec.schemas.flatten(child)["x-consumes"])
    .map(([name]) => name);
}

/** Work on the one resource that an update may change, in turns. */
async function onSubject<T>(
  target: Target,
  operation: Operation,
  work: (id: string) => Promise<T>,
): Promise<T> {
  const id = await subjectOf(target, operation, "write");
  return target.exclusive(subjectLock(operation), () => work(id));
}

function request(operation: Operation, id: string, version: string | null, body: JsonObject): RequestPlan {
  return withBody({ ...requestTo(operation, version), path: id }, body);
}

/** The required fields of a body and those named. */
function only(spec: Spec, operation: Operation, body: JsonObject, names: string[]): JsonObject {
  const kept = new Set([...(spec.schemas.flatten(operation.body ?? {}).required ?? []), ...names]);
  return Object.fromEntries(Object.entries(body).filter(([name]) => kept.has(name)));
}

async function send(
  target: Target,
  operation: Operation,
  id: string,
  version: string | null,
  body: JsonObject,
): Promise<Answer> {
  const answer = await sendBody(target, request(operation, id, version, body), "update");
  if (!isAccepted(answer)) {
    throw new Untestable("control-rejected", `the update was answered ${answer.status}`, [answer.exchange]);
  }
  return answer;
}

const salts = new WeakMap<Target, number>();
/** A different one each time that a check asks, so that an update sends other values than the last one did. */
function nextSalt(target: Target): number {
  const salt = ((salts.get(target) ?? Math.abs(target.seed)) % 20) + 1;
  salts.set(target, salt);
  return salt;
}

function shownChecks(spec: Spec, operation: Operation, body: Schema, fields: string[]): Check[] {
  const sketch = { suite: SUITE, operation, stage: "write", writes: true } as const;
  const sets: { detail: string; names: string[] | "all" }[] = [
    { detail: "all fields", names: "all" },
    ...fields.map((name) => ({ detail: name, names: [name] })),
  ];
  return [
    ...sets.flatMap(({ detail, names }) => [
      ...perVersion(spec, {
        ...sketch,
        requirement: "UPDATE-ECHO",
        detail,
        title: `the answer to ${operation.key} shows what was sent (${detail})`,
        run: (target, version) => tryUpdate(target, operation, version, names, "answer"),
      }),
      ...perVersion(spec, {
        ...sketch,
        requirement: "UPDATE-STORED",
        detail,
        title: `the next read after ${operation.key} shows what was sent (${detail})`,
        run: (target, version) => tryUpdate(target, operation, version, names, "read"),
      }),
    ]),
    ...specials(spec, body)
      .filter(({ make }) => make === bodiesAtLimits)
      .flatMap(({ detail, title }) =>
        (["UPDATE-ECHO", "UPDATE-STORED"] as const).map((requirement) =>
          check({
            ...sketch,
            requirement,
            detail,
            title: `${requirement === "UPDATE-ECHO" ? "the answer to" : "the next read after"} ${operation.key} shows what was sent ${title}`,
            run: (target) => tryLimits(target, operation, requirement === "UPDATE-ECHO" ? "answer" : "read"),
          }),
        ),
      ),
    ...(["answer", "read"] as const).flatMap((where) =>
      anyTextChecks(spec, operation, body, roundsOf(operation, where)),
    ),
  ];
}

/** The one resource that may be changed is changed again and again, in turns with other checks. */
function roundsOf(operation: Operation, where: "answer" | "read"): Rounds {
  return {
    suite: SUITE,
    requirement: where === "answer" ? "UPDATE-ECHO" : "UPDATE-STORED",
    shower: `${where === "answer" ? "the answer to" : "the next read after"} ${operation.key}`,
    begin: (target, version, work) =>
      onSubject(target, operation, (id) =>
        work({
          send: (body, role = "update") => sendBody(target, request(operation, id, version, body), role),
          mustShow: (body, answer) => mustShow(target, operation, id, body, { answer, where }),
        }),
      ),
  };
}

/** Updates some fields and holds the answer, or the next read, against what was sent. */
async function tryUpdate(
  target: Target,
  operation: Operation,
  version: string | null,
  names: string[] | "all",
  where: "answer" | "read",
): Promise<void> {
  const full = await validBody(target, operation, "full", nextSalt(target));
  const sent = names === "all" ? full : only(target.spec, operation, full, names);
  const missing = names === "all" ? undefined : names.find((name) => !(name in full));
  if (missing !== undefined) throw new Untestable("no-data", `no value is known for ${missing}`);
  await onSubject(target, operation, async (id) => {
    const flipped = await flip(target, operation, id, version, sent);
    const answer = await send(target, operation, id, version, flipped);
    await mustShow(target, operation, id, flipped, { answer, where });
  });
}

/** Updates with each field as long as its rule allows. A rejection is the finding of another check. */
async function tryLimits(target: Target, operation: Operation, where: "answer" | "read"): Promise<void> {
  const version = usualVersion(target, operation);
  await control(target, operation, version);
  let shown = 0;
  await onSubject(target, operation, async (id) => {
    for (const { sent } of await bodiesAtLimits(target, operation)) {
      const answer = await sendBody(target, request(operation, id, version, sent), "probe");
      if (!isAccepted(answer)) continue;
      shown++;
      await mustShow(target, operation, id, sent, { answer, where });
    }
  });
  if (shown === 0) throw new Untestable("no-data", "nothing as long as its rule allows was accepted");
}

/** For a switch that is sent alone, the other value than it has: an update that does nothing shows nothing. */
async function flip(
  target: Target,
  operation: Operation,
  id: string,
  version: string | null,
  sent: JsonObject,
): Promise<JsonObject> {
  const flat = target.spec.schemas.flatten(operation.body ?? {});
  const switches = Object.keys(sent).filter((name) =>
    typesOf(target.spec.schemas.flatten(flat.properties?.[name] ?? {})).includes("boolean"),
  );
  if (switches.length === 0 || !readerOf(target.spec, operation)) return sent;
  const { resource } = await readBack(target, operation, id, { version });
  return { ...sent, ...Object.fromEntries(switches.map((name) => [name, resource[name] !== true])) };
}

/** Throws a Violation where the answer to an update, or the next read after it, does not show what was sent. */
async function mustShow(
  target: Target,
  operation: Operation,
  id: string,
  sent: JsonObject,
  { answer, where }: { answer: Answer; where: "answer" | "read" },
): Promise<void> {
  if (where === "read") return mustStore(target, operation, id, sent, answer);
  const shown = resourceOf(answer);
  if (!shown) return;
  throwDifferences(await echoFaults(target, operation, sent, shown), [answer.exchange], "");
}

async function mustStore(
  target: Target,
  operation: Operation,
  id: string,
  sent: JsonObject,
  answer: Answer,
): Promise<void> {
  const reader = readerOf(target.spec, operation);
  if (!reader) throw new Untestable("not-shown", `nothing shows again what ${operation.key} changed`);
  const { version } = answer.plan;
  let faults: Difference[] = [];
  let seen: Seen | undefined;
  // A list is allowed a short delay; the echo has to be computed for each look at it.
  const deadline = Date.now() + (reader.kind === "list" ? target.settings.visibilityDelay : 0);
  for (let pause = 25; ; pause *= 2) {
    seen = await readBack(target, operation, id, { version });
    faults = await echoFaults(target, operation, sent, seen.resource, reader);
    if (faults.length === 0 || Date.now() + pause > deadline) break;
    await target.pause(pause);
  }
  throwDifferences(
    faults,
    [answer.exchange, ...(seen.exchange ? [seen.exchange] : [])],
    "in the next read: ",
  );
}

function throwDifferences(differences: Difference[], evidence: Answer["exchange"][], where: string): void {
  if (differences.length === 0) return;
  const { expected, actual } = describeDifferences(differences);
  throw new Violation(`${where}${expected}`, actual, evidence);
}

/** Fields that nothing but an update of them changes, and which can therefore be compared before and after. */
function keptFields(spec: Spec, operation: Operation, body: Schema): string[] {
  const flat = spec.schemas.flatten(body);
  return Object.entries(flat.properties ?? {})
    .filter(([name, child]) => {
      const schema = spec.schemas.flatten(child);
      // A field with a default may fall back to it when it is not sent; one that consumes has a life of its own.
      return (
        schema.default === undefined &&
        !schema["x-consumes"] &&
        operation.resource !== undefined &&
        name !== ""
      );
    })
    .map(([name]) => name);
}

function keepChecks(spec: Spec, operation: Operation, body: Schema, fields: string[]): Check[] {
  const sketch = { suite: SUITE, operation, stage: "write", writes: true } as const;
  const kept = keptFields(spec, operation, body);
  const required = new Set(spec.schemas.flatten(body).required ?? []);
  const secret = new Set(
    Object.entries(spec.schemas.flatten(body).properties ?? {})
      .filter(([, child]) => holdsSecret(spec, child))
      .map(([name]) => name),
  );
  const fixed = (operation.resource && spec.schemas.flatten(operation.resource)["x-fixed"]) ?? [];
  const alone = fields.filter((name) => !required.has(name));
  // A PUT replaces: what it does not send need not stay.
  const replaces = operation.method === "PUT";
  const sets = [...alone.map((name) => [name]), ...(required.size > 0 || alone.length === 0 ? [[]] : [])];
  return [
    ...sets.flatMap((names) => {
      const detail = names.length === 0 ? "required fields alone" : `${names.join()} alone`;
      const compared = (sent: JsonObject) =>
        new Set(kept.filter((name) => !(name in sent) && !secret.has(name)));
      return !replaces && kept.some((name) => !names.includes(name) && !required.has(name))
        ? perVersion(spec, {
            ...sketch,
            requirement: "UPDATE-KEEPS",
            operation,
            detail,
            title: `${operation.key} with ${detail} keeps what was not sent`,
            run: (target, version) => tryKeeping(target, operation, version, names, compared),
          })
        : [];
    }),
    ...(operation.readBack?.keeps === "all"
      ? perVersion(spec, {
          ...sketch,
          requirement: "UPDATE-KEEPS-REST",
          operation,
          title: `${operation.key} changes nothing but what it takes`,
          run: (target, version) =>
            tryKeeping(target, operation, version, fields, (sent) => otherFields(spec, operation, sent)),
        })
      : []),
    ...(fixed.length > 0
      ? perVersion(spec, {
          ...sketch,
          requirement: "UPDATE-IDENTITY",
          operation,
          title: `${operation.key} never changes ${fixed.join(" and ")}`,
          run: (target, version) => tryKeeping(target, operation, version, fields, () => new Set(fixed)),
        })
      : []),
  ];
}

function holdsSecret(spec: Spec, schema: Schema, within: readonly Schema[] = []): boolean {
  const flat = spec.schemas.flatten(schema);
  if (within.includes(flat)) return false;
  return (
    flat["x-secret"] === true ||
    Object.values(flat.properties ?? {}).some((child) => holdsSecret(spec, child, [...within, flat]))
  );
}

/** The documented fields of a resource but those that were sent. */
function otherFields(spec: Spec, operation: Operation, sent: JsonObject): Set<string> {
  const names = Object.keys(
    (operation.resource && spec.schemas.flatten(operation.resource).properties) ?? {},
  );
  return new Set(names.filter((name) => !(name in sent)));
}

/**
 * Reads, updates, and reads again. A field that the suite did not send and that differs may have changed for a
 * reason outside the run, so it counts only when it changes with a second update too.
 */
async function tryKeeping(
  target: Target,
  operation: Operation,
  version: string | null,
  names: string[],
  compared: (sent: JsonObject) => Set<string>,
): Promise<void> {
  const flat = target.spec.schemas.flatten(operation.body ?? {});
  const switches = Object.keys(flat.properties ?? {}).filter((name) =>
    typesOf(target.spec.schemas.flatten(flat.properties?.[name] ?? {})).includes("boolean"),
  );
  await onSubject(target, operation, async (id) => {
    // A switch is lost either way: both of its values have to be there to lose.
    for (const value of switches.length > 0 ? [true, false] : [true]) {
      const settings = Object.fromEntries(switches.map((name) => [name, value]));
      let lost = await lostFields(target, operation, id, version, names, compared, settings);
      if (!lost) continue;
      const first = new Set(lost.differences.map((difference) => difference.pointer));
      lost = await lostFields(target, operation, id, version, names, compared, settings);
      const restless = lost
        ? await restlessFields(() => readOnce(target, operation, id, version))
        : new Set();
      const differences =
        lost?.differences.filter(({ pointer }) => first.has(pointer) && !restless.has(pointer)) ?? [];
      if (!lost || differences.length === 0) continue;
      const { expected, actual } = describeDifferences(uniqueBy(differences));
      throw new Violation(`still ${expected}`, actual, lost.evidence);
    }
  });
}

async function readOnce(
  target: Target,
  operation: Operation,
  id: string,
  version: string | null,
): Promise<JsonObject> {
  return (await readBack(target, operation, id, { version })).resource;
}

/** One update of a resource that has a value in every field: what differs afterwards of the fields that are compared. */
async function lostFields(
  target: Target,
  operation: Operation,
  id: string,
  version: string | null,
  names: string[],
  compared: (sent: JsonObject) => Set<string>,
  settings: JsonObject,
): Promise<{ differences: Difference[]; evidence: Answer["exchange"][] } | undefined> {
  const full = async () => ({
    ...(await validBody(target, operation, "full", nextSalt(target))),
    ...settings,
  });
  await send(target, operation, id, version, await full());
  const sent = only(target.spec, operation, await full(), names);
  const before = await readSettled(target, operation, id, version);
  const answer = await send(target, operation, id, version, sent);
  const after = await readSettled(target, operation, id, version);
  const wanted = compared(sent);
  const all = new Set([...Object.keys(before.resource), ...Object.keys(after.resource)]);
  const ignored = new Set([...all].filter((name) => !wanted.has(name)));
  const shown = resourceOf(answer);
  const inAnswer = shown && documentedResource(target.spec, operation, shown);
  const ignoredInAnswer = new Set([
    ...ignored,
    ...(inAnswer ? [...all].filter((name) => !sameShape(target.spec, operation, name)) : []),
  ]);
  const differences = [
    ...changes(before.resource, after.resource, ignored),
    ...(inAnswer ? changes(pick(before.resource, all), pick(inAnswer, all), ignoredInAnswer) : []),
  ];
  if (differences.length === 0) return undefined;
  const evidence = [before.exchange, answer.exchange, after.exchange].filter(
    (exchange) => exchange !== undefined,
  );
  return { differences, evidence };
}

function pick(resource: JsonObject, names: Set<string>): JsonObject {
  return Object.fromEntries(Object.entries(resource).filter(([name]) => names.has(name)));
}

function uniqueBy(differences: Difference[]): Difference[] {
  return differences.filter(
    (difference, index) => differences.findIndex((other) => other.pointer === difference.pointer) === index,
  );
}

/** Whether the answer to an update shows a field as the read does: the same resource schema, or the same field. */
function sameShape(spec: Spec, operation: Operation, name: string): boolean {
  const reader = readerOf(spec, operation);
  const own = operation.resource && spec.schemas.flatten(operation.resource).properties?.[name];
  const other = reader?.resource && spec.schemas.flatten(reader.resource).properties?.[name];
  return own !== undefined && own === other;
}

/** The resource once a list has caught up with the last update: two looks in a row that are the same. */
async function readSettled(
  target: Target,
  operation: Operation,
  id: string,
  version: string | null,
): Promise<Seen> {
  const seen = await readBack(target, operation, id, { version });
  if (readerOf(target.spec, operation)?.kind !== "list") return seen;
  const marker = target.settings.visibilityDelay;
  const slow = await target.once(`slow list ${operation.id}`, () => isSlow(target, operation, id, version));
  if (!slow) return seen;
  await target.pause(marker);
  return readBack(target, operation, id, { version });
}

/** Whether the list shows an update only after a while. */
async function isSlow(
  target: Target,
  operation: Operation,
  id: string,
  version: string | null,
): Promise<boolean> {
  const sent = await validBody(target, operation, "full", nextSalt(target));
  await send(target, operation, id, version, sent);
  const { resource } = await readBack(target, operation, id, { version });
  const reader = readerOf(target.spec, operation);
  const late = (await echoFaults(target, operation, sent, resource, reader)).length > 0;
  if (late) await target.pause(target.settings.visibilityDelay);
  return late;
}

/** After a batch of rejected updates the resource is as it was; when it is not, the one that changed it is sought. */
function noEffectChecks(spec: Spec, operation: Operation, body: Schema): Check[] {
  const sketch = { suite: SUITE, operation, stage: "write", writes: true } as const;
  return [
    ...perVersion(spec, {
      ...sketch,
      requirement: "UPDATE-NO-EFFECT",
      title: `a rejected ${operation.key} changes nothing`,
      async run(target, version) {
        await control(target, operation, version);
        const supply = await supplyFor(target, body);
        await onSubject(target, operation, async (id) => {
          const plans: RequestPlan[] = [];
          const places = new Set<string>();
          for (const violation of bodyViolations(body, supply)) {
            const place = `${violation.pointer} ${violation.constraint}`;
            const valid = await validBody(target, operation, "full", nextSalt(target));
            if (
              places.has(place) ||
              isNote(spec, body, violation) ||
              !isConfirmed(violation, valid, body, supply)
            )
              continue;
            places.add(place);
            plans.push(request(operation, id, version, violation.breaking(valid)));
          }
          for (const headers of refusedHeaders(operation)) {
            const valid = await validBody(target, operation, "full", nextSalt(target));
            plans.push(withHeaders(request(operation, id, version, valid), headers));
          }
          await mustChangeNothing(target, operation, id, version, plans);
        });
      },
    }),
    check({
      ...sketch,
      requirement: "AUTH-NO-EFFECT",
      title: `${operation.key} without authentication changes nothing`,
      async run(target) {
        const version = usualVersion(target, operation);
        await control(target, operation, version);
        await onSubject(target, operation, async (id) => {
          const plan = request(
            operation,
            id,
            version,
            await validBody(target, operation, "full", nextSalt(target)),
          );
          const plans = [null, `Bearer conformance-unknown-${target.runId}`].map((authorization) => ({
            ...withHeaders(plan, { authorization }),
            authorizationLabel: "an unknown token",
          }));
          await mustChangeNothing(target, operation, id, version, plans);
        });
      },
    }),
  ];
}

function isNote(spec: Spec, body: Schema, violation: BodyViolation): boolean {
  const schema = spec.schemas.at(body, violation.pointer);
  const own = schema && spec.schemas.ownRequirement(schema, violation.constraint);
  return own !== undefined && spec.requirements.get(own)?.level === "NOTE";
}

/** Sends updates that are rejected; throws a Violation when the resource differs afterwards, naming the first that changed it. */
export async function mustChangeNothing(
  target: Target,
  operation: Operation,
  id: string,
  version: string | null,
  plans: RequestPlan[],
): Promise<void> {
  const names = new Set(Object.keys(target.spec.schemas.flatten(operation.body ?? {}).properties ?? {}));
  const look = async () => pick((await readSettled(target, operation, id, version)).resource, names);
  let before = await look();
  let rejected = 0;
  const trySome = async (
    some: RequestPlan[],
  ): Promise<{ differences: Difference[]; last: Answer | undefined; accepted: boolean }> => {
    let last: Answer | undefined;
    for (const plan of some) {
      const answer = await target.send(plan, { role: "rejected" });
      if (isAccepted(answer)) return { differences: [], last: undefined, accepted: true };
      if (isRejected(answer)) {
        rejected++;
        last = answer;
      }
    }
    const after = await look();
    const differences = changes(before, after, new Set());
    before = after;
    return { differences, last, accepted: false };
  };
  const { differences, accepted } = await trySome(plans);
  // That one was accepted is the finding of another check; the others are then tried without it.
  if (differences.length > 0 || accepted) {
    const restless = await restlessFields(look);
    for (const plan of plans) {
      // Back to other values first: what was applied already would change nothing a second time.
      await send(
        target,
        operation,
        id,
        version,
        await validBody(target, operation, "full", nextSalt(target)),
      );
      before = await look();
      const single = await trySome([plan]);
      const changed = single.differences.filter(({ pointer }) => !restless.has(pointer));
      if (changed.length > 0 && single.last) {
        const { expected, actual } = describeDifferences(changed);
        throw new Violation(`still ${expected} after a rejected update`, actual, [single.last.exchange]);
      }
    }
  }
  if (differences.length > 0)
    throw new Untestable("drift", "the resource changed, but none of the rejected updates changes it");
  if (rejected === 0) throw new Untestable("no-data", "nothing was rejected");
}

function unknownChecks(operation: Operation): Check[] {
  const ids: { detail: string; make: (known: string, target: Target) => string }[] = [
    { detail: "made up", make: (_, target) => `conformance-${target.runId}` },
    { detail: "appended", make: (known) => `${known}x` },
    // Cut short, a short id may be somebody else's; a long one is nobody's.
    { detail: "cut short", make: (known) => (known.length < LONG_ID ? "" : known.slice(0, -1)) },
    { detail: "long", make: () => "a".repeat(300) },
    { detail: "encoded slash", make: (known) => `${known}/x` },
    { detail: "quotes", make: () => `'"' OR '1'='1` },
  ];
  const sketch = {
    suite: SUITE,
    requirement: "UPDATE-UNKNOWN",
    operation,
    stage: "write",
    writes: true,
  } as const;
  return [
    ...ids.map(({ detail, make }) =>
      check({
        ...sketch,
        detail,
        title: `${operation.key} rejects an unknown id (${detail})`,
        cause: "unknown-id",
        async run(target) {
          const version = usualVersion(target, operation);
          await control(target, operation, version);
          const known = await subjectOf(target, operation, "write");
          const id = make(known, target);
          if (id === "") throw new Untestable("no-data", "the id can't be altered safely");
          // A service that mistakes the id for the known one changes that: nobody else may be looking.
          const answer = await target.exclusive(subjectLock(operation), async () =>
            target.send(request(operation, id, version, await validBody(target, operation, "full")), {
              role: "probe",
            }),
          );
          noteRejection(target, operation, `unknown id: ${detail}`, answer);
          mustReject(answer, `an update of an unknown id (${detail})`);
        },
      }),
    ),
    check({
      ...sketch,
      detail: "any text",
      title: `${operation.key} rejects unknown ids of any characters`,
      async run(target) {
        const version = usualVersion(target, operation);
        await control(target, operation, version);
        await holds(
          target,
          awkwardId(),
          async (text) => {
            const id = `${text}-${target.runId}`;
            mustReject(
              await target.send(request(operation, id, version, await validBody(target, operation, "full")), {
                role: "probe",
              }),
              `an update of the unknown id ${describeValue(id, 60)}`,
            );
          },
          Math.min(target.settings.runs, 5),
        );
      },
    }),
  ];
}

/**
 * Fields of the resource that the operation does not take, sent all the same: a service may ignore or reject them,
 * but what never changes must not change by them.
 */
function untakenChecks(spec: Spec, operation: Operation, body: Schema): Check[] {
  const taken = new Set(Object.keys(spec.schemas.flatten(body).properties ?? {}));
  const resource = operation.resource && spec.schemas.flatten(operation.resource);
  const fixed = (resource?.["x-fixed"] ?? []).filter((name) => !taken.has(name));
  const all = Object.keys(resource?.properties ?? {}).filter((name) => !taken.has(name));
  const sets = [
    { requirement: "UPDATE-IDENTITY", names: fixed },
    ...(operation.readBack?.keeps === "all" ? [{ requirement: "UPDATE-KEEPS-REST", names: all }] : []),
  ];
  return sets
    .filter(({ names }) => names.length > 0)
    .map(({ requirement, names }) =>
      check({
        suite: SUITE,
        requirement,
        operation,
        detail: "sent all the same",
        title: `${operation.key} does not change ${names.join(", ")}, even when they are sent`,
        stage: "write",
        writes: true,
        async run(target) {
          const version = usualVersion(target, operation);
          await control(target, operation, version);
          await onSubject(target, operation, async (id) => {
            const before = await readSettled(target, operation, id, version);
            const others = pick(before.resource, new Set(names));
            const sent = {
              ...Object.fromEntries(Object.entries(others).map(([name, value]) => [name, altered(value)])),
              ...(await validBody(target, operation, "full", nextSalt(target))),
            };
            const answer = await sendBody(target, request(operation, id, version, sent), "probe");
            if (!isAccepted(answer))
              throw new Untestable(
                "declined",
                `fields that it does not take were answered ${answer.status}`,
                [answer.exchange],
              );
            const after = await readSettled(target, operation, id, version);
            const differences = changes(others, pick(after.resource, new Set(names)), new Set()).filter(
              (difference) => isWhatWasSent(difference, sent, after.resource),
            );
            if (differences.length === 0) return;
            const restless = await restlessFields(() => readOnce(target, operation, id, version));
            throwDifferences(
              differences.filter(({ pointer }) => !restless.has(pointer)),
              [answer.exchange, ...(after.exchange ? [after.exchange] : [])],
              "still ",
            );
          });
        },
      }),
    );
}

/** The very first update of a resource shows the id and the time that its creation showed. */
function firstUpdateCheck(operation: Operation, fixed: string[]): Check {
  return check({
    suite: SUITE,
    requirement: "UPDATE-IDENTITY",
    operation,
    detail: "first update",
    title: `the first ${operation.key} keeps ${fixed.join(" and ")}`,
    stage: "write",
    writes: true,
    async run(target) {
      const version = usualVersion(target, operation);
      const create = operationById(target.spec, operation.pathParameter?.madeBy ?? "");
      const made = createdResource(
        target,
        create,
        await sendCreate(target, create, usualVersion(target, create), "full"),
      );
      const id = String(made[identityOf(target.spec, create)]);
      const answer = await send(
        target,
        operation,
        id,
        version,
        await validBody(target, operation, "full", nextSalt(target)),
      );
      const shown = resourceOf(answer);
      const names = new Set(fixed);
      if (shown)
        throwDifferences(
          changes(pick(made, names), pick(shown, names), new Set()),
          [answer.exchange],
          "still ",
        );
    },
  });
}

/**
 * What nothing but an update of it changes, and no update takes, is after updates what it was before the first: what
 * an update sets to a constant, a second one does not change again.
 */
function settledCheck(spec: Spec, operation: Operation, body: Schema): Check[] {
  const taken = new Set(Object.keys(spec.schemas.flatten(body).properties ?? {}));
  const settled = (operation.resource && spec.schemas.flatten(operation.resource)["x-settled"]) ?? [];
  const names = new Set(settled.filter((name) => !taken.has(name)));
  if (names.size === 0 || operation.readBack?.read === undefined) return [];
  return [
    check({
      suite: SUITE,
      requirement: operation.readBack.keeps === "all" ? "UPDATE-KEEPS-REST" : "UPDATE-KEEPS",
      operation,
      detail: "what no update takes",
      title: `${operation.key} changes nothing of ${[...names].join(", ")}`,
      stage: "write",
      writes: true,
      async run(target) {
        const version = usualVersion(target, operation);
        await control(target, operation, version);
        await onSubject(target, operation, async (id) => {
          const before = await beforeUpdates(target, operation, id);
          if (!before) throw new Untestable("no-data", "it could not be read before the first update");
          const look = async () => pick(await readOnce(target, operation, id, version), names);
          const { resource, exchange } = await readBack(target, operation, id, { version });
          // What was not there yet may have been added; what was there stays.
          const there = new Set(
            [...names].filter((name) => before[name] !== undefined && before[name] !== null),
          );
          const body = await validBody(target, operation, "full", nextSalt(target));
          const answer = await send(target, operation, id, version, body);
          // An answer need not show all that the read shows.
          const shown = pick(resourceOf(answer) ?? {}, there);
          const found = [
            { seen: pick(resource, there), of: there, evidence: exchange ? [exchange] : [] },
            { seen: shown, of: new Set(Object.keys(shown)), evidence: [answer.exchange] },
          ];
          for (const { seen, of, evidence } of found) {
            const differences = changes(pick(before, of), seen, new Set());
            if (differences.length === 0) continue;
            const restless = await restlessFields(look);
            throwDifferences(
              differences.filter(({ pointer }) => !restless.has(pointer)),
              evidence,
              "still ",
            );
          }
        });
      },
    }),
  ];
}

/** After an update the list and the single read still tell the same of a resource. */
function agreeCheck(spec: Spec, operation: Operation): Check[] {
  const reader = readerOf(spec, operation);
  if (!reader?.sameRecord) return [];
  return [
    check({
      suite: SUITE,
      requirement: reader.sameRecord.requirement,
      operation: reader,
      detail: `after ${operation.key}`,
      title: `${reader.key} and the list agree on a resource after ${operation.key}`,
      stage: "write",
      writes: true,
      async run(target) {
        const version = usualVersion(target, operation);
        await control(target, operation, version);
        await onSubject(target, operation, async (id) => {
          await send(
            target,
            operation,
            id,
            version,
            await validBody(target, operation, "full", nextSalt(target)),
          );
          await mustAgree(target, reader, id, operation);
        });
      },
    }),
  ];
}

/** A value like the one given, and another. */
function altered(value: unknown): unknown {
  if (typeof value === "string") return isDateTime(value) ? "2001-01-01T00:00:00Z" : `${value}x`;
  if (typeof value === "number") return value + 1;
  if (typeof value === "boolean") return !value;
  if (Array.isArray(value)) return value.map(altered);
  if (isObject(value))
    return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, altered(part)]));
  return value;
}

/** Whether a field changed to what was sent for it; a change to anything else has another reason. */
function isWhatWasSent(difference: Difference, sent: JsonObject, after: JsonObject): boolean {
  const name = difference.pointer.slice(1);
  return sameJson(after[name], sent[name]) || isObject(after[name]);
}

/** An update of one resource leaves another one of the same kind alone. */
function bystanderCheck(operation: Operation): Check {
  return check({
    suite: SUITE,
    requirement: "UPDATE-KEEPS",
    operation,
    detail: "another resource",
    title: `${operation.key} changes nothing of another resource`,
    stage: "write",
    writes: true,
    async run(target) {
      const version = usualVersion(target, operation);
      const create = operationById(target.spec, operation.pathParameter?.madeBy ?? "");
      const other = await ownResource(target, create, `${operation.key} bystander`);
      const names = new Set(Object.keys(target.spec.schemas.flatten(operation.body ?? {}).properties ?? {}));
      const before = pick((await readBack(target, operation, other)).resource, names);
      await onSubject(target, operation, async (id) => {
        const answer = await send(
          target,
          operation,
          id,
          version,
          await validBody(target, operation, "full", nextSalt(target)),
        );
        const after = pick((await readSettled(target, operation, other, version)).resource, names);
        throwDifferences(changes(before, after, new Set()), [answer.exchange], `${other} still `);
      });
    },
  });
}

/** What null, defaults and absent metadata keys mean: recorded. */
function meaningNotes(spec: Spec, operation: Operation, body: Schema, fields: string[]): Check[] {
  const flat = spec.schemas.flatten(body);
  const schemaOf = (name: string) => spec.schemas.flatten(flat.properties?.[name] ?? {});
  const note = (
    requirement: string,
    detail: string,
    run: (target: Target, id: string) => Promise<string>,
  ): Check =>
    check({
      suite: SUITE,
      requirement,
      operation,
      detail,
      title: `what ${operation.key} makes of ${detail}`,
      stage: "write",
      writes: true,
      async run(target) {
        target.observe(
          requirement,
          operation.key,
          detail,
          await onSubject(target, operation, (id) => run(target, id)),
        );
      },
    });
  const after = async (
    target: Target,
    id: string,
    name: string,
    change: (full: JsonObject) => JsonObject,
  ): Promise<[before: unknown, after: unknown]> => {
    const version = usualVersion(target, operation);
    const full = await validBody(target, operation, "full", nextSalt(target));
    await send(target, operation, id, version, full);
    const before = (await readSettled(target, operation, id, version)).resource[name];
    await send(target, operation, id, version, change(full));
    return [before, (await readSettled(target, operation, id, version)).resource[name]];
  };
  const required = Object.keys(flat.properties ?? {}).filter((name) => flat.required?.includes(name));
  return [
    ...fields
      .filter((name) => typesOf(schemaOf(name)).length > 0 && allowsNull(schemaOf(name)))
      .map((name) =>
        note("UPDATE-NULL-MEANING", `null for ${name}`, async (target, id) => {
          const [before, now] = await after(target, id, name, (full) => ({
            ...only(spec, operation, full, required),
            [name]: null,
          }));
          return JSON.stringify(before) === JSON.stringify(now)
            ? "keeps the value"
            : now === undefined
              ? "removes it"
              : `makes it ${describeValue(now, 40)}`;
        }),
      ),
    ...fields
      .filter((name) => schemaOf(name).default !== undefined)
      .map((name) =>
        note("UPDATE-DEFAULT", `${name} not sent`, async (target, id) => {
          const [, now] = await after(target, id, name, (full) => {
            const { [name]: _, ...rest } = { ...full, [name]: !schemaOf(name).default };
            return rest;
          });
          return `is then ${describeValue(now, 40)}`;
        }),
      ),
    ...fields
      .filter(
        (name) =>
          typesOf(schemaOf(name)).includes("object") &&
          !schemaOf(name).properties &&
          !schemaOf(name)["x-send"]?.propertyNames,
      )
      .map((name) =>
        note("UPDATE-METADATA", `keys of ${name} that are not sent`, async (target, id) => {
          const [, now] = await after(target, id, name, (full) => ({
            ...only(spec, operation, full, required),
            [name]: { other: "value" },
          }));
          return typeof now === "object" && now !== null && Object.keys(now).length > 1
            ? "are kept"
            : "are dropped";
        }),
      ),
  ];
}
