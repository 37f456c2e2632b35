import { rootCertificates } from "node:tls";
import { Agent, type Dispatcher, EnvHttpProxyAgent } from "undici";
import { keptIn } from "../../spec/memoized.ts";
import { UsageError } from "../../spec/usage-error.ts";

export interface Network {
  ca?: string;
  cert?: string;
  key?: string;
  insecure?: boolean;
}

const LASTING_ANSWERS = 3;
/** A service with this many lost connections probably closes idle ones soon, so each request gets a new one. */
const MOST_LOSSES = 2;
/** The most requests on one connection: some services treat later ones differently. */
const MOST_REQUESTS = 8;

const SEQUENCE_PAUSE_MS = 1_000;

export class Connections {
  readonly #sequences = new Map<string, Dispatcher>();
  #opened = 0;
  #asked = 0;
  #losses = 0;

  constructor(
    private readonly kept: Dispatcher,
    private readonly fresh: Dispatcher,
    private readonly openSingle: () => Dispatcher,
  ) {
    kept.on("connect", () => this.#opened++);
  }

  for(safe: boolean, sequence?: string): Dispatcher {
    if (sequence !== undefined && (safe || this.#areLasting())) return this.#ofSequence(sequence);
    if (this.#losses >= MOST_LOSSES || (!safe && !this.#areLasting())) return this.fresh;
    this.#asked++;
    return this.kept;
  }

  lost(): void {
    this.#losses++;
  }

  async close(): Promise<void> {
    const all = [this.kept, this.fresh, ...this.#sequences.values()];
    await Promise.all(all.map((each) => each.destroy()));
  }

  #ofSequence(name: string): Dispatcher {
    return keptIn(this.#sequences, name, () => this.openSingle());
  }

  /** False behind a proxy, which hides when connections close. */
  #areLasting(): boolean {
    return this.#losses === 0 && this.#opened > 0 && this.#asked >= LASTING_ANSWERS * this.#opened;
  }
}

const PROXY_VARIABLES = ["http_proxy", "HTTP_PROXY", "https_proxy", "HTTPS_PROXY"] as const;

/**
 * True if the variable names a proxy.
 * @throws UsageError without the variable's value, which may hold a password
 */
function namesProxy(environment: NodeJS.ProcessEnv = process.env): boolean {
  const named = PROXY_VARIABLES.filter((name) => (environment[name] ?? "") !== "");
  const wrong = named.find((name) => !/^https?:$/.test(urlOf(environment[name])?.protocol ?? ""));
  if (wrong !== undefined)
    throw new UsageError(`${wrong} is not the address of a proxy: http://HOST:PORT, or https://HOST:PORT`);
  const unclear = named.find((name) => credentialsIn(environment[name]).some((part) => part === undefined));
  if (unclear !== undefined)
    throw new UsageError(
      `${unclear} has a % in its user name or password that begins no escape: write it as %25`,
    );
  return named.length > 0;
}

/** Returns the proxy that the environment names for the URL, with the variable that names it. */
export function proxyFor(
  url: string,
  environment: NodeJS.ProcessEnv = process.env,
): { address: string; variable: string } | undefined {
  const { protocol, host } = new URL(url);
  if (isExempt(host, protocol === "https:" ? 443 : 80, environment)) return undefined;
  // undici prefers lower case, and falls back to the http proxy for https.
  const names = ["http_proxy", "HTTP_PROXY"];
  const inOrder = protocol === "https:" ? ["https_proxy", "HTTPS_PROXY", ...names] : names;
  const variable = inOrder.find((name) => (environment[name] ?? "") !== "");
  const proxy = variable === undefined ? undefined : urlOf(environment[variable]);
  return variable === undefined || proxy === undefined
    ? undefined
    : { address: `${proxy.protocol}//${proxy.host}`, variable };
}

function urlOf(address = ""): URL | undefined {
  return URL.canParse(address) ? new URL(address) : undefined;
}

function isExempt(host: string, defaultPort: number, environment: NodeJS.ProcessEnv): boolean {
  const exempt = environment.no_proxy ?? environment.NO_PROXY ?? "";
  if (exempt === "*") return true;
  const name = host.replace(/:\d*$/, "").toLowerCase();
  const port = Number(/:(\d+)$/.exec(host)?.[1] ?? defaultPort);
  return exempt.split(/[,\s]/).some((entry) => {
    const [, own = entry, ownPort] = /^(.+):(\d+)$/.exec(entry) ?? [];
    const domain = own.replace(/^\*?\./, "").toLowerCase();
    if (domain === "" || (ownPort !== undefined && Number(ownPort) !== port)) return false;
    return name === domain || name.endsWith(`.${domain}`);
  });
}

/** Returns user names and passwords of proxies, which the report must not show. */
export function proxyCredentials(environment: NodeJS.ProcessEnv = process.env): string[] {
  const parts = PROXY_VARIABLES.flatMap((name) => credentialsIn(environment[name]));
  return parts.flatMap((part) => (part === undefined || part === "" ? [] : [part]));
}

/** Returns password and user name, each undefined if it can't be decoded. */
function credentialsIn(address: string | undefined): (string | undefined)[] {
  const { username = "", password = "" } = urlOf(address) ?? {};
  return [password, username].map((part) => {
    try {
      return decodeURIComponent(part);
    } catch {
      return undefined;
    }
  });
}

/** Returns undici's dispatcher, with the timeout in milliseconds. */
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
  const kept = {
    ...common,
    connections: concurrency,
    keepAliveTimeout: 2_000,
    maxRequestsPerClient: MOST_REQUESTS,
  };
  const fresh = { ...common, pipelining: 0 };
  const single = { ...common, connections: 1, keepAliveTimeout: SEQUENCE_PAUSE_MS };
  const isDirect = options.direct || !namesProxy();
  // Many proxies allow tunnels only to TLS ports.
  const proxied = { requestTls: { timeout, ...tls }, proxyTunnel: false };
  const open = (how: Agent.Options): Dispatcher =>
    isDirect ? new Agent(how) : new EnvHttpProxyAgent({ ...how, ...proxied });
  return new Connections(open(kept), open(fresh), () => open(single));
}
