/** Creates (sections 4.2 and 4.14): what was sent is shown, defaults hold, and what was made is in its list. */

import { type Check, Untestable, Violation } from "../client/check.ts";
import { plainCreation } from "../client/creations.ts";
import { listOf } from "../client/relations.ts";
import { outerPath, subjectOf } from "../client/subjects.ts";
import { resourceOf, type Target } from "../client/target.ts";
import { sameJson } from "../spec/json.ts";
import type { Operation, Schema, Spec } from "../spec/model/spec.ts";
import { describeValue } from "../spec/schema.ts";
import { type Part, partsOf } from "../trials/body-parts.ts";
import {
  acceptedCreations,
  fullCreation,
  minimalCreation,
  mustHaveMade,
  planningSupply,
  triedParts,
} from "../trials/creation.ts";
import { operationsOf } from "../trials/derive.ts";
import { mustEcho, mustShowParts, shownInAnswer } from "../trials/echoed.ts";
import { type ListedCreation, listed } from "../trials/listed.ts";
import { ensureItems } from "../trials/own-items.ts";
import { judges, type Place, rule, suiteOf } from "../trials/rule.ts";
import { noEffectChecks } from "./create-effects.ts";
import { createTexts, suspectTexts } from "./create-texts.ts";

const SUITE = "creates";
const written = { suite: SUITE, stage: "write", writes: true } as const;

interface FieldPlace extends Place {
  name: string;
}

interface PartsPlace extends Place {
  title: string;
  pick(part: Part): boolean;
}

function creates(spec: Spec): Operation[] {
  return operationsOf(spec, "create").filter(({ body }) => body !== undefined);
}

function fieldsThat(spec: Spec, fits: (schema: Schema) => boolean): FieldPlace[] {
  return creates(spec).flatMap((operation) =>
    Object.entries(spec.schemas.flatten(operation.body ?? {}).properties ?? {})
      .filter(([, child]) => fits(spec.schemas.flatten(child)))
      .map(([name]) => ({ operation, detail: name, name })),
  );
}

const EXTENTS = [
  { detail: "minimal", what: "required fields", made: minimalCreation },
  { detail: "full", what: "all fields", made: fullCreation },
];

const echo = judges({
  ...written,
  requirement: "CREATE-ECHO",
  over: (spec) => creates(spec).flatMap((operation) => EXTENTS.map((extent) => ({ operation, ...extent }))),
  title: ({ operation, what }) => `${operation.key} shows what was sent (${what})`,
  versions: "rotated",
  story: ({ target, operation, version }, { made }) => made(target, operation, version),
  async look(creation, _, { target }) {
    mustHaveMade(target, creation);
    const shown = shownInAnswer(creation);
    if (shown) await mustEcho(target, creation, shown);
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
    title: "whichever value a field takes of a few",
    pick: ({ kind }) => kind === "each value",
  },
];

function isEmpty(what: string): boolean {
  return what === "minItems 0 elements" || what.endsWith("an empty object");
}

/** The places at which an operation has parts of a kind. */
function partPlaces(spec: Spec): PartsPlace[] {
  return creates(spec).flatMap((operation) => {
    const parts = partsOf(spec, operation, planningSupply(spec), { most: 1, turn: 0 });
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
  ...written,
  requirement: "CREATE-ECHO",
  over: partPlaces,
  title: ({ operation, title }) => `${operation.key} shows what was sent ${title}`,
  async run({ target, operation }, { pick, title }) {
    await mustShowParts(target, await triedParts(target, operation, pick), title);
  },
});

const defaults = rule({
  ...written,
  requirement: "CREATE-DEFAULT",
  over: (spec) => fieldsThat(spec, ({ default: usual }) => usual !== undefined),
  title: ({ operation, name }) => `${operation.key} without ${name} makes it what is documented`,
  versions: "rotated",
  async run({ target, operation, version }, { name }) {
    const field = target.spec.schemas.flatten(operation.body ?? {}).properties?.[name] ?? {};
    const expected = target.spec.schemas.flatten(field).default;
    const left = await triedParts(
      target,
      operation,
      ({ kind, field }) => kind === "left out" && field === name,
    );
    const minimal = await minimalCreation(target, operation, version);
    for (const creation of [minimal, ...left.map(({ creation }) => creation)]) {
      mustHaveMade(target, creation);
      const shown = resourceOf(creation.answer)?.[name];
      if (name in creation.sent || sameJson(shown, expected)) continue;
      throw new Violation(`${name} ${describeValue(expected)}`, describeValue(shown), [
        { ...creation.answer.exchange, offending: `/result/${name}` },
      ]);
    }
  },
});

/** The fields of a resource that may show null after null was sent. */
function nullEchoes(spec: Spec, operation: Operation): string[] {
  const resource = operation.resource && spec.schemas.flatten(operation.resource);
  return Object.entries(resource?.properties ?? {})
    .filter(([, child]) => spec.schemas.flatten(child)["x-null-echo"])
    .map(([name]) => name);
}

/** A field that may show null after null was sent shows none when it was not (ruling on row 10). */
const noOtherNull = rule<Place & { requirement: string; names: string[] }>({
  ...written,
  requirement: ({ requirement }) => requirement,
  over: (spec) =>
    creates(spec).flatMap((operation) => {
      const resource = operation.resource && spec.schemas.flatten(operation.resource);
      const requirement = resource?.["x-requirements"]?.fields;
      const names = nullEchoes(spec, operation);
      return requirement === undefined || names.length === 0
        ? []
        : [{ operation, detail: "null that was not sent", requirement, names }];
    }),
  title: ({ operation, names }) =>
    `${operation.key} shows no null for ${names.join(" and ")} unless null was sent`,
  async run({ target, operation, version }, { names }) {
    const creations = await Promise.all([
      minimalCreation(target, operation, version),
      fullCreation(target, operation, version),
    ]);
    for (const creation of creations) {
      mustHaveMade(target, creation);
      const shown = resourceOf(creation.answer);
      const wrong = names.find((name) => creation.sent[name] !== null && shown?.[name] === null);
      if (wrong !== undefined)
        throw new Violation(`no null for ${wrong}: none was sent`, "null", [
          { ...creation.answer.exchange, offending: `/result/${wrong}` },
        ]);
    }
  },
});

/** Values that the caller does not choose: recorded. */
const initial = rule<FieldPlace & { requirement: string }>({
  ...written,
  requirement: ({ requirement }) => requirement,
  over: (spec) =>
    creates(spec).flatMap((operation) => {
      const resource = operation.resource && spec.schemas.flatten(operation.resource);
      return Object.entries(resource?.properties ?? {}).flatMap(([name, child]) => {
        const requirement = spec.schemas.flatten(child)["x-initial"];
        return requirement ? [{ operation, name, requirement }] : [];
      });
    }),
  title: ({ operation, name }) => `${name} of what ${operation.key} makes`,
  async run(call, { name, requirement }) {
    const shows = resourceOf(await call.control())?.[name];
    call.target.note({
      requirement,
      operation: call.operation.key,
      practice: "initialValue",
      field: name,
      answer: { shows },
    });
  },
});

interface ListPlace extends Place {
  list: Operation;
}

function listPlaces(detail?: string): (spec: Spec) => ListPlace[] {
  return (spec) =>
    creates(spec).flatMap((operation) => {
      const list = listOf(spec, operation);
      return list ? [{ operation, list, ...(detail === undefined ? {} : { detail }) }] : [];
    });
}

/** Each accepted creation of the story, as the list shows it. */
function allListed(target: Target, operation: Operation, list: Operation) {
  return target.once(`listed ${operation.id}`, async () =>
    listed(target, list, await acceptedCreations(target, operation)),
  );
}

function notListed({ creation: { answer }, page }: ListedCreation, list: Operation): Violation {
  const evidence = [answer.exchange, ...(page ? [{ ...page.exchange, offending: "/result" }] : [])];
  return new Violation(`${String(resourceOf(answer)?.id)} in ${list.key}`, "not there", evidence);
}

/** Before anything reads lists: enough items to page through, each of them shown by its list. */
const severalListed = rule({
  suite: SUITE,
  stage: "prepare",
  writes: true,
  requirement: "CREATE-LISTED",
  over: listPlaces("several"),
  title: ({ operation, list }) =>
    `what ${operation.key} makes is in ${list.key}, in whatever form it was made`,
  async run({ target, operation }, { list }) {
    const made = await allListed(target, operation, list);
    await ensureItems(target, list);
    await makeReadable(target, operation);
    if (made.length === 0) throw new Untestable("control-rejected", `${operation.key} made nothing`);
    for (const each of made) if (!each.item) throw notListed(each, list);
  },
});

/** What others read of what this makes, made before anything reads: later it would move the list. */
async function makeReadable(target: Target, create: Operation): Promise<void> {
  for (const reader of operationsOf(target.spec, "list", "read")) {
    const own = reader.pathParameter?.madeBy === create.id;
    const within = reader.outer.some(({ madeBy }) => madeBy === create.id);
    if (!own && !within) continue;
    await (own ? subjectOf(target, reader, "read") : outerPath(target, reader)).catch((error: unknown) => {
      if (!(error instanceof Untestable)) throw error;
    });
  }
}

const oneListed = rule({
  ...written,
  requirement: "CREATE-LISTED",
  over: listPlaces(),
  title: ({ operation, list }) => `what ${operation.key} makes is in ${list.key}`,
  async run({ target, operation, version }, { list }) {
    const creation = await plainCreation(target, operation, "full", version);
    mustHaveMade(target, creation);
    const [found] = await listed(target, list, [creation]);
    if (!found?.item) throw notListed(found ?? { creation }, list);
  },
});

const shownInList = rule({
  ...written,
  requirement: "CREATE-ECHO",
  over: listPlaces("in the list"),
  title: ({ operation, list }) => `${list.key} shows what was sent to ${operation.key}`,
  async run({ target, operation }, { list }) {
    const made = (await allListed(target, operation, list)).filter(({ item }) => item);
    if (made.length === 0) throw new Untestable("control-rejected", "no created resource is in the list");
    for (const { creation, item, page } of made) {
      const exchange = (page ?? creation.answer).exchange;
      if (item) await mustEcho(target, creation, { resource: item, by: list, exchange });
    }
  },
});

const suite = suiteOf(
  echo,
  partsShown,
  defaults,
  noOtherNull,
  createTexts,
  initial,
  severalListed,
  oneListed,
  shownInList,
  noEffectChecks,
  suspectTexts,
);

export function createChecks(spec: Spec): Check[] {
  return suite(spec);
}
