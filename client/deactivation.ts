/** What the run made active, made inactive at its end. */

import { requestTo, withBody } from "../generators/request.ts";
import type { JsonObject } from "../spec/json.ts";
import type { Operation } from "../spec/model/spec.ts";
import { identityOf } from "./relations.ts";
import { type Answer, asText, resourceOf, type Target } from "./target.ts";
import { usualVersion } from "./version-choice.ts";

/** What a creating call made active sends deliveries; at the end of the run it is made inactive again. */
export function rememberToDeactivate(target: Target, create: Operation, answer: Answer): void {
  const active = activeField(target, create);
  const resource = resourceOf(answer);
  if (active === undefined || resource?.[active] !== true) return;
  deactivateAtEnd(target, create, resource, active);
}

/** The field that makes what an operation creates send deliveries, where there is one. */
export function activeField(target: Target, create: Operation): string | undefined {
  return create.body && target.spec.schemas.flatten(create.body)["x-deliveries"]?.active;
}

/** At the end of the run the resource is made inactive. */
export function deactivateAtEnd(
  target: Target,
  create: Operation,
  resource: JsonObject,
  active: string,
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
  });
}
