/** Judges what goes through a recording proxy, until it is stopped. */

import { openConnections } from "../../client/sending/network.ts";
import type { Report } from "../../reports/report.ts";
import type { Found } from "../../runner/judging/found.ts";
import { UsageError } from "../../spec/usage-error.ts";
import { wholeNumber } from "../choose.ts";
import type { Flags } from "../flags.ts";
import { LiveJudge } from "./live-judge.ts";
import { othersTraffic, reportOnOthers } from "./others-traffic.ts";
import type { Judging } from "./prepare.ts";
import { RecordingProxy } from "./proxy.ts";

/** Bytes that are recorded of a body. */
const LARGEST = 1024 * 1024;
/** Milliseconds that the service may take: patience is the business of the client. */
const TIMEOUT = 300_000;
/** Milliseconds to wait for requests under way when the proxy is stopped. */
const PATIENCE = 2_000;

/** The port and the service of `--listen` and `--to`; undefined if neither is given. @throws UsageError */
export function listening({ listen, to }: Flags): { port: number; to: string } | undefined {
  if (listen === undefined && to === undefined) return undefined;
  if (listen === undefined || typeof to !== "string")
    throw new UsageError("--listen and --to go together: a local port, and the address of the service");
  if (!URL.canParse(to) || !/^https?:$/.test(new URL(to).protocol))
    throw new UsageError(`--to must be an address with http or https, not ${to}`);
  return { port: wholeNumber("--listen", listen, 0, 65_535) ?? 0, to: to.replace(/\/+$/, "") };
}

export interface ListenOptions {
  port: number;
  to: string;
  stopped: AbortSignal;
  tell(found: Found): void;
  /** Prints the address of the proxy, and its errors. */
  say(sentence: string): void;
}

/** Passes requests on until it is stopped. Gives the report on all of them. */
export async function judgeListening(judging: Judging, options: ListenOptions): Promise<Report> {
  const { to, port, stopped, tell, say } = options;
  const { settings } = judging;
  const own: Judging = { ...judging, settings: { ...settings, baseUrl: to } };
  const { network } = settings;
  const connections = openConnections({
    timeout: TIMEOUT,
    concurrency: 256,
    ...(network === undefined ? {} : { network }),
  });
  const traffic = othersTraffic(own);
  const judge = new LiveJudge(traffic, tell);
  const told = new Set<string>();
  const proxy = new RecordingProxy({
    port,
    target: to,
    connections,
    largest: LARGEST,
    recorded: (exchange) => judge.take(exchange),
    failed: (reason) => {
      if (!told.has(reason)) say(`The service gave no answer: ${reason}`);
      told.add(reason);
    },
  });
  try {
    say(`Listening on ${await proxy.listen()} for ${to}; an interrupt ends it and writes the reports.`);
    if (!stopped.aborted)
      await new Promise((resolve) => stopped.addEventListener("abort", resolve, { once: true }));
    await proxy.close(PATIENCE);
  } finally {
    judge.end();
    await connections.close();
  }
  return reportOnOthers(own, traffic, [], []);
}
