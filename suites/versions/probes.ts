import { Call } from "../../client/call.ts";
import { NotTested, stageOf, unlessNotTested } from "../../client/check.ts";
import { askOnOtherPath } from "../../client/other-paths.ts";
import { withSpace } from "../../client/samples.ts";
import { type Answer, asText, isRejected, type Probe, type Target } from "../../client/target.ts";
import { sendsAll } from "../../client/version-choice.ts";
import { type RequestPlan, requestTo, withHeaders } from "../../generators/request.ts";
import type { Operation } from "../../spec/model/spec.ts";
import { operationById } from "../../spec/operations.ts";
import { allowedVersions } from "../../spec/versions.ts";
import { fullCreation } from "../shared/creation.ts";
import { listedPages, pickedRecords } from "../shared/listed-records.ts";
import { actOnNew } from "../shared/made-resource.ts";
import { ofRejected, plainProbe, probeOf } from "../shared/sampled.ts";
import { comparedVersions, type VersionPair } from "./compared.ts";

/** Sends a valid request under each allowed version. After a rejection, tries the action on new resources. */
export const requestsUnderEachVersion = probeOf("each version", stageOf, async (call) => {
  const ask = (versions: (string | null)[]) =>
    Promise.all(versions.map((version) => call.under(version).controlAnswer()));
  if (!(await ask(call.allowed)).some(isRejected)) return;
  const answers = await ask(call.versions);
  for (const [index, version] of call.versions.entries())
    if (answers.slice(index, index + 1).some(isRejected)) await actOnNew(call.under(version));
});

export function underUnknownVersions(operation: Operation): Probe {
  return withHeaderValues("unknown versions", operation, (target) => unknownVersions(target, operation));
}

export function underEmptyVersion(operation: Operation): Probe {
  return withHeaderValues("empty version", operation, () => [""]);
}

/** Sends the operation with each of these values of the version header. */
function withHeaderValues(words: string, operation: Operation, values: (target: Target) => string[]): Probe {
  const probe = plainProbe(words, operation, stageOf(operation), async (call) => {
    await call.control();
    for (const value of values(call.target)) {
      const plan = await call.under(null).fresh();
      await call.send(withHeaders(plan, { [operation.version?.name ?? ""]: value }));
    }
  });
  return ofRejected(probe, operation);
}

/** Returns `x-refused` versions, one of other operations, a later and a made-up one. */
function unknownVersions(target: Target, operation: Operation): string[] {
  const { spec, settings } = target;
  const { version, method } = operation;
  const allowed = allowedVersions(spec, operation);
  const ofOthers = spec.versions.filter((version) => !allowed.includes(version)).slice(-1);
  const rejected = [...(version?.schema["x-refused"] ?? []).map(String), ...ofOthers];
  const others = [laterVersion(spec.versions), "conformance-unknown"];
  const all = [...rejected, ...others];
  if (sendsAll(target)) return all;
  const sample = Math.abs(settings.seed);
  if (method === "GET") return all.filter((_, index) => index === sample % all.length);
  return rejected.length > 0 ? rejected : others.filter((_, index) => index === sample % others.length);
}

function laterVersion(versions: readonly string[]): string {
  const newest = versions.at(-1) ?? "1";
  const later = newest.replace(/\d+/, "2099");
  return versions.includes(later) || later === newest ? `${newest}-later` : later;
}

/** If newer and older alternated, two replicas that take turns would look like two versions. */
const VERSION_ORDER = [
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

/** Sends equal requests under both versions, until chance can be ruled out. */
export function underTwoVersions(at: VersionPair): Probe {
  const { operation, older, newer } = at;
  return plainProbe(`versions ${older} and ${newer} of`, operation, stageOf(operation), async (call) => {
    const { target } = call;
    const { serviceVersion } = target.settings;
    if (serviceVersion !== "all")
      throw new NotTested("not-selected", `only version ${serviceVersion} is sent`);
    const look = (which: "older" | "newer", use = { again: true }) => lookAt(call.under(at[which]), use);
    await look("older", { again: false });
    await look("newer", { again: false });
    // A write between the reads makes them incomparable.
    const { differences: found, evidence } = comparedVersions(target.history(), at);
    if (operation.method === "GET" && found.length + evidence.length === 0) await look("older");
    for (const which of VERSION_ORDER) {
      const { differences } = comparedVersions(target.history(), at);
      if (!differences.some(({ verdict }) => verdict === "open")) return;
      await look(which);
    }
  });
}

/** Sends the request of the operation, or sends it again if `again` is set. */
async function lookAt(call: Call, { again }: { again: boolean }): Promise<void> {
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

/** Returns the reads to send under this version. */
async function readsOf({ target, operation, version }: Call): Promise<RequestPlan[]> {
  const { sameRecord, pathParameter } = operation;
  const plain = requestTo(operation, version);
  if (!pathParameter) return [plain];
  const call = new Call(target, operation);
  const own = async () => (await call.valid()).path;
  // Listed items may show fewer fields than their reads, so one with all fields is read, too.
  const made = async () => (pathParameter.madeBy === undefined ? undefined : unlessNotTested(own));
  const { list = "", by: [field = "id"] = [] } = sameRecord ?? {};
  const ofRecords = async () => {
    const picked = await pickedRecords(target, operationById(target.spec, list), call.version);
    return picked.map(({ item }) => asText(item[field])).slice(0, RECORDS_COMPARED);
  };
  const paths = sameRecord
    ? [...(await ofRecords()), await made()]
    : [await own(), target.settings.fixtures[pathParameter.fixture?.write ?? ""]];
  const known = new Set(paths.filter((path) => path !== undefined));
  return [...known].map((path) => ({ ...plain, path }));
}

/** Reads at another path that the specification may mean. */
export function onOtherPath(operation: Operation, other: string): Probe {
  return plainProbe(`other path ${other} of`, operation, "read", async (call) =>
    askOnOtherPath(call.target, await call.valid(), other),
  );
}
