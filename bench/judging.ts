import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { createReadStream, createWriteStream, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as pause } from "node:timers/promises";
import { request } from "undici";
import { startReference } from "../reference/index.ts";
import type { Report } from "../reports/report.ts";
import { recordedRun } from "../test/judging/traffic.ts";
import { median } from "../test/prove/prove.ts";
import { type Cost, started } from "./command.ts";
import type { Table } from "./tables.ts";

const EXCHANGES = 10_000;
const MEBIBYTE = 1024 * 1024;

export async function judging(megabytes: number): Promise<Table> {
  const folder = mkdtempSync(join(tmpdir(), "judging-"));
  const lines = await recordedLines();
  const rows: string[][] = [
    ["Exchanges", "Size", "Seconds", "Processor time", "÷ parsing the file alone", "Peak memory"],
  ];
  const sizes = [0, megabytes * MEBIBYTE].filter((size, index) => index === 0 || size > 0);
  for (const size of sizes) {
    const file = join(folder, "traffic.ndjson");
    const written = await write(file, lines, size);
    const parsedMs = await parse(file);
    const cost = await started(["judge", file, "--reporter", "silent", "--out", "out"], folder).ended;
    rows.push([number(written.exchanges), mebibytes(written.bytes), ...inCells(cost, parsedMs)]);
  }
  rmSync(folder, { recursive: true });
  return rows;
}

function inCells({ wallMs, cpuMs, peakBytes }: Cost, parsedMs: number): string[] {
  const [wall, cpu] = [wallMs, cpuMs].map((ms) => `${(ms / 1000).toFixed(1)} s`);
  return [wall ?? "", cpu ?? "", (cpuMs / parsedMs).toFixed(1), mebibytes(peakBytes)];
}

async function recordedLines(): Promise<string[]> {
  const service = await startReference();
  const lines: string[] = [];
  for (let seed = 1; lines.length < EXCHANGES; seed++)
    lines.push(...(await recordedRun(service, seed)).lines);
  await service.close();
  return lines.slice(0, EXCHANGES);
}

const TEN_MINUTES = 600_000;

/** Writes copies of the lines. Later times and other spaces keep them from being duplicates. */
async function write(
  file: string,
  lines: readonly string[],
  least: number,
): Promise<{ exchanges: number; bytes: number }> {
  const out = createWriteStream(file);
  let [exchanges, bytes] = [0, 0];
  for (let copy = 0; copy === 0 || bytes < least; copy++)
    for (const line of lines) {
      if (copy > 0 && bytes >= least) break;
      const text = `${line
        .replaceAll(/"spc-([\w-]+)"/g, `"spc-$1-${copy}"`)
        .replace(
          /"startedAt":"([^"]+)"/,
          (_, at: string) => `"startedAt":${Date.parse(at) + copy * TEN_MINUTES}`,
        )}\n`;
      bytes += Buffer.byteLength(text);
      exchanges++;
      if (!out.write(text)) await once(out, "drain");
    }
  out.end();
  await once(out, "finish");
  return { exchanges, bytes };
}

async function parse(file: string): Promise<number> {
  const before = process.cpuUsage();
  for await (const line of createInterface({ input: createReadStream(file) })) JSON.parse(line);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

const RATE = 50;

export async function proxy(seconds: number): Promise<Table> {
  const folder = mkdtempSync(join(tmpdir(), "proxy-"));
  const service = await startReference();
  const args = ["judge", "--listen", "0", "--to", service.baseUrl, "--reporter", "silent", "--out", "out"];
  const { child, ended } = started(args, folder);
  const address = await listening(child);
  const headers = {
    authorization: `Bearer ${service.token}`,
    "service-space-id": service.space,
    "content-type": "application/json",
  };
  const [direct, through]: [number[], number[]] = [[], []];
  const failed: unknown[] = [];
  const begin = performance.now();
  const running = new Set<Promise<void>>();
  for (let index = 0; index < seconds * RATE; index++) {
    await pause(begin + (index * 1000) / RATE - performance.now());
    const pair = Promise.all([
      timed(service.baseUrl, index, headers).then((ms) => direct.push(ms)),
      timed(address, index, headers).then((ms) => through.push(ms)),
    ]).then(
      () => undefined,
      (error) => void failed.push(error),
    );
    running.add(pair.finally(() => running.delete(pair)));
  }
  await Promise.all(running);
  child.kill("SIGINT");
  const { peakBytes } = await ended;
  const report = JSON.parse(readFileSync(join(folder, "out/report.json"), "utf8")) as Report;
  await service.close();
  rmSync(folder, { recursive: true });
  const added = median(through) - median(direct);
  return [
    ["Seconds", "Requests through the proxy", "Failed", "Recorded", "Added at the median", "Peak memory"],
    [
      String(seconds),
      number(seconds * RATE),
      number(failed.length),
      number(report.judged?.exchanges ?? 0),
      `${added.toFixed(2)} ms (from ${median(direct).toFixed(2)} ms)`,
      mebibytes(peakBytes),
    ],
  ];
}

async function timed(base: string, index: number, headers: Record<string, string>): Promise<number> {
  const begin = performance.now();
  const [path, body] = CALLS[index % CALLS.length] ?? ["/countries"];
  const own = body ? { ...headers, "idempotency-key": `${base.split(":").at(-1)}-${index}` } : headers;
  const answer = await request(`${base}${path}`, {
    method: body ? "POST" : "GET",
    headers: own,
    ...(body ? { body: body(index) } : {}),
  });
  await answer.body.text();
  if (answer.statusCode !== 200) throw new Error(`${path} was answered ${answer.statusCode}`);
  return performance.now() - begin;
}

const CALLS: readonly [path: string, body?: (index: number) => string][] = [
  ["/countries"],
  ["/banks?country=CM"],
  ["/v1/payment-codes?limit=50"],
  ["/webhooks?limit=10"],
  ["/v1/ussd-otps?limit=25"],
  ["/v1/financial-accounts", (index) => JSON.stringify({ name: `account ${index}`, currency: "XAF" })],
];

function listening({ stderr }: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = "";
    stderr?.on("data", (part) => {
      text += String(part);
      const [, address] = /Listening on (\S+)/.exec(text) ?? [];
      if (address !== undefined) resolve(address);
    });
    stderr?.once("end", () => reject(new Error(`the proxy ended: ${text}`)));
  });
}

function number(value: number): string {
  return value.toLocaleString("en");
}

function mebibytes(bytes: number): string {
  return `${Math.round(bytes / MEBIBYTE)} MiB`;
}
