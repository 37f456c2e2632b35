import type { Context } from "../../context.ts";
import { KEY_CONDITIONS } from "../../history/create-conditions.ts";
import { journalOf, type Step } from "../../history/journal.ts";
import { CREATES, refuse, type Where } from "../../hook-tools.ts";
import type { Hooks } from "../../hooks.ts";
import { canonical } from "../../json.ts";
import { ALWAYS, across, type Row, tabled } from "../../operators/operator.ts";
import type { Defect } from "../defect.ts";
import { oneOf } from "./group.ts";

const ACCOUNT: Where = ["POST /v1/financial-accounts"];
const always = (hooks: Hooks) => () => hooks;

const KEYS: Readonly<Record<string, Row>> = {
  "key-forgotten": [
    "KEY-REPLAY",
    "a used key makes another resource",
    always({ keyEntry: () => undefined }),
    oneOf(1, KEY_CONDITIONS),
  ],
  "key-replays-other-id": [
    "KEY-REPLAY",
    "a repetition shows the first resource under another id",
    always({ keyReplay: (result, ctx) => ({ ...result, id: ctx.service.newId("copy") }) }),
  ],
  "key-other-body-taken": [
    "KEY-OTHER-BODY",
    "a used key gives the first resource whatever the body",
    always({ keyEntry: (entry, { body }) => entry && { ...entry, fingerprint: canonical(body) } }),
  ],
};

function withReference({ service, operation, space, body }: Context): readonly Step[] {
  return journalOf(service)
    .of(operation)
    .filter(
      ({ headers, body: sent }) => headers["service-space-id"] === space && sent.reference === body.reference,
    );
}

const isRefused =
  (stage: Step["stage"]) =>
  (step: Step): boolean =>
    step.outcome === "refused" && step.stage === stage;

const FREED: Readonly<
  Record<string, readonly [says: string, holds: (ctx: Context, before: readonly Step[]) => boolean]>
> = {
  "after-duplicate": ["once a duplicate was refused", (_ctx, before) => before.some(isRefused("conflict"))],
  "after-second-duplicate": [
    "once two duplicates were refused",
    (_ctx, before) => before.filter(isRefused("conflict")).length > 1,
  ],
  "after-replay": [
    "once its create was sent again with its key",
    (_ctx, before) => before.some(({ outcome }) => outcome === "replayed"),
  ],
  "after-invalid": [
    "once an invalid create was sent with it",
    (_ctx, before) => before.some(isRefused("body")),
  ],
  "after-other": [
    "once another account was made",
    ({ service, operation }, before) => {
      const first = before.find(({ outcome }) => outcome === "done");
      const latest = journalOf(service)
        .of(operation)
        .findLast(({ outcome }) => outcome === "done");
      return first !== undefined && latest !== undefined && latest.number > first.number;
    },
  ],
  "after-elsewhere": [
    "once another space has it too",
    ({ service, operation, space, body }) =>
      journalOf(service)
        .of(operation)
        .some(
          ({ headers, body: sent, outcome }) =>
            outcome === "done" && sent.reference === body.reference && headers["service-space-id"] !== space,
        ),
  ],
  "after-list": [
    "once the accounts were listed",
    ({ service }, before) => {
      const first = before.find(({ outcome }) => outcome === "done");
      return journalOf(service)
        .of("GET /v1/financial-accounts")
        .some(({ number }) => first !== undefined && number > first.number);
    },
  ],
  "under-other-version": [
    "under another version than it was made",
    ({ request }, before) =>
      before.some(
        ({ outcome, headers }) =>
          outcome === "done" && headers["service-version"] !== request.headers["service-version"],
      ),
  ],
};

const isOwn = (ctx: Context) => typeof ctx.body.reference === "string" && ctx.body.reference !== "";

const uniqueness: Defect[] = Object.entries(FREED).flatMap(([at, [says, holds]]) =>
  across("reference-freed", ACCOUNT, ALWAYS, {
    at,
    breaks: ["UNIQUE-REJECTED"],
    does: `a reference may be used again ${says}`,
    hooks: always({
      sameReference: (same, ctx) => same && !(isOwn(ctx) && holds(ctx, withReference(ctx))),
    }),
  }),
);

const taken: Defect[] = (["body", "key", "auth"] as const).flatMap((stage) =>
  across("reference-taken-by-refused", ACCOUNT, ALWAYS, {
    at: stage,
    breaks: ["CREATE-NO-EFFECT", "CREATE-ACCEPTED", ...(stage === "auth" ? ["AUTH-NO-EFFECT"] : [])],
    does: `a reference is taken by a create that was refused for its ${stage}`,
    hooks: (where) => () => {
      const sent = new Set<string>();
      const nameOf = ({ request: { headers, body } }: Context) =>
        `${headers["service-space-id"]} ${/"reference":\s*("[^"]+")/.exec(String(body))?.[1] ?? ""}`;
      const { problems: check } = refuse(
        where,
        "conflict",
        { at: "body.reference", rule: "unique", message: "taken" },
        (ctx) => isOwn(ctx) && sent.has(nameOf(ctx)),
      );
      return {
        problems: (problems, ctx, current) => {
          if (problems.length > 0 && current === stage && !nameOf(ctx).endsWith(" ")) sent.add(nameOf(ctx));
          return check?.(problems, ctx, current) ?? problems;
        },
      };
    },
  }),
);

export const keyHistoryDefects: readonly Defect[] = [
  ...tabled(CREATES, oneOf(2, KEY_CONDITIONS), KEYS),
  ...uniqueness,
  ...taken,
  ...across("reuse-overwrites", ["POST /webhooks"], ALWAYS, {
    breaks: ["CREATE-NO-EFFECT", "UPDATE-KEEPS", "CREATE-LISTED"],
    does: "a key with another body is refused, and the first resource has the other name and metadata",
    hooks: always({
      rejection: (rejection, ctx) => {
        const { service, body } = ctx;
        const first = service.store.get("webhook", journalOf(service).idOf(ctx));
        if (first && rejection.problems.some(({ rule }) => rule === "reuse")) {
          const { name = first.data.name ?? "", metadata = first.data.metadata ?? {} } = body;
          service.store.replace({ ...first, data: { ...first.data, name, metadata } });
        }
        return rejection;
      },
    }),
  }),
];
