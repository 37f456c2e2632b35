import { type Check, Untestable } from "../client/check.ts";
import { control } from "../client/controls.ts";
import { sendBody } from "../client/subjects.ts";
import { validBody } from "../client/supply.ts";
import { type Answer, isAccepted, resourceOf, type Target } from "../client/target.ts";
import { usualVersion } from "../client/version-choice.ts";
import type { JsonObject } from "../spec/json.ts";
import type { Operation, Schema, Spec } from "../spec/model/spec.ts";
import { typesOf } from "../spec/schema.ts";
import { anyTextChecks, declinableChecks, type Rounds } from "../trials/awkward.ts";
import { check, operationsOf, perVersion } from "../trials/derive.ts";
import { bodiesAtLimits, bodiesWithEmptyList, echoFaults, type Special, specials } from "../trials/echo.ts";
import { readBack, readerOf } from "../trials/read-back.ts";
import { mustAgree } from "../trials/same-record.ts";
import { onSubject, readSettled } from "../trials/settled-reads.ts";
import {
  nextSalt,
  requiredAnd,
  sendOtherValues,
  sendUpdate,
  throwDifferences,
  UPDATES,
  updatableFields,
  updateRequest,
} from "../trials/updating.ts";
import { bystanderCheck, firstUpdateCheck, keepChecks, settledCheck, untakenChecks } from "./update-keeps.ts";
import { meaningNotes } from "./update-notes.ts";
import { updateRejections } from "./update-rejections.ts";

export function updateChecks(spec: Spec): Check[] {
  return [...updateRejections(spec), ...perOperation(spec)];
}

function perOperation(spec: Spec): Check[] {
  return operationsOf(spec, "update").flatMap((operation) => {
    const { body } = operation;
    if (!body) return [];
    const fields = updatableFields(spec, body);
    return [
      ...shownChecks(spec, operation, body, fields),
      ...keepChecks(spec, operation, body, fields),
      ...settledCheck(spec, operation, body),
      ...agreeCheck(spec, operation),
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

function shownChecks(spec: Spec, operation: Operation, body: Schema, fields: string[]): Check[] {
  const sketch = { suite: UPDATES, operation, stage: "write", writes: true } as const;
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
      .filter(({ make }) => make === bodiesAtLimits || make === bodiesWithEmptyList)
      .flatMap(({ detail, title, make }) =>
        (["UPDATE-ECHO", "UPDATE-STORED"] as const).map((requirement) =>
          check({
            ...sketch,
            requirement,
            detail,
            title: `${requirement === "UPDATE-ECHO" ? "the answer to" : "the next read after"} ${operation.key} shows what was sent ${title}`,
            run: (target) =>
              trySpecials(
                target,
                operation,
                { title, make },
                requirement === "UPDATE-ECHO" ? "answer" : "read",
              ),
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
    suite: UPDATES,
    requirement: where === "answer" ? "UPDATE-ECHO" : "UPDATE-STORED",
    shower: `${where === "answer" ? "the answer to" : "the next read after"} ${operation.key}`,
    begin: (target, version, work) =>
      onSubject(target, operation, (id) =>
        work({
          send: (body, role = "update") =>
            sendBody(target, updateRequest(operation, id, version, body), role),
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
  const sent = names === "all" ? full : requiredAnd(target.spec, operation, full, names);
  const missing = names === "all" ? undefined : names.find((name) => !(name in full));
  if (missing !== undefined) throw new Untestable("no-data", `no value is known for ${missing}`);
  await onSubject(target, operation, async (id) => {
    const flipped = await flip(target, operation, id, version, sent);
    const answer = await sendUpdate(target, operation, id, version, flipped);
    await mustShow(target, operation, id, flipped, { answer, where });
  });
}

/** Updates with bodies that are special in one field each. A rejection is the finding of another check. */
async function trySpecials(
  target: Target,
  operation: Operation,
  { title, make }: { title: string; make: (target: Target, operation: Operation) => Promise<Special[]> },
  where: "answer" | "read",
): Promise<void> {
  const version = usualVersion(target, operation);
  await control(target, operation, version);
  let shown = 0;
  await onSubject(target, operation, async (id) => {
    for (const { sent } of await make(target, operation)) {
      // From something else: what is there already shows nothing.
      await sendOtherValues(target, operation, id, version);
      const answer = await sendBody(target, updateRequest(operation, id, version, sent), "probe");
      if (!isAccepted(answer)) continue;
      shown++;
      await mustShow(target, operation, id, sent, { answer, where });
    }
  });
  if (shown === 0) throw new Untestable("no-data", `nothing was accepted ${title}`);
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
  const seen = await readSettled(target, operation, id, answer.plan.version, { sent });
  const faults = await echoFaults(target, operation, sent, seen.resource, reader);
  throwDifferences(
    faults,
    [answer.exchange, ...(seen.exchange ? [seen.exchange] : [])],
    "in the next read: ",
  );
}

/** After an update the list and the single read still tell the same of a resource. */
function agreeCheck(spec: Spec, operation: Operation): Check[] {
  const reader = readerOf(spec, operation);
  if (!reader?.sameRecord) return [];
  return [
    check({
      suite: UPDATES,
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
          await sendOtherValues(target, operation, id, version);
          await mustAgree(target, reader, id, operation);
        });
      },
    }),
  ];
}
