import { wrap } from "../listing/catalogue.ts";
import { flagOf } from "../options/names.ts";
import type { Option } from "../options/option.ts";
import { OPTION_NAMES, type OptionName, optionOf } from "../options/options.ts";

function variableReference(name: string): string {
  return `$\{${name}}`;
}

const EXAMPLES: Partial<Record<OptionName, string[]>> = {
  baseUrl: ["https://sandbox.example.com/api"],
  token: [
    `${variableReference("PAYMENTS_CONFORMANCE_TOKEN")} # that environment variable; keep the token itself out of this file`,
  ],
  space: ["spc-main"],
  secondSpace: ["spc-other"],
  secondToken: [variableReference("PAYMENTS_CONFORMANCE_SECOND_TOKEN")],
  fixtures: [
    "",
    "paymentCode: pc_123 # may be read",
    "mutablePaymentCode: pc_124 # may be changed",
    "cancellablePaymentCode: [pc_125, pc_126] # will be cancelled, for good",
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
  fixtureCommand: ["./make-fixtures.sh"],
  offers: ["[core, webhooks, payouts]"],
  callbackUrl: ["https://tunnel.example.com"],
  callbackPort: ["8099"],
  profile: ["profile.yaml"],
  spec: ["my-edition/"],
  only: ["[LIST-*, GET /webhooks]"],
  skip: ["[deliveries]"],
  shard: ["1/4"],
  waivers: ["waivers.yaml"],
  baseline: ["conformance-baseline.json"],
  maxWait: ["2m"],
  within: ["2m"],
  preset: ["smoke"],
  seed: ["1"],
  rate: ["20"],
  maxRequests: ["20000"],
  maxCreated: ["40"],
  reuse: ["created.json"],
  labels: ["", "build: 4.2.1"],
  header: ["", `x-gateway-key: ${variableReference("GATEWAY_KEY")} # shown nowhere`],
  ca: ["authority.pem"],
  clientCert: ["client.pem"],
  clientKey: ["client-key.pem"],
  export: ["[sarif]"],
  reporter: ["plain"],
};

const MEANINGS: Partial<Record<OptionName, string>> = {
  token: "bearer token",
  fixtures: "what exists in the space and may be used",
  header: "other headers for every request; their values are never shown",
  labels: "facts about the service for report, comparison and certificate",
};

const GROUPS: readonly Option<unknown>["group"][] = [
  "Target",
  "Network",
  "Selection",
  "Judgement",
  "Load",
  "Output",
];

/** Returns a configuration file in which every option stands as a comment. */
export function configTemplate(): string {
  const lines = [
    "# yaml-language-server: $schema=./node_modules/payments-conformance/command/options/config.schema.json",
    "# Settings of payments-conformance. A flag or an environment variable beats what stands here.",
  ];
  for (const group of GROUPS) {
    lines.push("", `# ---- ${group} ${"-".repeat(70 - group.length)}`);
    for (const name of OPTION_NAMES)
      if (optionOf(name).group === group) lines.push("", ...linesOfOption(name));
  }
  return `${lines.join("\n")}\n`;
}

/** Returns an option with its meaning, as comments of the file. */
function linesOfOption(name: OptionName): string[] {
  const { help, default: value, defaultText } = optionOf(name);
  const ends = defaultText === undefined ? "" : ` (default: ${defaultText})`;
  const meaning = inWordsOfTheFile((MEANINGS[name] ?? help) + ends);
  const [first = "", ...more] = EXAMPLES[name] ?? [String(value)];
  return [
    wrap(`${withCapital(meaning)}.`, "## "),
    `# ${name}: ${first}`.trimEnd(),
    ...more.map((line) => `#   ${line}`),
  ];
}

function withCapital(text: string): string {
  return /^\S+\.\w/.test(text) ? text : `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

/** Writes `secondSpace` for `--second-space`, as in the file. */
function inWordsOfTheFile(help: string): string {
  const keys = new Map<string, string>(OPTION_NAMES.map((name) => [flagOf(name), name]));
  return help.replace("; repeatable", "").replace(/--[a-z-]+/g, (flag) => keys.get(flag) ?? flag);
}
