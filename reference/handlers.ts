import type { Context } from "./context.ts";
import type { Json } from "./json.ts";
import type { OperationName } from "./operations.ts";

export type Handler = (ctx: Context) => Json | Promise<Json>;

export type Handlers = Partial<Record<OperationName, Handler>>;
