import { defects } from "../reference/defects/index.ts";
import { startReference } from "../reference/start.ts";
import { globMatcher } from "../spec/glob.ts";
import { didYouMean } from "../spec/nearest.ts";
import { UsageError } from "../spec/usage-error.ts";
import type { Flags } from "./flags.ts";
import { interruption } from "./interruption.ts";
import { invocation } from "./invocation.ts";
import { shellWord } from "./listing/catalogue.ts";
import { variableOf } from "./options/names.ts";
import { print } from "./output.ts";
import { EXIT } from "./running/exit-codes.ts";
import { wholeNumber } from "./setup/choose.ts";

/** Runs the reference service until the user ends it, and returns the exit code. */
export async function serveCommand(flags: Flags): Promise<number> {
  if (flags.listDefects === true) {
    const width = Math.max(0, ...defects.map(({ name }) => name.length));
    for (const { name, requirements, does } of defects) {
      print(`${name.padEnd(width)}  ${requirements.join(", ")}: ${does}\n`);
    }
    return EXIT.ok;
  }
  const names = defects.map(({ name }) => name);
  const chosen = ((flags.defect ?? []) as string[]).flatMap((wanted) => {
    const fitting = names.filter(globMatcher([wanted]));
    if (fitting.length === 0)
      throw new UsageError(
        `there is no defect ${wanted}${didYouMean(wanted, names)}; --list-defects lists all, and globs such as '*page-size*' choose several`,
      );
    return fitting;
  });
  const port = wholeNumber("--port", flags.port, 0, 65_535) ?? 0;
  const host = typeof flags.host === "string" ? flags.host : "127.0.0.1";
  const service = await startService(port, host, chosen);
  print(describeService(service, chosen));
  await new Promise<void>((resolve) => {
    interruption(resolve);
  });
  await service.close();
  return EXIT.ok;
}

type Service = Awaited<ReturnType<typeof startReference>>;

/**
 * Starts the reference service.
 * @throws UsageError if it cannot listen at the port.
 */
async function startService(port: number, host: string, chosen: string[]): Promise<Service> {
  try {
    return await startReference({ port, host, defects: chosen });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EADDRINUSE") throw new UsageError(`--port ${port} is taken by another program`);
    if (code === "EACCES") throw new UsageError(`--port ${port} may not be used by this user`);
    if (code === "EADDRNOTAVAIL" || code === "ENOTFOUND") {
      throw new UsageError(`--host ${host} is no address of this machine`);
    }
    throw error;
  }
}

/** Returns the address, the fixtures and the command that runs the suite on this service. */
function describeService(service: Service, chosen: readonly string[]): string {
  const facts: [string, string][] = [
    ["Base URL", service.baseUrl],
    ["Token", service.token],
    ["Space", service.space],
    ["Second space", service.secondSpace],
    ["Second token", `${service.secondToken} (for the second space alone)`],
    ...chosen.map((name): [string, string] => ["Defect", name]),
  ];
  const command = [
    `${variableOf("token")}=${shellWord(service.token)} ${invocation()} run`,
    `--base-url ${shellWord(service.baseUrl)} --space ${shellWord(service.space)}`,
    `--second-space ${shellWord(service.secondSpace)}`,
    ...Object.entries(service.fixtures).map(([name, value]) => `--fixture ${shellWord(`${name}=${value}`)}`),
  ];
  return [
    "The reference service listens; end it with Ctrl-C.",
    "",
    ...facts.map(([name, value]) => `  ${name.padEnd(13)} ${value}`),
    "",
    "  Fixtures",
    ...Object.entries(service.fixtures).map(([name, value]) => `    ${name.padEnd(24)} ${value}`),
    "",
    "Run the suite against it:",
    `  ${command.join(" \\\n    ")}`,
    "",
  ].join("\n");
}
