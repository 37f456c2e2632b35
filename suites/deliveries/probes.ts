import { Call } from "../../client/call.ts";
import { NotTested, unlessNotTested } from "../../client/check.ts";
import { restAtTheEnd } from "../../client/eventually.ts";
import type { Probe, Target } from "../../client/target.ts";
import type { Entry } from "../../history/entry.ts";
import { type Received, receivedBy, type Subscribing } from "../../history/subscriptions.ts";
import { type JsonObject, withValue } from "../../spec/json.ts";
import type { Operation } from "../../spec/model/spec.ts";
import { plainProbe } from "../shared/sampled.ts";
import { requiredAnd } from "../shared/update-fields.ts";
import { acceptedUpdate } from "../shared/update-requests.ts";
import { isEvent, isMisfit } from "./applied-settings.ts";
import { type Subscriptions, subscribe } from "./subscriptions.ts";
import type { Resubscribing } from "./targets.ts";

/** The wait for the first delivery. Further ones get `STRAGGLING_MS`. */
const DELIVERY_TIMEOUT_MS = 3_000;
const STRAGGLING_MS = 300;
const LEAST_STRAGGLING_MS = 50;

const KINDS = ["update", "create"] as const;

/** Creates the webhooks of the run early, so that they get many events. */
export function subscribeAll(at: Subscribing): Probe {
  return plainProbe("subscriptions", at.operation, "prepare", (call) => subscribe(call, at));
}

/** Sends writes until a delivery arrives. */
export function deliveries(at: Subscribing): Probe {
  return plainProbe("deliveries", at.operation, "burst", ({ target }) =>
    subscriptionsWithDelivery(target, at),
  );
}

/** Subscribes, and sends writes until each subscription has a delivery or the time is over. */
function subscriptionsWithDelivery(target: Target, at: Subscribing): Promise<Subscriptions> {
  return target.memoize(`delivered ${at.operation.id}`, async () => {
    const call = new Call(target, at.operation);
    const subscriptions = await subscribe(call, at);
    const isEnough = () => eventsFor(target, at, subscriptions.all.id).length > 0;
    if (isEnough()) {
      await restAtTheEnd(target, STRAGGLING_MS);
      return subscriptions;
    }
    for (const kind of KINDS) {
      await sendWrites(call, kind);
      await subscriptions.receiver.wait(DELIVERY_TIMEOUT_MS, isEnough);
      if (!isEnough()) continue;
      await target.pause(STRAGGLING_MS);
      return subscriptions;
    }
    throw new NotTested("not-shown", "no delivery arrived; the specification does not say what causes one");
  });
}

function eventsFor(target: Target, at: Subscribing, id: string | undefined, since?: Entry): Received[] {
  const isSince = ({ causedBy }: Received) =>
    since === undefined || (causedBy !== undefined && causedBy.begun > since.ended);
  return receivedBy(target.history(), at).filter(
    (each) => each.webhook.id === id && isEvent(each) && isSince(each),
  );
}

/** Updates a webhook, makes it inactive, and causes events after both. */
export function resubscriptions(at: Resubscribing): Probe {
  return plainProbe("resubscriptions", at.operation, "burst", async (call) => {
    const { target } = call;
    const subscriptions = await subscriptionsWithDelivery(target, at.made);
    const { receiver, secret, all, inactive } = subscriptions;
    const { id } = inactive;
    if (id === undefined) throw new NotTested("no-data", "the webhook has no id to update it by");
    const named = eventsFor(target, at.made, all.id).filter((event) => event.named.length > 0);
    const byUpdate = named.find(({ causedBy }) => causedBy?.operation?.kind === "update");
    const events = (byUpdate ?? named[0])?.named.slice(0, 1) ?? all.events;
    const headers = { "X-Conformance-Run": `${target.runId}-updated` };
    const url = receiver.address(secret);
    await updateWebhook(call, at, id, { url, active: true, events, headers });
    await causeAfter(call, at, subscriptions, id);
    await updateWebhook(call, at, id, { url, active: false });
    await causeAfter(call, at, subscriptions, undefined);
  });
}

/** Updates these properties of a webhook. Of the other fields it sends the required ones only. */
async function updateWebhook(
  call: Call,
  { operation, made: { properties } }: Resubscribing,
  id: string,
  values: { [name in keyof Subscribing["properties"]]?: unknown },
): Promise<void> {
  const { target } = call;
  const { schemas } = target.spec;
  const names = Object.keys(values) as (keyof typeof values)[];
  const body = names.reduce<JsonObject>(
    (made, name) => {
      const place = properties[name];
      const isTaken = place !== undefined && schemas.at(operation.body, `/${place}`) !== undefined;
      return isTaken && values[name] !== undefined ? withValue(made, `/${place}`, values[name]) : made;
    },
    requiredAnd(target.spec, operation, await call.body(), []),
  );
  await acceptedUpdate(call, id, body);
}

/** Sends writes until the webhooks have events, again after a wrong delivery: updates may take effect late. */
async function causeAfter(
  call: Call,
  { made, operation }: Resubscribing,
  { receiver, all }: Subscriptions,
  wanted: string | undefined,
): Promise<void> {
  const { target } = call;
  for (const delay of [0, target.settings.visibilityDelay]) {
    await target.pause(delay);
    const since = target.history().entries.at(-1);
    const arrived = (id: string | undefined) => eventsFor(target, made, id, since).length > 0;
    for (const kind of KINDS) {
      const began = performance.now();
      await sendWrites(call, kind, operation);
      await receiver.wait(DELIVERY_TIMEOUT_MS, () => arrived(all.id));
      const straggling = Math.min(
        STRAGGLING_MS,
        Math.max((performance.now() - began) * 4, LEAST_STRAGGLING_MS),
      );
      if (arrived(all.id)) await target.pause(straggling);
      if (arrived(all.id) && (wanted === undefined || arrived(wanted))) break;
    }
    if (!receivedBy(target.history(), made, 0).some(isMisfit)) break;
  }
}

/** Sends one valid write of this kind to each operation but one, to cause events. */
async function sendWrites(call: Call, kind: Operation["kind"], except?: Operation): Promise<void> {
  const { spec } = call.target;
  const others = spec.operations.filter((operation) => operation.kind === kind && operation !== except);
  await Promise.all(
    others.map(async (operation) => {
      // Other writes may still cause a delivery.
      await unlessNotTested(async () => {
        const other = call.to(operation);
        return other.send(await other.fresh(), "cause");
      });
    }),
  );
}
