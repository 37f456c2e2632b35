/** How requests leave the machine: proxies from the environment, the user's certificates, and connections that are kept or not. */

import { rootCertificates } from "node:tls";
import { Agent, type Dispatcher, EnvHttpProxyAgent } from "undici";

/** What the user says of the network between the suite and the target. All texts in PEM. */
export interface Network {
  /** Certificates of authorities that are trusted beside the usual ones. */
  ca?: string;
  /** The suite's own certificate, and its key. */
  cert?: string;
  key?: string;
  /** Certificates of the target are not checked. */
  insecure?: boolean;
}

/** A kept connection lasts when so many answers came on each, on the average. */
const LASTING = 3;

/** Connections that are kept, and such as are made for one request. */
export class Connections {
  readonly #kept: Dispatcher;
  readonly #fresh: Dispatcher;
  #opened = 0;
  #asked = 0;
  #broken = false;

  constructor(kept: Dispatcher, fresh: Dispatcher) {
    this.#kept = kept;
    this.#fresh = fresh;
    kept.on("connect", () => this.#opened++);
  }

  /**
   * Where to send a call. One that may create something never goes on a connection that the service may be closing:
   * on a kept one only where these have been seen to last.
   */
  for(safe: boolean): Dispatcher {
    if (!safe && !this.#last()) return this.#fresh;
    this.#asked++;
    return this.#kept;
  }

  /** A connection was closed without an answer: from now on none is trusted to last. */
  lost(): void {
    this.#broken = true;
  }

  /** Closes all. */
  async close(): Promise<void> {
    await Promise.all([this.#kept.destroy(), this.#fresh.destroy()]);
  }

  /** Behind a proxy nobody tells when a connection is opened. */
  #last(): boolean {
    return !this.#broken && this.#opened > 0 && this.#asked >= LASTING * this.#opened;
  }
}

/** Variables that name a proxy, as other programs read them. */
const PROXY_VARIABLES = ["http_proxy", "HTTP_PROXY", "https_proxy", "HTTPS_PROXY"] as const;

/** Whether the environment names a proxy. */
function namesProxy(environment: NodeJS.ProcessEnv = process.env): boolean {
  return PROXY_VARIABLES.some((name) => (environment[name] ?? "") !== "");
}

/** User name and password of the proxies that the environment names: secrets of the user. */
export function proxyCredentials(environment: NodeJS.ProcessEnv = process.env): string[] {
  return PROXY_VARIABLES.flatMap((name) => {
    const value = environment[name] ?? "";
    if (!URL.canParse(value)) return [];
    const { username, password } = new URL(value);
    return [decodeURIComponent(password), decodeURIComponent(username)].filter((part) => part !== "");
  });
}

/** Opens both kinds of connections. `timeout` in milliseconds; `direct` leaves proxies out. */
export function openConnections(options: {
  timeout: number;
  concurrency: number;
  network?: Network;
  direct?: boolean;
}): Connections {
  const { timeout, concurrency, network = {} } = options;
  const tls = {
    ...(network.ca === undefined ? {} : { ca: [...rootCertificates, network.ca] }),
    ...(network.cert === undefined ? {} : { cert: network.cert }),
    ...(network.key === undefined ? {} : { key: network.key }),
    ...(network.insecure ? { rejectUnauthorized: false } : {}),
  };
  const common = {
    connect: { timeout, ...tls },
    headersTimeout: timeout,
    bodyTimeout: timeout,
    maxHeaderSize: 64 * 1024,
  };
  const kept = { ...common, connections: concurrency, keepAliveTimeout: 2_000 };
  const fresh = { ...common, pipelining: 0 };
  if (options.direct || !namesProxy()) return new Connections(new Agent(kept), new Agent(fresh));
  // Plain HTTP is asked of the proxy itself: many allow tunnels to the ports of TLS alone.
  const proxied = { requestTls: { timeout, ...tls }, proxyTunnel: false };
  return new Connections(
    new EnvHttpProxyAgent({ ...kept, ...proxied }),
    new EnvHttpProxyAgent({ ...fresh, ...proxied }),
  );
}
