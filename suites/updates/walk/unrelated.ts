import { Call } from "../../../client/call.ts";
import { NotTested } from "../../../client/check.ts";
import { type Creation, idOf } from "../../../client/creations.ts";
import { makerOf } from "../../../client/relations.ts";
import { spareCreation } from "../../shared/creation.ts";
import { withLockedResource } from "../read-back.ts";
import { namedFirst } from "./other-requests.ts";

/** Works on a resource that the walk does not use. */
export function onUnrelated<T>(call: Call, work: (id: string) => Promise<T>): Promise<T> {
  return onCreated(call, "unrelated", spareCreation, work);
}

/** Works on a resource that was created under another version. */
export function onOtherVersion<T>(call: Call, work: (id: string) => Promise<T>): Promise<T> {
  const made = (create: Call) => {
    const { allowed, underDefaultVersion } = create;
    const [other = null] = namedFirst(allowed.filter((each) => each !== underDefaultVersion.version));
    return create.under(other ?? underDefaultVersion.version).plain("minimal");
  };
  return onCreated(call, "of another version", made, work);
}

/** Does the work on a resource that only it uses, or on a shared one if nothing creates such resources. */
async function onCreated<T>(
  call: Call,
  what: string,
  made: (call: Call) => Promise<Creation>,
  work: (id: string) => Promise<T>,
): Promise<T> {
  const { target, operation } = call;
  const create = makerOf(target.spec, operation);
  if (!create) return withLockedResource(call, work);
  return target.withWriteLock(`${what} ${operation.id}`, async () => {
    const id = idOf(target, await made(new Call(target, create)));
    if (id === undefined) throw new NotTested("control-rejected", `${create.key} made nothing to update`);
    return work(id);
  });
}
