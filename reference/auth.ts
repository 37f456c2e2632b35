import type { Context } from "./context.ts";
import type { Credentials } from "./hooks.ts";
import type { Problem } from "./problems.ts";
import { judge } from "./stages.ts";

const at = "header.Authorization";

function read(header: string): Credentials {
  const space = header.indexOf(" ");
  if (space < 0) return { scheme: header, token: "" };
  return { scheme: header.slice(0, space), token: header.slice(space + 1).trim() };
}

function problemOf(
  header: string | undefined,
  credentials: Credentials,
  known: boolean,
): Problem | undefined {
  if (header === undefined || header === "")
    return { at, rule: "required", message: "a bearer token is required" };
  if (credentials.scheme.toLowerCase() !== "bearer")
    return { at, rule: "scheme", message: "the authentication scheme is not Bearer" };
  if (credentials.token === "") return { at, rule: "required", message: "the bearer token is empty" };
  return known ? undefined : { at, rule: "token", message: "the bearer token is not known" };
}

/** @throws Rejected 401 without a valid bearer token (section 5) */
export function authenticate(ctx: Context): void {
  const header = ctx.request.headers.authorization;
  const credentials = ctx.service.hooks.credentials(read(header ?? ""), ctx);
  ctx.token = credentials.token;
  const problem = problemOf(header, credentials, ctx.service.tokens.has(credentials.token));
  const error = problem?.rule === "token" ? ', error="invalid_token"' : "";
  judge(ctx, "auth", problem ? [problem] : [], { "WWW-Authenticate": `Bearer realm="payments"${error}` });
}
