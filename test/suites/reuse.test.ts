import { afterAll, beforeAll, expect, test } from "vitest";
import { type RunningService, startReference } from "../../reference/index.ts";
import type { Report } from "../../reports/report.ts";
import type { CreatedResource } from "../../spec/model/result.ts";
import { isTurn } from "../commit-seed.ts";
import { runSuite, settingsFor } from "../prove/run.ts";
import { type Alter, withProxy } from "./altering-proxy.ts";

let service: RunningService;
beforeAll(async () => {
  service = await startReference();
});
afterAll(() => service.close());

interface Ran {
  summary: Report["summary"];
  created: CreatedResource[];
  updated: string[];
}

async function updatesOfWebhooks(reuse: CreatedResource[] = []): Promise<Ran> {
  const updated = new Set<string>();
  const watch: Alter = (method, path, { status }) => {
    const [, id] = path.match(/^\/webhooks\/(.+)/) ?? [];
    if (method === "PATCH" && status === 200 && id !== undefined) updated.add(id);
    return undefined;
  };
  const only = ["updates/* PATCH /webhooks/{id}*"];
  const { summary, created = [] } = await withProxy(service.baseUrl, watch, (baseUrl) =>
    runSuite(settingsFor(service, 1, { baseUrl, only, reuse })),
  );
  return { summary, created, updated: [...updated] };
}

test.runIf(isTurn(0, 2))(
  "updates change a resource of an earlier run, and a new one in place of those that are gone",
  async () => {
    const first = await updatesOfWebhooks();
    expect(first.summary.pass).toBeGreaterThan(10);
    expect(first.created.length).toBeGreaterThan(1);

    const second = await updatesOfWebhooks(first.created);
    const ids = first.created.map(({ id }) => id);
    expect(second.updated.filter((id) => ids.includes(id))).toHaveLength(1);
    expect(second.created).toHaveLength(first.created.length - 1);
    expect(second.summary).toEqual(first.summary);

    const third = await updatesOfWebhooks(first.created.map((one) => ({ ...one, id: `${one.id}-gone` })));
    expect(third.created).toHaveLength(first.created.length);
    expect(third.summary).toEqual(first.summary);
  },
);
