import { NEWER, OLDER } from "../read-hook-tools.ts";
import {
  CODE_OR_WEBHOOK,
  conditions,
  doneUpdates,
  isDone,
  isInOtherSpace,
  isRead,
  isRefusedFor,
  isWrite,
  limitOf,
  type Past,
  SECOND_ON_CONNECTION,
  spaceOf,
  versionOf,
} from "./past.ts";

const samePage = ({ same, ctx: { request } }: Past) =>
  same.filter(
    (step) =>
      step.query === request.query &&
      spaceOf(step) === spaceOf(request) &&
      versionOf(step) === versionOf(request),
  );

export const LIST_CONDITIONS = conditions({
  "every-second": ["at every second reading of a page", (past) => samePage(past).length % 2 === 1],
  "after-cursor": [
    "right after a page behind a cursor was read",
    ({ same }) => /\bafter=[^&]/.test(same.at(-1)?.query ?? ""),
    /ussd-otps|payment-codes|webhooks/,
  ],
  "after-filter": [
    "right after the list was read under a filter",
    ({ same }) => /\b(mode|status|ussd_code)=[^&]/.test(same.at(-1)?.query ?? ""),
    /payment-codes/,
  ],
  "after-other-size": [
    "right after a page of another size was read",
    ({ same, ctx }) => limitOf(same.at(-1)?.query ?? "") !== limitOf(ctx.request.query),
    /ussd-otps|payment-codes|webhooks/,
  ],
  "after-other-country": [
    "right after the list of another country was read",
    ({ same, ctx }) => same.at(-1) !== undefined && same.at(-1)?.query !== ctx.request.query,
    /banks|momos/,
  ],
  "after-elsewhere": [
    "right after the list of another space was read",
    (past) => isInOtherSpace(past, past.same.at(-1)),
    /ussd-otps|payment-codes|webhooks/,
  ],
  "after-older": [
    `right after the list was read under ${OLDER}`,
    ({ same }) => same.some((step) => step === same.at(-1) && versionOf(step) === OLDER),
  ],
  "after-newer": [
    `right after the list was read under ${NEWER}`,
    ({ same }) => same.some((step) => step === same.at(-1) && versionOf(step) === NEWER),
  ],
  "after-refused": [
    "right after a call of the list was refused for its query",
    ({ same }) => isRefusedFor("query")(same.at(-1)),
    /ussd-otps|payment-codes|webhooks|banks|momos/,
  ],
  "after-stranger": [
    "right after a call of the list was refused for its token",
    ({ same }) => isRefusedFor("auth")(same.at(-1)),
  ],
  "after-write": [
    "right after something listed was written",
    ({ kind }) => kind.some((step) => step === kind.at(-1) && isWrite(step) && isDone(step)),
    CODE_OR_WEBHOOK,
  ],
  "after-refused-write": [
    "right after a write was refused",
    ({ kind }) => kind.some((step) => step === kind.at(-1) && isWrite(step) && !isDone(step)),
    CODE_OR_WEBHOOK,
  ],
  "second-on-connection": SECOND_ON_CONNECTION,
});

const ownReads = ({ own, ctx }: Past) => own.filter(({ operation }) => operation === ctx.operation);

export const READ_CONDITIONS = conditions({
  "every-second": ["at every second reading", (past) => ownReads(past).length % 2 === 1],
  "after-list": [
    "right after a list showed the resource",
    ({ own }) => own.some((step) => step === own.at(-1) && isRead(step) && !step.operation.includes("{")),
    /payment-codes|banks|momos|countries/,
  ],
  "after-update": ["once the resource was updated", (past) => doneUpdates(past).length > 0, /payment-codes/],
  "after-second-update": [
    "once the resource was updated twice",
    (past) => doneUpdates(past).length > 1,
    /payment-codes/,
  ],
  "after-refused-update": [
    "right after an update was refused",
    (past) => isRefusedFor("body", "conflict")(past.own.at(-1)),
    /payment-codes|payouts/,
  ],
  "after-other": [
    "right after another resource was read",
    (past) => past.same.some((step) => step === past.same.at(-1) && isDone(step) && !past.own.includes(step)),
    /payment-codes|banks|momos|countries/,
  ],
  "after-unknown": ["right after an unknown id was read", ({ same }) => isRefusedFor("find")(same.at(-1))],
  "after-older": [
    `right after the resource was read under ${OLDER}`,
    (past) =>
      ownReads(past).some((step, index, all) => index === all.length - 1 && versionOf(step) === OLDER),
  ],
  "after-elsewhere": [
    "right after the resource was read in another space",
    (past) => isInOtherSpace(past, past.same.at(-1)),
    /payment-codes|payouts/,
  ],
  "after-stranger": [
    "right after a read of the resource was refused for its token",
    ({ own }) => isRefusedFor("auth")(own.at(-1)),
  ],
  "second-on-connection": SECOND_ON_CONNECTION,
});

export const REFUSAL_CONDITIONS = conditions({
  "asked-before": [
    "where the same URL was answered before",
    ({ same, own, ctx }) =>
      (/[{]/.test(ctx.operation) ? own.filter(({ operation }) => operation === ctx.operation) : same).some(
        (step) => isDone(step) && step.query === ctx.request.query,
      ),
  ],
  "refused-before": [
    "where the same call was refused before",
    ({ same, ctx: { request } }) =>
      same.some(
        (step) =>
          step.outcome === "refused" &&
          step.query === request.query &&
          step.headers.authorization === request.headers.authorization &&
          spaceOf(step) === spaceOf(request),
      ),
  ],
  "kept-connection": [
    "on a connection that was used for an answered call before",
    ({ onConnection }) => onConnection.some(isDone),
  ],
});
