import { isObject } from "../json.ts";
import { OLDER } from "../read-hook-tools.ts";
import {
  conditions,
  doneUpdates,
  holdsNull,
  isCreate,
  isDone,
  isInOtherSpace,
  isRead,
  isRefusedFor,
  isWrite,
  keyOf,
  type Past,
  SECOND_ON_CONNECTION,
  updates,
  versionOf,
  WEBHOOK,
} from "./past.ts";

const sameSpace = (past: Past) => past.same.filter((step) => !isInOtherSpace(past, step));
const otherCreates = (past: Past) =>
  sameSpace(past).filter((step) => keyOf(step) !== keyOf(past.ctx.request));
const latestCreate = (past: Past) => otherCreates(past).at(-1);
const latestDone = (past: Past) => otherCreates(past).findLast(isDone);

export const CREATE_CONDITIONS = conditions({
  "every-second": [
    "at every second create of the space",
    (past) => otherCreates(past).filter(isDone).length % 2 === 1,
  ],
  "after-refused": [
    "right after a create was refused for its body",
    (past) => isRefusedFor("body")(latestCreate(past)),
  ],
  "after-duplicate": [
    "right after a create was refused for what others have",
    (past) => isRefusedFor("conflict")(latestCreate(past)),
  ],
  "after-replay": [
    "right after another create was sent again with its key",
    (past) => latestCreate(past)?.outcome === "replayed",
  ],
  "after-update": [
    "right after a resource of the kind was updated",
    ({ kind }) =>
      kind.findLast((step) => isWrite(step) && isDone(step))?.operation.startsWith("PATCH") === true,
    WEBHOOK,
  ],
  "after-list": [
    "right after the list was read",
    ({ kind }) => kind.at(-1)?.operation.startsWith("GET") === true,
    WEBHOOK,
  ],
  "after-older": [
    `right after a create under ${OLDER}`,
    (past) => {
      const latest = latestDone(past);
      return latest !== undefined && versionOf(latest) === OLDER;
    },
  ],
  "after-null": ["right after a create that sent null", (past) => holdsNull(latestDone(past))],
  "after-rich": ["right after a create with metadata", (past) => isObject(latestDone(past)?.body.metadata)],
  "after-other-kind": [
    "right after something of another kind was created",
    (past) => {
      const latest = past.all.findLast((step) => isCreate(step) && isDone(step));
      return latest !== undefined && latest.operation !== past.ctx.operation;
    },
  ],
  "after-elsewhere": [
    "right after a create in another space",
    (past) => isInOtherSpace(past, past.same.findLast(isDone)),
  ],
  "after-stranger": [
    "right after a create was refused for its token",
    (past) => isRefusedFor("auth")(latestCreate(past)),
  ],
  "second-on-connection": SECOND_ON_CONNECTION,
});

const withKey = (past: Past) => past.same.filter((step) => keyOf(step) === keyOf(past.ctx.request));

export const KEY_CONDITIONS = conditions({
  "after-update": ["once the resource was updated", (past) => doneUpdates(past).length > 0, WEBHOOK],
  "after-second-update": [
    "once the resource was updated twice",
    (past) => doneUpdates(past).length > 1,
    WEBHOOK,
  ],
  "after-refused-update": [
    "once an update of the resource was refused",
    (past) => updates(past).some(isRefusedFor("body")),
    WEBHOOK,
  ],
  "after-list": ["once a list showed the resource", ({ own }) => own.some(isRead), WEBHOOK],
  "after-replay": [
    "from the second repetition on",
    (past) => withKey(past).some(({ outcome }) => outcome === "replayed"),
  ],
  "after-reuse": [
    "once the key was sent with another body",
    (past) => withKey(past).some(isRefusedFor("conflict")),
  ],
  "after-invalid": [
    "once the key was sent with an invalid body",
    (past) => withKey(past).some(isRefusedFor("body")),
  ],
  "after-other": [
    "once another resource was created",
    (past) => {
      const [first] = withKey(past);
      const latest = otherCreates(past).findLast(isDone);
      return first !== undefined && latest !== undefined && latest.number > first.number;
    },
  ],
  "after-refused": [
    "once another create was refused for its body",
    (past) => {
      const [first] = withKey(past);
      const latest = otherCreates(past).findLast(isRefusedFor("body"));
      return first !== undefined && latest !== undefined && latest.number > first.number;
    },
  ],
  "after-older": [
    `where the create was sent under ${OLDER}, and its repetition is not`,
    (past) => {
      const [first] = withKey(past);
      return first !== undefined && versionOf(first) === OLDER && versionOf(past.ctx.request) !== OLDER;
    },
  ],
  "after-elsewhere": [
    "once the key was sent in another space",
    (past) => withKey(past).some((step) => isInOtherSpace(past, step)),
  ],
  "after-stranger": [
    "once the key was sent without a token",
    (past) => withKey(past).some(isRefusedFor("auth")),
  ],
  "second-on-connection": SECOND_ON_CONNECTION,
});
