import { NotTested } from "../../client/check.ts";
import { credentialOf } from "../../client/sending/recording.ts";
import {
  CREDENTIAL_FAULTS,
  type CredentialFault,
  UNKNOWN,
  withCredentialFault,
} from "../../generators/credentials.ts";
import { type RequestPlan, requestTo } from "../../generators/request.ts";
import { type Entry, type Head, header } from "../../history/entry.ts";
import type { Settings } from "../../spec/model/settings.ts";
import type { Operation } from "../../spec/model/spec.ts";
import { replacedIn } from "../confirming/replaced.ts";

/** Stands for the run tag in made-up tokens. */
const TAG_IN_TOKENS = "replayed";

/**
 * Returns a recorded request with the token, spaces and fixtures of this run.
 * @throws NotTested if it can't be sent again
 */
export function recordedPlan(entry: Entry, recorded: Head, settings: Settings): RequestPlan {
  const { operation, version, path, request } = entry;
  if (operation === null || request.body?.cut === true)
    throw new NotTested(
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
    },
    ...(entry.space === recorded.spaces[1] ? { space: "second" } : {}),
    ...bodyOf(entry),
    ...("fault" in entry.response && entry.response.fault === "hung-up" ? { hangsUp: true } : {}),
  };
  return replacedIn(withCredential(plan, entry, settings), otherFixtures(recorded, settings));
}

function parametersOf({ request }: Entry, { parameters, space }: Operation): RequestPlan["headers"] {
  const names = parameters
    .filter((parameter) => parameter.in === "header" && parameter.name !== space?.name)
    .map(({ name }) => name.toLowerCase());
  return Object.fromEntries(names.map((name) => [name, header(request.headers, name) ?? null]));
}

function spaceOf(entry: Entry, { space }: Operation, recorded: Head): RequestPlan["headers"] {
  const isOfRun = entry.space !== null && recorded.spaces.includes(entry.space);
  return space === undefined || isOfRun ? {} : { [space.name.toLowerCase()]: entry.space };
}

/** Histories hold no tokens, so another token with the same fault is sent. */
function withCredential(plan: RequestPlan, { credential }: Entry, settings: Settings): RequestPlan {
  if (credential.kind === "token") return plan;
  const { token } = settings;
  const isSame = ({ value }: CredentialFault) => {
    const sent = value(token, TAG_IN_TOKENS);
    return sent !== undefined && credentialOf(sent ?? undefined, settings).kind === credential.kind;
  };
  const fault = CREDENTIAL_FAULTS.findLast(isSame) ?? UNKNOWN;
  return withCredentialFault(plan, token, TAG_IN_TOKENS, fault) ?? plan;
}

function bodyOf({ request }: Entry): Pick<RequestPlan, "body"> {
  if (request.body === null) return {};
  const { text } = request.body;
  const contentType = header(request.headers, "content-type") ?? null;
  const value = contentType === "application/json" ? request.body.json() : undefined;
  return { body: value === undefined ? { kind: "text", text, contentType } : { kind: "json", value } };
}

/** Returns the recorded fixtures that this run replaces, each with its new value. */
function otherFixtures(recorded: Head, { fixtures }: Settings): ReadonlyMap<string, string> {
  const pairs = Object.entries(recorded.fixtures).flatMap(([name, value]) => {
    const own = fixtures[name]?.split(",") ?? [];
    return value.split(",").flatMap((each, index) => {
      const other = own[index];
      return other === undefined || other === each ? [] : [[each, other] as const];
    });
  });
  return new Map(pairs);
}
