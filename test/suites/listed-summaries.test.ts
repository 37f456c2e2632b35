/** Items of a list may have a schema of their own, with fewer fields than the read of one. */

import { describe, expect, test } from "vitest";
import { listsOf } from "../../history/lists/lists-of-creates.ts";
import { objectAt, operation, specOf } from "../spec/package-spec.ts";
import { parcelsDocument } from "./parcels-edition.ts";
import { type Bug, OTHER_SPACE, SPACE, startParcels, TOKEN } from "./parcels-service.ts";
import { runChecks } from "./run-checks.ts";

const SHOWN = ["key", "title", "kind", "urgent", "state"];

/** With keys, the walks of keys use values again. */
function edition(takesKeys: boolean) {
  const document = parcelsDocument();
  const { properties, ...parcel } = objectAt(document, "components", "schemas", "Parcel");
  const shown = SHOWN.map((name) => [name, objectAt(properties, name)]);
  objectAt(document, "components", "schemas").ListedParcel = {
    ...{ type: parcel.type, required: SHOWN, "x-identity": "key", properties: Object.fromEntries(shown) },
  };
  const parcels = objectAt(document, "paths", "/v1/parcels");
  const page = { result: { items: { $ref: "#/components/schemas/ListedParcel" } } };
  const content = objectAt(parcels, "get", "responses", "200", "content", "application/json");
  content.schema = { allOf: [{ $ref: "#/components/schemas/ListEnvelopeWithTotal" }, { properties: page }] };
  const read = objectAt(document, "paths", "/v1/parcels/{parcelKey}", "get", "x-same-record");
  read.fields = Object.fromEntries(SHOWN.map((name) => [name, name]));
  const create = objectAt(parcels, "post");
  if (!takesKeys && Array.isArray(create.parameters)) create.parameters = create.parameters.slice(1);
  return specOf(document);
}

test("a list belongs to a create if the read of what it makes names the list", () => {
  const spec = edition(true);
  expect(listsOf(spec, operation("POST /v1/parcels", spec)).map(({ id }) => id)).toEqual(["listParcels"]);
});

describe("such a service", () => {
  async function found(bug: Bug | undefined, suites: string[]): Promise<string[]> {
    const server = await startParcels(bug);
    const settings = { baseUrl: server.baseUrl, token: TOKEN, space: SPACE, secondSpace: OTHER_SPACE };
    const isMeant = ({ suite, operation: key }: { suite: string; operation: string }) =>
      suites.includes(suite) && key.includes("/v1/parcels");
    const spec = edition(bug !== "the code of a changed parcel is free");
    const { results } = await runChecks(spec, settings, isMeant).finally(() => server.close());
    return results.filter(({ outcome }) => outcome === "fail" || outcome === "warn").map(({ id }) => id);
  }

  test("conforms", async () => {
    expect(await found(undefined, ["creates", "filters", "uniqueness", "versions"])).toEqual([]);
  });

  test.each<[Bug, suites: string[], id: string]>([
    ["new parcels are not listed", ["creates"], "creates/CREATE-LISTED POST /v1/parcels"],
    [
      "the newest version leaves out grams",
      ["versions"],
      "versions/VERSION-FIELDS GET /v1/parcels/{parcelKey}",
    ],
    ["the code of a changed parcel is free", ["uniqueness"], "uniqueness/UNIQUE-REJECTED POST /v1/parcels"],
  ])("breaks a requirement if %s", async (bug, suites, id) => {
    expect((await found(bug, suites)).some((each) => each.startsWith(id))).toBe(true);
  });
});
