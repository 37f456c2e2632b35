import type { Context } from "./context.ts";
import type { Json } from "./json.ts";
import type { OperationName } from "./operations.ts";

/** Carries out an operation and returns the body of its success. @throws Rejected */
export type Handler = (ctx: Context) => Json | Promise<Json>;

export type Handlers = Partial<Record<OperationName, Handler>>;
