import { randomUUID } from "node:crypto";
import { afterAll } from "vitest";
import { type ReferenceOptions, type RunningService, startReference } from "../../reference/index.ts";
import type { Json, JsonObject } from "../../reference/json.ts";
import { isObject } from "../../reference/json.ts";

/** An answer with its parsed body. `json` is undefined if the body is not JSON. */
interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly json: Json | undefined;
  /** The field `result` of the body if it is an object, otherwise an empty object. */
  readonly result: JsonObject;
  /** The field `result` of the body if it is a list, otherwise an empty list. */
  readonly items: readonly JsonObject[];
  readonly pagination: JsonObject;
}

/** Changes to the default request. A header of null is not sent. */
interface Extra {
  readonly headers?: Readonly<Record<string, string | null>>;
  /** Sent as JSON. A text is sent unchanged. */
  readonly body?: Json;
}

/** A client of one service, which sends the required headers by default. */
export interface Client {
  readonly service: RunningService;
  send(operation: string, extra?: Extra): Promise<Answer>;
}

function parsed(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

async function answerOf(response: Response): Promise<Answer> {
  const text = await response.text();
  const json = parsed(text);
  const body = isObject(json) ? json : {};
  return {
    status: response.status,
    headers: response.headers,
    text,
    json,
    result: isObject(body.result) ? body.result : {},
    items: Array.isArray(body.result) ? body.result.filter(isObject) : [],
    pagination: isObject(body.pagination) ? body.pagination : {},
  };
}

/** Makes a client. `send("GET /banks?country=CM")` sends the token, the space and a new idempotency key. */
export function clientOf(service: RunningService): Client {
  return {
    service,
    async send(operation, { headers = {}, body } = {}) {
      const [method = "GET", path = ""] = operation.split(" ");
      const standard: Record<string, string | null> = {
        Authorization: `Bearer ${service.token}`,
        "Service-Space-Id": service.space,
        "Content-Type": body === undefined ? null : "application/json",
        "Idempotency-Key": method === "POST" ? randomUUID() : null,
        ...headers,
      };
      const sent = Object.entries(standard).filter((pair): pair is [string, string] => pair[1] !== null);
      const response = await fetch(`${service.baseUrl}${path}`, {
        method,
        headers: sent,
        redirect: "manual",
        ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
      });
      return answerOf(response);
    },
  };
}

const running: RunningService[] = [];
afterAll(() => Promise.all(running.map((service) => service.close())));

/** The service is closed after the tests of the file. */
export async function start(options: ReferenceOptions = {}): Promise<Client> {
  const service = await startReference(options);
  running.push(service);
  return clientOf(service);
}
