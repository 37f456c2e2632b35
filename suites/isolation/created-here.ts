import type { Call } from "../../client/call.ts";
import { listOf, markedField, namedListOf } from "../../client/relations.ts";
import { withSpace } from "../../client/samples.ts";
import { hasUnknownSpace } from "../../client/spaces.ts";
import { type Answer, isAccepted, itemsOf, resourceOf } from "../../client/target.ts";
import type { RequestPlan } from "../../generators/request.ts";
import { identityOf } from "../../spec/identity.ts";
import { isObject } from "../../spec/json.ts";
import { moved, type OtherSpace, walkFrom, waysToOther, whole } from "./other-spaces.ts";

export interface CreatedHere {
  own: Answer;
  /** Answers in the second space that show the run tag of the create; undefined if no list can show it. */
  copies: Answer[] | undefined;
  again: Record<OtherSpace, Answer[]>;
}

export function createdHere(call: Call): Promise<CreatedHere> {
  const { target, operation, version } = call;
  const tell = async (): Promise<CreatedHere> => {
    const own = await call.control();
    // Requests of other versions may have equal texts, so those sent to the other space do not count.
    const sent = await target.once(`sent in other space ${operation.id}`, async () => new Set<unknown>());
    const copies =
      target.settings.secondSpace === undefined ? undefined : await copiesOf(call, own.plan, sent);
    const again: CreatedHere["again"] = { unknown: [], second: [] };
    for (const where of ["unknown", "second"] as const) {
      if (where === "second" && target.settings.secondSpace === undefined) continue;
      if (where === "unknown" && operation.space && !hasUnknownSpace(target, operation.space.schema))
        continue;
      for (const way of waysToOther(target, own.plan, where)) again[where].push(await call.send(way));
    }
    for (const answer of again.second) sent.add(resourceOf(answer)?.[identityOf(target.spec, operation)]);
    return { own, copies, again };
  };
  return target.once(`created here ${operation.id} ${version ?? "none"}`, () =>
    target.exclusive(`other space ${operation.id}`, tell),
  );
}

function markOf(call: Call, { body }: RequestPlan): unknown {
  const { target, operation } = call;
  const field = markedField(target.spec, operation);
  return field !== undefined && body?.kind === "json" && isObject(body.value) ? body.value[field] : undefined;
}

async function copiesOf(
  call: Call,
  plan: RequestPlan,
  sent: ReadonlySet<unknown>,
): Promise<Answer[] | undefined> {
  const { target, operation } = call;
  const mark = markOf(call, plan);
  if (typeof mark !== "string") return undefined;
  const identity = identityOf(target.spec, operation);
  const shows = (answer: Answer) =>
    itemsOf(answer).some((item) => Object.values(item).includes(mark) && !sent.has(item[identity]));
  const list = listOf(target.spec, operation);
  const named = namedListOf(target.spec, operation);
  if (!list) return named && copiesInNamed(call.to(named), shows);
  const there = call.to(list);
  const { answers } = await walkFrom(there, moved(target, whole(await there.valid()), "second"));
  for (const answer of answers) call.mustShow(answer);
  return answers.filter(shows);
}

/**
 * Answers of undocumented lists in another space. A list counts if it shows the resource in its own space.
 */
async function copiesInNamed(there: Call, shows: (answer: Answer) => boolean): Promise<Answer[] | undefined> {
  const plan = withSpace(there.target, await there.valid());
  if (!shows(await there.ask(plan))) return undefined;
  const found = await there.ask(moved(there.target, plan, "second"));
  if (!isAccepted(found)) return undefined;
  return shows(found) ? [found] : [];
}
