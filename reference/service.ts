import type { JsonObject } from "./json.ts";
import { Random } from "./random.ts";
import type { Store } from "./store.ts";

export type Paths = "as-shown" | "v1" | "both";

export interface ServiceSettings {
  readonly paths: Paths;
  readonly basePath: string;
  readonly latencyMs: number;
  readonly seed: number;
}

export interface Entry {
  readonly index: string;
  readonly fingerprint: string;
  readonly since: number;
  readonly result: Promise<JsonObject>;
}

export class ServiceState<Hooks> {
  readonly random: Random;
  readonly keys = new Map<string, Entry>();
  /** Signs cursors, so that invented ones are recognised. */
  readonly cursorSecret: string;
  readonly #timers = new Set<NodeJS.Timeout>();
  #store: Store | undefined;
  #requests = 0;

  constructor(
    readonly settings: ServiceSettings,
    readonly hooks: Hooks,
    readonly tokens: ReadonlyMap<string, readonly string[]>,
  ) {
    this.random = new Random(settings.seed ^ 0x5eed);
    this.cursorSecret = this.random.token(32);
  }

  get store(): Store {
    if (!this.#store) throw new Error("the service has no data yet");
    return this.#store;
  }

  fill(store: Store): void {
    this.#store = store;
  }

  get spaces(): ReadonlySet<string> {
    return new Set([...this.tokens.values()].flat());
  }

  count(): number {
    this.#requests += 1;
    return this.#requests - 1;
  }

  newId(prefix: string): string {
    return `${prefix}_${this.random.token(20)}`;
  }

  now(): Date {
    return new Date();
  }

  /** The timer does not keep the process alive. */
  later(milliseconds: number, action: () => void): void {
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      action();
    }, milliseconds);
    timer.unref();
    this.#timers.add(timer);
  }

  stop(): void {
    for (const timer of this.#timers) clearTimeout(timer);
    this.#timers.clear();
  }
}
