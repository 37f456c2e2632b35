import { makeSeed } from "./data/seed.ts";
import { defects } from "./defects/index.ts";
import { EVENT_NAMES } from "./deliveries.ts";
import { dispatch } from "./dispatch.ts";
import { compose, type Hooks } from "./hooks.ts";
import type { ReferenceOptions, RunningService } from "./options.ts";
import { listen, listener } from "./server.ts";
import { Service } from "./service.ts";
import { Store } from "./store.ts";
import { variants } from "./variants/index.ts";

export type { Size } from "./data/seed.ts";
export type { Defect } from "./defects/defect.ts";
export type { Hooks } from "./hooks.ts";
export type { ReferenceOptions, RunningService } from "./options.ts";
export type { Variant } from "./variants/variant.ts";
export { defects, variants };

const SPACE = "spc-harbour-7f3a";
const SECOND_SPACE = "spc-meadow-91c2";
const TOKEN = "ref-token-first-4kq9zt27";
const SECOND_TOKEN = "ref-token-second-8xw3mb61";

function named<T extends { readonly name: string }>(list: readonly T[], name: string, what: string): T {
  const found = list.find((entry) => entry.name === name);
  if (!found) throw new RangeError(`there is no ${what} named ${name}`);
  return found;
}

function hooksOf({ hooks }: { readonly hooks: Hooks | (() => Hooks) }): Hooks {
  return typeof hooks === "function" ? hooks() : hooks;
}

/**
 * Starts the reference service: a complete implementation of the specification, in memory.
 * @throws RangeError when a defect or variant does not exist; the system's error when the port is taken.
 */
export async function startReference(options: ReferenceOptions = {}): Promise<RunningService> {
  const variant = options.variant === undefined ? undefined : named(variants, options.variant, "variant");
  const chosen = (options.defects ?? []).map((name) => named(defects, name, "defect"));
  const settings = { ...variant?.options, ...options };
  const { host = "127.0.0.1", port = 0, seed = 1, basePath = "", latencyMs = 0, paths = "both" } = settings;
  const hooks = compose([...(variant ? [variant] : []), ...chosen].map(hooksOf));
  const tokens = new Map([
    [TOKEN, [SPACE, SECOND_SPACE]],
    [SECOND_TOKEN, [SECOND_SPACE]],
  ]);
  const service = new Service({ paths, basePath, latencyMs, seed }, hooks, tokens);
  const { dataset, fixtures } = makeSeed(seed, settings.size ?? {}, [SPACE, SECOND_SPACE]);
  service.fill(new Store(hooks.seed(dataset, service)));
  const answer = listener((request) => dispatch(service, request), basePath, latencyMs);
  const listening = await listen(answer, host, port);
  hooks.started(service);
  return {
    baseUrl: `${listening.origin}${basePath}`,
    token: TOKEN,
    space: SPACE,
    secondSpace: SECOND_SPACE,
    secondToken: SECOND_TOKEN,
    fixtures: { ...fixtures, eventNames: EVENT_NAMES.join(",") },
    close: async () => {
      service.stop();
      await listening.close();
    },
  };
}
