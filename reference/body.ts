import type { Context } from "./context.ts";
import { isObject, type Json } from "./json.ts";
import type { Problem } from "./problems.ts";
import { judge } from "./stages.ts";

/** Deeper JSON could overflow the call stack. */
const DEEPEST = 200;

const utf8 = new TextDecoder("utf-8", { fatal: true });

function isJsonType(contentType: string): boolean {
  const [type = "", ...parameters] = contentType.split(";").map((part) => part.trim().toLowerCase());
  if (!/^application\/(json|[a-z0-9!#$&^_.+-]+\+json)$/.test(type)) return false;
  const charset = parameters.find((parameter) => parameter.startsWith("charset="));
  return charset === undefined || /^charset="?(utf-8|utf8|us-ascii)"?$/.test(charset);
}

function isTooDeep(text: string): boolean {
  let depth = 0;
  let inText = false;
  for (let i = 0; i < text.length; i += 1) {
    const character = text[i];
    if (inText) {
      if (character === "\\") i += 1;
      else if (character === '"') inText = false;
    } else if (character === '"') inText = true;
    else if (character === "{" || character === "[") depth += 1;
    else if (character === "}" || character === "]") depth -= 1;
    if (depth > DEEPEST) return true;
  }
  return false;
}

function parse(body: Buffer): Json | undefined {
  try {
    const text = utf8.decode(body);
    return isTooDeep(text) ? undefined : (JSON.parse(text) as Json);
  } catch {
    return undefined;
  }
}

function problemOf(ctx: Context, value: Json | undefined): Problem | undefined {
  const { request } = ctx;
  const at = "body";
  if (request.tooLarge) return { at, rule: "size", message: "the body is too large" };
  if ((request.headers["content-encoding"] ?? "identity").toLowerCase() !== "identity")
    return { at, rule: "contentType", message: "bodies are taken without a content encoding only" };
  if (!isJsonType(request.headers["content-type"] ?? ""))
    return { at, rule: "contentType", message: "the Content-Type is not application/json" };
  if (value === undefined) return { at, rule: "json", message: "the body is not JSON" };
  return isObject(value) ? undefined : { at, rule: "object", message: "the body is not a JSON object" };
}

export function readBody(ctx: Context): void {
  if (!ctx.facts?.body) return;
  const value = parse(ctx.request.body);
  ctx.body = isObject(value) ? value : {};
  const problem = problemOf(ctx, value);
  judge(ctx, "body", problem ? [problem] : []);
}
