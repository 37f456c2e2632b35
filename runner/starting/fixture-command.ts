import { exec } from "node:child_process";
import { promisify } from "node:util";
import { shown } from "../../reports/text.ts";
import { fixtureNames } from "../../spec/fixture-names.ts";
import { isObject } from "../../spec/json.ts";
import type { Settings } from "../../spec/model/settings.ts";
import type { Spec } from "../../spec/model/spec.ts";
import { didYouMean } from "../../spec/nearest.ts";

const TIMEOUT_MS = 120_000;
const MOST_BYTES = 1024 * 1024;

export class FixtureCommandFailed extends Error {}

/**
 * Runs the user's command, and returns the fixtures that it prints.
 * @throws FixtureCommandFailed if the command fails, or prints anything but fixtures as JSON
 */
export async function fixturesOfCommand(
  command: string,
  spec: Spec,
  settings: Settings,
): Promise<Record<string, string>> {
  const env = {
    ...process.env,
    PAYMENTS_CONFORMANCE_BASE_URL: settings.baseUrl,
    PAYMENTS_CONFORMANCE_TOKEN: settings.token,
    PAYMENTS_CONFORMANCE_SPACE: settings.space,
  };
  let printed: string;
  try {
    printed = (await promisify(exec)(command, { env, timeout: TIMEOUT_MS, maxBuffer: MOST_BYTES })).stdout;
  } catch (error) {
    throw new FixtureCommandFailed(`the fixture command ${whyItFailed(error)}`);
  }
  return fixturesIn(printed, [...fixtureNames(spec)]);
}

function whyItFailed(error: unknown): string {
  const { code, killed, stderr = "" } = error as { code?: unknown; killed?: boolean; stderr?: string };
  const said = stderr.trim() === "" ? "" : `: ${shown(stderr.trim(), 300)}`;
  if (code === "ERR_CHILD_PROCESS_STDIO_MAXBUFFER") return `printed more than ${MOST_BYTES} bytes`;
  if (killed === true) return `took longer than ${TIMEOUT_MS / 1000} s${said}`;
  return `failed with exit code ${String(code)}${said}`;
}

/**
 * Returns the fixtures that the command printed.
 * @throws FixtureCommandFailed if it printed something else.
 */
function fixturesIn(printed: string, names: readonly string[]): Record<string, string> {
  let value: unknown;
  try {
    value = JSON.parse(printed);
  } catch {
    value = undefined;
  }
  if (!isObject(value))
    throw new FixtureCommandFailed(
      `the fixture command must print a JSON object of fixtures, not ${printed.trim() === "" ? "nothing" : shown(printed.trim(), 100)}`,
    );
  const found: Record<string, string> = {};
  for (const [name, given] of Object.entries(value)) {
    if (!names.includes(name))
      throw new FixtureCommandFailed(
        `the fixture command printed ${shown(name, 60)}, which is no fixture${didYouMean(name, names)}`,
      );
    const members = Array.isArray(given) ? given : [given];
    if (members.length === 0 || members.some((member) => typeof member !== "string" || member === ""))
      throw new FixtureCommandFailed(
        `the fixture command gives ${name} a value that is neither a text nor a list of texts`,
      );
    found[name] = members.join(",");
  }
  return found;
}
