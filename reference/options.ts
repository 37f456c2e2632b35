import type { Size } from "./data/seed.ts";
import type { Paths } from "./service.ts";

export interface ReferenceOptions {
  readonly port?: number;
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
  readonly token: string;
  readonly space: string;
  readonly secondSpace: string;
  readonly secondToken: string;
  /** Resources of the first space, by their names in `--fixture`. */
  readonly fixtures: Readonly<Record<string, string>>;
  close(): Promise<void>;
}
