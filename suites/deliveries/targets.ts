import { updatesOfMade } from "../../client/relations.ts";
import type { Subscribing } from "../../history/subscriptions.ts";
import type { Operation, Spec } from "../../spec/model/spec.ts";

/** Returns the creates of webhooks (`x-deliveries`). */
export function subscribingCreates(spec: Spec): Subscribing[] {
  return spec.operations.flatMap((operation) => {
    const properties =
      operation.kind === "create" && operation.body
        ? spec.schemas.flatten(operation.body)["x-deliveries"]
        : undefined;
    return properties ? [{ operation, properties }] : [];
  });
}

export interface Resubscribing {
  operation: Operation;
  made: Subscribing;
  detail: string;
}

/** Returns the updates that change URL and state of a webhook. */
export function resubscribingUpdates(spec: Spec): Resubscribing[] {
  return subscribingCreates(spec).flatMap((made) =>
    updatesOfMade(spec, made.operation)
      .filter(({ body = {} }) =>
        [made.properties.url, made.properties.active].every(
          (name) => spec.schemas.at(body, `/${name}`) !== undefined,
        ),
      )
      .map((operation) => ({ operation, made, detail: "after an update" })),
  );
}
