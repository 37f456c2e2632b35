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

export interface Connections {
  /** For calls that change nothing. */
  kept: Dispatcher;
  /** For calls that may create something: never on a connection that the service may be closing. */
  fresh: Dispatcher;
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

/** Opens the two kinds of connections. `timeout` in milliseconds; `direct` leaves proxies out. */
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
  if (options.direct || !namesProxy()) return { kept: new Agent(kept), fresh: new Agent(fresh) };
  // Plain HTTP is asked of the proxy itself: many allow tunnels to the ports of TLS alone.
  const proxied = { requestTls: { timeout, ...tls }, proxyTunnel: false };
  return {
    kept: new EnvHttpProxyAgent({ ...kept, ...proxied }),
    fresh: new EnvHttpProxyAgent({ ...fresh, ...proxied }),
  };
}
