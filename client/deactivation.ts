/** What the run made active, made inactive at its end. */

import { requestTo, withBody } from "../generators/request.ts";
import { isObject, type JsonObject } from "../spec/json.ts";
import type { Operation } from "../spec/model/spec.ts";
import { identityOf, makerOf } from "./relations.ts";
import { type Answer, asText, resourceOf, type Target } from "./target.ts";
import { usualVersion } from "./version-choice.ts";

/**
 * What a creating call made active sends deliveries; at the end of the run it is made inactive again, or sooner unless
 * it is `needed` to the end.
 */
export function rememberToDeactivate(
  target: Target,
  create: Operation,
  answer: Answer,
  needed = false,
): void {
  const active = activeField(target, create);
  const resource = resourceOf(answer);
  if (active === undefined || resource?.[active] !== true) return;
  deactivateAtEnd(target, create, resource, active, needed);
}

/** The field that makes what an operation creates send deliveries, where there is one. */
export function activeField(target: Target, create: Operation): string | undefined {
  return create.body && target.spec.schemas.flatten(create.body)["x-deliveries"]?.active;
}

/** Whether a call of an operation, sent with a body, makes something active, or would have. */
export function switchesOn(target: Target, operation: Operation, body: string | null): boolean {
  const create = makerOf(target.spec, operation);
  const active = create && activeField(target, create);
  if (active === undefined || body === null) return false;
  try {
    const sent: unknown = JSON.parse(body);
    return isObject(sent) && sent[active] === true;
  } catch {
    return false;
  }
}

/** At the end of the run the resource is made inactive. */
export function deactivateAtEnd(
  target: Target,
  create: Operation,
  resource: JsonObject,
  active: string,
  needed = false,
): void {
  const update = target.spec.operations.find((operation) => operation.pathParameter?.madeBy === create.id);
  if (!update) return;
  const id = asText(resource[identityOf(target.spec, create)]);
  if (id === undefined) return;
  const required = target.spec.schemas.flatten(update.body ?? {}).required ?? [];
  const kept = Object.fromEntries(required.map((name) => [name, resource[name]]));
  target.atEnd(async () => {
    await target.send(
      withBody(
        { ...requestTo(update, usualVersion(target, update)), path: id },
        { ...kept, [active]: false },
      ),
    );
  }, needed);
}
