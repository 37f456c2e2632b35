/** Webhooks that are updated, and what deliveries tell of it: the address, events, headers and switch that count are the latest. */

import { Call } from "../client/call.ts";
import { Untestable } from "../client/check.ts";
import type { Delivery, Mailbox } from "../client/target.ts";
import { withValue } from "../generators/at-pointer.ts";
import type { JsonObject } from "../spec/json.ts";
import type { Operation, Spec } from "../spec/model/spec.ts";
import { eventsIn, holdsOneOf } from "./delivery-forms.ts";
import { onSubject } from "./settled-reads.ts";
import {
  cause,
  type Delivered,
  delivered,
  PATIENCE,
  STRAGGLING,
  type Subscribing,
  subscribing,
} from "./subscriptions.ts";
import { requiredAnd, sendUpdate } from "./updating.ts";

/** An update of what an operation makes, and that operation. */
export interface Resubscribing extends Subscribing {
  create: Operation;
}

export function resubscribing(spec: Spec): Resubscribing[] {
  return subscribing(spec).flatMap(({ operation: create, properties }) =>
    spec.operations
      .filter(
        ({ kind, body, pathParameter }) => kind === "update" && body && pathParameter?.madeBy === create.id,
      )
      .filter(({ body = {} }) =>
        [properties.url, properties.active].every((name) => spec.schemas.at(body, `/${name}`) !== undefined),
      )
      .map((operation) => ({ operation, create, properties, detail: "after an update" })),
  );
}

/** What arrived and tells of what was done since an update, and what another webhook got of it. */
interface Aftermath {
  arrived: Delivery[];
  others: Delivery[];
}

export interface Changed {
  known: string[];
  asked: string[] | undefined;
  headers: Record<string, string>;
  active: Aftermath;
  inactive: Aftermath;
}

/**
 * A webhook that was made for another address, with other events and headers, is updated to those of this story, and
 * then made inactive. What deliveries may have been under way tells of earlier things: what counts are those that hold
 * a text which was first sent after the update.
 */
export function changed(call: Call, at: Resubscribing): Promise<Changed> {
  const { target } = call;
  return target.once(`resubscription ${at.operation.id}`, async () => {
    const subscriptions = await delivered(call.to(at.create), { ...at, operation: at.create });
    const receiver = await target.receiver();
    if (!receiver) throw new Untestable("no-callback", "nothing can be received");
    return onSubject(new Call(target, at.operation), async (id) => {
      const mailbox = receiver.mailbox();
      const { known, all, deliveries } = subscriptions;
      const named = deliveries.flatMap((delivery) => eventsIn(delivery, known));
      const asked = named[0] === undefined ? all.events : [named[0]];
      const headers = { "X-Conformance-Run": `${target.runId}-updated` };
      await update(call, at, id, { url: mailbox.url, active: true, events: asked, headers });
      const active = await aftermath(call, at, subscriptions, mailbox, ({ arrived }) =>
        arrived.some((delivery) => wrongHeader(delivery, headers) || isUnasked(delivery, known, asked)),
      );
      await update(call, at, id, { url: mailbox.url, active: false });
      const inactive = await aftermath(call, at, subscriptions, mailbox, ({ arrived }) => arrived.length > 0);
      return { known, asked, headers, active, inactive };
    });
  });
}

/** Sends an update of the properties that have a value here. Throws Untestable where it is not accepted. */
async function update(
  call: Call,
  { operation, properties }: Resubscribing,
  id: string,
  values: { [name in keyof Resubscribing["properties"]]?: unknown },
): Promise<void> {
  const { target } = call;
  const { schemas } = target.spec;
  const names = Object.keys(values) as (keyof typeof values)[];
  const body = names.reduce<JsonObject>(
    (made, name) => {
      const place = properties[name];
      const isTaken = place !== undefined && schemas.at(operation.body ?? {}, `/${place}`) !== undefined;
      return isTaken && values[name] !== undefined ? withValue(made, `/${place}`, values[name]) : made;
    },
    requiredAnd(target.spec, operation, await call.body(), []),
  );
  await sendUpdate(call, id, body);
}

/**
 * What is delivered of things that are done now. Where it is suspicious they are done once more, after the visibility
 * delay: the update may take so long to take effect.
 */
async function aftermath(
  call: Call,
  { operation }: Resubscribing,
  { all }: Delivered,
  mailbox: Mailbox,
  isSuspicious: (seen: Aftermath) => boolean,
): Promise<Aftermath> {
  const { target } = call;
  let seen: Aftermath = { arrived: [], others: [] };
  for (const delay of [0, target.settings.visibilityDelay]) {
    await target.pause(delay);
    for (const kind of ["update", "create"] as const) {
      const caused = performance.now();
      const marks = await cause(call, kind, operation);
      const telling = (arrived: readonly Delivery[]) => arrived.filter((each) => holdsOneOf(each, marks));
      await all.mailbox.wait(PATIENCE, (arrived) => telling(arrived).length > 0);
      const took = performance.now() - caused;
      if (telling(all.mailbox.arrived).length > 0) await target.pause(straggling(took));
      seen = { arrived: telling(mailbox.arrived), others: telling(all.mailbox.arrived) };
      if (seen.others.length > 0) break;
    }
    if (!isSuspicious(seen)) break;
  }
  return seen;
}

/** Milliseconds for which others of an event are waited for when the first of them took so many. */
function straggling(took: number): number {
  return Math.min(STRAGGLING, Math.max(took * 4, 50));
}

/** The first of some headers that a delivery lacks or has with another value. */
export function wrongHeader(
  { headers }: Delivery,
  expected: Record<string, string>,
): [string, string] | undefined {
  return Object.entries(expected).find(([name, value]) => headers[name.toLowerCase()] !== value);
}

export function isUnasked(delivery: Delivery, known: string[], asked: string[] | undefined): boolean {
  const named = eventsIn(delivery, known);
  return asked !== undefined && named.length > 0 && !named.some((name) => asked.includes(name));
}

/** Throws Untestable where the webhook that nobody changed got nothing that tells of what was done. */
export function mustBeTold({ others }: Aftermath): void {
  if (others.length === 0)
    throw new Untestable("not-shown", "no delivery shows that it tells of what was done after the update");
}
