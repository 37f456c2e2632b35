/** Sends unusual values together, and each alone if the body is rejected. */

import type { Call } from "../../../client/call.ts";
import { unlessNotTested } from "../../../client/check.ts";
import { sideBySide } from "../../../client/side-by-side.ts";
import { type Answer, isAccepted, isRejected, type Probe } from "../../../client/target.ts";
import { sampledAtQuick, sendsAll } from "../../../client/version-choice.ts";
import { ATTACK_TEXTS, MARKUP } from "../../../generators/text.ts";
import { groupedBy } from "../../../spec/grouped.ts";
import { isObject, type JsonObject, pick } from "../../../spec/json.ts";
import type { Operation } from "../../../spec/model/spec.ts";
import { plainTwin, textEverywhere } from "../../creates/text-probes.ts";
import { type BodyPart, bodyPartsOf } from "../../shared/body-parts.ts";
import { type Declinable, declinableValues } from "../../shared/echo.ts";
import { sendMalformedJson } from "../../shared/malformed-json.ts";
import { plainProbe, probeOf, sampledProbe } from "../../shared/sampled.ts";
import { sendUpdate } from "../../shared/update-requests.ts";
import { otherBody, restartVariations } from "../bodies.ts";
import { readSettled } from "../read-back.ts";
import { isUpdated } from "../shown-values.ts";
import { onUnrelated } from "../walk/unrelated.ts";

interface Member {
  field: string;
  put(body: JsonObject): JsonObject;
  /** True for a text: a plain one of equal length shows if length caused the rejection. */
  isText?: boolean;
  isEmptyList?: boolean;
}

/** Returns the kind of special value, or `undefined`. The effect of an empty object is left open. */
export function specialOf({ kind, what }: BodyPart): "any text" | "at the limits" | "empty list" | undefined {
  if (kind === "text") return "any text";
  if (kind !== "edge" || what.endsWith("an empty object")) return undefined;
  return what === "minItems 0 elements" ? "empty list" : "at the limits";
}

/** Sends texts of all kinds, values at limits and empty lists. */
export function specialUpdates(update: Operation): Probe {
  return sampledProbe("special updates", update, "write", async (call) => {
    const { spec, settings } = call.target;
    const source = await call.valueSource();
    const members = bodyPartsOf(spec, update, settings.seed).flatMap((part): Member[] => {
      const special = specialOf(part);
      if (special === undefined || part.put({}, source) === undefined || part.isDoubtful(source)) return [];
      return [
        {
          field: part.field,
          put: (plain) => part.put(plain, source) ?? plain,
          isText: special === "any text",
          isEmptyList: special === "empty list",
        },
      ];
    });
    await sendMembers(call, members);
  });
}

/** Sends values that a service may reject. */
export const declinableUpdates = probeOf("declinable updates", "write", (call) =>
  sendMembers(
    call,
    sampledFields(call).flatMap(({ name, value, changed }) =>
      [value, ...(changed === undefined ? [] : [changed])].map((sent) => ({
        field: name,
        put: (plain: JsonObject) => ({ ...plain, [name]: sent }),
      })),
    ),
    { isRead: false },
  ),
);

/** Returns the values to send. Depth quick skips only texts: a service that keeps them may lose others. */
function sampledFields({ target, operation: { body = {} } }: Call): Declinable[] {
  const { schemas } = target.spec;
  const all = declinableValues(target.spec, body);
  if (sendsAll(target)) return all;
  const isText = ({ name, value }: Declinable) => {
    const toSend = schemas.field(body, name)["x-send"];
    return !isObject(value) || toSend === undefined || schemas.validate(toSend, value).length === 0;
  };
  const texts = all.filter(isText);
  return all.filter((each) => !isText(each) || (texts.indexOf(each) + target.settings.seed) % 2 === 0);
}

/** Sends an update with a text that looks like an attack, at depth quick one for each operation. */
export function attackUpdates(update: Operation, { detail, text }: { detail: string; text: string }): Probe {
  return plainProbe(`${detail} in`, update, "provoke", async (byDefault) => {
    const { target, allowed } = byDefault;
    const all = ATTACK_TEXTS.flatMap((each) =>
      (each === MARKUP ? allowed : allowed.slice(-1)).map((version) => ({ detail: each.detail, version })),
    );
    const sent = sampledAtQuick(target, `suspect texts ${update.key}`, all);
    const own = sent.filter((each) => each.detail === detail);
    await sideBySide(own, ({ version }) => {
      const call = byDefault.under(version);
      const members = Object.keys(textEverywhere(call, text, {})).map((field): Member => {
        const put = (plain: JsonObject) => ({ ...plain, [field]: textEverywhere(call, text, plain)[field] });
        return { field, put, isText: true };
      });
      return sendMembers(call, members);
    });
  });
}

/** Updates a resource with the members together, and alone if they are rejected, to see whether they are stored. */
async function sendMembers(
  call: Call,
  members: Member[],
  { isRead = true }: { isRead?: boolean } = {},
): Promise<void> {
  const { target, operation } = call;
  const taken = new Set(target.spec.schemas.fieldNames(operation.body));
  const isForeign = await onUnrelated(call, async (id) => {
    restartVariations(target);
    let shown: JsonObject | undefined;
    const send = async (load: Member[], change = (sent: JsonObject) => sent): Promise<Answer> => {
      const plain = await otherBody(call, shown ?? {});
      const sent = change(load.reduce((body, member) => member.put(body), plain));
      const answer = await sendUpdate(call, id, sent, "probe");
      if (isRead && isAccepted(answer))
        shown = (await unlessNotTested(() => readSettled(call, id, pick(sent, taken)))) ?? shown;
      return answer;
    };
    // A text counts as stored only if the field changed.
    if (!isUpdated(call, id)) await send([]);
    const alone: { member: Member; answer: Answer }[] = [];
    for (const load of groupsToSend(members)) {
      const answer = await send(load);
      if (isAccepted(answer)) continue;
      for (const member of load)
        alone.push({ member, answer: load.length < 2 ? answer : await send([member]) });
    }
    const rejected = alone.filter(({ member, answer }) => member.isText && isRejected(answer));
    for (const { member } of rejected)
      await send([member], (sent) => ({ ...sent, [member.field]: plainTwin(sent[member.field]) }));
    return rejected.some(({ answer }) => answer.json === undefined);
  });
  if (isForeign) await sendMalformedJson(call);
}

/** Returns the members in groups of one body each, the first without empty lists: these may be empty already. */
function groupsToSend(members: Member[]): Member[][] {
  const byField = [...groupedBy(members, ({ field }) => field).values()].map((own) => {
    const others = own.filter(({ isEmptyList }) => !isEmptyList);
    return [...(others.length > 0 ? others : [undefined]), ...own.filter(({ isEmptyList }) => isEmptyList)];
  });
  const most = Math.max(0, ...byField.map(({ length }) => length));
  return Array.from({ length: most }, (_, index) => byField.flatMap((own) => own[index] ?? []));
}
