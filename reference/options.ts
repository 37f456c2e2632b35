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
  /** Section 9 leaves open if paths begin with `/v1`. By default, both work. */
  readonly paths?: Paths;
  /** A prefix of every path, such as `/payments`. */
  readonly basePath?: string;
}

export interface RunningService {
  readonly baseUrl: string;
  readonly token: string;
  readonly space: string;
  readonly secondSpace: string;
  readonly secondToken: string;
  /** Values for `--fixture`. `payout` is an id in the first space. */
  readonly fixtures: Readonly<Record<string, string>>;
  close(): Promise<void>;
}
