import { isUtf8 } from "node:buffer";
import { jsonIn, withoutByteOrderMark } from "../../spec/json.ts";
import { itemsBegun } from "../../spec/json-size.ts";
import type { Exchange } from "../../spec/model/result.ts";
import type { Answer } from "../target.ts";
import { NoAnswer, type RawResponse } from "./dispatch.ts";
import type { Ending } from "./ending.ts";
import type { HttpClient } from "./http.ts";
import type { Recorder } from "./recording.ts";
import type { Outgoing, Sender, Use } from "./sender.ts";
import type { WireRequest } from "./wire.ts";

const KEPT_CHARACTERS = 20_000;

/** Sends the request, records it, and makes the exchange for the report. */
export function overHttp(client: HttpClient, ending: Ending, recorder: Recorder): Sender {
  const exchange: Sender = async (outgoing, use) => {
    const startedAt = new Date();
    const begun = recorder.begin(outgoing, use);
    try {
      const response = await client.exchange(outgoing.wire, ending.interrupted, outgoing.plan);
      const answer = answerOf(outgoing, use, response, startedAt);
      begun.answered(response, answer.json, answer.exchange);
      return answer;
    } catch (error) {
      if (error instanceof NoAnswer) {
        const items = itemsAtLeast(outgoing, error);
        const { beginning } = error;
        const shown = beginning && { ...beginning, body: beginning.body.subarray(0, KEPT_CHARACTERS) };
        const exchange =
          shown && items > 0
            ? answerOf(outgoing, use, shown, startedAt).exchange
            : exchangeWithoutAnswer(outgoing, error.message);
        begun.failed(error, exchange, items);
      }
      throw error;
    }
  };
  return (outgoing, use) => recorder.whileUnanswered(outgoing.wire, exchange(outgoing, use));
}

function itemsAtLeast({ plan }: Outgoing, { beginning }: NoAnswer): number {
  const isPage = beginning?.status === 200 && plan.operation.list !== undefined;
  return isPage ? itemsBegun(beginning.body.toString("utf8")) : 0;
}

/** Returns the answer as the report shows it, with a body that ends after the length that reports keep. */
function answerOf({ plan, wire }: Outgoing, use: Use, response: RawResponse, startedAt: Date): Answer {
  const { status, headers, body, notPackedWith } = response;
  const kept = beginningOf(body);
  if (notPackedWith !== undefined)
    kept.body = `not packed with ${notPackedWith}, as its Content-Encoding says: ${kept.body}`;
  const json = notPackedWith === undefined ? parseJson(body) : undefined;
  const exchange: Exchange = {
    request: sentRequest(wire),
    response: { status, headers, ...kept },
    startedAt: startedAt.toISOString(),
    durationMs: Date.now() - startedAt.getTime(),
    ...(use.role === undefined ? {} : { role: use.role }),
  };
  return { plan, exchange, status, headers, text: kept.body, json };
}

/** Returns the exchange of a request that got no answer, with the reason. */
export function exchangeWithoutAnswer({ wire }: Outgoing, fault: string): Exchange {
  return { request: sentRequest(wire), fault, startedAt: new Date().toISOString(), durationMs: 0 };
}

function sentRequest({ method, url, headers, body, credential }: WireRequest): Exchange["request"] {
  const sent = { method, url, headers, body: body === null ? null : body.slice(0, KEPT_CHARACTERS) };
  return credential === undefined ? sent : { ...sent, credential };
}

export class EvidenceLog {
  exchanges: Exchange[] = [];

  follow(answer: Answer): Answer {
    const [first] = this.exchanges;
    const written = first && first.request.method !== "GET" && answer.exchange.request.method === "GET";
    this.exchanges = written ? [first, answer.exchange] : [answer.exchange];
    return answer;
  }
}

/** Returns the part of the body that reports keep. A slice would keep the whole text in memory. */
function beginningOf(body: Buffer): { body: string; truncated?: boolean } {
  const text = textOf(body.subarray(0, 4 * KEPT_CHARACTERS));
  if (body.length <= 4 * KEPT_CHARACTERS && text.length <= KEPT_CHARACTERS) return { body: text };
  return { body: text.slice(0, KEPT_CHARACTERS), truncated: true };
}

/** Returns the value of the body, or `undefined` if it is no JSON. */
export function parseJson(body: Buffer): unknown {
  return isUtf8(body) ? jsonIn(textOf(body)) : undefined;
}

function textOf(body: Buffer): string {
  return withoutByteOrderMark(body.toString("utf8"));
}
