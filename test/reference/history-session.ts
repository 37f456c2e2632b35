/** A session: many random calls of a service, which depend only on the seed, and their answers. */
import type { IncomingRequest } from "../../reference/context.ts";
import { dispatch } from "../../reference/dispatch.ts";
import type { Hooks } from "../../reference/hooks.ts";
import type { Json, JsonObject } from "../../reference/json.ts";
import { Random } from "../../reference/random.ts";
import { ACCESS, prepare } from "../../reference/start.ts";

/** A planned call. `{webhook}` in its path stands for the id of a webhook. */
interface Planned {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: Json | undefined;
  readonly connection: number;
  /** True if it is sent at the same time as the previous call. */
  readonly together: boolean;
}

const URLS = ["https://example.com/Path/A?By=One", "https://example.com/Path/B?By=Two"];
const UNKNOWN = "nobody-has-this-id";

class Planner {
  readonly #random: Random;
  readonly #fixtures: Readonly<Record<string, string>>;
  #keys = 0;
  #references = 0;
  #connection = 0;
  #onConnection = 0;

  constructor(seed: number, fixtures: Readonly<Record<string, string>>) {
    this.#random = new Random(seed);
    this.#fixtures = fixtures;
  }

  #chance(share: number): boolean {
    return this.#random.integer(1, 1000) <= share * 1000;
  }

  #pick<V>(values: readonly [V, ...V[]]): V {
    return this.#random.pick(values);
  }

  #text(): string {
    return this.#pick(["A", "B", "C", "a longer name"]);
  }

  #metadata(): JsonObject {
    return this.#pick<JsonObject>([
      {},
      { a: "1" },
      { a: "2", b: "" },
      { a: { b: "c", d: { e: "f" } }, l: [1], n: 0, f: false },
    ]);
  }

  /** A random part of the values, beginning with a random one. */
  #list(values: readonly string[]): string[] {
    const from = this.#random.integer(0, values.length - 1);
    return [...values.slice(from), ...values.slice(0, from)].slice(0, this.#random.integer(1, values.length));
  }

  /** A body with some of the fields. Each is included with the probability `share`. */
  #some(fields: Readonly<Record<string, () => Json>>, share: number): JsonObject {
    return Object.fromEntries(
      Object.entries(fields).flatMap(([name, value]): [string, Json][] =>
        this.#chance(share) ? [[name, value()]] : [],
      ),
    );
  }

  #webhookFields(update: boolean): Record<string, () => Json> {
    const orNull = (value: Json) => (update && this.#chance(0.15) ? null : value);
    return {
      name: () => orNull(this.#text()),
      events: () => orNull(this.#list(["payout.updated", "payment.created", "receipt.redeemed"])),
      isActive: () => orNull(this.#chance(0.5)),
      apiVersion: () => orNull(this.#pick(["caph.2025-08-23", "caph.2025-06-20"])),
      alertEmails: () => orNull(this.#list(["a@example.com", "b@example.com", "c@example.com"])),
      customHeaders: () => this.#pick<JsonObject>([{}, { "X-A": "1" }, { "X-B": "2" }]),
      metadata: () => this.#metadata(),
    };
  }

  /** The body, in three of ten cases with one of the faults. */
  #faulty(body: JsonObject, faults: readonly [JsonObject, ...JsonObject[]]): JsonObject {
    return this.#chance(0.3) ? { ...body, ...this.#pick(faults) } : body;
  }

  /** The body without one of these fields. */
  #lacking(body: JsonObject, fields: readonly [string, ...string[]]): JsonObject {
    const { [this.#pick(fields)]: _, ...others } = body;
    return others;
  }

  #codeUpdate(): JsonObject {
    const providers = Array.from({ length: 12 }, (_, index) => `provider_${index}`);
    const body = this.#some(
      {
        name: () => (this.#chance(0.15) ? null : this.#text()),
        isActive: () => (this.#chance(0.15) ? null : this.#chance(0.5)),
        expireTime: () => this.#pick(["2090-01-01T00:00:00Z", "2091-01-01T00:00:00Z"]),
        allowedProviders: () => (this.#chance(0.15) ? null : this.#list(providers.slice(0, 10))),
        metadata: () => this.#metadata(),
      },
      0.35,
    );
    if (this.#chance(0.08))
      return { ...this.#pick<JsonObject>([{}, {}, { name: null }, body]), status: "cancelled" };
    return this.#faulty(body, [
      { name: 1 },
      { name: "x".repeat(101) },
      { status: "pending" },
      { allowedProviders: providers },
      { allowedProviders: [] },
      { allowedProviders: [1, 2] },
      { allowedProviders: ["a", 1] },
      { metadata: [] },
      { metadata: null },
      { isActive: "yes" },
      { expireTime: "soon" },
    ]);
  }

  #webhookBody(update: boolean): JsonObject {
    const body: JsonObject = {
      ...(update ? {} : { name: this.#text(), events: null }),
      url: this.#pick(["https://example.com/Path/A?By=One", ...URLS]),
      ...this.#some(this.#webhookFields(update), 0.35),
    };
    if (this.#chance(0.1)) return this.#lacking(body, update ? ["url"] : ["url", "name", "events"]);
    return this.#faulty(body, [
      { name: "x".repeat(101) },
      { name: "" },
      { name: 1 },
      { alertEmails: ["a", "b", "c", "d"] },
      { alertEmails: [1] },
      { alertEmails: ["a", 1] },
      { events: [] },
      { events: [1] },
      { events: ["a", 1] },
      { metadata: [] },
      { customHeaders: [] },
      { verificationMethod: [] },
      { metadata: null },
      { isActive: "yes" },
      { url: "none" },
    ]);
  }

  #accountBody(): JsonObject {
    const isNew = this.#chance(0.5);
    if (isNew) this.#references += 1;
    const body: JsonObject = {
      name: this.#text(),
      currency: this.#pick(["XAF", "EUR"]),
      ...(this.#chance(0.6) ? { reference: `ref-${this.#references}` } : {}),
      ...this.#some(
        { description: () => (this.#chance(0.2) ? null : this.#text()), metadata: () => this.#metadata() },
        0.5,
      ),
    };
    if (this.#chance(0.1)) return this.#lacking(body, ["name", "currency"]);
    return this.#faulty(body, [
      { name: "x".repeat(101) },
      { description: "x".repeat(151) },
      { reference: "x".repeat(65) },
      { metadata: [] },
      { currency: 1 },
    ]);
  }

  #query(operation: string): string {
    const parts: string[] = [];
    if (/banks|momos/.test(operation)) return `?country=${this.#pick(["CM", "NG", "CM", "C"])}`;
    if (this.#chance(0.6))
      parts.push(`limit=${this.#pick(["1", "2", "3", "4", "9", "12", "20", "30", "40", "50", "0"])}`);
    if (operation.includes("payment-codes") && this.#chance(0.5)) {
      parts.push(
        this.#pick([
          "mode=recurrent",
          "mode=one_time",
          "status=pending",
          "status=expired",
          "ussd_code={ussd}",
        ]),
      );
      if (this.#chance(0.3)) parts.push("status=cancelled");
    }
    if (this.#chance(0.5)) parts.push("after={next}");
    if (operation.includes("webhooks") && this.#chance(0.2)) parts.push("before={webhook}");
    if (operation.includes("webhooks") && this.#chance(0.2)) parts.push("after={webhook}");
    return parts.length === 0 ? "" : `?${parts.join("&")}`;
  }

  #path(operation: string): string {
    const [, path = ""] = operation.split(" ");
    const { mutablePaymentCode = "", paymentCode = "", mutablePayout = "", payout = "" } = this.#fixtures;
    const ids = path.includes("payment-codes")
      ? [mutablePaymentCode, mutablePaymentCode, paymentCode, "{some-code}"]
      : path.includes("payouts")
        ? [mutablePayout, mutablePayout, payout]
        : path.includes("webhooks")
          ? ["{webhook}", "{webhook}", "{other-webhook}", "{old-webhook}"]
          : ["{id}", "{id}", "{code}"];
    const id = this.#chance(0.06) ? UNKNOWN : this.#pick(ids as [string, ...string[]]);
    return path.replace(/\{[^}]+\}/, id);
  }

  #body(operation: string): JsonObject | undefined {
    switch (operation) {
      case "PATCH /payment-codes/{id}":
        return this.#codeUpdate();
      case "PATCH /payouts/{id}":
        return this.#chance(0.2)
          ? {}
          : { metadata: this.#pick<Json>([null, [], 1, this.#metadata(), this.#metadata()]) };
      case "PATCH /webhooks/{id}":
        return this.#webhookBody(true);
      case "POST /webhooks":
        return this.#webhookBody(false);
      case "POST /v1/financial-accounts":
        return this.#accountBody();
      default:
        return undefined;
    }
  }

  #headers(method: string): Record<string, string | undefined> {
    const odd = this.#random.integer(1, 100);
    if (method === "POST" && !this.#chance(0.35)) this.#keys += 1;
    return {
      authorization:
        odd <= 3
          ? undefined
          : odd <= 8
            ? "Bearer nobody"
            : odd <= 10
              ? `Basic ${ACCESS.token}`
              : `Bearer ${ACCESS.token}`,
      "service-space-id":
        odd >= 97 ? undefined : odd >= 95 ? "nowhere" : odd >= 85 ? ACCESS.secondSpace : ACCESS.space,
      "service-version":
        odd === 20 ? "none" : this.#pick([undefined, undefined, "caph.2025-06-20", "caph.2025-08-23"]),
      "content-type": "application/json",
      "idempotency-key": method === "POST" && odd !== 50 ? `key-${this.#keys}` : undefined,
    };
  }

  /** Plans the next call of an operation. Some calls repeat an earlier one. */
  next(operation: string, earlier: readonly Planned[]): Planned {
    const [method = "GET"] = operation.split(" ");
    this.#onConnection += 1;
    if (this.#onConnection > 2) {
      this.#connection += 1;
      this.#onConnection = 1;
    }
    const isList = method === "GET" && !operation.includes("{");
    const plain = { method, connection: this.#connection, together: this.#chance(0.1) };
    const again = this.#chance(0.15) ? earlier.at(-1) : undefined;
    const before =
      again ??
      (earlier.length > 0 && this.#chance(0.2) ? this.#random.pick(earlier as [Planned]) : undefined);
    if (before)
      return {
        ...before,
        ...plain,
        headers: { ...this.#headers(method), "idempotency-key": before.headers["idempotency-key"] },
      };
    return {
      ...plain,
      path: this.#path(operation) + (isList ? this.#query(operation) : ""),
      headers: this.#headers(method),
      body: this.#body(operation),
    };
  }
}

/** Replaces times within a day of now, because they differ from run to run. */
function masked(text: string): string {
  const isOfSession = (time: string) => Math.abs(Date.parse(time) - Date.now()) < 86_400_000;
  return text.replaceAll(/"(\d{4}-\d\d-\d\dT[^"]*)"/g, (all, time: string) =>
    isOfSession(time) ? '"now"' : all,
  );
}

/** Sends the calls of a session to a service with these hooks, and yields each answer as text. */
export async function* session(
  seed: number,
  operations: readonly [string, ...string[]],
  length: number,
  hooks: Hooks = {},
): AsyncGenerator<string> {
  const { service, fixtures } = prepare({ seed: 1 }, { name: "session", description: "", why: "", hooks });
  const random = new Random(seed);
  const planner = new Planner(seed, fixtures);
  const connections = new Map<number, object>();
  const bank = service.store.all("bank")[0];
  const [first, second] = service.store.all("webhook");
  const webhooks = [first?.id ?? "", second?.id ?? ""];
  const old = second?.id ?? "";
  const cursors = [""];
  const known = (path: string) => {
    const kind = path.startsWith("/momos") ? "momo" : path.startsWith("/countries") ? "country" : "bank";
    const record = service.store.all(kind)[random.integer(0, 1)] ?? bank;
    return path
      .replaceAll("{webhook}", webhooks.at(-1) ?? "")
      .replaceAll("{other-webhook}", webhooks.at(-2) ?? "")
      .replaceAll("{old-webhook}", old)
      .replaceAll("{some-code}", service.store.all("paymentCode")[random.integer(0, 19)]?.id ?? "")
      .replaceAll("{next}", cursors.slice(-4)[random.integer(0, Math.min(3, cursors.length - 1))] ?? "")
      .replaceAll(
        "{ussd}",
        encodeURIComponent(String(service.store.all("paymentCode")[3]?.data.ussdCode ?? "")),
      )
      .replaceAll("{id}", record?.id ?? "")
      .replaceAll("{code}", String(record?.data.code ?? ""));
  };
  const send = async ({ method, path: planned, headers, body, connection }: Planned): Promise<string> => {
    const [path = "", query = ""] = known(planned).split("?");
    const kept = connections.get(connection) ?? {};
    connections.set(connection, kept);
    const request: IncomingRequest = {
      method,
      path,
      query,
      headers,
      body: Buffer.from(body === undefined ? "" : JSON.stringify(body)),
      tooLarge: false,
      connection: kept,
    };
    const response = await dispatch(service, request);
    const text = String(response.body);
    if (response.status === 200) {
      const { result, pagination } = JSON.parse(text) as {
        result: JsonObject;
        pagination?: { next?: string | null };
      };
      if (method === "POST" && path === "/webhooks" && typeof result.id === "string")
        webhooks.push(result.id);
      if (pagination) cursors.push(pagination.next ?? "");
    }
    return masked(`${response.status} ${text}`);
  };
  const earlier = new Map<string, Planned[]>();
  const plan = (operation: string) => {
    const before = earlier.get(operation) ?? [];
    const planned = planner.next(operation, before);
    earlier.set(operation, [...before, planned].slice(-8));
    return planned;
  };
  for (let step = 0; step < length; step += 1) {
    const operation = random.pick(operations);
    const planned = plan(operation);
    if (planned.together) {
      const beside = plan(random.integer(0, 1) === 0 ? operation : random.pick(operations));
      yield (await Promise.all([send(planned), send(beside)])).join("\n");
    } else yield send(planned);
  }
  service.stop();
}
