import type { Context } from "./context.ts";
import type { Route } from "./hooks.ts";
import { type Operation, operations } from "./operations.ts";
import { type Problem, Rejected, rejectionOf } from "./problems.ts";
import type { Paths } from "./service.ts";
import { judge } from "./stages.ts";

interface Template {
  readonly operation: Operation;
  readonly method: string;
  readonly segments: readonly string[];
  readonly underV1: boolean;
}

function templatesOf(paths: Paths): readonly Template[] {
  return operations.flatMap((operation) => {
    const [method = "", path = ""] = operation.name.split(" ");
    const readings: string[] = [];
    const unversioned = !path.startsWith("/v1/");
    if (!unversioned || paths !== "v1") readings.push(path);
    if (unversioned && paths !== "as-shown") readings.push(`/v1${path}`);
    return readings.map((reading) => ({
      operation,
      method,
      segments: reading.split("/"),
      underV1: unversioned && reading.startsWith("/v1/"),
    }));
  });
}

const byPaths: Record<Paths, readonly Template[]> = {
  "as-shown": templatesOf("as-shown"),
  v1: templatesOf("v1"),
  both: templatesOf("both"),
};

function match(template: Template, segments: readonly string[]): Record<string, string> | undefined {
  if (template.segments.length !== segments.length) return undefined;
  const params: Record<string, string> = {};
  for (const [index, expected] of template.segments.entries()) {
    const actual = segments[index] ?? "";
    if (!expected.startsWith("{")) {
      if (expected !== actual) return undefined;
    } else if (actual === "") return undefined;
    else params[expected.slice(1, -1)] = actual;
  }
  return params;
}

function decoded(text: string): string | undefined {
  if (!text.includes("%")) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

function encodingProblem(): Problem {
  return { at: "url", rule: "encoding", message: "the URL holds malformed percent-encoding" };
}

function routeOf(method: string, segments: readonly string[], paths: Paths): Route {
  const allow = new Set<string>();
  const asked = method === "HEAD" ? "GET" : method;
  for (const template of byPaths[paths]) {
    const params = match(template, segments);
    if (!params) continue;
    if (template.method === asked)
      return { operation: template.operation, params, underV1: template.underV1, allow: [] };
    allow.add(template.method);
    if (template.method === "GET") allow.add("HEAD");
  }
  return { operation: null, params: {}, underV1: false, allow: [...allow] };
}

/** @throws Rejected 404 for an unknown path, 405 with Allow for a wrong method, 400 for malformed encoding */
export function route(ctx: Context): void {
  const { request, service } = ctx;
  const segments = request.path.split("/").map(decoded);
  const known = segments.filter((segment) => segment !== undefined);
  if (known.length < segments.length) judge(ctx, "route", [encodingProblem()]);
  const found = service.hooks.route(routeOf(request.method, known, service.settings.paths), ctx);
  if (!found.operation) {
    const { method } = request;
    if (found.allow.length === 0)
      throw new Rejected(
        rejectionOf("route", [{ at: "url", rule: "route", message: "there is nothing at this path" }]),
      );
    const Allow = [...found.allow, "OPTIONS"].join(", ");
    const message = `${method} is not a method of this path`;
    throw new Rejected(rejectionOf("route", [{ at: "url", rule: "method", message }], { Allow }));
  }
  ctx.operation = found.operation.name;
  ctx.facts = found.operation;
  ctx.params = found.params;
  ctx.underV1 = found.underV1;
  ctx.query = readQuery(ctx);
}

function readQuery(ctx: Context): ReadonlyMap<string, readonly string[]> {
  const query = new Map<string, string[]>();
  if (ctx.request.query === "") return query;
  for (const pair of ctx.request.query.split("&")) {
    if (pair === "") continue;
    const equals = pair.indexOf("=");
    const [rawName, rawValue] = equals < 0 ? [pair, ""] : [pair.slice(0, equals), pair.slice(equals + 1)];
    const name = decoded(rawName.replaceAll("+", " "));
    const value = decoded(rawValue.replaceAll("+", " "));
    if (name === undefined || value === undefined) judge(ctx, "route", [encodingProblem()]);
    else query.set(name, [...(query.get(name) ?? []), value]);
  }
  return query;
}
