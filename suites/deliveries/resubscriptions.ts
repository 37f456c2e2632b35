import { Call } from "../../client/call.ts";
import { Untestable } from "../../client/check.ts";
import type { Delivery, Mailbox } from "../../client/target.ts";
import { withValue } from "../../generators/at-pointer.ts";
import type { JsonObject } from "../../spec/json.ts";
import type { Operation, Spec } from "../../spec/model/spec.ts";
import { onSubject } from "../updates/settled-reads.ts";
import { requiredAnd, sendUpdate } from "../updates/updating.ts";
import { eventsIn, holdsOneOf } from "./forms.ts";
import {
  cause,
  type Delivered,
  delivered,
  PATIENCE,
  STRAGGLING,
  type Subscribing,
  subscribing,
} from "./subscriptions.ts";

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
 * Updates a webhook and causes events. Earlier deliveries may still arrive, so only those count that contain
 * a text first sent after the update.
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
 * Causes events again after the consistency timeout if deliveries are suspicious, because the update may take
 * effect late.
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

/** Milliseconds to wait for further deliveries of an event, if the first one took `took`. */
function straggling(took: number): number {
  return Math.min(STRAGGLING, Math.max(took * 4, 50));
}

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

export function mustBeDelivered({ others }: Aftermath): void {
  if (others.length === 0)
    throw new Untestable(
      "not-shown",
      "no delivery is known to be about something that happened after the update",
    );
}
