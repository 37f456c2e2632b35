import { Call } from "../../client/call.ts";
import { Untestable } from "../../client/check.ts";
import { plainCreation } from "../../client/creations.ts";
import { restAtTheEnd } from "../../client/patience.ts";
import { createdResource, SUBSCRIBING, sendBody, subjectOf } from "../../client/subjects.ts";
import { type Delivery, isRejected, type Mailbox, type Target } from "../../client/target.ts";
import { usualVersion } from "../../client/version-choice.ts";
import { withoutValue, withValue } from "../../generators/at-pointer.ts";
import { withBody } from "../../generators/request.ts";
import type { JsonObject } from "../../spec/json.ts";
import type { Operation, Schema, Spec } from "../../spec/model/spec.ts";
import { operationsOf, type Place } from "../shared/rule.ts";
import { eventsIn, textsIn } from "./forms.ts";

export const PATIENCE = 3_000;
export const STRAGGLING = 300;

type Properties = NonNullable<Schema["x-deliveries"]>;

export interface Subscribing extends Place {
  properties: Properties;
}

export function subscribing(spec: Spec): Subscribing[] {
  return spec.operations.flatMap((operation) => {
    const properties =
      operation.kind === "create" && operation.body
        ? spec.schemas.flatten(operation.body)["x-deliveries"]
        : undefined;
    return properties ? [{ operation, properties }] : [];
  });
}

interface Subscribed {
  mailbox: Mailbox;
  events: string[] | undefined;
}

export interface Subscriptions {
  headers: Record<string, string>;
  secret: string;
  known: string[];
  all: Subscribed;
  single: Subscribed | undefined;
  inactive: Subscribed;
}

/** Creates all resources that other probes need first, because a quota may leave no room for them later. */
export async function makeWhatIsNeeded(target: Target, create: Operation): Promise<void> {
  await makeForWrites(target, create);
  for (const at of subscribing(target.spec))
    if (at.operation === create) await ifItCan(() => subscribe(new Call(target, create), at));
}

function makeForWrites(target: Target, create: Operation): Promise<void> {
  return target.once(`needed ${create.id}`, async () => {
    await ifItCan(() => plainCreation(target, create, "full", usualVersion(target, create)));
    for (const update of operationsOf(target.spec, "update"))
      if (update.pathParameter?.madeBy === create.id) await ifItCan(() => subjectOf(target, update, "write"));
  });
}

async function ifItCan(make: () => Promise<unknown>): Promise<void> {
  await make().catch((error: unknown) => {
    if (!(error instanceof Untestable)) throw error;
  });
}

export function subscribe(call: Call, { properties }: Subscribing): Promise<Subscriptions> {
  const { target, operation } = call;
  return target.once(`subscriptions ${operation.id}`, async () => {
    const receiver = await target.receiver();
    if (!receiver)
      throw new Untestable("no-callback", "give --callback-url and --callback-port to receive deliveries");
    if (target.settings.depth === "full") await makeForWrites(target, operation);
    const secret = `whsec${target.runId}${target.unique().replace(/[^a-z0-9]/g, "")}`;
    const headers = { "X-Conformance-Run": target.runId, "X-Conformance-Check": "Every Delivery" };
    const known = knownEvents(call, properties);
    const make = async (active: boolean | undefined, events: string[] | undefined): Promise<Subscribed> => {
      const mailbox = receiver.mailbox();
      const parts: [string | undefined, unknown][] = [
        [properties.url, mailbox.url],
        [properties.headers, headers],
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
      // A service may reject a private address, or one that does not resolve.
      if (isRejected(answer))
        throw new Untestable(
          "no-callback",
          `${operation.key} was answered ${answer.status} to ${mailbox.url}: give a callback address that it accepts`,
          [answer],
        );
      createdResource(operation, answer);
      return { mailbox, events };
    };
    const one = known[target.settings.seed % Math.max(known.length, 1)];
    const all = await make(true, known.length > 0 ? known : undefined);
    const inactive = await make(isInactiveByDefault(call, properties) ? undefined : false, all.events);
    // If a second webhook is rejected, the service may have room for one only, which is enough.
    const single =
      one === undefined || known.length < 2
        ? undefined
        : await make(true, [one]).catch((error: unknown) => {
            if (error instanceof Untestable) return undefined;
            throw error;
          });
    return { headers, secret, known, all, single, inactive };
  });
}

/** True if a new webhook is inactive by default. Then the field is left out, to test the default. */
function isInactiveByDefault({ target: { spec }, operation }: Call, { active }: Properties): boolean {
  const schema = spec.schemas.at(operation.body ?? {}, `/${active}`);
  return schema !== undefined && spec.schemas.flatten(schema).default === false;
}

function knownEvents(call: Call, { events }: Properties): string[] {
  const { target, operation } = call;
  const schema =
    events === undefined ? undefined : target.spec.schemas.at(operation.body ?? {}, `/${events}`);
  const flat = schema && target.spec.schemas.flatten(schema);
  const given = target.settings.fixtures[flat?.["x-values-from"]?.fixture ?? ""] ?? "";
  const names = given.split(",").map((name) => name.trim());
  return names.filter((name) => name !== "").slice(0, flat?.maxItems);
}

export interface Delivered extends Subscriptions {
  /** Deliveries to the webhook that asks for all events, without tests of its address. */
  deliveries: Delivery[];
}

export function delivered(call: Call, at: Subscribing): Promise<Delivered> {
  return call.target.once(`delivered ${at.operation.id}`, () => deliveredTo(call, at));
}

async function deliveredTo(call: Call, at: Subscribing): Promise<Delivered> {
  const { target } = call;
  const subscriptions = await subscribe(call, at);
  const { arrived, wait } = subscriptions.all.mailbox;
  let caused = Number.POSITIVE_INFINITY;
  const deliveries = () =>
    arrived.filter((delivery, index) => index >= caused || tells(delivery, subscriptions));
  if (deliveries().length > 0) {
    await restAtTheEnd(target, STRAGGLING);
    return { ...subscriptions, deliveries: deliveries() };
  }
  for (const kind of ["update", "create"] as const) {
    caused = Math.min(caused, arrived.length);
    await cause(call, kind);
    await wait(PATIENCE, () => deliveries().length > 0);
    if (deliveries().length === 0) continue;
    await target.pause(STRAGGLING);
    return { ...subscriptions, deliveries: deliveries() };
  }
  throw new Untestable("not-shown", "no delivery arrived; the specification does not say what causes one");
}

/** True if a delivery names an event. Tests of a new address name none. */
export function tells(delivery: Delivery, { headers, known }: Subscriptions): boolean {
  const carries = Object.keys(headers).some((name) => name.toLowerCase() in delivery.headers);
  return carries || known.length === 0 || eventsIn(delivery, known).length > 0;
}

/**
 * Sends a write to every operation of a kind but `except`. Returns the texts that identify the deliveries of
 * these writes.
 */
export async function cause(call: Call, kind: Operation["kind"], except?: Operation): Promise<string[]> {
  const { spec, runId } = call.target;
  const others = spec.operations.filter((each) => each.kind === kind && each !== except);
  const texts = await Promise.all(
    others.map(async (operation) => {
      try {
        const other = call.to(operation);
        const plan = await other.fresh();
        await other.send(plan, "cause");
        return textsIn(plan.body?.kind === "json" ? plan.body.value : null);
      } catch (error) {
        // A write that can't be sent for lack of data causes no delivery.
        if (!(error instanceof Untestable)) throw error;
        return [];
      }
    }),
  );
  return texts.flat().filter((text) => text.includes(runId));
}
