/** Starts the service with its data, behind a reverse proxy. */

import type { AddressInfo } from "node:net";
import { buildApp } from "./app.ts";
import { Database } from "./database.ts";
import { type ReverseProxy, startProxy } from "./proxy.ts";
import { SECOND_SPACE, SPACE, seed, TOKEN } from "./seed.ts";
import { TABLES } from "./tables.ts";
import { EVENTS } from "./webhooks.ts";

/** The settings with which the suite runs on the service. */
export interface Started {
  baseUrl: string;
  token: string;
  space: string;
  secondSpace: string;
  fixtures: Record<string, string>;
  close(): Promise<void>;
}

/** Starts the service on free ports of this machine. With `behind: "nothing"`, it has no proxy. */
export async function start(behind: "proxy" | "nothing" = "proxy"): Promise<Started> {
  const database = new Database();
  database.script(TABLES);
  const fixtures = database.transaction(() => seed(database));
  const app = buildApp(database);
  await app.listen({ host: "127.0.0.1", port: 0 });
  const { port } = app.server.address() as AddressInfo;
  const proxy: ReverseProxy | undefined = behind === "proxy" ? await startProxy(port) : undefined;
  return {
    baseUrl: proxy?.baseUrl ?? `http://127.0.0.1:${port}`,
    token: TOKEN,
    space: SPACE,
    secondSpace: SECOND_SPACE,
    fixtures: { ...fixtures, eventNames: EVENTS.join(",") },
    close: async () => {
      await proxy?.close();
      await app.close();
      database.close();
    },
  };
}
