import type { Context } from "../context.ts";
import { BODY_FIELDS } from "../fields/bodies.ts";
import type { Hooks, Service } from "../hooks.ts";
import { canonical, type JsonObject } from "../json.ts";
import type { OperationName } from "../operations.ts";
import type { Stage } from "../problems.ts";
import type { StoredRecord } from "../store.ts";

export interface Step {
  readonly number: number;
  readonly operation: OperationName;
  /** Ids of resources that were named, read or written. */
  readonly ids: readonly string[];
  readonly outcome: "done" | "replayed" | "refused";
  /** The first stage that found a problem. */
  readonly stage: Stage | undefined;
  readonly query: string;
  readonly headers: Context["request"]["headers"];
  readonly body: JsonObject;
  /** True if an update set a field to an earlier value. */
  readonly repeated: boolean;
}

export class Journal {
  readonly all: Step[] = [];
  readonly #byId = new Map<string, Step[]>();
  readonly #byOperation = new Map<string, Step[]>();
  readonly #idOfKey = new Map<string, string>();
  readonly #onConnection = new WeakMap<object, Step[]>();

  about(id: string): readonly Step[] {
    return this.#byId.get(id) ?? [];
  }

  of(operation: string): readonly Step[] {
    return this.#byOperation.get(operation) ?? [];
  }

  onConnectionOf({ request: { connection } }: Context): readonly Step[] {
    return connection ? (this.#onConnection.get(connection) ?? []) : [];
  }

  /** Returns the id in the path, or of the create with this key, or an empty text. */
  idOf({ params, request: { headers } }: Context): string {
    return params.id ?? params.idOrCode ?? this.#idOfKey.get(keyOf(headers)) ?? "";
  }

  add(step: Step, connection: object | undefined): void {
    this.all.push(step);
    push(this.#byOperation, step.operation, step);
    for (const id of step.ids) push(this.#byId, id, step);
    if (connection) push(this.#onConnection, connection, step);
    const [id] = step.ids;
    if (step.operation.startsWith("POST") && step.outcome === "done" && id !== undefined)
      this.#idOfKey.set(keyOf(step.headers), id);
  }
}

function push<K>(
  map: { get(key: K): Step[] | undefined; set(key: K, steps: Step[]): void },
  key: K,
  step: Step,
) {
  const steps = map.get(key);
  if (steps) steps.push(step);
  else map.set(key, [step]);
}

function keyOf(headers: Context["request"]["headers"]): string {
  return JSON.stringify([headers["service-space-id"], headers["idempotency-key"]]);
}

const journals = new WeakMap<Service, Journal>();

/** Only `recording` writes requests into the journal. */
export function journalOf(service: Service): Journal {
  const known = journals.get(service) ?? new Journal();
  journals.set(service, known);
  return known;
}

function repeats({ operation, body }: Context, previous: StoredRecord): boolean {
  return BODY_FIELDS.some(({ operation: own, required, name, kept }) => {
    const value = body[name];
    const old = previous.data[kept];
    const isOwn = own === operation && !required && value !== undefined && old !== undefined;
    return isOwn && canonical(value) === canonical(old);
  });
}

export function recording(): Hooks {
  const ids = new WeakMap<Context, string[]>();
  const stages = new WeakMap<Context, Stage>();
  const replayed = new WeakSet<Context>();
  const repeated = new WeakSet<Context>();
  const note = (ctx: Context, id: string) => ids.set(ctx, [...(ids.get(ctx) ?? []), id]);
  return {
    problems: (problems, ctx, stage) => {
      if (problems.length > 0 && !stages.has(ctx)) stages.set(ctx, stage);
      return problems;
    },
    keyReplay: (result, ctx) => {
      replayed.add(ctx);
      if (typeof result.id === "string") note(ctx, result.id);
      return result;
    },
    written: (ctx, record, previous) => {
      if (!previous) note(ctx, record.id);
      else if (repeats(ctx, previous)) repeated.add(ctx);
    },
    wasRead: (ctx, { id }) => void note(ctx, id),
    response: (response, ctx) => {
      const { operation, request, service } = ctx;
      if (operation === "") return response;
      const journal = journalOf(service);
      const named = journal.idOf(ctx);
      const step: Step = {
        number: journal.all.length,
        operation,
        ids: [...new Set([...(named === "" ? [] : [named]), ...(ids.get(ctx) ?? [])])],
        outcome: response.status !== 200 ? "refused" : replayed.has(ctx) ? "replayed" : "done",
        stage: stages.get(ctx),
        query: request.query,
        headers: request.headers,
        body: ctx.body,
        repeated: repeated.has(ctx),
      };
      journal.add(step, request.connection);
      return response;
    },
  };
}
