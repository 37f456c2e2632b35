/** Runs the proxy in a thread, so that judging does not delay requests. */

import { parentPort, workerData } from "node:worker_threads";
import { type Network, openConnections } from "../../client/sending/network.ts";
import type { ForeignExchange } from "../../history/foreign/exchange.ts";
import { RecordingProxy } from "./proxy.ts";

export interface ProxyData {
  port: number;
  target: string;
  network?: Network;
}

/** Any message to the thread stops the proxy. */
export type ProxyMessage =
  | { kind: "listening"; address: string }
  | { kind: "refused"; reason: string }
  | { kind: "recorded"; exchange: ForeignExchange }
  | { kind: "failed"; reason: string };

const LARGEST_BYTES = 1024 * 1024;
/** Clients have limits of their own. */
const TIMEOUT_MS = 300_000;
const CLOSING_MS = 2_000;

const { port, target, network } = workerData as ProxyData;
const post = (message: ProxyMessage) => parentPort?.postMessage(message);
const connections = openConnections({
  timeout: TIMEOUT_MS,
  concurrency: 256,
  ...(network === undefined ? {} : { network }),
});
const proxy = new RecordingProxy({
  port,
  target,
  connections,
  largest: LARGEST_BYTES,
  recorded: (exchange) => post({ kind: "recorded", exchange }),
  failed: (reason) => post({ kind: "failed", reason }),
});
parentPort?.once("message", async () => {
  await proxy.close(CLOSING_MS);
  await connections.close();
  parentPort?.close();
});
proxy.listen().then(
  (address) => post({ kind: "listening", address }),
  (error: Error) => post({ kind: "refused", reason: error.message }),
);
