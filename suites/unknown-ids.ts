import { Untestable } from "../client/check.ts";
import { asText, isAccepted, resourceOf } from "../client/target.ts";
import { awkwardId } from "../generators/text.ts";
import { type JsonObject, sameJson } from "../spec/json.ts";
import type { Operation, Spec } from "../spec/model/spec.ts";
import { describeValue } from "../spec/schema.ts";
import { knownPath, listedRecords } from "../trials/listed-records.ts";
import { holds } from "../trials/property.ts";
import { operationsOf, type Place, type Rule, rule, suiteOf } from "../trials/rule.ts";
import {
  knownTo,
  mustNotFind,
  NEARLY_KNOWN,
  notRejected,
  otherKinds,
  readUnknown,
  strangersTo,
  UNKNOWN_IDS,
  type UnknownId,
} from "../trials/unknown-reads.ts";

/** The fixed ids contain the usual problems, so depth quick adds one random text, and depth full few. */
const QUICK_TEXTS = 1;
const FULL_SHARE = 3;

interface Unknown extends Place {
  unknown: UnknownId;
  /** The field that it is similar to; the id of the resource if left out. */
  field?: string;
}

function everyUnknownId(spec: Spec): Unknown[] {
  return operationsOf(spec, "read").flatMap((operation) => {
    if (!operation.pathParameter) return [];
    const others = operation.sameRecord?.by.slice(1) ?? [];
    return [
      ...UNKNOWN_IDS.map((unknown) => ({ operation, unknown, detail: unknown.detail })),
      ...others.flatMap((field) =>
        NEARLY_KNOWN.map((unknown) => ({ operation, unknown, field, detail: `${field} ${unknown.detail}` })),
      ),
    ];
  });
}

const alike = {
  requirement: ({ unknown }) => unknown.requirement ?? "READ-UNKNOWN",
  title: ({ operation, unknown, field = "id" }) =>
    `${operation.key} rejects an unknown ${field} (${unknown.detail})`,
  cause: "unknown-id",
  async run(call, { unknown, field, detail }) {
    const { target } = call;
    const control = await call.control();
    const known = field === undefined ? control.plan.path : await knownPath(call, field);
    const id = unknown.make(known ?? "", target);
    if (id === "" || id === known)
      throw new Untestable("no-data", `the ${field ?? "id"} can't be altered so`);
    const answer = await readUnknown(call, id);
    call.noteRejection(`unknown id: ${detail}`, answer);
    mustNotFind(call, id, answer);
  },
} as const satisfies Partial<Rule<Unknown>>;

/** Probes with a number share the versions among themselves. */
const under: Rule<Unknown>["under"] = ({ unknown: { number } }, index, versions) =>
  number === undefined || number % versions === index;

/** New ids, and ids similar to known ones: under every version. */
const nearlyKnown = rule({
  ...alike,
  over: (spec) => everyUnknownId(spec).filter(({ unknown: { sort } }) => sort === undefined),
  versions: "rotated",
  under,
  group: ({ operation, unknown: { requirement } }) =>
    requirement === undefined ? undefined : `${operation.key} nearly known`,
});

/** Ids with problematic characters: each under one of the versions. */
const awkward = rule({
  ...alike,
  over: (spec) => everyUnknownId(spec).filter(({ unknown: { sort } }) => sort !== undefined),
  versions: "rotated",
  under,
  group: ({ operation, unknown: { sort } }) => `${operation.key} ${sort}`,
});

const anyText = rule({
  requirement: "READ-UNKNOWN",
  over: (spec) =>
    operationsOf(spec, "read").flatMap((operation) =>
      operation.pathParameter ? [{ operation, detail: "any text" }] : [],
    ),
  title: ({ operation }) => `${operation.key} rejects unknown ids of any characters`,
  // One more of the sampled characters.
  group: ({ operation }) => `${operation.key} characters`,
  async run(call) {
    const { target } = call;
    const { depth, runs } = target.settings;
    await call.control();
    const number = depth === "quick" ? Math.min(runs, QUICK_TEXTS) : Math.ceil(runs / FULL_SHARE);
    const statement = async (text: string) => {
      const id = `${text}-${target.runId}`;
      mustNotFind(call, id, await readUnknown(call, id));
    };
    await holds(target, awkwardId(), statement, number);
  },
});

/** The ids of two kinds may coincide, so only the very record of the other list counts, if the own list lacks it. */
const otherKind = rule({
  requirement: "READ-UNKNOWN",
  over: otherKinds,
  title: ({ operation, field, other }) => `${operation.key} rejects the ${field} of what ${other.key} shows`,
  cause: "unknown-id",
  async run(call, { field, own, other }) {
    const { target, operation } = call;
    await call.control();
    const shown = async (list: Operation) =>
      (await listedRecords(target, list, call.version)).map(({ item }) => item);
    const known = new Set((await shown(own)).map((item) => item[field]));
    const item = (await shown(other)).find(
      (candidate) => asText(candidate[field]) !== undefined && !known.has(candidate[field]),
    );
    const path = asText(item?.[field]);
    if (!item || path === undefined)
      throw new Untestable("no-data", `${other.key} shows nothing that ${own.key} does not`);
    const answer = await readUnknown(call, path);
    const found = isAccepted(answer) ? resourceOf(answer) : undefined;
    const documented = (value: JsonObject) => target.spec.schemas.documented(operation.resource ?? {}, value);
    if (found && sameJson(documented(found), documented(item)))
      throw notRejected(`${describeValue(path, 60)}, which ${other.key} shows,`, answer);
  },
});

const anotherKind = rule({
  requirement: "READ-UNKNOWN",
  over: (spec) =>
    operationsOf(spec, "read").flatMap((operation) =>
      operation.pathParameter && strangersTo(spec, operation).length > 0
        ? [{ operation, detail: "of another kind" }]
        : [],
    ),
  title: ({ operation }) => `${operation.key} rejects the id of something else`,
  versions: "rotated",
  cause: "unknown-id",
  async run(call) {
    const { path: own } = (await call.control()).plan;
    for (const other of strangersTo(call.target.spec, call.operation)) {
      const path = await knownTo(call.to(other));
      if (path === undefined || path === own) continue;
      mustNotFind(call, path, await readUnknown(call, path));
      return;
    }
    throw new Untestable("no-data", "nothing else is known");
  },
});

/** The rules about reads of missing resources. */
export const unknownIds = suiteOf("reads", nearlyKnown, awkward, anyText, otherKind, anotherKind);
