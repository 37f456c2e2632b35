import { randomUUID } from "node:crypto";
import type { RequestPlan } from "../../generators/request.ts";
import type { Settings } from "../../spec/model/settings.ts";
import type { Spec } from "../../spec/model/spec.ts";
import { targetPath } from "../../spec/path-readings.ts";
import { NotTested } from "../check.ts";
import { credentialRecipe } from "./credential.ts";
import type { RawRequest } from "./http.ts";

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
