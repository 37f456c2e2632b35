import { Call } from "../../client/call.ts";
import { NotTested, stageOf, unlessNotTested } from "../../client/check.ts";
import { askOnOtherPath } from "../../client/other-path.ts";
import { withSpace } from "../../client/samples.ts";
import { type Answer, asText, isRejected, type Probe, type Target } from "../../client/target.ts";
import { type RequestPlan, requestTo, withHeaders } from "../../generators/request.ts";
import type { History } from "../../history/history.ts";
import { operationById } from "../../spec/loading/load.ts";
import type { Operation, SameRecord } from "../../spec/model/spec.ts";
import { allowedVersions } from "../../spec/versions.ts";
import { actOnNew } from "../shared/action.ts";
import { fullCreation } from "../shared/creation.ts";
import { listedPages, pickedRecords } from "../shared/listed-records.ts";
import { comparedVersions, type VersionPair } from "./compared.ts";

export function underEachVersion(operation: Operation): Probe {
  return {
    id: `each version ${operation.id}`,
    stage: stageOf(operation),
    async run(target) {
      const call = new Call(target, operation);
      const ask = (versions: (string | null)[]) =>
        Promise.all(versions.map((version) => call.under(version).controlAnswer()));
      if (!(await ask(call.allowed)).some(isRejected)) return;
      const answers = await ask(call.versions);
      for (const [index, version] of call.versions.entries())
        if (answers.slice(index, index + 1).some(isRejected)) await actOnNew(call.under(version));
    },
  };
}

export function underUnknownVersions(operation: Operation): Probe {
  return withHeaderValues("unknown versions", operation, (target) => unknownVersions(target, operation));
}

export function underEmptyVersion(operation: Operation): Probe {
  return withHeaderValues("empty version", operation, () => [""]);
}

function withHeaderValues(words: string, operation: Operation, values: (target: Target) => string[]): Probe {
  return {
    id: `${words} ${operation.id}`,
    stage: stageOf(operation),
    sendsRejectedCreates: operation.kind === "create",
    async run(target) {
      const call = new Call(target, operation);
      await call.control();
      for (const value of values(target)) {
        const plan = await call.under(null).fresh();
        await call.send(withHeaders(plan, { [operation.version?.name ?? ""]: value }));
      }
    },
  };
}

/** Returns `x-refused` versions, one of other operations, a later and a made-up one. */
function unknownVersions({ spec, settings, seed }: Target, operation: Operation): string[] {
  const { version, method } = operation;
  const allowed = allowedVersions(spec, operation);
  const ofOthers = spec.versions.filter((each) => !allowed.includes(each)).slice(-1);
  const rejected = [...(version?.schema["x-refused"] ?? []).map(String), ...ofOthers];
  const others = [laterVersion(spec.versions), "conformance-unknown"];
  const all = [...rejected, ...others];
  if (settings.depth === "full") return all;
  const sample = Math.abs(seed);
  if (method === "GET") return all.filter((_, index) => index === sample % all.length);
  return rejected.length > 0 ? rejected : others.filter((_, index) => index === sample % others.length);
}

function laterVersion(versions: readonly string[]): string {
  const newest = versions.at(-1) ?? "1";
  const later = newest.replace(/\d+/, "2099");
  return versions.includes(later) || later === newest ? `${newest}-later` : later;
}

/** If newer and older alternated, two replicas that take turns would look like two versions. */
const ORDER = [
  "newer",
  "older",
  "older",
  "newer",
  "newer",
  "older",
  "older",
  "newer",
  "newer",
  "older",
] as const;

export function underTwoVersions(at: VersionPair): Probe {
  const { operation, older, newer } = at;
  return {
    id: `versions ${operation.id} ${older} ${newer}`,
    stage: stageOf(operation),
    async run(target) {
      const { serviceVersion } = target.settings;
      if (serviceVersion !== "all")
        throw new NotTested("not-selected", `only version ${serviceVersion} is sent`);
      const look = (which: "older" | "newer", again: boolean) =>
        lookAt(new Call(target, operation, at[which]), again);
      await look("older", false);
      await look("newer", false);
      // A write between the reads makes them incomparable.
      if (operation.method === "GET" && nothingCompared(target.history(), at)) await look("older", true);
      for (const which of ORDER) {
        const { differences } = comparedVersions(target.history(), at);
        if (!differences.some(({ verdict }) => verdict === "open")) return;
        await look(which, true);
      }
    },
  };
}

function nothingCompared(history: History, at: VersionPair): boolean {
  const { differences, evidence } = comparedVersions(history, at);
  return differences.length + evidence.length === 0;
}

async function lookAt(call: Call, again: boolean): Promise<void> {
  const { target, operation, version } = call;
  const ask = (plan: RequestPlan): Promise<Answer> =>
    again ? target.send(plan, { valid: true }) : call.target.ask(plan);
  switch (operation.kind) {
    case "list":
      await listedPages(target, operation, version, ask);
      break;
    case "read":
      await Promise.all((await readsOf(call)).map(ask));
      break;
    case "create":
      await fullCreation(call);
      break;
    case "update":
      await (again ? call.send(await call.fresh(), "again") : call.controlAnswer());
      break;
    default:
      await ask(withSpace(call.target, await call.valid()));
  }
}

const RECORDS_COMPARED = 4;

async function readsOf({ target, operation, version }: Call): Promise<RequestPlan[]> {
  const { sameRecord, pathParameter } = operation;
  const plain = requestTo(operation, version);
  if (!pathParameter) return [plain];
  const call = new Call(target, operation);
  const own = async () => (await call.valid()).path;
  // Listed items may show fewer fields than their reads, so one with all fields is read, too.
  const made = async () => (pathParameter.madeBy === undefined ? undefined : unlessNotTested(own));
  const paths = sameRecord
    ? [...(await pathsOfRecords(call, sameRecord)), await made()]
    : [await own(), target.settings.fixtures[pathParameter.fixture?.write ?? ""]];
  const known = new Set(paths.filter((path) => path !== undefined));
  return [...known].map((path) => ({ ...plain, path }));
}

async function pathsOfRecords({ target, version }: Call, { list, by: [field = "id"] }: SameRecord) {
  const picked = await pickedRecords(target, operationById(target.spec, list), version);
  return picked.map(({ item }) => asText(item[field])).slice(0, RECORDS_COMPARED);
}

export function onOtherPath(operation: Operation, other: string): Probe {
  return {
    id: `other path ${operation.id} ${other}`,
    stage: "read",
    async run(target) {
      await askOnOtherPath(target, await new Call(target, operation).valid(), other);
    },
  };
}
