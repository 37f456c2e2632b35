import type { Context } from "./context.ts";
import type { Json } from "./json.ts";
import type { OperationName } from "./operations.ts";

/** Carries out an operation and gives the body of its success; refuses by throwing Rejected. */
export type Handler = (ctx: Context) => Json | Promise<Json>;

/** The handlers of some operations. */
export type Handlers = Partial<Record<OperationName, Handler>>;
