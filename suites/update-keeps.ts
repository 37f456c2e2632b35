/** Updates (sections 3, 4.5, 4.7 and 4.15): what was not sent, or is never to change, is as it was before. */

import { type Check, Untestable, Violation } from "../client/check.ts";
import { control } from "../client/controls.ts";
import {
  beforeUpdates,
  createdResource,
  identityOf,
  ownResource,
  sendBody,
  sendCreate,
} from "../client/subjects.ts";
import { validBody } from "../client/supply.ts";
import { type Answer, isAccepted, resourceOf, type Target } from "../client/target.ts";
import { usualVersion } from "../client/version-choice.ts";
import { isDateTime } from "../spec/formats.ts";
import { isObject, type JsonObject, sameJson } from "../spec/json.ts";
import { operationById } from "../spec/loading/load.ts";
import type { Operation, Schema, Spec } from "../spec/model/spec.ts";
import { typesOf } from "../spec/schema.ts";
import { changes, type Difference, describeDifferences, restlessFields } from "../trials/compare.ts";
import { check, perVersion } from "../trials/derive.ts";
import { documentedResource, readBack, readerOf } from "../trials/read-back.ts";
import { beginAnew, onSubject, readSettled } from "../trials/settled-reads.ts";
import {
  nextSalt,
  pick,
  readOnce,
  requiredAnd,
  sendOtherValues,
  sendUpdate,
  throwDifferences,
  UPDATES,
  updateRequest,
} from "../trials/updating.ts";

export function keepChecks(spec: Spec, operation: Operation, body: Schema, fields: string[]): Check[] {
  const sketch = { suite: UPDATES, operation, stage: "write", writes: true } as const;
  const kept = keptFields(spec, operation, body);
  const required = new Set(spec.schemas.flatten(body).required ?? []);
  const secret = new Set(
    Object.entries(spec.schemas.flatten(body).properties ?? {})
      .filter(([, child]) => spec.schemas.holdsSecret(child))
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
        ? await restlessFields(target, () => readOnce(target, operation, id, version))
        : new Set();
      const differences =
        lost?.differences.filter(({ pointer }) => first.has(pointer) && !restless.has(pointer)) ?? [];
      if (!lost || differences.length === 0) continue;
      const { expected, actual } = describeDifferences(uniqueBy(differences));
      throw new Violation(`still ${expected}`, actual, lost.evidence);
    }
  });
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
  const first = await full();
  await sendUpdate(target, operation, id, version, first);
  const sent = requiredAnd(target.spec, operation, await full(), names);
  const before = await readSettled(target, operation, id, version, { sent: first });
  const answer = await sendUpdate(target, operation, id, version, sent);
  const known = { sent, before: before.resource };
  const after = await readSettled(target, operation, id, version, known);
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

/**
 * Fields of the resource that the operation does not take, sent all the same: a service may ignore or reject them,
 * but what never changes must not change by them.
 */
export function untakenChecks(spec: Spec, operation: Operation, body: Schema): Check[] {
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
        suite: UPDATES,
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
            const before = await beginAnew(target, operation, id, version);
            const others = pick(before.resource, new Set(names));
            const sent = {
              ...Object.fromEntries(Object.entries(others).map(([name, value]) => [name, altered(value)])),
              ...(await validBody(target, operation, "full", nextSalt(target))),
            };
            const answer = await sendBody(target, updateRequest(operation, id, version, sent), "probe");
            if (!isAccepted(answer))
              throw new Untestable(
                "declined",
                `fields that it does not take were answered ${answer.status}`,
                [answer.exchange],
              );
            const after = await readSettled(target, operation, id, version, {
              sent,
            });
            const differences = changes(others, pick(after.resource, new Set(names)), new Set()).filter(
              (difference) => isWhatWasSent(difference, sent, after.resource),
            );
            if (differences.length === 0) return;
            const restless = await restlessFields(target, () => readOnce(target, operation, id, version));
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

/** The very first update of a resource shows the id and the time that its creation showed. */
export function firstUpdateCheck(operation: Operation, fixed: string[]): Check {
  return check({
    suite: UPDATES,
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
      const answer = await sendOtherValues(target, operation, id, version);
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
export function settledCheck(spec: Spec, operation: Operation, body: Schema): Check[] {
  const taken = new Set(Object.keys(spec.schemas.flatten(body).properties ?? {}));
  const settled = (operation.resource && spec.schemas.flatten(operation.resource)["x-settled"]) ?? [];
  const names = new Set(settled.filter((name) => !taken.has(name)));
  const reader = operation.readBack?.read;
  if (names.size === 0 || reader === undefined) return [];
  return [
    check({
      suite: UPDATES,
      requirement: operation.readBack?.keeps === "all" ? "UPDATE-KEEPS-REST" : "UPDATE-KEEPS",
      operation,
      detail: "what no update takes",
      title: `${operation.key} changes nothing of ${[...names].join(", ")}`,
      stage: "write",
      writes: true,
      async run(target) {
        const version = usualVersion(target, operation);
        await control(target, operation, version);
        await onSubject(target, operation, async (id) => {
          const found = await beforeUpdates(target, operation, id);
          if (!found) throw new Untestable("no-data", "it could not be read before the first update");
          const before = documentedResource(spec, operationById(spec, reader), found);
          const look = async () => pick(await readOnce(target, operation, id, version), names);
          const { resource, exchange } = await readBack(target, operation, id, { version });
          // What was not there yet may have been added; what was there stays.
          const there = new Set(
            [...names].filter((name) => before[name] !== undefined && before[name] !== null),
          );
          const body = await validBody(target, operation, "full", nextSalt(target));
          const answer = await sendUpdate(target, operation, id, version, body);
          // An answer need not show all that the read shows.
          const shown = pick(documentedResource(spec, operation, resourceOf(answer) ?? {}), there);
          const sights = [
            { seen: pick(resource, there), of: there, evidence: exchange ? [exchange] : [] },
            { seen: shown, of: new Set(Object.keys(shown)), evidence: [answer.exchange] },
          ];
          for (const { seen, of, evidence } of sights) {
            const differences = changes(pick(before, of), seen, new Set());
            if (differences.length === 0) continue;
            const restless = await restlessFields(target, look);
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

/** An update of one resource leaves another one of the same kind alone. */
export function bystanderCheck(operation: Operation): Check {
  return check({
    suite: UPDATES,
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
      const before = (await readBack(target, operation, other)).resource;
      await onSubject(target, operation, async (id) => {
        const answer = await sendOtherValues(target, operation, id, version);
        const after = (await readSettled(target, operation, other, version)).resource;
        const differences = changes(pick(before, names), pick(after, names), new Set());
        throwDifferences(differences, [answer.exchange], `${other} still `);
      });
    },
  });
}
