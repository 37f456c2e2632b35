/** Deactivates the run's webhooks, because active ones go on sending deliveries. */

import { Call } from "../client/call.ts";
import { activeField } from "../client/quotas.ts";
import { createOf, listOf, makerOf, taggedField, updateOf } from "../client/relations.ts";
import { SUBSCRIBING } from "../client/resources.ts";
import { type Answer, asText, isAccepted, resourceOf, type Target } from "../client/target.ts";
import { defaultVersion } from "../client/version-choice.ts";
import { type RequestPlan, requestTo, withBody } from "../generators/request.ts";
import { identityOf } from "../spec/identity.ts";
import { isObject, type JsonObject } from "../spec/json.ts";
import type { Operation } from "../spec/model/spec.ts";
import { mustReadList, PAGES_TO_MISS } from "../suites/shared/read-list.ts";

interface Own {
  create: Operation;
  id: string;
  place: Pick<RequestPlan, "space" | "outer">;
  resource: JsonObject;
  active: boolean;
  needed: boolean;
}

export class ActiveResources {
  readonly #own = new Map<string, Own>();
  wasActive = false;

  async watch(
    target: Target,
    plan: RequestPlan,
    send: () => Promise<Answer>,
    role: string | undefined,
  ): Promise<Answer> {
    this.#asked(target, plan);
    const answer = await send();
    this.#answered(target, answer, role);
    return answer;
  }

  /** Runs before the answer, because even a rejected update may activate the resource. */
  #asked(target: Target, plan: RequestPlan): void {
    const active = fieldOf(target, plan.operation);
    const own = this.#updated(plan);
    const sent = plan.body?.kind === "json" ? plan.body.value : undefined;
    if (own && active !== undefined && isObject(sent) && sent[active] === true) own.active = true;
  }

  #answered(target: Target, answer: Answer, role: string | undefined): void {
    const { plan } = answer;
    const create = makerOf(target.spec, plan.operation);
    const active = fieldOf(target, plan.operation);
    const resource = isAccepted(answer) ? resourceOf(answer) : undefined;
    if (!create || active === undefined || !resource) return;
    this.wasActive ||= resource[active] === true;
    const known = this.#updated(plan);
    if (known) {
      known.resource = { ...known.resource, ...resource };
      if (typeof resource[active] === "boolean") known.active = resource[active];
    } else if (plan.operation.kind === "create")
      this.#add(
        target,
        { create, plan, resource },
        { active: resource[active] === true, needed: role === SUBSCRIBING },
      );
  }

  async switchOff(target: Target, { needed }: { needed: boolean }): Promise<number> {
    const all = [...this.#own.values()].filter((own) => own.active && (needed || !own.needed));
    for (const own of all) own.active = false;
    await Promise.allSettled(all.map((own) => deactivate(target, own)));
    return all.length;
  }

  /** Finds active resources whose creates had no answer. Only lists show them. */
  async findOthers(target: Target): Promise<void> {
    for (const list of target.spec.operations) {
      const create = createOf(target.spec, list);
      const active = create && activeField(target, create);
      const tagged = create && taggedField(target.spec, create);
      if (!create || active === undefined || tagged === undefined || list.outer.length > 0) continue;
      if (listOf(target.spec, create)?.id !== list.id) continue;
      const options = { query: [], mostPages: PAGES_TO_MISS, again: true };
      const { items } = await mustReadList(new Call(target, list), options);
      for (const item of items) {
        const name = asText(item[tagged]);
        if (item[active] === true && name?.includes(target.runId))
          this.#add(
            target,
            { create, plan: requestTo(create, null), resource: item },
            { active: true, needed: false },
          );
      }
    }
  }

  #updated({ operation, path, space }: RequestPlan): Own | undefined {
    const create = operation.pathParameter?.madeBy;
    return operation.kind === "update" && create !== undefined && path !== undefined
      ? this.#own.get(keyOf(create, path, space))
      : undefined;
  }

  #add(
    target: Target,
    { create, plan, resource }: { create: Operation; plan: RequestPlan; resource: JsonObject },
    { active, needed }: Pick<Own, "active" | "needed">,
  ): void {
    const { space, outer } = plan;
    const id = asText(resource[identityOf(target.spec, create)]);
    if (id === undefined) return;
    const key = keyOf(create.id, id, space);
    const known = this.#own.get(key);
    const place = { ...(space ? { space } : {}), ...(outer ? { outer } : {}) };
    this.#own.set(key, {
      create,
      id,
      place,
      resource,
      active: active || known?.active === true,
      needed: needed || known?.needed === true,
    });
  }
}

function keyOf(create: string, id: string, space: RequestPlan["space"]): string {
  return JSON.stringify([create, id, space ?? "first"]);
}

function fieldOf(target: Target, operation: Operation): string | undefined {
  const create = makerOf(target.spec, operation);
  return create && activeField(target, create);
}

/** Switches the resource off with an update of its required fields: a quota of active ones no longer counts it. */
async function deactivate(target: Target, { create, id, place, resource }: Own): Promise<void> {
  const active = activeField(target, create);
  const update = updateOf(target.spec, create);
  if (!update || active === undefined) return;
  const required = target.spec.schemas.required(update.body);
  const kept = Object.fromEntries(required.map((name) => [name, resource[name]]));
  await target.send(
    withBody(
      { ...requestTo(update, defaultVersion(target, update)), ...place, path: id },
      { ...kept, [active]: false },
    ),
  );
}
