import type { Size } from "./data/seed.ts";
import type { Paths } from "./service.ts";

/** How to start a reference service. */
export interface ReferenceOptions {
  /** By default a free port. */
  readonly port?: number;
  /** By default 127.0.0.1. */
  readonly host?: string;
  /** Names of defects to switch on. */
  readonly defects?: readonly string[];
  /** Name of a conforming variant. */
  readonly variant?: string;
  /** Waiting time before each answer, in milliseconds. */
  readonly latencyMs?: number;
  /** How much data there is. */
  readonly size?: Size;
  /** Seed of the data, by default 1. */
  readonly seed?: number;
  /** Which paths answer; by default both readings of section 9. */
  readonly paths?: Paths;
  /** A prefix of every path, such as /payments. */
  readonly basePath?: string;
}

/** A service that listens, and what a client needs to use it. */
export interface RunningService {
  readonly baseUrl: string;
  /** May act on both spaces. */
  readonly token: string;
  readonly space: string;
  readonly secondSpace: string;
  /** May act on the second space only. */
  readonly secondToken: string;
  /** Things that exist in the first space, by the names of the `--fixture` option. */
  readonly fixtures: Readonly<Record<string, string>>;
  /** Ends all connections and frees the port. */
  close(): Promise<void>;
}
