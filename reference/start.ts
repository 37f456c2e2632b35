import { compose, hooksOf } from "./compose.ts";
import { makeSeed } from "./data/seed.ts";
import { historyDefects } from "./defects/history/index.ts";
import { defects } from "./defects/index.ts";
import { EVENT_NAMES } from "./deliveries.ts";
import { dispatch } from "./dispatch.ts";
import type { Service } from "./hooks.ts";
import type { ReferenceOptions, RunningService } from "./options.ts";
import { listen, listener } from "./server.ts";
import { ServiceState } from "./service.ts";
import { Store } from "./store.ts";
import type { Variant } from "./variants/variant.ts";

const ALERT_EMAILS = "alerts@example.com,payments.on-call@example.com,Ops+Payments@example.org";

export const ACCESS = {
  token: "ref-token-first-4kq9zt27",
  space: "spc-harbour-7f3a",
  secondSpace: "spc-meadow-91c2",
  secondToken: "ref-token-second-8xw3mb61",
} as const;

function known<T>(found: T | undefined, name: string, what: string): T {
  if (!found) throw new RangeError(`there is no ${what} named ${name}`);
  return found;
}

export interface Prepared {
  readonly service: Service;
  readonly fixtures: Readonly<Record<string, string>>;
  readonly settings: ReferenceOptions;
}

export function prepare(options: ReferenceOptions, variant?: Variant): Prepared {
  const chosen = (options.defects ?? []).map((name) =>
    known(
      [...defects, ...historyDefects].find((defect) => defect.name === name),
      name,
      "defect",
    ),
  );
  const settings = { ...variant?.options, ...options };
  const { seed = 1, basePath = "", latencyMs = 0, paths = "both" } = settings;
  const hooks = compose([...(variant ? [variant] : []), ...chosen].map(hooksOf));
  const tokens = new Map<string, readonly string[]>([
    [ACCESS.token, [ACCESS.space, ACCESS.secondSpace]],
    [ACCESS.secondToken, [ACCESS.secondSpace]],
  ]);
  const service = new ServiceState({ paths, basePath, latencyMs, seed }, hooks, tokens);
  const { dataset, fixtures } = makeSeed(seed, settings.size ?? {}, [ACCESS.space, ACCESS.secondSpace]);
  service.fill(new Store(hooks.seed(dataset, service)));
  const ordinary = { ...fixtures, eventNames: EVENT_NAMES.join(","), alertEmails: ALERT_EMAILS };
  return { service, fixtures: variant?.fixtures?.(ordinary) ?? ordinary, settings };
}

/** Variants are loaded only if needed, because the published package has none. */
async function variantOf({ variant: name }: ReferenceOptions): Promise<Variant | undefined> {
  if (name === undefined) return undefined;
  const { variantNamed } = await import("./variants/index.ts");
  return known(variantNamed(name), name, "variant");
}

/** @throws RangeError for an unknown defect or variant, or the system's error if the port is taken */
export async function startReference(options: ReferenceOptions = {}): Promise<RunningService> {
  const { service, fixtures, settings } = prepare(options, await variantOf(options));
  const { host = "127.0.0.1", port = 0, basePath = "", latencyMs = 0 } = settings;
  const answer = listener((request) => dispatch(service, request), basePath, latencyMs);
  const listening = await listen(answer, host, port);
  service.hooks.started(service);
  return {
    ...ACCESS,
    baseUrl: `${listening.origin}${basePath}`,
    fixtures,
    close: async () => {
      service.stop();
      await listening.close();
    },
  };
}
