import { FIXTURE_NAMES } from "../../spec/model/settings.ts";
import { headers } from "./headers.ts";
import { credential, fixtures, flag, headerValue, integer, path, text, url } from "./kinds.ts";
import { list } from "./list.ts";
import { option } from "./option.ts";

export const TARGET_OPTIONS = {
  baseUrl: option({
    kind: url(),
    group: "Target",
    help: "the service under test; may carry a path prefix",
    defaultText: "an embedded reference service",
  }),
  embedded: option({
    kind: flag(),
    group: "Target",
    default: false,
    help: "run against the embedded reference service; if CI is set, only this flag does so",
  }),
  token: option({
    kind: credential(),
    group: "Target",
    secret: true,
    help: "bearer token; better given by environment or file, as a flag shows in process lists",
  }),
  space: option({ kind: headerValue("<id>"), group: "Target", help: "the space to work in" }),
  secondSpace: option({
    kind: headerValue("<id>"),
    group: "Target",
    help: "another space, to test isolation with",
  }),
  secondToken: option({
    kind: credential(),
    group: "Target",
    secret: true,
    help: "bearer token for the second space",
    defaultText: "the first token",
  }),
  fixtures: option({
    kind: fixtures(),
    flag: "fixture",
    group: "Target",
    help: `an existing resource or value of the space that may be used; repeatable; names: ${FIXTURE_NAMES.join(", ")}`,
  }),
  fixtureCommand: option({
    kind: text("<command>"),
    group: "Target",
    secret: true,
    help: "command that prints fixtures as JSON; run in a shell before the suite, and again when one is used up",
  }),
  offers: option({
    kind: list("<list>"),
    group: "Target",
    help: "the parts of the API that the service offers (core for banks, momos and countries; else words of paths: webhooks,payouts); the rest is checked to be absent",
  }),
  serviceVersion: option({
    kind: text("<version>"),
    group: "Target",
    default: "all",
    help: "versions to ask for: all, none, or one allowed value",
  }),
  paths: option({
    kind: text("<reading>"),
    group: "Target",
    default: "as-shown",
    help: "which paths the target follows: as-shown or v1",
  }),
  callbackUrl: option({
    kind: url(),
    group: "Target",
    help: "address at which the service can reach the suite, to receive webhook deliveries",
  }),
  callbackPort: option({
    kind: integer(1, 65_535),
    group: "Target",
    help: "local port behind the callback address",
    defaultText: "the port of the callback address",
  }),
  header: option({
    kind: headers(),
    group: "Network",
    secret: true,
    help: "another header for every request; repeatable; its value is never shown",
  }),
  ca: option({
    kind: path("<file>"),
    group: "Network",
    file: true,
    help: "certificates (PEM) of further authorities to trust",
  }),
  clientCert: option({
    kind: path("<file>"),
    group: "Network",
    file: true,
    help: "the suite's own certificate (PEM), for services that ask for one",
  }),
  clientKey: option({
    kind: path("<file>"),
    group: "Network",
    file: true,
    help: "the key (PEM) of --client-cert",
  }),
  insecure: option({
    kind: flag(),
    group: "Network",
    default: false,
    help: "don't check the certificate of the target; every report says so",
  }),
  profile: option({
    kind: path("<file>"),
    group: "Target",
    file: true,
    help: "vendor profile: promises of this service on which the specification is silent",
  }),
  spec: option({
    kind: path("<dir>"),
    group: "Target",
    file: true,
    help: "folder with another edition of openapi.yaml and requirements.yaml",
  }),
};
