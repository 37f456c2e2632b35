import { Call } from "../../client/call.ts";
import { NotTested, unlessNotTested } from "../../client/check.ts";
import { createdResource, resourceIdFor, SUBSCRIBING, sendBody } from "../../client/resources.ts";
import { asText, isRejected, type Receiver, type Target } from "../../client/target.ts";
import { sendsAll } from "../../client/version-choice.ts";
import { withBody } from "../../generators/request.ts";
import type { Properties, Subscribing } from "../../history/subscriptions.ts";
import { fixtureValues } from "../../spec/fixture-values.ts";
import { identityOf } from "../../spec/identity.ts";
import { type JsonObject, withoutValue, withValue } from "../../spec/json.ts";
import type { Operation } from "../../spec/model/spec.ts";
import { operationsOf } from "../../spec/operations.ts";
import { subscribingCreates } from "./targets.ts";

interface Subscribed {
  id: string | undefined;
  events: string[] | undefined;
}

export interface Subscriptions {
  receiver: Receiver;
  secret: string;
  all: Subscribed;
  inactive: Subscribed;
}

/** Creates the resources that updates and deliveries need. */
export async function makeNeeded(target: Target, create: Operation): Promise<void> {
  await makeForWrites(target, create);
  for (const at of subscribingCreates(target.spec))
    if (at.operation === create) await unlessNotTested(() => subscribe(new Call(target, create), at));
}

function makeForWrites(target: Target, create: Operation): Promise<void> {
  return target.memoize(`needed ${create.id}`, async () => {
    await unlessNotTested(() => new Call(target, create).plain("full"));
    for (const update of operationsOf(target.spec, "update"))
      if (update.pathParameter?.madeBy === create.id)
        await unlessNotTested(() => resourceIdFor(target, update, "write"));
  });
}

/** Creates a webhook for all events, one for a single event, and an inactive one, once for all probes. */
export function subscribe(call: Call, { properties }: Subscribing): Promise<Subscriptions> {
  const { target, operation } = call;
  return target.memoize(`subscriptions ${operation.id}`, async () => {
    const receiver = await target.receiver();
    if (!receiver)
      throw new NotTested("no-callback", "give --callback-url and --callback-port to receive deliveries");
    if (sendsAll(target)) await makeForWrites(target, operation);
    // Redaction hides each part of a secret, so the run tag is reversed here.
    const secret = `whsec${[...target.unique().replace(/[^a-z0-9]/g, "")].reverse().join("")}`;
    const known = knownEvents(call, properties);
    const make = (active: boolean | undefined, events: string[] | undefined) =>
      makeWebhook(call, properties, { url: receiver.address(secret), secret, active, events });
    const one = known[target.settings.seed % Math.max(known.length, 1)];
    const all = await make(true, known.length > 0 ? known : undefined);
    const active = target.spec.schemas.at(operation.body, `/${properties.active}`);
    // If a webhook is inactive by default, the inactive one omits the field.
    const isByDefault = target.spec.schemas.flatten(active).default === false;
    const inactive = await make(isByDefault ? undefined : false, all.events);
    // A service may allow only two webhooks.
    if (one !== undefined && known.length > 1) await unlessNotTested(() => make(true, [one]));
    return { receiver, secret, all, inactive };
  });
}

interface WebhookValues {
  url: string;
  secret: string;
  /** Undefined leaves the field out. */
  active: boolean | undefined;
  events: string[] | undefined;
}

/**
 * Creates a webhook with these values.
 * @throws NotTested if the service rejects it
 */
async function makeWebhook(
  call: Call,
  properties: Properties,
  { url, secret, active, events }: WebhookValues,
): Promise<Subscribed> {
  const { target, operation } = call;
  const parts: [string | undefined, unknown][] = [
    [properties.url, url],
    [properties.headers, { "X-Conformance-Run": target.runId, "X-Conformance-Check": "Every Delivery" }],
    [properties.secret, secret],
    [properties.active, active],
    [events ? properties.events : undefined, events],
  ];
  const body = parts.reduce<JsonObject>(
    (made, [place, value]) => {
      if (place === undefined) return made;
      return value === undefined ? withoutValue(made, `/${place}`) : withValue(made, `/${place}`, value);
    },
    await call.body(),
  );
  const answer = await sendBody(target, withBody(await call.valid(), body), SUBSCRIBING);
  // A service may reject private or unresolvable addresses.
  if (isRejected(answer))
    throw new NotTested(
      "no-callback",
      `${operation.key} was answered ${answer.status} to ${url}: give a callback address that it accepts`,
      [answer.exchange],
    );
  const resource = createdResource(operation, answer);
  return { id: asText(resource[identityOf(target.spec, operation)]), events };
}

function knownEvents(call: Call, { events }: Properties): string[] {
  const { target, operation } = call;
  const schema = events === undefined ? undefined : target.spec.schemas.at(operation.body, `/${events}`);
  const flat = schema && target.spec.schemas.flatten(schema);
  const fixture = flat?.["x-values-from"]?.fixture ?? "";
  return fixtureValues(target.settings.fixtures[fixture]).slice(0, flat?.maxItems);
}
