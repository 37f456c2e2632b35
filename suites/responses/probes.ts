import { Call } from "../../client/call.ts";
import { NotTested } from "../../client/check.ts";
import { sampleItems } from "../../client/samples.ts";
import type { Probe } from "../../client/target.ts";
import type { Operation } from "../../spec/model/spec.ts";

export function sampleOf(operation: Operation): Probe {
  return {
    id: `sample ${operation.id}`,
    stage: "finish",
    async run(target) {
      if (operation.kind === "named" || operation.kind === "other")
        throw new NotTested("not-shown", `no request to ${operation.key} was sent`);
      const { serviceVersion } = target.settings;
      const call = new Call(target, operation);
      for (const version of call.versions) {
        if (serviceVersion !== "all" && (version ?? "none") !== serviceVersion) continue;
        await target.send(await call.under(version).fresh(), { valid: true });
      }
      if (operation.kind === "list") await sampleItems(target, operation);
    },
  };
}

export function itemsOfList(list: Operation): Probe {
  return {
    id: `items of ${list.id}`,
    stage: "finish",
    run: async (target) => void (await sampleItems(target, list)),
  };
}

export function changes({ kind }: Operation): boolean {
  return kind === "create" || kind === "update";
}
