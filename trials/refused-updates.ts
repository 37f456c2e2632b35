/** Updates that must be refused, of one resource: for their body, their credentials or their space, in one batch. */

import type { Call } from "../client/call.ts";
import { Untestable } from "../client/check.ts";
import type { Answer } from "../client/target.ts";
import { drawnVersion } from "../client/version-choice.ts";
import { type BodyFault, bodyViolations, isConfirmed } from "../generators/body-faults.ts";
import { SPACE_FAULTS, withSpaceFault } from "../generators/wrong-spaces.ts";
import type { Schema, Spec } from "../spec/model/spec.ts";
import { fromElsewhere, moved, whole } from "./elsewhere.ts";
import { type Refusal, type Refusals, refusal, refusals, sending } from "./refusals.ts";
import {
  ALTERED,
  credentialed,
  EMPTY_HEADER,
  EMPTY_TOKEN,
  MISSING,
  OTHER_SCHEME,
  UNKNOWN,
} from "./wrong-credentials.ts";

/** What all rules draw the version by that they judge the batch under: so it is told once. */
export const REFUSED_UPDATES = "space";

/**
 * Sends everything for which an update must be refused, and looks at the resource before and after: bodies (kind
 * `fault`, and so are headers that name no space), credentials (kind `token`), and other spaces (see `fromElsewhere`).
 */
export function refusedUpdates(call: Call): Promise<Refusals> {
  const { target, operation, version } = call;
  return target.once(`refused updates ${operation.id} ${version ?? "none"}`, async () =>
    refusals(call, [
      // At depth quick the walks send some faults, and the rules about bodies all of them.
      ...(target.settings.depth === "full" ? await faultyUpdates(call) : []),
      ...withoutSpace(call),
      ...withoutToken(call),
      ...fromElsewhere(call),
    ]),
  );
}

/** Whether what an update is refused for is told by one batch for all rules: under one version, which the seed draws. */
function isTogether(call: Call): boolean {
  const { target, operation, version } = call;
  return operation.kind === "update" && version === drawnVersion(target, operation, REFUSED_UPDATES);
}

/** The answer to one refusal of the batch, by its words; undefined where there is no batch, or it could not be told. */
export async function refusedTogether(call: Call, what: string): Promise<Answer | undefined> {
  if (!isTogether(call)) return undefined;
  try {
    const { answers } = await refusedUpdates(call);
    return answers.find(({ probe }) => probe.what === what)?.answer;
  } catch (error) {
    // A resource that can't be read back can still refuse.
    if (error instanceof Untestable) return undefined;
    throw error;
  }
}

/** Updates sent in other spaces, with the resource before and after. */
export function updatesFromElsewhere(call: Call): Promise<Refusals> {
  const { target, operation, version } = call;
  if (isTogether(call)) return refusedUpdates(call);
  return target.once(`updates from elsewhere ${operation.id} ${version ?? "none"}`, () =>
    refusals(call, fromElsewhere(call)),
  );
}

/** The answer to a valid request that names a space that does not exist, asked once for all who judge it. */
export async function answerInUnknownSpace(call: Call): Promise<Answer> {
  const { target, operation, version } = call;
  if (operation.kind === "update") {
    const { answers } = await updatesFromElsewhere(call);
    const found = answers.find(({ probe }) => probe.kind === "unknown");
    if (!found) throw new Untestable("no-data", "no other well-formed space id can be made up");
    return found.answer;
  }
  return target.once(`unknown space ${operation.id} ${version ?? "none"}`, async () =>
    call.send(moved(target, whole(await call.fresh()), "unknown")),
  );
}

export interface RejectedUpdates {
  bodies: Refusal[];
  references: Refusal[];
  credentials: Refusal[];
  spaces: Refusal[];
  elsewhere: Refusal[];
}

/** Updates of new, valid values that must be rejected for one fault, by where the fault is. */
export async function rejectedUpdates(call: Call): Promise<RejectedUpdates> {
  return {
    bodies: await faultyUpdates(call),
    references: await unknownReferences(call),
    credentials: withoutToken(call),
    spaces: withoutSpace(call),
    elsewhere: fromElsewhere(call),
  };
}

/** Updates that refer to something that does not exist: no schema shows it, so a service may have begun to store the rest. */
async function unknownReferences(call: Call): Promise<Refusal[]> {
  const { target, operation } = call;
  const fields = target.spec.schemas
    .fields(operation.body)
    .filter(([, { "x-references": wanted }]) => wanted !== undefined);
  return fields.map(([name]) =>
    refusal(call, "fault", `an unknown one of ${name}`, (plan, valid) => {
      const unknown = target.unique();
      const value = Array.isArray(valid[name]) ? [unknown] : unknown;
      return sending(plan, { ...valid, [name]: value });
    }),
  );
}

/** Updates of valid, new values with one fault each: at depth quick one for each field, at depth full for each rule. */
async function faultyUpdates(call: Call): Promise<Refusal[]> {
  const { target, operation } = call;
  const { body = {} } = operation;
  const supply = await call.supply();
  const all = target.settings.depth === "full";
  const places = new Map<string, BodyFault[]>();
  for (const fault of bodyViolations(body, supply)) {
    if (isNote(target.spec, body, fault)) continue;
    const [, field = ""] = fault.pointer.split("/");
    const place = all ? `${fault.pointer} ${fault.constraint}` : field;
    places.set(place, [...(places.get(place) ?? []), fault]);
  }
  return [...places.values()].map((faults, index) =>
    refusal(call, "fault", faults[0]?.pointer.slice(1) ?? "", (plan, valid) => {
      const confirmed = faults.filter((fault) => isConfirmed(fault, valid, body, supply));
      // Fields take their faults in turn, so that a batch holds as many kinds of faults as it can.
      const drawn = confirmed[(Math.abs(target.settings.seed) + index) % Math.max(confirmed.length, 1)];
      return drawn && sending(plan, drawn.breaking(valid));
    }),
  );
}

/** Updates that name no space. */
function withoutSpace(call: Call): Refusal[] {
  const { space } = call.operation;
  if (!space) return [];
  const own = call.target.settings.space;
  return SPACE_FAULTS.filter((fault) => fault.applies(space)).map((fault) =>
    refusal(call, "fault", fault.title, (plan) => withSpaceFault(plan, own, space, fault)),
  );
}

/** Updates that are not authenticated. */
function withoutToken(call: Call): Refusal[] {
  return [MISSING, UNKNOWN, EMPTY_TOKEN, EMPTY_HEADER, ...ALTERED, ...OTHER_SCHEME].map((credential) =>
    refusal(call, "token", credential.title, (plan) => credentialed(call.target, plan, credential)),
  );
}

function isNote(spec: Spec, body: Schema, fault: BodyFault): boolean {
  const schema = spec.schemas.at(body, fault.pointer);
  const own = schema && spec.schemas.ownRequirement(schema, fault.constraint);
  return own !== undefined && spec.requirements.get(own)?.level === "NOTE";
}
