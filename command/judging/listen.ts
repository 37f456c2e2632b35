import { extname } from "node:path";
import { Worker } from "node:worker_threads";
import type { Report } from "../../reports/report.ts";
import type { Found } from "../../runner/judging/found.ts";
import { UsageError } from "../../spec/usage-error.ts";
import type { Flags } from "../flags.ts";
import { wholeNumber } from "../setup/choose.ts";
import { LiveJudge } from "./live-judge.ts";
import { othersTraffic, reportOnOthers } from "./others-traffic.ts";
import type { Judging } from "./prepare.ts";
import type { ProxyData, ProxyMessage } from "./proxy-worker.ts";

const WORKER = new URL(`./proxy-worker${extname(import.meta.url)}`, import.meta.url);

/**
 * Returns the port and the address of `--listen` and `--to`, or `undefined` without them.
 * @throws UsageError if one is missing.
 */
export function listenOptions({ listen, to }: Flags): { port: number; to: string } | undefined {
  if (listen === undefined && to === undefined) return undefined;
  if (listen === undefined || typeof to !== "string")
    throw new UsageError("--listen and --to go together: a local port, and the address of the service");
  if (!URL.canParse(to) || !/^https?:$/.test(new URL(to).protocol))
    throw new UsageError("--to must be an address with http or https");
  const { username, password } = new URL(to);
  if (username !== "" || password !== "")
    throw new UsageError(
      "--to must not hold a user name or password: the requests have credentials of their own",
    );
  if (/[?#]/.test(to))
    throw new UsageError(
      "--to must be an address that paths can be appended to, without a query or fragment",
    );
  return { port: wholeNumber("--listen", listen, 0, 65_535) ?? 0, to: to.replace(/\/+$/, "") };
}

export interface ListenOptions {
  port: number;
  to: string;
  stopped: AbortSignal;
  tell(found: Found): void;
  say(sentence: string): void;
}

/** Forwards requests to the service and judges them, until the user ends it. */
export async function judgeListening(judging: Judging, options: ListenOptions): Promise<Report> {
  const { to, port, stopped, tell, say } = options;
  const { settings } = judging;
  const own: Judging = { ...judging, settings: { ...settings, baseUrl: to } };
  const { network } = settings;
  const workerData: ProxyData = { port, target: to, ...(network === undefined ? {} : { network }) };
  const traffic = othersTraffic(own);
  const judge = new LiveJudge(traffic, tell);
  const reported = new Set<string>();
  const worker = new Worker(WORKER, { workerData });
  let refused: string | undefined;
  worker.on("message", (message: ProxyMessage) => {
    if (message.kind === "recorded") judge.take(message.exchange);
    else if (message.kind === "listening")
      say(`Listening on ${message.address} for ${to}; an interrupt ends it and writes the reports.`);
    else if (message.kind === "refused") {
      refused = message.reason;
      worker.postMessage("stop");
    } else {
      if (!reported.has(message.reason)) say(`The service gave no answer: ${message.reason}`);
      reported.add(message.reason);
    }
  });
  const stop = () => worker.postMessage("stop");
  stopped.addEventListener("abort", stop, { once: true });
  if (stopped.aborted) stop();
  await new Promise<void>((resolve, reject) => {
    worker.once("error", reject);
    worker.once("exit", () => resolve());
  });
  judge.end();
  if (refused !== undefined) throw new UsageError(refused);
  return reportOnOthers(own, traffic, [], []);
}
