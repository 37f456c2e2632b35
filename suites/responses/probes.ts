import { NotTested } from "../../client/check.ts";
import { sampleItems } from "../../client/samples.ts";
import type { Probe } from "../../client/target.ts";
import type { Operation } from "../../spec/model/spec.ts";
import { plainProbe } from "../shared/sampled.ts";

/** Sends a valid request under each version that the user allows. */
export function sampleOf(operation: Operation): Probe {
  return plainProbe("sample", operation, "finish", async (call) => {
    if (operation.kind === "named" || operation.kind === "other")
      throw new NotTested("not-shown", `no request to ${operation.key} was sent`);
    const { target } = call;
    const { serviceVersion } = target.settings;
    for (const version of call.versions) {
      if (serviceVersion !== "all" && (version ?? "none") !== serviceVersion) continue;
      await target.send(await call.under(version).fresh(), { valid: true });
    }
    if (operation.kind === "list") await sampleItems(target, operation);
  });
}

export function itemsOfList(list: Operation): Probe {
  return plainProbe("items of", list, "finish", ({ target }) => sampleItems(target, list));
}

export function isCreateOrUpdate({ kind }: Operation): boolean {
  return kind === "create" || kind === "update";
}
