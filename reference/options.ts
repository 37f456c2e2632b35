import type { Size } from "./data/seed.ts";
import type { Paths } from "./service.ts";

export interface ReferenceOptions {
  /** By default, a free port. */
  readonly port?: number;
  /** By default, 127.0.0.1. */
  readonly host?: string;
  readonly defects?: readonly string[];
  readonly variant?: string;
  readonly latencyMs?: number;
  readonly size?: Size;
  readonly seed?: number;
  /** By default, the paths of both readings of section 9. */
  readonly paths?: Paths;
  /** A prefix of every path (`/payments`). */
  readonly basePath?: string;
}

export interface RunningService {
  readonly baseUrl: string;
  /** A token that may use both spaces. */
  readonly token: string;
  readonly space: string;
  readonly secondSpace: string;
  /** A token that may use the second space only. */
  readonly secondToken: string;
  /** Resources of the first space, by their names in `--fixture`. */
  readonly fixtures: Readonly<Record<string, string>>;
  close(): Promise<void>;
}
