import type { Hooks, Service } from "../hooks.ts";
import { Rejected } from "../problems.ts";
import { answering, together } from "./tools.ts";
import type { Variant } from "./variant.ts";

/** Both times are milliseconds after the start of the service. */
function between(from: number, to: number): { started: Hooks["started"]; isNow(service: Service): boolean } {
  const begun = new WeakMap<Service, number>();
  return {
    started: (service) => begun.set(service, Date.now()),
    isNow: (service) => {
      const since = Date.now() - (begun.get(service) ?? Date.now());
      return since >= from && since < to;
    },
  };
}

function maintenance(from: number, to: number, headers: Readonly<Record<string, string>>): () => Hooks {
  return () => {
    const time = between(from, to);
    return {
      started: time.started ?? (() => undefined),
      pause: (point, { service }) => {
        if (point === "arrived" && time.isNow(service))
          throw new Rejected({ status: 503, headers, problems: [] });
      },
    };
  };
}

function restart(from: number, to: number): () => Hooks {
  return () => {
    const time = between(from, to);
    return together(
      {
        started: time.started ?? (() => undefined),
        pause: (point, { service }) => {
          if (point === "arrived" && time.isNow(service))
            throw new Rejected({ status: 599, headers: {}, problems: [] });
        },
      },
      answering((response) => (response.status === 599 ? { ...response, fault: "reset" } : response)),
    );
  };
}

const times = "Section 8: no response times are stated";
const busy = "Ruling on 5xx: what a gateway answers now and then is treated like 429, and unsteady at worst";

export const outageVariants: readonly Variant[] = [
  {
    name: "writes-take-their-time",
    description: "Each write takes a quarter of a second, each read none.",
    why: `${times}.`,
    hooks: answering((response, { request }) =>
      request.method === "GET" ? response : { ...response, delayMs: response.delayMs + 250 },
    ),
  },
  {
    name: "an-answer-in-a-hundred-takes-two-seconds",
    description: "One answer in 120 takes 2.2 seconds.",
    why: `${times}.`,
    hooks: answering((response, { number }) =>
      number % 120 === 60 ? { ...response, delayMs: response.delayMs + 2200 } : response,
    ),
  },
  {
    name: "first-answers-take-two-seconds",
    description: "The first twelve answers take two seconds each: the service was asleep.",
    why: `${times}.`,
    hooks: answering((response, { number }) =>
      number < 12 ? { ...response, delayMs: response.delayMs + 2000 } : response,
    ),
  },
  {
    name: "lists-take-half-a-second",
    description: "Each list takes half a second, all else no time.",
    why: `${times}.`,
    hooks: answering((response, { facts, params }) =>
      facts?.name.startsWith("GET") && Object.keys(params).length === 0
        ? { ...response, delayMs: response.delayMs + 500 }
        : response,
    ),
  },
  {
    name: "away-for-a-second",
    description: "Three seconds after the start all requests are answered 503 for a second.",
    why: `${busy}.`,
    hooks: maintenance(3000, 4000, { "Retry-After": "1" }),
  },
  {
    name: "restarted-in-the-midst",
    description:
      "Four seconds after the start the service is restarted: connections break for 600 milliseconds.",
    why: "Section 4 leaves HTTP to networks; a call without an answer says nothing.",
    hooks: restart(4000, 4600),
  },
];
