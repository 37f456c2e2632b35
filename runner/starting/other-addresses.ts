/** Looks for the API at other addresses, without credentials, because others may own them. */

import { randomUUID } from "node:crypto";
import type { Answer } from "../../client/target.ts";
import type { RequestPlan } from "../../generators/request.ts";
import type { Settings } from "../../spec/model/settings.ts";
import { pathPrefixes, targetPath } from "../../spec/path-readings.ts";
import { serviceMessage } from "./diagnosis.ts";
import { describeAnswer, type Service } from "./preflight-client.ts";

const COMMON_PREFIXES = ["/api", "/v1", "/api/v1", "/rest"];
const MAX_SHORTER = 5;
const MAX_NAMED = 3;

interface Address {
  baseUrl: string;
  paths: string;
}

interface Probed {
  address: Address;
  url: string;
  status: number | undefined;
  madeUp?: number | undefined;
}

/** Returns a message if every path is answered 404. It names an address or a reading that works, if one does. */
export async function explainNoPathFound(service: Service, answers: Answer[]): Promise<string> {
  const { settings } = service;
  const [first] = answers;
  if (first === undefined) return "nothing was answered";
  const cause = `none of the paths exists under ${settings.baseUrl}: ${describeAnswer(first)}.${serviceMessage(first)}`;
  const probed = await probeAll(first.plan, service);
  return `${cause} ${explainProbed(probed, settings)}`;
}

/** Returns a sentence if some paths exist only at another address, else null. */
export async function explainPathsMissing(service: Service, answers: Answer[]): Promise<string | null> {
  const { spec, settings } = service;
  const isUnknown = ({ status }: Answer) => NOT_THERE.has(status);
  for (const prefix of pathPrefixes(spec)) {
    const isUnder = ({ plan }: Answer) => plan.operation.path.startsWith(`${prefix}/`);
    for (const [missing, others] of [
      [answers.filter(isUnder), answers.filter((answer) => !isUnder(answer))],
      [answers.filter((answer) => !isUnder(answer)), answers.filter(isUnder)],
    ] as const) {
      const [first] = missing;
      if (first === undefined || !missing.every(isUnknown) || others.every(isUnknown)) continue;
      const found = (await probeAll(first.plan, service)).filter(isFound);
      if (found.length > 0)
        return `only a part of the paths exists under ${settings.baseUrl}: ${describeAnswer(first)}.${serviceMessage(first)} ${foundAt(found, settings)}`;
    }
  }
  return null;
}

function otherAddresses({ spec, settings: { baseUrl, paths } }: Service): Address[] {
  const { origin, pathname } = new URL(baseUrl);
  const parts = pathname.split("/").filter((part) => part !== "");
  const shorter = parts.map((_, index) => `${origin}${["", ...parts.slice(0, index)].join("/")}`).reverse();
  const kept = [...shorter.slice(0, MAX_SHORTER - 1), ...shorter.slice(MAX_SHORTER - 1).slice(-1)];
  const longer = COMMON_PREFIXES.map((prefix) => `${baseUrl}${prefix}`);
  const readings = [paths, ...Object.keys(spec.pathReadings).filter((name) => name !== paths)];
  return [baseUrl, ...kept, ...longer].flatMap((base) =>
    readings
      .filter((reading) => base !== baseUrl || reading !== paths)
      .map((reading) => ({ baseUrl: base, paths: reading })),
  );
}

/** Asks each other address for the operation and for a path that does not exist. */
async function probeAll(plan: RequestPlan, service: Service): Promise<Probed[]> {
  const { spec, client } = service;
  const pathAt = ({ paths }: Address) => targetPath(plan.operation.path, paths, spec);
  const byUrl = new Map<string, Address>();
  for (const address of otherAddresses(service)) {
    const url = `${address.baseUrl}${pathAt(address)}`;
    if (!byUrl.has(url)) byUrl.set(url, address);
  }
  const probed: Probed[] = [];
  for (const [url, address] of byUrl) {
    const status = await client.statusAt(plan, address);
    if (status === undefined || NOT_THERE.has(status)) probed.push({ address, url, status });
    else {
      const madeUp = { ...plan, pathOverride: `${pathAt(address)}-${randomUUID().slice(0, 8)}` };
      probed.push({ address, url, status, madeUp: await client.statusAt(madeUp, address) });
    }
  }
  return probed;
}

const NOT_THERE: ReadonlySet<number> = new Set([404, 405, 410]);

function isFound({ status, madeUp }: Probed): boolean {
  return (
    status !== undefined &&
    status < 500 &&
    !isRedirect(status) &&
    madeUp !== undefined &&
    NOT_THERE.has(madeUp)
  );
}

function isRedirect(status: number): boolean {
  return status >= 300 && status < 400;
}

/** Names the address at which the API was found, or describes the answers if they are all alike. */
function explainProbed(probed: readonly Probed[], settings: Settings): string {
  const found = probed.filter(isFound);
  if (found.length > 0) return foundAt(found, settings);
  const alike = probed.filter(({ status, madeUp }) => status !== undefined && madeUp === status);
  const [example] = alike;
  const ask = "Is --base-url right (its prefix too)?";
  if (example !== undefined)
    return `Asked without a token, ${example.url} is answered ${example.status}, and so is a made-up path: it is unclear which paths exist. ${ask}`;
  const [first, ...others] = probed.filter(({ status }) => status !== undefined).map(({ url }) => url);
  if (first === undefined) return ask;
  const rest =
    others.length === 0
      ? ""
      : ` and ${others.length} other address${others.length === 1 ? "" : "es"} of that host`;
  return `Nor is it at ${first}${rest}. ${ask}`;
}

/** Says at which addresses the API was found, and names the options for the best one. */
function foundAt(found: readonly Probed[], settings: Settings): string {
  const seen = found
    .slice(0, MAX_NAMED)
    .map(
      ({ url, status, madeUp }) =>
        `${url} is answered ${status}, and a path that was made up beside it ${madeUp}`,
    );
  const [best] = found;
  const options = best === undefined ? "" : optionsFor(best.address, settings);
  return `Asked without a token, ${seen.join("; ")}. Run with ${options}.`;
}

function optionsFor({ baseUrl, paths }: Address, settings: Settings): string {
  return [
    ...(baseUrl === settings.baseUrl ? [] : [`--base-url ${baseUrl}`]),
    ...(paths === settings.paths ? [] : [`--paths ${paths}`]),
  ].join(" ");
}
