import { type RequestPlan, requestTo, withBody } from "../generators/request.ts";
import {
  type Entry,
  isRejected as isRejectedEntry,
  objectSent,
  pathId,
  resourceIn,
} from "../history/entry.ts";
import { updatesCounted } from "../history/journal/counted-updates.ts";
import { sameJson } from "../spec/json.ts";
import type { Operation, Spec } from "../spec/model/spec.ts";
import { operationById } from "../spec/operations.ts";
import { typesOf } from "../spec/schema.ts";
import { unlessNotTested } from "./check.ts";
import { withResourceReadLock } from "./controls.ts";
import { isExhausted } from "./quotas.ts";
import { sendBody, validRequest } from "./resources.ts";
import { hasAccepted, isAccepted, isRejected, type Target } from "./target.ts";
import { validBody } from "./value-source.ts";
import { allowedOf, defaultVersion } from "./version-choice.ts";

/** True if a read helps: a faulty service may need one between updates. */
export async function isAcceptedAfterRead(target: Target, update: RequestPlan): Promise<boolean> {
  const { operation, path } = update;
  const read = operation.readBack?.read;
  if (operation.kind !== "update" || read === undefined || path === undefined) return false;
  const reader = operationById(target.spec, read);
  if (reader.kind !== "read") return false;
  await target.send({ ...requestTo(reader, defaultVersion(target, reader)), path }, { role: "read back" });
  return isAccepted(await sendBody(target, update, "probe"));
}

const MOST_ASKED = 3;

/** A quota that allows fewer updates is not plausible. */
const FEWEST_ALLOWED = 5;

/** True if updates were accepted before, and valid ones no longer are, because of a quota or the state of the resource. */
export async function takesNoMoreUpdates(target: Target, operation: Operation): Promise<boolean> {
  if (operation.kind !== "update" || !hasAccepted(target, operation)) return false;
  return isExhausted(
    target,
    operation.id,
    MOST_ASKED,
    async () => (await unlessNotTested(() => takesNothing(target, operation))) ?? false,
  );
}

async function takesNothing(target: Target, operation: Operation): Promise<boolean> {
  const byDefault = defaultVersion(target, operation);
  const [other = byDefault] = allowedOf(target, operation).filter((version) => version !== byDefault);
  let resourceId: string | undefined;
  for (const [extent, version, variation] of [
    ["full", byDefault, 0],
    ["full", byDefault, 1],
    ["minimal", other, 0],
  ] as const) {
    const plain = await validRequest({ target, operation, version });
    const plan = withBody(plain, await validBody(target, operation, extent, variation));
    const answer = await withResourceReadLock(target, operation, () =>
      sendBody(target, plan, "probe", { valid: true }),
    );
    if (!isRejected(answer) || (await isAcceptedAfterRead(target, plan))) return false;
    resourceId = plain.path;
  }
  if (await hasMoved(target, operation, resourceId)) return true;
  const counted = updatesCounted(target.history(), operation);
  return counted >= FEWEST_ALLOWED && !(await acceptsAnother(target, operation, resourceId));
}

/** True if the resource reached another state by itself. */
async function hasMoved(target: Target, operation: Operation, resourceId?: string): Promise<boolean> {
  const { spec } = target;
  const states = [
    ...spec.schemas.fields(operation.body).filter(([, schema]) => schema["x-consumes"]),
    ...spec.schemas.fields(operation.resource).filter(([name]) => isState(spec, operation, name)),
  ];
  const read = operation.readBack?.read;
  if (resourceId === undefined || states.length === 0 || read === undefined) return false;
  const reader = operationById(spec, read);
  const plan = { ...requestTo(reader, defaultVersion(target, operation)), path: resourceId };
  await target.send(plan, { role: "read back", valid: true });
  const own = target
    .history()
    .context.filter(
      (entry) =>
        pathId(entry) === resourceId && (entry.operation === reader || entry.operation === operation),
    );
  return states.some(([name]) => {
    const shown = own.map((entry) => resourceIn(entry)?.[name]).filter((value) => value !== undefined);
    return !sameJson(shown[0], shown.at(-1)) && !own.some((entry) => isSet(entry, name));
  });
}

/** True for a word that no update sets, such as the status of a payout. */
function isState({ schemas }: Spec, { body, resource }: Operation, name: string): boolean {
  const schema = schemas.field(resource, name);
  const isWord = schema.format === undefined && typesOf(schema).includes("string");
  return isWord && !schemas.fieldNames(body).includes(name);
}

function isSet(entry: Entry, name: string): boolean {
  return (objectSent(entry)?.[name] ?? null) !== null && !isRejectedEntry(entry);
}

/** True if an update of another resource is accepted now: the quota counts for each resource. */
async function acceptsAnother(target: Target, operation: Operation, resourceId?: string): Promise<boolean> {
  const accepted = target
    .history()
    .answers.to(operation)
    .filter(({ status }) => status < 300);
  const other = accepted.map(({ entry }) => pathId(entry)).findLast((id) => id !== resourceId);
  if (other === undefined) return false;
  const plain = {
    ...(await validRequest({ target, operation, version: defaultVersion(target, operation) })),
    path: other,
  };
  const plan = withBody(plain, await validBody(target, operation, "full"));
  return isAccepted(await sendBody(target, plan, "probe", { valid: true }));
}
