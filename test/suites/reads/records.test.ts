import { describe, expect, test } from "vitest";
import { History } from "../../../history/history.ts";
import type { JsonObject } from "../../../spec/json.ts";
import type { Spec } from "../../../spec/model/spec.ts";
import { readRules } from "../../../suites/reads/rules.ts";
import { HEAD, HistoryBuilder } from "../../history/builder.ts";
import { documentCopy, objectAt, specOf } from "../../spec/package-spec.ts";

const LIST = "GET /countries";
const READ = "GET /countries/{idOrCode}";
const cameroon = { id: "c1", code: "CM", name: "Cameroon" };

/** An edition in which `change` has changed the schema of a country. */
function edition(change: (country: JsonObject, document: JsonObject) => void): Spec {
  const document = documentCopy();
  const country = objectAt(document, "components", "schemas", "Country");
  country.required = ["id", "code", "name"];
  change(country, document);
  return specOf(document);
}

interface Sent {
  item?: JsonObject;
  single?: JsonObject;
  query?: [string, string][];
  sentHeaders?: [string, string][];
}

/** The outcome if a list with the item stands before and after a read, twice over the consistency timeout. */
function outcome(spec: Spec, { item = {}, single = {}, ...more }: Sent): string | undefined {
  const past = new HistoryBuilder(spec);
  const envelope = { success: true, messages: [] };
  const list = {
    ...envelope,
    result: [{ ...cameroon, ...item }],
    pagination: { count: 1, total: 1, next: null },
  };
  for (const wait of [0, 2_000]) {
    past.waits(wait).answers(LIST, list);
    past.answers(READ, { ...envelope, result: { ...cameroon, ...single } }, { path: "c1", ...more });
    past.answers(LIST, list);
  }
  const check = readRules(spec).find(({ id }) => id === `reads/READ-MATCHES-LIST ${READ} by id`);
  return check?.verdict(new History(spec, HEAD, past.entries)).outcome;
}

describe("a record that a list and a read show", () => {
  test("is compared if the list or the read takes an optional parameter that was not sent", () => {
    const spec = edition((_, document) => {
      for (const path of ["/countries", "/countries/{idOrCode}"]) {
        const operation = objectAt(document, "paths", path, "get");
        const { parameters = [] } = operation;
        if (!Array.isArray(parameters)) throw new Error(`no parameters at ${path}`);
        const name = path === "/countries" ? "order" : "units";
        operation.parameters = [...parameters, { name, in: "query", schema: { enum: ["a", "b"] } }];
      }
    });
    expect(outcome(spec, {})).toBe("held");
    expect(outcome(spec, { single: { name: "Other" } })).toBe("violated");
    expect(outcome(spec, { single: { name: "Other" }, query: [["units", "b"]] })).not.toBe("violated");
  });

  test("may have more documented fields in the read", () => {
    const spec = edition((country, document) => {
      const { "x-relations": _, ...summary } = structuredClone(country);
      delete objectAt(summary, "properties").currency;
      objectAt(document, "components", "schemas").CountrySummary = summary;
      const paths = objectAt(document, "paths");
      const text = JSON.stringify(paths["/countries"]).replaceAll('/Country"', '/CountrySummary"');
      paths["/countries"] = JSON.parse(text);
    });
    expect(outcome(spec, { single: { currency: { code: "XAF" } } })).toBe("held");
    expect(outcome(spec, { single: { name: "Other" } })).toBe("violated");
  });

  test("may be masked or left out in either if it is a secret, and masked if it may be", () => {
    const spec = edition((country) => {
      const properties = objectAt(country, "properties");
      Object.assign(properties, {
        key: { type: "string", "x-secret": true },
        phone: { type: "string", "x-maskable": true },
        contact: { type: "object", properties: { phone: { type: "string", "x-maskable": true } } },
      });
    });
    expect(outcome(spec, { item: { key: "***" }, single: { key: "secret" } })).toBe("held");
    expect(outcome(spec, { single: { key: "secret" } })).toBe("held");
    expect(outcome(spec, { item: { phone: "+2376*****001" }, single: { phone: "+237670000001" } })).toBe(
      "held",
    );
    expect(outcome(spec, { item: { phone: "+237670000002" }, single: { phone: "+237670000001" } })).toBe(
      "violated",
    );
    const contact = (phone: string) => ({ contact: { phone } });
    expect(outcome(spec, { item: contact("+2376*****001"), single: contact("+237670000001") })).toBe("held");
    expect(outcome(spec, { item: contact("+237670000002"), single: contact("+237670000001") })).toBe(
      "violated",
    );
  });

  test("must agree in the fields of each branch of oneOf", () => {
    const spec = edition((country) => {
      const branch = (name: string) => ({ type: "object", properties: { [name]: { type: "string" } } });
      country.oneOf = [
        { ...branch("region"), required: ["region"] },
        { ...branch("zone"), required: ["zone"] },
      ];
    });
    expect(outcome(spec, { item: { zone: "A" }, single: { zone: "A" } })).toBe("held");
    expect(outcome(spec, { item: { zone: "A" }, single: { zone: "B" } })).toBe("violated");
  });

  test("is proven to be another one if its id is another number", () => {
    const spec = edition((country) => {
      objectAt(country, "properties").id = { type: "integer" };
    });
    const past = new HistoryBuilder(spec);
    const envelope = { success: true, messages: [] };
    const result = [1, 2].map((id) => ({ ...cameroon, id }));
    past.answers(LIST, { ...envelope, result, pagination: { count: 2, total: 2, next: null } });
    past.answers(READ, { ...envelope, result: { ...cameroon, id: 2 } }, { path: "1" });
    const check = readRules(spec).find(({ id }) => id === `reads/READ-MATCHES-LIST ${READ} by id`);
    expect(check?.verdict(new History(spec, HEAD, past.entries))).toMatchObject({
      violations: [{ certainty: "proven" }],
    });
  });

  test("may be found by its code, if that is the id of another", () => {
    const spec = edition(() => undefined);
    const single = { id: "c2", code: "c1", name: "Chad" };
    expect(outcome(spec, { single })).toBe("not-exercised");
    expect(outcome(spec, { item: { code: "c1" }, single: { code: "c1" } })).toBe("held");
    expect(outcome(spec, { single: { ...single, code: "TD" } })).toBe("violated");
  });

  test("is another one under another parent", () => {
    const spec = edition((_, document) => {
      const paths = objectAt(document, "paths");
      const { "/countries": list, "/countries/{idOrCode}": read, ...others } = paths;
      const region = {
        name: "region",
        in: "path",
        required: true,
        schema: { type: "string" },
        "x-fixture": { read: "region" },
      };
      for (const path of [list, read]) Object.assign(path ?? {}, { parameters: [region] });
      document.paths = {
        ...others,
        "/regions/{region}/countries": list,
        "/regions/{region}/countries/{idOrCode}": read,
      };
    });
    const past = new HistoryBuilder(spec);
    const envelope = { success: true, messages: [], pagination: { count: 1, total: 1, next: null } };
    const list = "GET /regions/{region}/countries";
    const read = `${list}/{idOrCode}`;
    const judge = (region: string) => {
      for (const wait of [0, 2_000]) {
        past.waits(wait).answers(list, { ...envelope, result: [cameroon] }, { path: "r1" });
        const result = { ...cameroon, name: "Chile" };
        past.answers(read, { success: true, messages: [], result }, { path: "c1", outer: { region } });
        past.answers(list, { ...envelope, result: [cameroon] }, { path: "r1" });
      }
      const check = readRules(spec).find(({ id }) => id === `reads/READ-MATCHES-LIST ${read} by id`);
      return check?.verdict(new History(spec, HEAD, past.entries)).outcome;
    };
    expect(judge("r2")).toBe("not-exercised");
    expect(judge("r1")).toBe("violated");
  });

  test("may differ if the read asks for another form of it", () => {
    const spec = edition((_, document) => {
      const read = objectAt(document, "paths", "/countries/{idOrCode}", "get");
      const parameters = Array.isArray(read.parameters) ? read.parameters : [];
      const schema = { type: "string", enum: ["en", "fr"] };
      read.parameters = [
        ...parameters,
        { name: "lang", in: "query", schema },
        { name: "Language", in: "header", schema },
      ];
    });
    const single = { name: "Cameroun" };
    expect(outcome(spec, { single })).toBe("violated");
    expect(outcome(spec, { single, query: [["lang", "fr"]] })).toBe("not-exercised");
    expect(outcome(spec, { single, sentHeaders: [["language", "fr"]] })).toBe("not-exercised");
  });
});
