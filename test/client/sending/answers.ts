/** Senders that answer without a server, to test one layer of the sending code. */

import type { Outgoing, Sender, Use } from "../../../client/sending/sender.ts";
import type { Answer } from "../../../client/target.ts";
import { requestTo } from "../../../generators/request.ts";
import { operation } from "../../spec/package-spec.ts";

export function outgoing(key = "GET /webhooks", headers: Record<string, string> = {}): Outgoing {
  const of = operation(key);
  const url = `http://127.0.0.1:1${of.path}`;
  return {
    plan: requestTo(of, null),
    wire: { method: of.method, url, path: of.path, headers, body: null },
  };
}

export const USE: Use = { asker: "a probe", round: 1, valid: true };

export function answer({ plan, wire }: Outgoing, status: number, change: Partial<Answer> = {}): Answer {
  const headers = change.headers ?? {};
  const { path: _, ...request } = wire;
  const exchange = {
    request,
    response: { status, headers, body: "" },
    startedAt: "2025-08-23T10:00:00.000Z",
    durationMs: 1,
  };
  return { plan, exchange, status, headers, text: "", json: undefined, ...change };
}

/**
 * A sender that answers with these statuses in turn and repeats the last one. It throws an error in place of a
 * status. `asked` returns the number of requests.
 */
export function answering(...statuses: (number | Error)[]): { next: Sender; asked: () => number } {
  let asked = 0;
  const next: Sender = async (request) => {
    const status = statuses[Math.min(asked++, statuses.length - 1)] ?? 200;
    if (status instanceof Error) throw status;
    return answer(request, status);
  };
  return { next, asked: () => asked };
}
