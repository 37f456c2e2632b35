import { existsSync } from "node:fs";
import { join, relative } from "node:path";
import type { EmbeddedTarget } from "../../runner/starting/embedded.ts";
import { definedOnly } from "../../spec/defined-only.ts";
import { fixtureNames } from "../../spec/fixture-names.ts";
import { MOST_MEGABYTES, readPemText, readText } from "../../spec/loading/read-file.ts";
import type { Settings } from "../../spec/model/settings.ts";
import type { Spec } from "../../spec/model/spec.ts";
import { didYouMean } from "../../spec/nearest.ts";
import { SPECIFICATION_FILE, type SpecificationText } from "../../spec/specification-text.ts";
import { UsageError } from "../../spec/usage-error.ts";
import { invocation } from "../invocation.ts";
import { OPTION_NAMES, type OptionName, type OptionValues, optionOf } from "./options.ts";
import { readCreated } from "./read-created.ts";
import { SPACE_NEEDED } from "./resolve.ts";

/**
 * Checks the fixtures and versions against the specification.
 * @throws UsageError if it does not know one.
 */
export function checkAgainstSpec(values: OptionValues, spec: Spec): void {
  const names = [...fixtureNames(spec)];
  const unknown = Object.keys(values.fixtures ?? {}).find((name) => !names.includes(name));
  if (unknown !== undefined && values.spec !== undefined)
    throw new UsageError(`--fixture has no fixture named ${unknown}${didYouMean(unknown, names)}`);
  const spaced = spec.operations.some((operation) => operation.space !== undefined);
  if (spaced && values.baseUrl !== undefined && values.space === undefined)
    throw new UsageError(`--base-url is given without --space: ${SPACE_NEEDED}`);
  const { serviceVersion = "all", paths = "as-shown" } = values;
  const versions = ["all", "none", ...spec.versions];
  if (!versions.includes(serviceVersion)) {
    throw new UsageError(
      `--service-version must be one of ${versions.join(", ")}, not ${serviceVersion}${didYouMean(serviceVersion, versions)}`,
    );
  }
  const readings = Object.keys(spec.pathReadings);
  if (!readings.includes(paths)) {
    throw new UsageError(
      `--paths must be one of ${readings.join(", ")}, not ${paths}${didYouMean(paths, readings)}`,
    );
  }
}

export function toSettings(values: OptionValues, seed: number, embedded?: EmbeddedTarget): Settings {
  const target = embedded ?? { baseUrl: values.baseUrl ?? "", token: "", space: "", fixtures: {} };
  const { rate, maxBody, maxCreated, maxRequests, maxWait, shard, fixtureCommand, header, out } = values;
  const { callbackUrl, callbackPort } = values.callbackUrl === undefined ? (embedded ?? {}) : values;
  return {
    baseUrl: target.baseUrl,
    embedded: embedded !== undefined,
    token: values.token ?? target.token,
    space: values.space ?? target.space,
    fixtures: { ...target.fixtures, ...values.fixtures },
    serviceVersion: values.serviceVersion ?? "all",
    paths: values.paths ?? "as-shown",
    readOnly: values.preset === "smoke" || (values.readOnly ?? false),
    ...requestBudgetOf(values),
    only: values.only ?? [],
    skip: values.skip ?? [],
    seed: values.seed ?? seed,
    depth: values.depth === "full" ? "full" : "quick",
    runs: values.runs ?? 10,
    concurrency: values.concurrency ?? 8,
    timeout: values.timeout ?? 10_000,
    ...networkOf(values),
    visibilityDelay: values.visibilityDelay ?? 2_000,
    postNamedOnly: values.postNamedOnly ?? false,
    command: invocation(),
    ...definedOnly({
      secondSpace: values.secondSpace ?? embedded?.secondSpace,
      secondToken: values.secondToken ?? embedded?.secondToken,
      callbackUrl,
      callbackPort,
      rate,
      maxWait,
      headers: header,
      maxBody,
      maxRequests,
      maxCreated,
      reuse: values.reuse === undefined ? undefined : readCreated(values.reuse),
      shard,
      fixtureCommand,
      reportFile: out === undefined ? undefined : relative(process.cwd(), join(out, "report.json")),
    }),
  };
}

const SMOKE_REQUESTS = 70;
export const ASSUMED_LATENCY_MS = 50;
/** The rest of the requests is for confirmations. */
const PLANNED_SHARE = 0.8;

/** Returns how many requests `--within` or `--preset` leave room for. */
function requestBudgetOf(values: OptionValues): Pick<Settings, "requestBudget" | "within"> {
  const { within, preset, rate, concurrency = 8 } = values;
  const smoke = preset === "smoke" ? { requests: SMOKE_REQUESTS, why: "--preset smoke" } : undefined;
  if (within === undefined) return smoke === undefined ? {} : { requestBudget: smoke };
  const perSecond = Math.min(rate ?? Number.POSITIVE_INFINITY, (concurrency * 1_000) / ASSUMED_LATENCY_MS);
  const requests = Math.max(1, Math.floor((PLANNED_SHARE * perSecond * within) / 1_000));
  const why = `--within ${within / 1_000}s leaves room for about ${requests} requests`;
  return {
    within,
    requestBudget: smoke !== undefined && smoke.requests < requests ? smoke : { requests, why },
  };
}

/**
 * Returns the certificates and keys of the connection.
 * @throws UsageError if one of a pair is missing.
 */
function networkOf(values: OptionValues): Pick<Settings, "network"> {
  const { ca, clientCert, clientKey, insecure } = values;
  if ((clientCert === undefined) !== (clientKey === undefined))
    throw new UsageError("--client-cert and --client-key go together");
  const network = {
    ...(ca === undefined ? {} : { ca: readPem(ca, "--ca", "CERTIFICATE") }),
    ...(clientCert === undefined ? {} : { cert: readPem(clientCert, "--client-cert", "CERTIFICATE") }),
    ...(clientKey === undefined ? {} : { key: readPem(clientKey, "--client-key", "PRIVATE KEY") }),
    ...(insecure ? { insecure } : {}),
  };
  return Object.keys(network).length === 0 ? {} : { network };
}

/**
 * Returns the text of a PEM file. No message shows the file name, because the user may have given the key
 * itself.
 */
function readPem(file: string, flag: string, kind: string): string {
  const text = readPemText(file, flag);
  if (!new RegExp(`-----BEGIN [A-Z ]*${kind}-----`).test(text))
    throw new UsageError(`${flag}: the file that it names holds no ${kind.toLowerCase()} in PEM`);
  return text;
}

/** Returns the options for a report, without secrets and the target. */
export function reportedOptions(values: OptionValues, settings: Settings): Record<string, unknown> {
  const inForce: Record<string, unknown> = {
    ...values,
    ...settings,
    profile: values.profile,
    reuse: values.reuse,
  };
  const shown = OPTION_NAMES.filter(
    (name) =>
      optionOf(name).secret !== true &&
      !["baseUrl", "embedded", "paths", "out", "export", "reporter"].includes(name),
  );
  return Object.fromEntries(
    shown
      .filter((name) => inForce[name] !== undefined)
      .map((name) => [name, withPortablePath(name, inForce[name])]),
  );
}

/**
 * Returns the option's value, with paths relative to the current folder. An absolute path may show private
 * names.
 */
function withPortablePath(name: OptionName, value: unknown): unknown {
  return optionOf(name).file && typeof value === "string" ? relative(process.cwd(), value) : value;
}

export function readSpecFiles(folder: string): {
  openapi: SpecText;
  requirements: SpecText;
  specification?: SpecificationText;
} {
  const read = (name: string): SpecText => ({
    name,
    text: readText(join(folder, name), "part of the specification", MOST_MEGABYTES.edition),
  });
  const file = join(folder, SPECIFICATION_FILE);
  return {
    openapi: read("openapi.yaml"),
    requirements: read("requirements.yaml"),
    ...(existsSync(file)
      ? { specification: { file: relative(process.cwd(), file), text: read(SPECIFICATION_FILE).text } }
      : {}),
  };
}

export interface SpecText {
  name: string;
  text: string;
}
