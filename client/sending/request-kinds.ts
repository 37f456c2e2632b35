import { idempotencyKeyIn, objectSent } from "../../history/entry.ts";
import { classify } from "../../history/request-faults/classify.ts";
import { uniqueFields } from "../../spec/identity.ts";
import type { Spec } from "../../spec/model/spec.ts";
import { resourceTypeOf } from "../relations.ts";
import type { Recorder } from "./recording.ts";
import { kindOf, type RequestKind } from "./request-order.ts";
import type { Outgoing } from "./sender.ts";

/** Returns the kind of each request, or undefined for one without an operation. */
export function kindsBy(
  spec: Spec,
  recorder: Pick<Recorder, "requestOf">,
): (outgoing: Outgoing) => RequestKind | undefined {
  const sentOnce = new Set<string>();
  return (outgoing) => {
    const sent = recorder.requestOf(outgoing);
    const { operation, version } = sent;
    if (!operation) return undefined;
    const body = objectSent(sent) ?? {};
    const unique = uniqueFields(spec, operation).map((name) => body[name] ?? null);
    const once = [idempotencyKeyIn(sent) ?? null, ...unique]
      .filter((value) => value !== null)
      .map((value) => `${operation.key} ${JSON.stringify(value)}`);
    const isAgain = once.some((value) => sentOnce.has(value));
    for (const value of once) sentOnce.add(value);
    const { faults } = classify(spec, sent);
    const resource = resourceTypeOf(spec, operation);
    return kindOf({ resource, operation: operation.key, version, faults, isAgain });
  };
}
