import { exec } from "node:child_process";
import { promisify } from "node:util";
import { isAccepted, resourceOf } from "../../client/target.ts";
import { requestTo } from "../../generators/request.ts";
import { NOT_FOUND } from "../../history/entry.ts";
import { isSameInAnyCasing } from "../../history/values/casing.ts";
import { shown } from "../../reports/text.ts";
import { fixtureNames } from "../../spec/fixture-names.ts";
import { fixtureValues } from "../../spec/fixture-values.ts";
import { isObject, jsonIn } from "../../spec/json.ts";
import type { Settings } from "../../spec/model/settings.ts";
import type { Operation, Spec } from "../../spec/model/spec.ts";
import { didYouMean } from "../../spec/nearest.ts";
import { oneWays } from "../../suites/cancellation/targets.ts";
import { readerOf } from "../../suites/updates/read-back.ts";
import { type Service, versionToAsk } from "./preflight-client.ts";

interface ResourceFixture {
  name: string;
  reader: Operation;
  usedUp?: { field: string; value: string };
}

/** Keeps only usable ids in `settings.fixtures`. Returns a sentence for each used-up fixture. */
export async function chooseFixtures(service: Service): Promise<string[]> {
  const { spec, settings } = service;
  const { fixtures, fixtureCommand: command } = settings;
  const make = async (): Promise<Record<string, string>> =>
    command === undefined ? {} : await fixturesOfCommand(command, spec, settings);
  addFixtures(fixtures, await make());
  const usedUp: string[] = [];
  for (const fixture of resourceFixtures(spec)) {
    const { name } = fixture;
    const given = fixtureValues(fixtures[name]);
    const [first] = given;
    if (first === undefined || (given.length === 1 && fixture.usedUp === undefined)) continue;
    let found = await firstUsable(given, fixture, service);
    if (found.usedUp && found.ids.length === 0 && command !== undefined)
      found = await firstUsable(fixtureValues((await make())[name]), fixture, service);
    fixtures[name] = found.ids.length > 0 ? found.ids.join(",") : first;
    if (found.ids.length === 0 && fixture.usedUp !== undefined && found.usedUp)
      usedUp.push(
        `the fixture ${name}=${first} is used up: its ${fixture.usedUp.field} is ${fixture.usedUp.value} already. Give another (--fixture ${name}=ID), a list of them, or --fixture-command.`,
      );
  }
  return usedUp;
}

function addFixtures(fixtures: Record<string, string>, more: Record<string, string>): void {
  for (const [name, value] of Object.entries(more))
    fixtures[name] = [...new Set([...fixtureValues(fixtures[name]), ...fixtureValues(value)])].join(",");
}

/** Returns the fixtures that name resources, each with the operation that reads them. */
function resourceFixtures(spec: Spec): ResourceFixture[] {
  const found = new Map<string, ResourceFixture>();
  for (const reader of spec.operations)
    for (const name of fixturesReadBy(spec, reader)) if (!found.has(name)) found.set(name, { name, reader });
  for (const { operation, name: field, value, consumes } of oneWays(spec)) {
    const reader = readerOf(spec, operation);
    if (reader?.kind === "read" && reader.outer.length === 0)
      found.set(consumes.fixture, { name: consumes.fixture, reader, usedUp: { field, value } });
  }
  return [...found.values()];
}

/** Returns the names of the fixtures that the operation reads, whether or not an update changes them. */
export function fixturesReadBy(
  { operations }: Spec,
  { kind, path, pathParameter, outer }: Operation,
): string[] {
  if (kind !== "read" || pathParameter === undefined || outer.length > 0) return [];
  const updates = operations.filter((other) => other.path === path);
  const names = [pathParameter.fixture?.read, ...updates.map((each) => each.pathParameter?.fixture?.write)];
  return [...new Set(names.filter((name) => name !== undefined))];
}

/** One cancellation comes with other changes, and one alone. */
const CANCELLATIONS = 2;

/** Returns the given ids that the service knows and that no earlier run has used up. */
async function firstUsable(
  ids: readonly string[],
  fixture: ResourceFixture,
  service: Service,
): Promise<{ ids: string[]; usedUp: boolean }> {
  const usable: string[] = [];
  let usedUp = false;
  for (const id of ids) {
    const state = await stateOf(id, fixture, service);
    if (state === "usable") usable.push(id);
    if (state === "used up") usedUp = true;
    if (usable.length === (fixture.usedUp ? CANCELLATIONS : 1)) break;
  }
  return { ids: usable, usedUp };
}

/** Returns whether a run can use the resource. If it gets no answer, the preflight names that problem. */
async function stateOf(
  id: string,
  { reader, usedUp }: ResourceFixture,
  { settings, client }: Service,
): Promise<"usable" | "missing" | "used up"> {
  const asked = await client.ask({ ...requestTo(reader, versionToAsk(settings, reader)), path: id });
  if (!("status" in asked)) return "usable";
  if (NOT_FOUND.has(asked.status)) return "missing";
  if (usedUp === undefined || !isAccepted(asked)) return "usable";
  return isSameInAnyCasing(resourceOf(asked)?.[usedUp.field], usedUp.value) ? "used up" : "usable";
}

const TIMEOUT_MS = 120_000;
const MOST_BYTES = 1024 * 1024;

export class FixtureCommandFailed extends Error {}

/**
 * Runs the user's command, and returns the fixtures that it prints.
 * @throws FixtureCommandFailed if the command fails, or prints anything but fixtures as JSON
 */
async function fixturesOfCommand(
  command: string,
  spec: Spec,
  settings: Settings,
): Promise<Record<string, string>> {
  const env = {
    ...process.env,
    PAYMENTS_CONFORMANCE_BASE_URL: settings.baseUrl,
    PAYMENTS_CONFORMANCE_TOKEN: settings.token,
    PAYMENTS_CONFORMANCE_SPACE: settings.space,
  };
  let printed: string;
  try {
    printed = (await promisify(exec)(command, { env, timeout: TIMEOUT_MS, maxBuffer: MOST_BYTES })).stdout;
  } catch (error) {
    throw new FixtureCommandFailed(`the fixture command ${whyItFailed(error)}`);
  }
  return fixturesIn(printed, [...fixtureNames(spec)]);
}

function whyItFailed(error: unknown): string {
  const { code, killed, stderr = "" } = error as { code?: unknown; killed?: boolean; stderr?: string };
  const said = stderr.trim() === "" ? "" : `: ${shown(stderr.trim(), 300)}`;
  if (code === "ERR_CHILD_PROCESS_STDIO_MAXBUFFER") return `printed more than ${MOST_BYTES} bytes`;
  if (killed === true) return `took longer than ${TIMEOUT_MS / 1000} s${said}`;
  return `failed with exit code ${String(code)}${said}`;
}

function fixturesIn(printed: string, names: readonly string[]): Record<string, string> {
  const value = jsonIn(printed);
  if (!isObject(value))
    throw new FixtureCommandFailed(
      `the fixture command must print a JSON object of fixtures, not ${printed.trim() === "" ? "nothing" : shown(printed.trim(), 100)}`,
    );
  const found: Record<string, string> = {};
  for (const [name, given] of Object.entries(value)) {
    if (!names.includes(name))
      throw new FixtureCommandFailed(
        `the fixture command printed ${shown(name, 60)}, which is no fixture${didYouMean(name, names)}`,
      );
    const members = Array.isArray(given) ? given : [given];
    if (members.length === 0 || members.some((member) => typeof member !== "string" || member === ""))
      throw new FixtureCommandFailed(
        `the fixture command gives ${name} a value that is neither a text nor a list of texts`,
      );
    found[name] = members.join(",");
  }
  return found;
}
