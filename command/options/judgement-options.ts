import { flag, path } from "./kinds.ts";
import { option } from "./option.ts";

export const JUDGEMENT_OPTIONS = {
  failFast: option({
    kind: flag(),
    group: "Judgement",
    default: false,
    help: "end the run with the first certain failure; the report is then partial",
  }),
  strict: option({ kind: flag(), group: "Judgement", default: false, help: "count a warn as a fail" }),
  requireComplete: option({
    kind: flag(),
    group: "Judgement",
    default: false,
    help: "put every MUST in scope, so that an untested one makes the run inconclusive (exit code 3)",
  }),
  allowInconclusive: option({
    kind: flag(),
    group: "Judgement",
    default: false,
    help: "exit 0 if nothing fails but the run is inconclusive (else exit code 3)",
  }),
  waivers: option({
    kind: path("<file>"),
    group: "Judgement",
    file: true,
    help: "known deviations, each with requirement, operation, reason and expiry date",
  }),
  baseline: option({
    kind: path("<report>"),
    group: "Judgement",
    file: true,
    help: "the report of an earlier run: failures that it has too are shown as known and do not fail the run",
  }),
};
