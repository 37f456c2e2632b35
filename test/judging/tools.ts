/**
 * `npm run judging:tools`: other tools send an end-to-end test to sound services through the recording proxy,
 * several times. Exits with 1 if judging the traffic finds a violation. The tools are a script with undici,
 * the same script through Prism's proxy, and Newman if `--newman` names its program.
 */

import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { Command } from "commander";
import { request } from "undici";
import { openConnections } from "../../client/sending/network.ts";
import { publicText } from "../../client/sending/public-text.ts";
import { RecordingProxy } from "../../command/judging/proxy.ts";
import type { ForeignExchange } from "../../history/foreign/exchange.ts";
import { type RunningService, startReference } from "../../reference/index.ts";
import { OthersTraffic } from "../../runner/judging/others.ts";
import { TrafficRedaction } from "../../runner/judging/traffic-redaction.ts";
import { valueAt } from "../../spec/json.ts";
import { startProxy } from "../independence/prism.ts";
import { ownChecks, ownSpec, settingsFor } from "../prove/run.ts";
import { type Step, steps } from "./scenario.ts";

const VARIANTS = "updates-are-merge-patches,created-webhooks-listed-late,errors-in-xml";
const options = new Command("judging:tools")
  .option("--newman <program>", "also send the requests with this Newman")
  .option("--tool <name>", "only this tool")
  .option("--variants <names>", "the variants besides the reference, separated by commas", VARIANTS)
  .parse()
  .opts<{ newman?: string; tool?: string; variants: string }>();

/** How often each tool sends the whole test. */
const TIMES = 3;

type Tool = (address: string, service: RunningService, run: string) => Promise<void>;

const script: Tool = async (address, service, run) => {
  const variables: Record<string, string> = { run };
  for (const step of steps(service)) {
    const answer = await request(`${address}${filled(step.path, variables, true)}`, {
      method: step.method,
      headers: headersOf(step, service, variables),
      ...(step.body ? { body: filled(JSON.stringify(step.body), variables) } : {}),
    });
    const text = await answer.body.text();
    for (const [name, place] of Object.entries(step.save ?? {}))
      variables[name] = String(valueAt(parsed(text), `/${place.replaceAll(".", "/")}`) ?? "");
  }
};

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The headers of a step. Without `variables`, texts in double braces stay for Postman to replace. */
function headersOf(step: Step, service: RunningService, variables?: Record<string, string>) {
  const all: Record<string, string | null> = {
    authorization: `Bearer ${service.token}`,
    "service-space-id": service.space,
    ...(step.body ? { "content-type": "application/json" } : {}),
    ...step.headers,
  };
  return Object.fromEntries(
    Object.entries(all).flatMap(([name, value]) =>
      value === null ? [] : [[name, variables ? filled(value, variables) : value]],
    ),
  );
}

function filled(text: string, variables: Record<string, string>, isUrl = false): string {
  return text.replace(/\{\{(\w+)\}\}/g, (_, name: string) => {
    const value = variables[name] ?? "";
    return isUrl ? encodeURIComponent(value) : value;
  });
}

/** Runs the script through Prism, a proxy that validates requests and answers. */
const throughPrism: Tool = async (address, service, run) => {
  const prism = await startProxy(address);
  await script(prism.baseUrl, service, run).finally(() => prism.close());
};

/** Sends the steps with Newman, as a Postman collection. */
const newman: Tool = async (address, service, run) => {
  const folder = mkdtempSync(join(tmpdir(), "newman-"));
  const item = steps(service).map((step) => ({
    name: step.name,
    request: {
      method: step.method,
      url: `${address}${step.path}`,
      header: Object.entries(headersOf(step, service)).map(([key, value]) => ({ key, value })),
      ...(step.body ? { body: { mode: "raw", raw: JSON.stringify(step.body) } } : {}),
    },
    event: Object.entries(step.save ?? {}).map(([name, place]) => ({
      listen: "test",
      script: {
        exec: [`pm.variables.set("${name}", encodeURIComponent(_.get(pm.response.json(), "${place}")))`],
      },
    })),
  }));
  const info = {
    name: "e2e",
    schema: "https://schema.getpostman.com/json/collection/v2.1.0/collection.json",
  };
  const file = join(folder, "collection.json");
  writeFileSync(file, JSON.stringify({ info, item, variable: [{ key: "run", value: run }] }));
  // The call must not block, because the proxy and the service run in this process.
  await promisify(execFile)(options.newman ?? "newman", ["run", file, "--reporters", "cli", "--silent"]);
  rmSync(folder, { recursive: true });
};

const tools: Record<string, Tool> = {
  undici: script,
  prism: throughPrism,
  ...(options.newman === undefined ? {} : { newman }),
};
let alarms = 0;
for (const name of ["reference", ...options.variants.split(",")])
  for (const [tool, send] of Object.entries(tools)) {
    if (options.tool !== undefined && options.tool !== tool) continue;
    const service = await startReference(name === "reference" ? {} : { variant: name });
    const exchanges = await recorded(service, send);
    for (const isWhole of [false, true]) {
      const found = judged(exchanges, service, isWhole);
      const wrong = found.filter(({ violated }) => violated > 0);
      alarms += wrong.length;
      const held = found.filter((each) => each.held > 0).length;
      const writer = isWhole ? "sole writer" : "others";
      console.log(`${tool} on ${name} (${writer}): ${exchanges.length} exchanges, ${held} checks held`);
      for (const { check, violation } of wrong)
        console.log(`  FALSE ALARM: ${check.id}: expected ${violation?.expected}, got ${violation?.actual}`);
    }
    await service.close();
  }
process.exitCode = alarms > 0 ? 1 : 0;

async function recorded(service: RunningService, send: Tool): Promise<ForeignExchange[]> {
  const exchanges: ForeignExchange[] = [];
  const connections = openConnections({ timeout: 10_000, concurrency: 16 });
  const proxy = new RecordingProxy({
    port: 0,
    target: service.baseUrl,
    connections,
    largest: 1024 * 1024,
    recorded: (exchange) => void exchanges.push(exchange),
    failed: (reason) => console.log(`no answer: ${reason}`),
  });
  const address = await proxy.listen();
  for (let time = 1; time <= TIMES; time++) await send(address, service, `${time}-${Date.now()}`);
  await proxy.close(1_000);
  await connections.close();
  return exchanges;
}

function judged(exchanges: ForeignExchange[], service: RunningService, isWhole: boolean) {
  const spec = ownSpec();
  const settings = settingsFor(service, 1, {});
  const traffic = new OthersTraffic(
    spec,
    ownChecks(),
    new TrafficRedaction(spec, publicText(spec, settings), false),
    { paths: "as-shown", consistencyTimeoutMs: settings.visibilityDelay, isWhole },
  );
  traffic.judge(exchanges);
  return traffic.found;
}
