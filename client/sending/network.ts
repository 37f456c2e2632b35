/** How requests leave the machine: proxies from the environment, the user's certificates, and connections that are kept or not. */

import { rootCertificates } from "node:tls";
import { Agent, type Dispatcher, EnvHttpProxyAgent } from "undici";
import { UsageError } from "../../spec/usage-error.ts";

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

/** Whether the environment names a proxy. Throws UsageError if what it names is no address; it may hold a password. */
function namesProxy(environment: NodeJS.ProcessEnv = process.env): boolean {
  const named = PROXY_VARIABLES.filter((name) => (environment[name] ?? "") !== "");
  const wrong = named.find((name) => !/^https?:$/.test(parsed(environment[name])?.protocol ?? ""));
  if (wrong !== undefined)
    throw new UsageError(`${wrong} is not the address of a proxy: http://HOST:PORT, or https://HOST:PORT`);
  return named.length > 0;
}

/** The proxy that requests to a URL go through, without its credentials, and the variable that names it. */
export function proxyFor(
  url: string,
  environment: NodeJS.ProcessEnv = process.env,
): { address: string; variable: string } | undefined {
  const { protocol, host } = new URL(url);
  if (isExempt(host, protocol === "https:" ? 443 : 80, environment)) return undefined;
  // As undici reads them: the small letters first, and the proxy for http if there is none for https.
  const names = ["http_proxy", "HTTP_PROXY"];
  const inOrder = protocol === "https:" ? ["https_proxy", "HTTPS_PROXY", ...names] : names;
  const variable = inOrder.find((name) => (environment[name] ?? "") !== "");
  const proxy = variable === undefined ? undefined : parsed(environment[variable]);
  return variable === undefined || proxy === undefined
    ? undefined
    : { address: `${proxy.protocol}//${proxy.host}`, variable };
}

function parsed(address = ""): URL | undefined {
  return URL.canParse(address) ? new URL(address) : undefined;
}

/** Whether NO_PROXY names a host, or a domain that it is in. */
function isExempt(host: string, usualPort: number, environment: NodeJS.ProcessEnv): boolean {
  const exempt = environment.no_proxy ?? environment.NO_PROXY ?? "";
  if (exempt === "*") return true;
  const name = host.replace(/:\d*$/, "").toLowerCase();
  const port = Number(/:(\d+)$/.exec(host)?.[1] ?? usualPort);
  return exempt.split(/[,\s]/).some((entry) => {
    const [, own = entry, ownPort] = /^(.+):(\d+)$/.exec(entry) ?? [];
    const domain = own.replace(/^\*?\./, "").toLowerCase();
    if (domain === "" || (ownPort !== undefined && Number(ownPort) !== port)) return false;
    return name === domain || name.endsWith(`.${domain}`);
  });
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
