import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { packageIdentity, packageRoot } from "../runner/package-root.ts";
import { didYouMean } from "../spec/nearest.ts";
import { UsageError } from "../spec/usage-error.ts";
import { wrap } from "./catalogue.ts";
import { EXIT } from "./exit-codes.ts";
import type { Flags } from "./flags.ts";
import { invocation } from "./invocation.ts";
import { DEFAULT_CONFIG_FILE, OPTION_NAMES, type OptionName, optionOf } from "./options/options.ts";
import { print } from "./output.ts";

/** By the name that `--ci` takes: the file that a CI server reads, and the template that it is made from. */
const CI_SERVERS: Readonly<Record<string, { file: string; template: string }>> = {
  github: { file: ".github/workflows/payments-conformance.yml", template: "github.yml" },
  gitlab: { file: ".gitlab-ci.yml", template: "gitlab.yml" },
  jenkins: { file: "Jenkinsfile", template: "Jenkinsfile" },
};

/** `init`: a configuration file and a CI recipe to start from. Throws UsageError rather than overwrite. */
export function initCommand(flags: Flags): number {
  const server = typeof flags.ci === "string" ? flags.ci : "github";
  const chosen = CI_SERVERS[server];
  if (!chosen)
    throw new UsageError(
      `--ci must be one of ${Object.keys(CI_SERVERS).join(", ")}, not ${server}${didYouMean(server, Object.keys(CI_SERVERS))}`,
    );
  const files = { [DEFAULT_CONFIG_FILE]: configuration(), [chosen.file]: recipe(chosen.template) };
  const there = Object.keys(files).filter((file) => existsSync(file));
  if (there.length > 0 && flags.force !== true) {
    throw new UsageError(`${there.join(" and ")} already there; --force overwrites`);
  }
  for (const [file, text] of Object.entries(files)) {
    try {
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text);
    } catch (error) {
      throw new UsageError(`cannot write ${file}: ${(error as NodeJS.ErrnoException).code}`);
    }
    print(`wrote ${file}\n`);
  }
  print(`\nNext: fill in ${DEFAULT_CONFIG_FILE}, then run ${invocation()} run\n`);
  return EXIT.ok;
}

/** How the file refers to a variable of the environment. */
function variable(name: string): string {
  return `$\{${name}}`;
}

/** What the file says by example, where there is no default to show. Later lines of a value are indented. */
const EXAMPLES: Partial<Record<OptionName, string[]>> = {
  baseUrl: ["https://sandbox.example.com/api"],
  token: [
    `${variable("PAYMENTS_CONFORMANCE_TOKEN")} # that environment variable; keep the token itself out of this file`,
  ],
  space: ["spc-main"],
  secondSpace: ["spc-other"],
  secondToken: [variable("PAYMENTS_CONFORMANCE_SECOND_TOKEN")],
  fixtures: [
    "",
    "paymentCode: pc_123 # may be read",
    "mutablePaymentCode: pc_124 # may be changed",
    "cancellablePaymentCode: pc_125 # will be cancelled, for good",
    "payout: po_123 # may be read",
    "mutablePayout: po_124 # its metadata may be changed",
    "currency: GHS # to open accounts in",
    "country: GH # has banks and momos",
    "eventNames: a.happened,b.happened",
    "webhookUrl: https://example.com/hook?{unique}",
    "alertEmails: ops@example.com",
    "providerId: prv_123",
    "orderNumber: ord_123",
  ],
  callbackUrl: ["https://tunnel.example.com"],
  callbackPort: ["8099"],
  profile: ["profile.yaml"],
  spec: ["my-edition/"],
  only: ["[LIST-*, GET /webhooks]"],
  skip: ["[deliveries]"],
  shard: ["1/4"],
  waivers: ["waivers.yaml"],
  seed: ["1"],
  rate: ["20"],
  maxRequests: ["20000"],
  maxCreated: ["40"],
  reuse: ["created.json"],
  labels: ["", "build: 4.2.1"],
  header: ["", `x-gateway-key: ${variable("GATEWAY_KEY")} # shown nowhere`],
  ca: ["authority.pem"],
  clientCert: ["client.pem"],
  clientKey: ["client-key.pem"],
  export: ["[sarif]"],
  reporter: ["plain"],
};

function configuration(): string {
  const lines = [
    "# yaml-language-server: $schema=./node_modules/payments-conformance/command/options/config.schema.json",
    "# Settings of payments-conformance. A flag or an environment variable beats what stands here.",
  ];
  let heading = "";
  for (const name of OPTION_NAMES) {
    const { group, help, default: value, defaultText } = optionOf(name);
    if (group !== heading) {
      heading = group;
      lines.push("", `# ---- ${group} ${"-".repeat(70 - group.length)}`);
    }
    const ends = defaultText === undefined ? "" : ` (default: ${defaultText})`;
    const comment = `${help.charAt(0).toUpperCase()}${help.slice(1)}${ends}.`;
    const [first = "", ...more] = EXAMPLES[name] ?? [String(value)];
    lines.push(
      "",
      wrap(comment, "# "),
      `# ${name}: ${first}`.trimEnd(),
      ...more.map((line) => `#   ${line}`),
    );
  }
  return `${lines.join("\n")}\n`;
}

/** A recipe for a CI server, from the package's templates, with the suite pinned to this very version. */
function recipe(template: string): string {
  const { name, version } = packageIdentity();
  const text = readFileSync(join(packageRoot(), "command", "templates", template), "utf8");
  return text.replaceAll("{{package}}", `${name}@${version}`);
}
