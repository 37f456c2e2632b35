import { OLDER } from "../read-hook-tools.ts";
import {
  CODE_OR_WEBHOOK,
  conditions,
  doneUpdates,
  holdsNull,
  isCreate,
  isDone,
  isInOtherSpace,
  isRead,
  isRefusedFor,
  isUpdate,
  type Past,
  SECOND_ON_CONNECTION,
  updates,
  versionOf,
  WEBHOOK,
} from "./past.ts";

function isSwitchedOnAgain(past: Past): boolean {
  const switches = doneUpdates(past).filter(({ body }) => typeof body.isActive === "boolean");
  return switches.at(-1)?.body.isActive === true && switches.at(-2)?.body.isActive === false;
}

export const UPDATE_CONDITIONS = conditions({
  second: ["at the second update of a resource only", (past) => doneUpdates(past).length === 1, WEBHOOK],
  "from-second": ["from the second update of a resource on", (past) => doneUpdates(past).length >= 1],
  "from-third": ["from the third update of a resource on", (past) => doneUpdates(past).length >= 2],
  "every-second": ["at every second update of a resource", (past) => doneUpdates(past).length % 2 === 1],
  "after-refused": [
    "right after an update of the resource was refused for its body",
    (past) => isRefusedFor("body", "conflict")(updates(past).at(-1)),
  ],
  "after-read": [
    "right after the resource was read",
    ({ own }) => own.some(isUpdate) && own.at(-1)?.operation.startsWith("GET") === true,
  ],
  "after-unread": [
    "where nothing read the resource since its latest update",
    ({ own }) =>
      own.findLast((step) => isRead(step) || isUpdate(step))?.operation.startsWith("PATCH") === true,
  ],
  "after-other": [
    "where another resource was updated since the resource itself was",
    (past) => {
      const latest = past.same.findLast(isDone)?.number ?? -1;
      const own = doneUpdates(past).at(-1)?.number;
      return own !== undefined && latest > own;
    },
    WEBHOOK,
  ],
  "after-older": [
    `right after an update under ${OLDER}`,
    (past) => {
      const latest = doneUpdates(past).at(-1);
      return latest !== undefined && versionOf(latest) === OLDER;
    },
  ],
  "after-null": ["right after an update that sent null", (past) => holdsNull(doneUpdates(past).at(-1))],
  "after-same": [
    "right after an update that set a field to the value it had",
    (past) => doneUpdates(past).at(-1)?.repeated === true,
  ],
  "after-least": [
    "right after an update with no optional field",
    (past) => {
      const latest = doneUpdates(past).at(-1);
      return latest !== undefined && Object.keys(latest.body).every((name) => name === "url");
    },
  ],
  "after-switch": ["once the resource was switched off and on again", isSwitchedOnAgain, CODE_OR_WEBHOOK],
  "after-replay": [
    "once the create of the resource was sent again with its key",
    ({ own }) => own.some(({ outcome }) => outcome === "replayed"),
    WEBHOOK,
  ],
  "after-reuse": [
    "once the key of the resource was sent with another body",
    ({ own }) => own.some((step) => isCreate(step) && isRefusedFor("conflict")(step)),
    WEBHOOK,
  ],
  "after-elsewhere": [
    "right after an update of the resource was refused in another space",
    (past) => isInOtherSpace(past, updates(past).at(-1)),
  ],
  "after-stranger": [
    "right after an update of the resource was refused for its token",
    (past) => isRefusedFor("auth")(updates(past).at(-1)),
  ],
  "second-on-connection": SECOND_ON_CONNECTION,
});
