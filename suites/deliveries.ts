/** Deliveries (section 6): what arrives at the callback URL of an active webhook, when the user lets some arrive. */

import { createHmac } from "node:crypto";
import { type Check, Untestable, Violation } from "../client/check.ts";
import { createdResource, sendBody, sendCreate } from "../client/subjects.ts";
import { validBody } from "../client/supply.ts";
import type { Delivery, Target } from "../client/target.ts";
import { usualVersion } from "../client/version-choice.ts";
import { withValue } from "../generators/probes.ts";
import { requestTo, withBody } from "../generators/request.ts";
import { isObject, type JsonObject } from "../spec/json.ts";
import type { Operation, Spec } from "../spec/model/spec.ts";
import { check, operationsOf } from "../trials/derive.ts";

const SUITE = "deliveries";
/** Milliseconds that a first delivery may take to arrive. */
const PATIENCE = 5_000;

type Places = { url: string; headers: string; secret: string; active: string };

export function deliveryChecks(spec: Spec): Check[] {
  return operationsOf(spec, "create").flatMap((operation) => {
    const places = operation.body && spec.schemas.flatten(operation.body)["x-deliveries"];
    return places ? checksOf(operation, places) : [];
  });
}

interface Received {
  delivery: Delivery;
  headers: Record<string, string>;
  secret: string;
}

/** An active webhook at the callback URL, something that may be an event, and the first delivery that arrives. */
function receive(target: Target, operation: Operation, places: Places): Promise<Received> {
  return target.once(`delivery ${operation.id}`, async () => {
    const receiver = await target.receiver();
    if (!receiver)
      throw new Untestable("no-callback", "give --callback-url and --callback-port to receive deliveries");
    const secret = `whsec${target.runId}${target.unique().replace(/[^a-z0-9]/g, "")}`;
    const headers = { "X-Conformance-Run": target.runId, "X-Conformance-Check": "Every Delivery" };
    const full = await validBody(target, operation, "full");
    const parts: [string, unknown][] = [
      [places.url, receiver.url],
      [places.headers, headers],
      [places.secret, secret],
      [places.active, true],
    ];
    const body = parts.reduce<JsonObject>(
      (made, [place, value]) => withValue(made, `/${place}`, value),
      full,
    );
    const plan = withBody(requestTo(operation, usualVersion(target, operation)), body);
    createdResource(target, operation, await sendBody(target, plan));
    for (const other of operationsOf(target.spec, "create")) {
      await sendCreate(target, other, usualVersion(target, other), "full");
    }
    const delivery = await receiver.first(PATIENCE);
    if (!delivery) throw new Untestable("not-shown", "no delivery arrived; what causes one is not shown");
    return { delivery, headers, secret };
  });
}

function checksOf(operation: Operation, places: Places): Check[] {
  const sketch = { suite: SUITE, operation, stage: "finish", writes: true } as const;
  return [
    check({
      ...sketch,
      requirement: "DELIVERY-HEADERS",
      title: "the custom headers of a webhook are on each delivery",
      async run(target) {
        const { delivery, headers } = await receive(target, operation, places);
        for (const [name, value] of Object.entries(headers)) {
          const actual = delivery.headers[name.toLowerCase()];
          if (actual !== value) throw new Violation(`the header ${name}: ${value}`, actual ?? "absent");
        }
      },
    }),
    check({
      ...sketch,
      requirement: "DELIVERY-CONTENT",
      title: "what a delivery holds",
      async run(target) {
        const { delivery, headers } = await receive(target, operation, places);
        const own = new Set(Object.keys(headers).map((name) => name.toLowerCase()));
        const names = Object.keys(delivery.headers)
          .filter((name) => !own.has(name))
          .sort();
        target.observe("DELIVERY-CONTENT", operation.key, "method", delivery.method);
        target.observe("DELIVERY-CONTENT", operation.key, "headers", names.join(" "));
        target.observe("DELIVERY-CONTENT", operation.key, "body", bodyForm(delivery.body));
      },
    }),
    check({
      ...sketch,
      requirement: "DELIVERY-SIGNATURE",
      title: "whether a header of a delivery is the HMAC-SHA256 of its body",
      async run(target) {
        const { delivery, secret } = await receive(target, operation, places);
        const digests = (["hex", "base64", "base64url"] as const).map((form) =>
          createHmac("sha256", secret).update(delivery.body).digest(form),
        );
        const signed = Object.entries(delivery.headers).find(([, value]) =>
          digests.some((digest) => value.toLowerCase().includes(digest.toLowerCase())),
        );
        target.observe(
          "DELIVERY-SIGNATURE",
          operation.key,
          "signature",
          signed ? `in the header ${signed[0]}` : "in no header",
        );
      },
    }),
  ];
}

function bodyForm(body: string): string {
  try {
    const value: unknown = JSON.parse(body);
    return isObject(value) ? `JSON {${Object.keys(value).sort().join(", ")}}` : "JSON, no object";
  } catch {
    return body === "" ? "empty" : "no JSON";
  }
}
