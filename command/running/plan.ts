import { duration, number } from "../../reports/text.ts";
import { type Cost, type Estimate, estimate, secondsFor } from "../../runner/planning/estimate.ts";
import { type Flags, valuesFrom } from "../flags.ts";
import { ASSUMED_LATENCY_MS } from "../options/settings.ts";
import { print } from "../output.ts";
import { choose, wholeNumber } from "../setup/choose.ts";
import { EXIT } from "./exit-codes.ts";
import { prepareRun } from "./prepare.ts";

/** Prints the requests and creations that a run would need, and returns the exit code. It sends nothing. */
export async function planCommand(flags: Flags): Promise<number> {
  const format = choose("--format", flags.format, ["text", "json"]);
  const latency = wholeNumber("--latency", flags.latency, 0, 60_000) ?? ASSUMED_LATENCY_MS;
  const nobody = { token: "none", space: "spc-none" };
  const preparation = await prepareRun({ ...nobody, ...valuesFrom(flags, { sendsNothing: true }) });
  await preparation.close();
  const { settings, planned, untried } = preparation;
  const leftToOtherSeeds = untried.length;
  const about = estimate(planned, settings);
  const seconds = secondsFor(about.requests, { ...settings, latency });
  const checks = planned.filter(({ skip }) => skip === undefined).length;
  if (format === "json") {
    const { depth, seed } = settings;
    print(
      `${JSON.stringify({ depth, seed, checks, leftToOtherSeeds, latency, seconds, ...about }, null, 2)}\n`,
    );
    return EXIT.ok;
  }
  const time = (requests: number) => duration(1000 * secondsFor(requests, { ...settings, latency }));
  const limits = `${latency} ms an answer, ${settings.concurrency} in flight${settings.rate === undefined ? "" : `, ${settings.rate} a second`}`;
  const rotated =
    leftToOtherSeeds === 0 ? "" : `; ${number(leftToOtherSeeds)} more are left to other seeds (--depth full)`;
  print(
    [
      `A run of ${number(checks)} checks at depth ${settings.depth}${rotated}.`,
      `Nothing was sent. On a service like the reference, with ${limits}, it would take about:`,
      "",
      ...tableOf("operation", about.operations, about, time),
      "",
      ...tableOf("suite", about.suites, about, time),
      "",
      "What is asked once for several suites counts for the first that asks.",
      "A run against a service with many faults asks more and takes longer than this: what seems broken is tried again.",
      "",
    ].join("\n"),
  );
  return EXIT.ok;
}

/** Returns a table of costs with their sum. */
function tableOf(
  name: string,
  rows: [string, Cost][],
  total: Estimate,
  time: (requests: number) => string,
): string[] {
  const width = Math.max(...rows.map(([key]) => key.length), name.length, 5);
  const row = (...[key, ...figures]: [string, string, string, string]) =>
    `  ${key.padEnd(width)}  ${figures.map((figure) => figure.padStart(9)).join("  ")}`;
  const line = (key: string, { requests, created }: Cost) =>
    row(key, number(requests), number(created), time(requests));
  return [
    row(name, "requests", "creations", "time"),
    ...rows.map(([key, cost]) => line(key, cost)),
    line("total", total),
  ];
}
