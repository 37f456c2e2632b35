/** Sends several calls with one key, and counts the resources that they made. */

import { Call } from "../client/call.ts";
import { Untestable, Violation } from "../client/check.ts";
import { type Creation, create, idOf, keyedPlan } from "../client/creations.ts";
import { listOf, markedField, namedListOf } from "../client/relations.ts";
import { sendBody } from "../client/subjects.ts";
import { uniqueFields } from "../client/supply.ts";
import { type Answer, isAccepted, resourceOf, SIMULTANEOUS, type Target } from "../client/target.ts";
import { usualVersion } from "../client/version-choice.ts";
import { identityOf } from "../spec/identity.ts";
import type { JsonObject } from "../spec/json.ts";
import type { Operation } from "../spec/model/spec.ts";
import { allowsNull } from "../spec/schema.ts";
import { acceptedCreations } from "./creation.ts";
import { sinceFirst } from "./listed.ts";
import { pointedAt } from "./pointing.ts";

/**
 * A body that can be sent twice: fields whose values must be unique are null in it, or left out if null is not
 * allowed.
 */
export async function repeatableBody(call: Call): Promise<JsonObject> {
  const { target, operation } = call;
  const { schemas } = target.spec;
  const { required = [], properties = {} } = schemas.flatten(operation.body ?? {});
  const unique = uniqueFields(target.spec, operation.body ?? {}).filter((name) => !required.includes(name));
  const body = await call.body();
  const entries = Object.entries(body).flatMap(([name, value]): [string, unknown][] => {
    if (!unique.includes(name)) return [[name, value]];
    return allowsNull(schemas.flatten(properties[name] ?? {})) ? [[name, null]] : [];
  });
  return Object.fromEntries(entries);
}

/** True if only its key keeps a call from making a second resource, and no other creation holds its mark. */
function isRepeatable(target: Target, { operation, sent }: Creation, made: Creation[]): boolean {
  const { spec, runId } = target;
  const name = markedField(spec, operation);
  const free = uniqueFields(spec, operation.body ?? {}).every((each) => (sent[each] ?? null) === null);
  if (name === undefined) return free;
  const alike = made.filter((each) => each.sent[name] === sent[name]);
  const { required = [] } = spec.schemas.flatten(operation.body ?? {});
  // Other checks repeat the call that has only the required fields.
  const alone = Object.keys(sent).every((each) => required.includes(each));
  return free && !alone && alike.length === 1 && String(sent[name]).includes(runId);
}

/** Calls with one key and body. */
export interface Replay {
  operation: Operation;
  sent: JsonObject;
  answers: Answer[];
}

/**
 * A creation under a version, repeated twice after others with other keys: under its own version and under another.
 * If there is none under it, depth quick takes one under another version, so that no resource is made for this
 * alone.
 */
export function replayed(call: Call): Promise<Replay> {
  const { target, operation, version } = call;
  return target.once(`replay ${operation.id} ${version ?? "none"}`, async () => {
    const made = await acceptedCreations(call);
    const repeatable = made.filter((each) => isRepeatable(target, each, made));
    const own = repeatable.find((each) => each.version === version);
    const other = target.settings.depth === "quick" ? repeatable[0] : undefined;
    const creation = own ?? other ?? (await anotherCreation(call, repeatable[0]));
    if (idOf(target, creation) === undefined)
      throw new Untestable("control-rejected", "the first call with the key made no resource", [
        creation.answer,
      ]);
    const { plan, answer, sent } = creation;
    const again = await sendBody(target, plan, "again");
    // A key belongs to its resource under every version.
    const elsewhere = { ...plan, version: otherVersion(call, plan.version) };
    return { operation, sent, answers: [answer, again, await sendBody(target, elsewhere, "and again")] };
  });
}

/** A creation of its own or, if the service accepts no more, one under another version. */
async function anotherCreation(call: Call, other: Creation | undefined): Promise<Creation> {
  const { target, operation, version } = call;
  const sent = await repeatableBody(call);
  return create(target, operation, version, sent, { key: "unlike" }).catch((error: unknown) => {
    if (other !== undefined && error instanceof Untestable) return other;
    throw error;
  });
}

/** The next version that the user allows; the same one if there is no other. */
function otherVersion(call: Call, version: string | null): string | null {
  const versions = call.allowed;
  const next = versions[(versions.indexOf(version) + 1) % versions.length];
  return next === undefined ? version : next;
}

/** The versions that the user allows take turns in the rounds of a burst; the seed chooses the first. */
export function burstVersion(call: Call, round: number): string | null {
  const { target, operation } = call;
  const { seed, serviceVersion } = target.settings;
  const versions = serviceVersion === "all" ? call.versions : [usualVersion(target, operation)];
  return versions[(seed + round) % versions.length] ?? null;
}

/** Number of calls of a burst. */
export const AT_ONCE = 6;

/** Simultaneous calls with one key and body. Throws Untestable if the settings allow one call at a time. */
export function burst(call: Call, round: number): Promise<Replay> {
  const { target, operation } = call;
  return target.once(`burst ${operation.id} ${round}`, async () => {
    if (target.settings.concurrency < 2)
      throw new Untestable("budget", "with --concurrency 1 nothing is simultaneous");
    const sent = await repeatableBody(call);
    const plan = await keyedPlan(target, operation, burstVersion(call, round), sent, "unlike");
    const answers = await Promise.all(
      Array.from({ length: AT_ONCE }, () => sendBody(target, plan, SIMULTANEOUS)),
    );
    return { operation, sent, answers };
  });
}

/** Throws a Violation unless all accepted answers show the same resource, and the list shows no second one. */
export async function mustBeOne(target: Target, { operation, sent, answers }: Replay): Promise<void> {
  const made = answers.filter(isAccepted);
  const ids = made.map((answer) => idOf(target, { operation, answer } as Creation));
  const [first] = made;
  const other = made[ids.findIndex((id) => id !== ids[0])];
  if (first && other) {
    throw new Violation(
      `the resource ${String(ids[0])} again, or a rejection`,
      `another one, ${String(ids.find((id) => id !== ids[0]))}`,
      pointedAt([first, other], 1, "/id"),
    );
  }
  await mustBeListedOnce(new Call(target, operation), sent, answers);
}

/** Throws a Violation if the list shows two items with a text that only this body holds. */
async function mustBeListedOnce(call: Call, sent: JsonObject, answers: Answer[]): Promise<void> {
  const { target, operation } = call;
  const shown = listOf(target.spec, operation);
  const list = shown ?? namedListOf(target.spec, operation);
  const name = markedField(target.spec, operation);
  const mark = name === undefined ? undefined : sent[name];
  if (!list || typeof mark !== "string") return;
  const since = Math.min(...answers.map((answer) => Date.now() - Date.parse(started(answer))));
  await target.pause(Math.min(target.settings.visibilityDelay, 100) - since);
  const creations = await acceptedCreations(call);
  const byTime = [...creations].sort((a, b) => started(a.answer).localeCompare(started(b.answer)));
  const [first, last] = [byTime[0], byTime.at(-1)].map((creation) => creation && idOf(target, creation));
  if (first === undefined) return;
  const items = await sinceFirst(target, list, first, last === first ? undefined : last).catch(
    (error: unknown) => {
      // An incomplete list without a documented shape is no evidence about keys.
      if (shown || !(error instanceof Untestable)) throw error;
      return [];
    },
  );
  const identity = list.list?.identity ?? identityOf(target.spec, operation);
  const found = items.filter(({ item }) => Object.values(item).includes(mark));
  const ids = [...new Set(found.map(({ item }) => String(item[identity])))];
  const own = answers.map((answer) => idOf(target, { operation, answer } as Creation));
  if (ids.length > 1 && (shown || ids.some((id) => own.includes(id)))) {
    throw new Violation("one resource in the list", `${ids.length}: ${ids.join(", ")}`, [
      ...answers.slice(0, 2),
      ...found.slice(-1).map(({ page }) => page),
    ]);
  }
}

function started(answer: Answer): string {
  return answer.exchange.startedAt;
}

/** True if a call of a replay was accepted and shows a resource. */
export function succeeded(answer: Answer): boolean {
  return isAccepted(answer) && resourceOf(answer) !== undefined;
}

/** A fault that also shows in sequence is reported there, so it makes the simultaneous test Untestable. */
export async function mustBeOneInTurn(call: Call): Promise<void> {
  const { target, operation } = call;
  const inTurn = await replayed(call.under(usualVersion(target, operation)));
  await mustBeOne(target, inTurn).catch((error: unknown) => {
    if (!(error instanceof Violation)) throw error;
    throw new Untestable("control-rejected", "the same key in turn makes a second resource");
  });
}
