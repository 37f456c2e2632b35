import { expect, test } from "vitest";
import { recordFindings } from "../../suites/versions/findings.ts";
import { component, documentCopy, objectAt, specOf } from "./package-spec.ts";

test("fields of branches are documented, and compared between versions", () => {
  const document = documentCopy();
  const money = (name: string) => ({ type: "object", properties: { [name]: { type: "integer" } } });
  Object.assign(objectAt(document, "components", "schemas", "Country"), {
    oneOf: [
      { properties: { zone: { type: "string" }, detail: money("gross") } },
      { properties: { region: { type: "string" }, detail: money("net") } },
    ],
  });
  const { schemas, ...spec } = specOf(document);
  const country = component("Country", { ...spec, schemas });
  const shown = { id: "c1", region: "A", detail: { net: 1, other: 2 }, other: 3 };
  const documented = { id: "c1", region: "A", detail: { net: 1 } };
  expect(schemas.documented(country, shown)).toEqual(documented);
  const newer = { ...documented, detail: { net: 2 } };
  const findings = [...recordFindings(schemas, country, documented, newer, "c1")];
  expect(findings.flatMap(({ subject, difference }) => (difference ? [subject] : []))).toEqual([
    "detail.net of c1",
  ]);
});
