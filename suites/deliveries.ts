/** Deliveries (section 6): what arrives at the callback URL, and that nothing arrives which nobody asked for. */

import type { Call } from "../client/call.ts";
import { Untestable, Violation } from "../client/check.ts";
import { restAtTheEnd } from "../client/patience.ts";
import { createdResource, sendBody } from "../client/subjects.ts";
import { validBody } from "../client/supply.ts";
import { type Delivery, isRejected, type Mailbox } from "../client/target.ts";
import { withValue } from "../generators/at-pointer.ts";
import { withBody } from "../generators/request.ts";
import type { JsonObject } from "../spec/json.ts";
import type { Operation, Schema, Spec } from "../spec/model/spec.ts";
import { bodyForm, eventsIn, signedIn } from "../trials/delivery-forms.ts";
import { judges, type Place, rule, type StoryRule, suiteOf } from "../trials/rule.ts";

const SUITE = "deliveries";
/** Milliseconds that a first delivery may take to arrive. */
const PATIENCE = 3_000;
/** And for which others of the same event are waited for then. */
const STRAGGLING = 300;

type Properties = NonNullable<Schema["x-deliveries"]>;

interface Subscribing extends Place {
  properties: Properties;
}

function subscribing(spec: Spec): Subscribing[] {
  return spec.operations.flatMap((operation) => {
    const properties =
      operation.kind === "create" && operation.body
        ? spec.schemas.flatten(operation.body)["x-deliveries"]
        : undefined;
    return properties ? [{ operation, properties }] : [];
  });
}

/** An address that a webhook was made for, and the events that it asked for; none named is none known. */
interface Subscribed {
  mailbox: Mailbox;
  events: string[] | undefined;
}

interface Subscriptions {
  headers: Record<string, string>;
  secret: string;
  /** Names of events that the service knows. */
  known: string[];
  all: Subscribed;
  /** Active, for one event of those that are known; undefined where fewer than two are. */
  single: Subscribed | undefined;
  inactive: Subscribed;
}

/** Webhooks at addresses of the run's own, made before anything happens that they may be told of. */
function subscribe(call: Call, { properties }: Subscribing): Promise<Subscriptions> {
  const { target, operation } = call;
  return target.once(`subscriptions ${operation.id}`, async () => {
    const receiver = await target.receiver();
    if (!receiver)
      throw new Untestable("no-callback", "give --callback-url and --callback-port to receive deliveries");
    const secret = `whsec${target.runId}${target.unique().replace(/[^a-z0-9]/g, "")}`;
    const headers = { "X-Conformance-Run": target.runId, "X-Conformance-Check": "Every Delivery" };
    const known = knownEvents(call, properties);
    const make = async (active: boolean, events: string[] | undefined): Promise<Subscribed> => {
      const mailbox = receiver.mailbox();
      const parts: [string | undefined, unknown][] = [
        [properties.url, mailbox.url],
        [properties.headers, headers],
        [properties.secret, secret],
        [properties.active, active],
        [events && properties.events, events],
      ];
      const body = parts.reduce<JsonObject>(
        (made, [place, value]) => (place === undefined ? made : withValue(made, `/${place}`, value)),
        await validBody(target, operation, "full"),
      );
      const answer = await sendBody(target, withBody(await call.valid(), body));
      // Private hosts, or such as do not resolve, may well be refused: then nothing can be received there.
      if (isRejected(answer))
        throw new Untestable(
          "no-callback",
          `${operation.key} was answered ${answer.status} to ${mailbox.url}: give a callback address that it takes`,
          [answer.exchange],
        );
      createdResource(target, operation, answer);
      return { mailbox, events };
    };
    const one = known[target.settings.seed % Math.max(known.length, 1)];
    const all = await make(true, known.length > 0 ? known : undefined);
    const inactive = await make(false, all.events);
    const single = one === undefined || known.length < 2 ? undefined : await make(true, [one]);
    return { headers, secret, known, all, single, inactive };
  });
}

/** The names that the user gave for the events of the service, as many as a webhook may ask for. */
function knownEvents({ target, operation }: Call, { events }: Properties): string[] {
  const schema =
    events === undefined ? undefined : target.spec.schemas.at(operation.body ?? {}, `/${events}`);
  const flat = schema && target.spec.schemas.flatten(schema);
  const given = target.settings.fixtures[flat?.["x-values-from"]?.fixture ?? ""] ?? "";
  const names = given.split(",").map((name) => name.trim());
  return names.filter((name) => name !== "").slice(0, flat?.maxItems);
}

interface Delivered extends Subscriptions {
  /** What came to the webhook that asked for all events, but for questions to its address. */
  deliveries: Delivery[];
}

/** The subscriptions once something has been delivered. Throws Untestable where nothing is. */
async function delivered(call: Call, at: Subscribing): Promise<Delivered> {
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
  throw new Untestable("not-shown", "no delivery arrived; what causes one is not shown");
}

/** Whether it tells of an event: a new address may be asked whether it is there, and that names none. */
function tells(delivery: Delivery, { headers, known }: Subscriptions): boolean {
  const carries = Object.keys(headers).some((name) => name.toLowerCase() in delivery.headers);
  return carries || known.length === 0 || eventsIn(delivery, known).length > 0;
}

/** Sends a write of a kind to every operation that has some: each may be an event. */
async function cause(call: Call, kind: Operation["kind"]): Promise<void> {
  for (const operation of call.target.spec.operations.filter((each) => each.kind === kind)) {
    try {
      const other = call.to(operation);
      await other.send(await other.fresh(), "cause");
    } catch (error) {
      // What can't be sent for want of data causes nothing.
      if (!(error instanceof Untestable)) throw error;
    }
  }
}

const story = {
  suite: SUITE,
  over: subscribing,
  stage: "finish",
  writes: true,
  story: (call, at) => call.target.once(`delivered ${at.operation.id}`, () => delivered(call, at)),
} as const satisfies Partial<StoryRule<Subscribing, Delivered>>;

export const deliveryChecks = suiteOf(
  rule<Subscribing>({
    suite: SUITE,
    requirement: "DELIVERY-CONTENT",
    over: (spec) => subscribing(spec).map((at) => ({ ...at, detail: "subscribed" })),
    title: ({ operation }) => `whether ${operation.key} takes addresses of this run`,
    // Before all writes that a delivery may tell of.
    stage: "prepare",
    writes: true,
    async run(call, at) {
      await subscribe(call, at);
      call.target.note({
        requirement: "DELIVERY-CONTENT",
        operation: at.operation.key,
        practice: "callbackAddress",
        answer: { word: "accepted" },
      });
    },
  }),
  judges({
    ...story,
    requirement: "DELIVERY-HEADERS",
    title: () => "the custom headers of a webhook are on each delivery",
    look(subscriptions) {
      const { deliveries, single, headers } = subscriptions;
      const others = single?.mailbox.arrived.filter((delivery) => tells(delivery, subscriptions)) ?? [];
      for (const delivery of [...deliveries, ...others]) {
        for (const [name, value] of Object.entries(headers)) {
          const actual = delivery.headers[name.toLowerCase()];
          if (actual !== value)
            throw new Violation(`the header ${name}: ${value}`, actual ?? "absent", [], { certain: true });
        }
      }
    },
  }),
  judges({
    ...story,
    requirement: "DELIVERY-INACTIVE",
    title: () => "nothing is delivered to an inactive webhook",
    look({ deliveries, inactive }) {
      const forms = new Set(deliveries.map(({ body }) => bodyForm(body)));
      // What looks like no delivery may be a question to the address.
      const [wrong] = inactive.mailbox.arrived.filter(({ body }) => forms.has(bodyForm(body)));
      if (wrong) throw new Violation("no delivery", `one of ${bodyForm(wrong.body)}`, [], { certain: true });
    },
  }),
  judges({
    ...story,
    requirement: "DELIVERY-SUBSCRIBED",
    title: () => "a webhook gets no event that it did not ask for",
    look({ deliveries, single, known }) {
      if (!single) throw new Untestable("no-fixture", "give two names or more as --fixture eventNames=A,B");
      const asked = new Set(single.events);
      const others = deliveries.flatMap((delivery) => eventsIn(delivery, known));
      for (const delivery of single.mailbox.arrived) {
        const named = eventsIn(delivery, known);
        if (named.length > 0 && !named.some((name) => asked.has(name)))
          throw new Violation(`${[...asked].join()} alone`, `a delivery of ${named.join()}`, [], {
            certain: true,
          });
      }
      if (others.every((name) => asked.has(name)))
        throw new Untestable(
          "not-shown",
          "no delivery names an event that the other webhook did not ask for",
        );
    },
  }),
  judges({
    ...story,
    requirement: "DELIVERY-CONTENT",
    title: () => "what a delivery holds",
    look({ deliveries, headers }, { operation }, { target }) {
      const own = new Set(Object.keys(headers).map((name) => name.toLowerCase()));
      const say = (
        practice: "deliveryMethod" | "deliveryHeaders" | "deliveryBody",
        of: (delivery: Delivery) => string,
      ) => {
        const names = [...new Set(deliveries.map(of))].sort();
        target.note({
          requirement: "DELIVERY-CONTENT",
          operation: operation.key,
          practice,
          answer: { names },
        });
      };
      say("deliveryMethod", ({ method }) => method);
      say("deliveryHeaders", (delivery) =>
        Object.keys(delivery.headers)
          .filter((name) => !own.has(name))
          .sort()
          .join(" "),
      );
      say("deliveryBody", ({ body }) => bodyForm(body));
    },
  }),
  judges({
    ...story,
    requirement: "DELIVERY-SIGNATURE",
    notes: "deliverySignature",
    title: () => "whether a header of a delivery is the HMAC-SHA256 of its body",
    look({ deliveries, secret }, { operation }, { target }) {
      const names = [...new Set(deliveries.map((delivery) => signedIn(delivery, secret) ?? ""))].sort();
      target.note({
        requirement: "DELIVERY-SIGNATURE",
        operation: operation.key,
        practice: "deliverySignature",
        answer: { names },
      });
    },
  }),
);
