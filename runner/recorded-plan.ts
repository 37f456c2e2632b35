import { Untestable } from "../client/check.ts";
import { type RequestPlan, requestTo } from "../generators/request.ts";
import { type Entry, type Head, header } from "../history/entry.ts";
import type { Settings } from "../spec/model/settings.ts";
import type { Operation } from "../spec/model/spec.ts";
import { replacedIn } from "./replaced.ts";

/**
 * The plan of a request that another run recorded, for the fixtures, spaces and tokens of this run. @throws
 * Untestable if it can't be sent as it was: to an address of no operation, or with a body that was cut
 */
export function recordedPlan(entry: Entry, recorded: Head, settings: Settings): RequestPlan {
  const { operation, version, path, request } = entry;
  if (operation === null || request.body?.cut === true)
    throw new Untestable(
      "no-data",
      `a recorded request can't be sent again: ${request.method} ${request.url}`,
    );
  const { pathParameter } = operation;
  const { [pathParameter?.name ?? ""]: id, ...outer } = path;
  const plan: RequestPlan = {
    ...requestTo(operation, version),
    ...(id === undefined ? {} : { path: id }),
    outer,
    query: request.query,
    leftOut: operation.parameters.map(({ name }) => name),
    headers: {
      ...parametersOf(entry, operation),
      ...spaceOf(entry, operation, recorded),
      ...credentialOf(entry, settings),
    },
    ...(recorded.spaces.indexOf(entry.space ?? "") === 1 ? { space: "second" } : {}),
    ...bodyOf(entry),
  };
  return replacedIn(plan, otherFixtures(recorded, settings));
}

function parametersOf({ request }: Entry, { parameters, version, space }: Operation): RequestPlan["headers"] {
  const names = parameters
    .filter((parameter) => parameter.in === "header" && parameter.name !== space?.name)
    .map(({ name }) => name.toLowerCase());
  const sent = names.map((name) => [name, header(request.headers, name) ?? null] as const);
  // A request without a version is planned without one.
  return Object.fromEntries(sent.filter(([name, value]) => value !== null || name !== version?.name));
}

/** Nothing for a space of the run, which the settings name. */
function spaceOf(entry: Entry, { space }: Operation, recorded: Head): RequestPlan["headers"] {
  const isOfRun = entry.space !== null && recorded.spaces.includes(entry.space);
  return space === undefined || isOfRun ? {} : { [space.name.toLowerCase()]: entry.space };
}

/** Nothing for a token of the run. A wrong one is made again, since histories hold no tokens. */
function credentialOf({ credential }: Entry, { token }: Settings): RequestPlan["headers"] {
  const values = {
    none: null,
    "empty-header": "",
    "empty-token": "Bearer ",
    unknown: "Bearer unknown-token",
    altered: `Bearer ${token}x`,
    "other-scheme": `Basic ${Buffer.from(`${token}:`, "utf8").toString("base64")}`,
    bare: token,
  };
  return credential.kind === "token" ? {} : { authorization: values[credential.kind] };
}

function bodyOf({ request }: Entry): Pick<RequestPlan, "body"> {
  if (request.body === null) return {};
  const { text } = request.body;
  const contentType = header(request.headers, "content-type") ?? null;
  const value = contentType === "application/json" ? parsed(text) : undefined;
  return { body: value === undefined ? { kind: "text", text, contentType } : { kind: "json", value } };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** By fixture of the recorded run, the one of this run, where they differ. */
function otherFixtures(recorded: Head, { fixtures }: Settings): ReadonlyMap<string, string> {
  const pairs = Object.entries(recorded.fixtures).flatMap(([name, value]) => {
    const own = fixtures[name];
    return own === undefined || own === value ? [] : [[value, own] as const];
  });
  return new Map(pairs);
}
