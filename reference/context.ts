import type { Context, Service } from "./hooks.ts";
import type { IncomingRequest } from "./messages.ts";

export type { Context } from "./hooks.ts";
export type { IncomingRequest, ResponseDraft } from "./messages.ts";

export function newContext(service: Service, request: IncomingRequest, number: number): Context {
  return {
    service,
    number,
    request,
    operation: "",
    facts: null,
    underV1: false,
    params: {},
    query: new Map(),
    token: "",
    version: null,
    space: "",
    key: "",
    body: {},
    lateRejections: [],
  };
}
