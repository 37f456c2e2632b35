/**
 * Texts and attributes in creates: legal ones are shown unchanged, others are rejected or shown unchanged.
 */

import type { Call } from "../../client/call.ts";
import { Untestable } from "../../client/check.ts";
import { isAccepted, resourceOf } from "../../client/target.ts";
import { MARKUP } from "../../generators/text.ts";
import { isObject } from "../../spec/json.ts";
import type { Spec } from "../../spec/model/spec.ts";
import { acceptedCreations, triedParts } from "../shared/creation.ts";
import { type Declinable, declinableValues, inBrackets, mixedMaps, takesText } from "../shared/echo.ts";
import { operationsWithBody, type Place, rule, suiteOf } from "../shared/rule.ts";
import { mustTakeEverywhere, mustTakeTexts, triedDeclinables } from "./awkward-bodies.ts";
import { mustEcho, shownInAnswer } from "./echoed.ts";

const anyText = rule({
  requirement: "CREATE-ECHO",
  over: (spec) =>
    operationsWithBody(spec, "create")
      .filter((operation) => takesText(spec, operation))
      .map((operation) => ({ operation, detail: "any text" })),
  title: ({ operation }) => `${operation.key} shows sent texts unchanged, with any characters`,
  async run(call) {
    await call.control();
    const tried = await triedParts(call, ({ kind }) => kind === "text");
    await mustTakeTexts(call.target, tried);
  },
});

/**
 * Texts that may make a firewall block the run, so they are sent last. Each creates a resource, so only
 * markup is sent, which services change most; updates send the rest.
 */
export const suspectTexts = suiteOf(
  "creates",
  rule({
    stage: "provoke",
    requirement: "CREATE-ECHO",
    over: (spec) =>
      operationsWithBody(spec, "create")
        .filter((operation) => takesText(spec, operation))
        .map((operation) => ({ operation, detail: MARKUP.detail })),
    title: ({ operation }) => `${operation.key} shows sent texts unchanged, ${MARKUP.detail} too`,
    versions: "rotated",
    async run(call) {
      await call.control();
      await mustTakeEverywhere(call, MARKUP.text);
    },
  }),
);

/**
 * The rule about details that a careful service may change: the order of a list, the case of a mail address.
 */
const details = rule({
  requirement: "CREATE-ECHO-DETAILS",
  over: (spec) => operationsWithBody(spec, "create").map((operation) => ({ operation })),
  title: ({ operation }) =>
    `${operation.key} shows lists in the order, and mail addresses in the case, that were sent`,
  async run(call) {
    const { target, operation } = call;
    const made = await acceptedCreations(call);
    if (made.length === 0) throw new Untestable("control-rejected", `${operation.key} made nothing`);
    for (const creation of made) {
      const shown = shownInAnswer(creation);
      if (!shown) continue;
      // Another rule reports a missing value.
      try {
        await mustEcho(target, creation, shown);
      } catch {
        continue;
      }
      await mustEcho(target, creation, shown, { exact: true });
    }
  },
});

interface DeclinablePlace extends Place {
  declinable: Declinable;
  /** All values that the operation may reject. Those of a group are sent together. */
  groups: Declinable[][];
}

/** Groups of values, each with at most one value for a field. */
function grouped(values: Declinable[]): Declinable[][] {
  const groups: Declinable[][] = [];
  for (const value of values) {
    const free = groups.find((group) => !group.some(({ name }) => name === value.name));
    if (free) free.push(value);
    else groups.push([value]);
  }
  return groups;
}

/** The group, with all kinds of attributes in one value, since depth quick sends few groups. */
function mixed(group: readonly Declinable[], all: readonly Declinable[]): Declinable[] {
  const maps = mixedMaps(all);
  const others = maps.filter(({ name }) => !group.some((each) => each.name === name));
  const extended = group.map((each) => {
    const map = maps.find(({ name }) => name === each.name);
    return map && isObject(each.value) ? { ...each, value: { ...map.value, ...each.value } } : each;
  });
  return [...extended, ...others];
}

function declinablePlaces(spec: Spec): DeclinablePlace[] {
  return operationsWithBody(spec, "create").flatMap((operation) => {
    const values = declinableValues(spec, operation.body ?? {});
    const groups = grouped(values);
    return values.map((declinable) => ({
      operation,
      declinable,
      groups,
      detail: `declinable ${declinable.detail}`,
    }));
  });
}

/** The rule about values that a service may reject: if it accepts one, it must show it unchanged. */
const declinable = rule({
  notes: "awkwardValues",
  requirement: ({ declinable }) => (declinable.trimmed ? "CREATE-ECHO-DETAILS" : "CREATE-ECHO"),
  over: declinablePlaces,
  group: ({ operation, declinable }) =>
    declinable.trimmed ? "declinable blanks" : `${operation.key} declinable value`,
  title: ({ operation, declinable }) =>
    `${operation.key} either rejects ${inBrackets(declinable.detail)} or shows it unchanged`,
  async run(call, { declinable, groups }) {
    const { target, operation } = call;
    await call.control();
    const index = groups.findIndex((group) => group.includes(declinable));
    const isQuick = target.settings.depth === "quick";
    const group = groups[index] ?? [];
    const pack = isQuick ? mixed(group, groups.flat()) : group;
    const tried = await target.once(`declinable ${operation.id} ${index}`, () =>
      triedDeclinables(call, pack),
    );
    for (const { declinable: one, creation } of tried) {
      call.note(
        "CREATE-AWKWARD",
        "awkwardValues",
        { status: creation.answer.status },
        { field: one.name, tried: one.detail },
      );
    }
    const own = tried.find((each) => each.declinable.detail === declinable.detail);
    if (!own || !isAccepted(own.creation.answer)) {
      const { answer } = own?.creation ?? {};
      throw new Untestable("declined", `${declinable.detail} was answered ${answer?.status}`, [answer]);
    }
    // Depth quick has no check for the other values in the same body, so they are judged here.
    for (const { declinable: one, creation } of isQuick ? tried : [own]) {
      if (one.free || one.trimmed !== declinable.trimmed || !isAccepted(creation.answer)) continue;
      const shown = shownInAnswer(creation);
      if (!shown) throw new Untestable("no-data", "no resource is shown");
      await mustEcho(target, creation, shown, { part: { field: one.name } });
    }
  },
});

/** Records which values are declined. The rule above has judged them. */
const declines = rule({
  requirement: "CREATE-AWKWARD",
  over: (spec) => operationsWithBody(spec, "create").map((operation) => ({ operation })),
  title: ({ operation }) => `which unusual texts ${operation.key} rejects`,
  async run(call: Call) {
    resourceOf(await call.control());
  },
});

export const createTexts = suiteOf("creates", anyText, details, declinable, declines);
