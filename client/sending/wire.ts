import { randomUUID } from "node:crypto";
import type { RequestPlan } from "../../generators/request.ts";
import { inOtherCase } from "../../generators/text.ts";
import type { Settings } from "../../spec/model/settings.ts";
import type { Spec } from "../../spec/model/spec.ts";
import { targetPath } from "../../spec/path-readings.ts";
import { NotTested } from "../check.ts";
import type { RawRequest } from "./dispatch.ts";

export interface WireRequest extends RawRequest {
  path: string;
  authorizationLabel?: string;
  credential?: string;
}

/** Returns the request as it goes over the wire, with token, space, version and key. */
export function wireRequest(
  plan: RequestPlan,
  settings: Settings,
  spec: Spec,
  idempotencyKey?: string,
): WireRequest {
  const { operation } = plan;
  const second = plan.space === "second";
  const token = second ? (settings.secondToken ?? settings.token) : settings.token;
  const standard: Record<string, string | null> = {
    accept: "application/json",
    "accept-encoding": "gzip, deflate, br",
    "user-agent": "payments-conformance",
    authorization: `Bearer ${token}`,
    ...traceHeaders(),
  };
  const set = (name: string | undefined, value: string | null | undefined) => {
    if (name !== undefined && value !== undefined) standard[name.toLowerCase()] = value;
  };
  set(operation.space?.name, second ? (settings.secondSpace ?? settings.space) : settings.space);
  set(operation.version?.name, plan.version);
  set(operation.idempotencyKey?.name, idempotencyKey);
  if (plan.body) set("content-type", plan.body.kind === "json" ? "application/json" : plan.body.contentType);
  const headers = Object.fromEntries(
    Object.entries({ ...settings.headers, ...standard, ...plan.headers }).filter(
      (entry): entry is [string, string] => entry[1] !== null,
    ),
  );
  const path = pathAndQuery(plan, settings, spec);
  const { authorization } = headers;
  const unusual = authorization !== undefined && authorization !== `Bearer ${settings.token}`;
  return {
    ...(unusual ? { credential: credentialRecipe(authorization, settings.token, settings.secondToken) } : {}),
    method: operation.method,
    url: `${settings.baseUrl}${path}`,
    path,
    headers,
    body: plan.body ? (plan.body.kind === "json" ? JSON.stringify(plan.body.value) : plan.body.text) : null,
    ...(plan.authorizationLabel === undefined ? {} : { authorizationLabel: plan.authorizationLabel }),
  };
}

/** Users find the request in the service's logs by these headers. */
function traceHeaders(): Record<string, string> {
  const id = randomUUID().replaceAll("-", "");
  return { traceparent: `00-${id}-${id.slice(-16)}-01`, "x-request-id": id };
}

/** Returns the path, percent-encoded and shown as `--paths` says, with the query of the plan. */
function pathAndQuery(plan: RequestPlan, settings: Settings, spec: Spec): string {
  const shown = plan.pathOverride ?? targetPath(plan.operation.path, settings.paths, spec);
  const path = shown.replace(/\{([^}]+)\}/g, (_, name: string) =>
    percentEncoded(plan.outer?.[name] ?? plan.path ?? "unknown", `${name} of ${plan.operation.key}`),
  );
  const query = plan.query
    .map(([name, value]) => `${encodeURIComponent(name)}=${percentEncoded(value, name)}`)
    .join("&");
  return query === "" ? path : `${path}?${query}`;
}

function percentEncoded(text: string, place: string): string {
  if (text.isWellFormed()) return encodeURIComponent(text);
  throw new NotTested(
    "no-data",
    `what the service shows for ${place} can't be put into a URL: ${JSON.stringify(text).slice(0, 80)} holds half a character`,
  );
}

const VARIABLES = ["PAYMENTS_CONFORMANCE_TOKEN", "PAYMENTS_CONFORMANCE_SECOND_TOKEN"] as const;
/** The fewest characters of a token that is looked for in texts. A shorter one may occur by chance. */
const SHORTEST_TOKEN = 4;

/** Writes a credential for the shell, without the token (`Bearer ${PAYMENTS_CONFORMANCE_TOKEN%?}`). */
function credentialRecipe(value: string, token: string, secondToken: string | undefined): string {
  const tokens = [token, secondToken];
  for (const [index, variable] of VARIABLES.entries()) {
    const known = tokens[index];
    if (known === undefined || known.length < SHORTEST_TOKEN) continue;
    const recipe = recipeFor(value, known, variable);
    if (recipe !== undefined) return recipe;
  }
  const [scheme = "", rest] = value.split(" ");
  if (rest === undefined || rest === "") return /^[A-Za-z]*$/.test(scheme) ? scheme : "unknown-token";
  return `${/^[A-Za-z]+$/.test(scheme) ? scheme : "Bearer"} unknown-token`;
}

/** Returns the shell words that make the value from the variable with the token, or `undefined`. */
function recipeFor(value: string, token: string, variable: string): string | undefined {
  const printed = `printf %s "$${variable}"`;
  const ways: [string, string][] = [
    [token, `\${${variable}}`],
    [inOtherCase(token), `$(${printed} | tr 'a-zA-Z' 'A-Za-z')`],
    [token.toUpperCase(), `$(${printed} | tr a-z A-Z)`],
    [token.toLowerCase(), `$(${printed} | tr A-Z a-z)`],
    [base64(`${token}:`), `$(printf '%s:' "$${variable}" | base64 | tr -d '\\n')`],
    [base64(token), `$(${printed} | base64 | tr -d '\\n')`],
    [token.slice(0, -1), `\${${variable}%?}`],
    [token.slice(1), `\${${variable}#?}`],
  ];
  for (const [part, shell] of ways) {
    const at = part.length < SHORTEST_TOKEN ? -1 : value.indexOf(part);
    if (at < 0) continue;
    const [before, after] = [value.slice(0, at), value.slice(at + part.length)];
    if (/^[A-Za-z]* *$/.test(before) && /^[\w-]{0,3}$/.test(after)) return `${before}${shell}${after}`;
  }
  return undefined;
}

function base64(text: string): string {
  return Buffer.from(text, "utf8").toString("base64");
}
