import type { Context } from "../../context.ts";
import { journalOf } from "../../history/journal.ts";
import { REFUSAL_CONDITIONS } from "../../history/read-conditions.ts";
import {
  CREATES,
  DOCUMENTED,
  IN_SPACES,
  overlook,
  PAGED,
  refuse,
  SINGLES,
  type Where,
} from "../../hook-tools.ts";
import type { Hooks } from "../../hooks.ts";
import type { OperationName } from "../../operations.ts";
import { ALWAYS, across, eachWith, operator } from "../../operators/operator.ts";
import { overlookWhen } from "../../write-hook-tools.ts";
import type { Defect } from "../defect.ts";
import { at } from "./group.ts";

const authorization = ({ request }: Context) => request.headers.authorization;

const LET_IN: Readonly<
  Record<string, readonly [breaks: string, does: string, isMeant: (sent: string | undefined) => boolean]>
> = {
  missing: ["AUTH-MISSING", "a call without a token is answered", (sent) => sent === undefined],
  unknown: ["AUTH-UNKNOWN-TOKEN", "an unknown token is let in", (sent) => /^bearer \S/i.test(sent ?? "")],
  scheme: ["AUTH-OTHER-SCHEME", "another scheme is let in", (sent) => /^(?!bearer)\S+ /i.test(sent ?? "")],
};

function letIn(): Defect[] {
  const kinds = Object.entries(LET_IN);
  return kinds.flatMap(([kind, [breaks, does, isMeant]], index) =>
    operator(
      "let-in",
      eachWith(DOCUMENTED, (operation) =>
        REFUSAL_CONDITIONS.filter((_, row) => (row + index + operation.length) % 3 === 0),
      ).map(([operation, when]) => ({
        operation,
        at: kind,
        when,
        breaks: [breaks],
        does,
        hooks: overlookWhen([operation], { stage: "auth" }, (ctx) => isMeant(authorization(ctx))),
      })),
    ),
  );
}

const spaceless = (where: Where): Hooks => overlook(where, { stage: "space", rule: "required" });
const misnamed = (where: Where): Hooks => overlook(where, { stage: "space", rule: "pattern" });

function firstSpace(ctx: Context): string | undefined {
  return journalOf(ctx.service)
    .onConnectionOf(ctx)
    .find(({ outcome, headers }) => outcome === "done" && headers["service-space-id"])?.headers[
    "service-space-id"
  ];
}

const isolated = (operation: OperationName) =>
  PAGED.includes(operation)
    ? ["ISOLATION-LISTS"]
    : SINGLES.includes(operation)
      ? ["ISOLATION-READS"]
      : ["ISOLATION-WRITES"];

export const accessHistoryDefects: readonly Defect[] = [
  ...letIn(),
  ...across(
    "space-forgotten",
    IN_SPACES,
    (operation) => at(REFUSAL_CONDITIONS, operation).filter((_, row) => (row + operation.length) % 2 === 0),
    {
      breaks: ["SPACE-MISSING"],
      does: "a call without a space is answered",
      hooks: spaceless,
    },
  ),
  ...across(
    "space-misnamed",
    IN_SPACES,
    (operation) => at(REFUSAL_CONDITIONS, operation).filter((_, row) => (row + operation.length) % 2 === 1),
    {
      breaks: ["SPACE-PATTERN"],
      does: "a space that does not begin with spc- is taken",
      hooks: misnamed,
    },
  ),
  ...across(
    "space-of-connection",
    [...PAGED, ...SINGLES.filter((name) => IN_SPACES.includes(name))],
    ALWAYS,
    {
      breaks: isolated,
      does: "a call is answered for the space that its connection was first used for",
      hooks: () => ({ effectiveSpace: (space, ctx) => firstSpace(ctx) ?? space }),
    },
  ),
  ...across("key-of-connection", CREATES, () => REFUSAL_CONDITIONS, {
    breaks: ["KEY-MISSING"],
    does: "a create without a key is done",
    hooks: (where) => overlook(where, { at: "header.Idempotency-Key", rule: "required" }),
  }),
  ...across("refused-after-stranger", DOCUMENTED, ALWAYS, {
    breaks: [
      "VERSION-ACCEPTED",
      "READ-ACCEPTED",
      "PARAMETER-ACCEPTED",
      "CREATE-ACCEPTED",
      "UPDATE-ACCEPTED",
      "LIST-LIMIT-ACCEPTED",
    ],
    does: "a proper call on a connection on which the call before had no proper token is refused",
    hooks: (where) =>
      refuse(where, "auth", { at: "header.Authorization", rule: "token", message: "no" }, (ctx) => {
        const latest = journalOf(ctx.service).onConnectionOf(ctx).at(-1);
        return (
          latest?.outcome === "refused" &&
          latest.stage === "auth" &&
          latest.headers.authorization !== authorization(ctx)
        );
      }),
  }),
];
