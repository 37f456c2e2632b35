import { Call } from "../../client/call.ts";
import { NotTested } from "../../client/check.ts";
import { idOf } from "../../client/creations.ts";
import { makerOf } from "../../client/relations.ts";
import { spareCreation } from "../shared/creation.ts";
import { withLockedResource } from "./settled-reads.ts";

/**
 * Runs `work` with the id of another resource, under the lock of that resource. If the API can't create one,
 * uses the first resource.
 */
export async function onUnrelated<T>(call: Call, work: (id: string) => Promise<T>): Promise<T> {
  const { target, operation } = call;
  const create = makerOf(target.spec, operation);
  if (!create) return withLockedResource(call, work);
  return target.withWriteLock(`unrelated ${operation.id}`, async () => {
    const id = idOf(target, await spareCreation(new Call(target, create)));
    if (id === undefined) throw new NotTested("control-rejected", `${create.key} made nothing to update`);
    return work(id);
  });
}
