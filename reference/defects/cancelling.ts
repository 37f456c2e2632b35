import type { Context } from "../context.ts";
import { isAt, refuse, showField, type Where } from "../hook-tools.ts";
import type { Hooks } from "../hooks.ts";
import type { Json, JsonObject } from "../json.ts";
import { ALWAYS, across } from "../operators/operator.ts";
import type { Stage } from "../problems.ts";
import { OLDER, spacesOf } from "../read-hook-tools.ts";
import { answerStale, setOtherwise, storeField, together } from "../write-hook-tools.ts";
import type { Defect } from "./defect.ts";

const CODE: Where = ["PATCH /payment-codes/{id}"];

const cancelling = ({ body }: Context) => body.status === "cancelled";
const isAlone = ({ body }: Context) => Object.keys(body).length === 1;
const whenCancelled = (
  change: (
    changes: Readonly<Record<string, Json | undefined>>,
    previous: JsonObject,
  ) => Readonly<Record<string, Json | undefined>>,
) => setOtherwise(CODE, (changes, ctx, previous) => (cancelling(ctx) ? change(changes, previous) : changes));

const CANCELS: Readonly<
  Record<string, readonly [breaks: readonly string[], does: string, hooks: () => Hooks]>
> = {
  "cancel-ignored": [
    ["CANCEL-STATUS"],
    "a code whose status is set to cancelled stays what it was",
    () => whenCancelled((changes, { status }) => ({ ...changes, status })),
  ],
  "cancel-not-stored": [
    ["CANCEL-STATUS"],
    "a cancellation is answered and not stored",
    () => storeField(CODE, "status", (_value, previous) => previous),
  ],
  "cancel-answer-stale": [
    ["CANCEL-STATUS"],
    "the answer to a cancellation shows the status from before",
    () => answerStale(CODE, ["status"]),
  ],
  "cancel-respelled": [
    ["CANCEL-STATUS"],
    "the answer to a cancellation spells it canceled",
    () => showField(CODE, "status", (value) => (value === "cancelled" ? "canceled" : value)),
  ],
  "cancel-expires": [
    ["CANCEL-STATUS"],
    "a cancelled code is expired",
    () => whenCancelled((changes) => ({ ...changes, status: "expired" })),
  ],
  "cancel-refused": [
    ["CANCEL-STATUS"],
    "a cancellation is refused",
    () => refuse(CODE, "body", { at: "body.status", rule: "state", message: "not now" }, cancelling),
  ],
  "cancel-alone": [
    ["CANCEL-TOGETHER"],
    "fields sent with a cancellation are ignored",
    () => whenCancelled((changes, previous) => ({ ...previous, status: changes.status })),
  ],
  "cancel-rest-not-stored": [
    ["CANCEL-TOGETHER"],
    "fields sent with a cancellation are answered and not stored",
    () => ({
      stored: (record, ctx, previous) =>
        record && previous && cancelling(ctx)
          ? { ...record, data: { ...previous.data, status: "cancelled" } }
          : record,
    }),
  ],
  "cancel-keeps-metadata": [
    ["CANCEL-TOGETHER"],
    "metadata sent with a cancellation is ignored",
    () => whenCancelled(({ metadata: _, ...changes }) => changes),
  ],
  "cancel-alone-ignored": [
    ["CANCEL-STATUS"],
    "a cancellation without another field changes nothing",
    () =>
      setOtherwise(CODE, (changes, ctx, { status }) =>
        cancelling(ctx) && isAlone(ctx) ? { ...changes, status } : changes,
      ),
  ],
  "cancel-alone-refused": [
    ["CANCEL-STATUS"],
    "a cancellation without another field is refused",
    () =>
      refuse(
        CODE,
        "body",
        { at: "body", rule: "required", message: "nothing to change" },
        (ctx) => cancelling(ctx) && isAlone(ctx),
      ),
  ],
  "cancel-moves-creation": [
    ["UPDATE-KEEPS"],
    "a cancellation sets createTime to the present",
    () => whenCancelled((changes) => ({ ...changes, createTime: new Date().toISOString() })),
  ],
  "cancel-drops-metadata": [
    ["CANCEL-TOGETHER"],
    "a cancellation empties the metadata",
    () => whenCancelled((changes) => ({ ...changes, metadata: {} })),
  ],
};

/** Requirements that break if an update cancels although this stage rejects it. */
const REFUSED: Readonly<Partial<Record<Stage, readonly string[]>>> = {
  body: ["UPDATE-NO-EFFECT"],
  auth: ["AUTH-NO-EFFECT"],
  space: ["UPDATE-NO-EFFECT", "ISOLATION-UNKNOWN-SPACE"],
};
const asksToCancel = ({ request }: Context) => /"cancelled"/.test(String(request.body));

function refusedCancels(): Defect[] {
  return Object.entries(REFUSED).flatMap(([at, breaks]) =>
    across("cancelled-though-refused", CODE, ALWAYS, {
      at,
      breaks,
      does: `an update that is refused for its ${at} cancels all the same`,
      hooks: () => ({
        late: (late, ctx, stage) => late || (stage === at && asksToCancel(ctx)),
        effectiveSpace: (space, ctx) => (ctx.lateRejections.length > 0 ? (spacesOf(ctx)[0] ?? space) : space),
        changes: (changes, ctx) => (ctx.lateRejections.length > 0 ? { status: "cancelled" } : changes),
      }),
    }),
  );
}

const afterCancelling = (hooks: (isCancelled: (id: string) => boolean) => Hooks) => (): Hooks => {
  const cancelled = new Set<string>();
  const written: Hooks["written"] = (ctx, { id }) => void (cancelling(ctx) && cancelled.add(id));
  return together(
    { written },
    hooks((id) => cancelled.has(id)),
  );
};

const showsPending = (where: Where, isMeant: (ctx: Context) => boolean = () => true) =>
  afterCancelling((isCancelled) =>
    showField(where, "status", (value, { id }, ctx) =>
      isMeant(ctx) && isCancelled(String(id)) ? "pending" : value,
    ),
  );

const READ: Where = ["GET /payment-codes/{id}"];
const LIST: Where = ["GET /v1/payment-codes"];

function afterwards(): Defect[] {
  return [
    ...across("cancelled-unseen-by-version", CODE, ALWAYS, {
      at: "older",
      breaks: ["CANCEL-STATUS"],
      does: "a code that was cancelled is still pending under the older version",
      alsoAt: READ,
      hooks: () => showsPending(READ, ({ version }) => version === OLDER),
    }),
    ...across("cancelled-not-found", READ, ALWAYS, {
      breaks: ["READ-ACCEPTED"],
      does: "a code that was cancelled is not found by its id",
      alsoAt: CODE,
      hooks: () =>
        afterCancelling((isCancelled) => ({
          visible: (visible, ctx, { id }) => visible && !(isAt(ctx, READ) && isCancelled(id)),
        })),
    }),
    ...across("cancelled-listed-as-pending", READ, ALWAYS, {
      breaks: ["SHAPES-AGREE"],
      does: "the list still shows a code as pending that was cancelled",
      alsoAt: [...LIST, ...CODE],
      hooks: () => showsPending(LIST),
    }),
    ...across("cancelled-not-filtered", LIST, ALWAYS, {
      breaks: ["FILTER-COMPLETE"],
      does: "the list of cancelled codes leaves out those that were cancelled by a request",
      alsoAt: CODE,
      hooks: () =>
        afterCancelling((isCancelled) => ({
          matches: (matches, _ctx, { parameter, record }) =>
            matches && !(parameter === "status" && isCancelled(record.id)),
        })),
    }),
  ];
}

export const cancelDefects: readonly Defect[] = [
  ...refusedCancels(),
  ...across("cancelled-from-elsewhere", CODE, ALWAYS, {
    breaks: ["ISOLATION-WRITES"],
    does: "a code is cancelled in the name of another space",
    hooks: () => ({ visible: (visible, ctx) => visible || asksToCancel(ctx) }),
  }),
  ...afterwards(),
  ...Object.entries(CANCELS).flatMap(([name, [breaks, does, hooks]]) =>
    across(name, CODE, () => [undefined], { breaks, does, hooks }),
  ),
];
