import { Untestable } from "../client/check.ts";
import { listOf } from "../client/relations.ts";
import type { Operation, Spec } from "../spec/model/spec.ts";
import { type Part, partsOf } from "../trials/body-parts.ts";
import {
  acceptedCreations,
  fullCreation,
  minimalCreation,
  mustHaveMade,
  planningSupply,
  triedParts,
} from "../trials/creation.ts";
import { mustEcho, mustShowParts, shownInAnswer } from "../trials/echoed.ts";
import { allListed, listed, notListed } from "../trials/listed.ts";
import { ensureItems, makeReadable } from "../trials/own-items.ts";
import { judges, operationsWithBody, type Place, rule, suiteOf } from "../trials/rule.ts";
import { makeWhatIsNeeded } from "../trials/subscriptions.ts";

interface PartsPlace extends Place {
  title: string;
  pick(part: Part): boolean;
}

const EXTENTS = [
  { detail: "minimal", what: "required fields", made: minimalCreation },
  { detail: "full", what: "all fields", made: fullCreation },
];

const echo = judges({
  requirement: "CREATE-ECHO",
  over: (spec) =>
    operationsWithBody(spec, "create").flatMap((operation) =>
      EXTENTS.map((extent) => ({ operation, ...extent })),
    ),
  title: ({ operation, what }) => `${operation.key} shows what was sent (${what})`,
  versions: "rotated",
  story: (call, { made }) => made(call),
  async look(creation, _, call) {
    const { target } = call;
    mustHaveMade(target, creation);
    const shown = shownInAnswer(creation);
    if (shown) await mustEcho(target, creation, shown);
  },
});

/** All sent values, under all versions. */
const everyEcho = rule({
  requirement: "CREATE-ECHO",
  over: (spec) =>
    operationsWithBody(spec, "create").map((operation) => ({ operation, detail: "every call" })),
  title: ({ operation }) => `${operation.key} shows what was sent in every answer of the run`,
  async run(call) {
    const { target, operation } = call;
    const made = await acceptedCreations(call);
    if (made.length === 0) throw new Untestable("control-rejected", `${operation.key} made nothing`);
    for (const creation of made) {
      const shown = shownInAnswer(creation);
      if (shown) await mustEcho(target, creation, shown);
    }
  },
});

const PARTS: Omit<PartsPlace, "operation">[] = [
  {
    detail: "at the limits",
    title: "where a field is as long as its rule allows",
    pick: ({ kind, what }) => kind === "edge" && !isEmpty(what),
  },
  {
    detail: "empty list",
    title: "where a list is empty",
    pick: ({ kind, what }) => kind === "edge" && what === "minItems 0 elements",
  },
  { detail: "null", title: "where a field is null", pick: ({ kind }) => kind === "null" },
  {
    detail: "each value",
    title: "for every enumerated value of a field",
    pick: ({ kind }) => kind === "each value",
  },
];

function isEmpty(what: string): boolean {
  return what === "minItems 0 elements" || what.endsWith("an empty object");
}

/** The places at which an operation has parts of a kind. */
function partPlaces(spec: Spec): PartsPlace[] {
  return operationsWithBody(spec, "create").flatMap((operation) => {
    const parts = partsOf(spec, operation, planningSupply(spec));
    const switches = parts
      .filter(({ kind }) => kind === "switch")
      .map((part) => ({
        detail: `${part.field} ${part.what}`,
        title: `where ${part.field} is ${part.what}`,
        pick: ({ kind, field, what }: Part) =>
          kind === "switch" && field === part.field && what === part.what,
      }));
    return [...PARTS.filter(({ pick }) => parts.some(pick)), ...switches].map((place) => ({
      operation,
      ...place,
    }));
  });
}

const partsShown = rule({
  requirement: "CREATE-ECHO",
  over: partPlaces,
  title: ({ operation, title }) => `${operation.key} shows what was sent ${title}`,
  async run(call, { pick, title }) {
    const { target } = call;
    await mustShowParts(target, await triedParts(call, pick), title);
  },
});

interface ListedPlace extends Place {
  list: Operation;
}

function listPlaces(detail?: string): (spec: Spec) => ListedPlace[] {
  return (spec) =>
    operationsWithBody(spec, "create").flatMap((operation) => {
      const list = listOf(spec, operation);
      return list ? [{ operation, list, ...(detail === undefined ? {} : { detail }) }] : [];
    });
}

/** Before anything reads lists: creates enough items to page through, and finds each in its list. */
const severalListed = rule({
  stage: "prepare",
  requirement: "CREATE-LISTED",
  over: listPlaces("several"),
  title: ({ operation, list }) => `every new resource of ${operation.key} is in ${list.key}`,
  async run(call, { list }) {
    const { target, operation } = call;
    if (target.settings.depth === "full") await makeWhatIsNeeded(target, operation);
    const made = await allListed(call, list);
    await ensureItems(target, list);
    await makeReadable(target, operation);
    if (made.length === 0) throw new Untestable("control-rejected", `${operation.key} made nothing`);
    for (const each of made) if (!each.item) throw notListed(each, list);
  },
});

const oneListed = rule({
  requirement: "CREATE-LISTED",
  over: listPlaces(),
  title: ({ operation, list }) => `a new resource of ${operation.key} is in ${list.key}`,
  async run(call, { list }) {
    const { target } = call;
    const creation = await call.plain("full");
    mustHaveMade(target, creation);
    const [found] = await listed(target, list, [creation]);
    if (!found?.item) throw notListed(found ?? { creation }, list);
  },
});

const shownInList = rule({
  requirement: "CREATE-ECHO",
  over: listPlaces("in the list"),
  title: ({ operation, list }) => `${list.key} shows what was sent to ${operation.key}`,
  async run(call, { list }) {
    const { target } = call;
    const made = (await allListed(call, list)).filter(({ item }) => item);
    if (made.length === 0) throw new Untestable("control-rejected", "no created resource is in the list");
    for (const { creation, item, page } of made) {
      const exchange = (page ?? creation.answer).exchange;
      if (item) await mustEcho(target, creation, { resource: item, by: list, exchange });
    }
  },
});

export const createEchoes = suiteOf("creates", echo, everyEcho, partsShown);

/** New resources are in their list. */
export const createdListed = suiteOf("creates", severalListed, oneListed, shownInList);
