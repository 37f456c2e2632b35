import { NotTested } from "../../client/check.ts";
import { sampleItems } from "../../client/samples.ts";
import type { Operation } from "../../spec/model/spec.ts";
import { probeOf } from "../shared/sampled.ts";

/** Sends a valid request under each version that the user allows. */
export const sampleOf = probeOf("sample", "finish", async (call) => {
  const { target, operation } = call;
  if (operation.kind === "named" || operation.kind === "other")
    throw new NotTested("not-shown", `no request to ${operation.key} was sent`);
  const { serviceVersion } = target.settings;
  for (const version of call.versions) {
    if (serviceVersion !== "all" && (version ?? "none") !== serviceVersion) continue;
    await target.send(await call.under(version).fresh(), { valid: true });
  }
  if (operation.kind === "list") await sampleItems(target, operation);
});

export const itemsOfList = probeOf("items of", "finish", ({ target, operation }) =>
  sampleItems(target, operation),
);

export function isCreateOrUpdate({ kind }: Operation): boolean {
  return kind === "create" || kind === "update";
}
