import { expect, test } from "vitest";
import { History } from "../../history/history.ts";
import { allChecks } from "../../suites/index.ts";
import { HEAD, HistoryBuilder } from "../history/builder.ts";
import { documentCopy, objectAt, specOf } from "../spec/package-spec.ts";

const LIST = "GET /countries";

/** An edition in which a header chooses the language and the order of countries. */
const edition = () => {
  const document = documentCopy();
  const country = objectAt(document, "components", "schemas", "Country");
  country.required = ["id", "code", "name"];
  const list = objectAt(document, "paths", "/countries", "get");
  const parameters = Array.isArray(list.parameters) ? list.parameters : [];
  list.parameters = [
    ...parameters,
    { $ref: "#/components/parameters/Limit" },
    { $ref: "#/components/parameters/After" },
    { name: "Language", in: "header", schema: { type: "string", enum: ["en", "fr", "de"] } },
  ];
  return specOf(document);
};

test("lists that another header asks for are not compared", () => {
  const spec = edition();
  const [version = ""] = spec.versions;
  const past = new HistoryBuilder(spec);
  const countries = [
    { id: "c1", code: "CM", name: "Cameroon" },
    { id: "c2", code: "TD", name: "Chad" },
  ];
  const page = (query: [string, string][], language?: string) => {
    const result = language === "fr" || language === "de" ? countries.toReversed() : countries;
    const pagination = { count: result.length, total: 2, next: null };
    const sentHeaders: [string, string][] = language === undefined ? [] : [["language", language]];
    past.answers(LIST, { success: true, messages: [], result, pagination }, { query, sentHeaders, version });
  };
  const ten: [string, string][] = [["limit", "10"]];
  for (const language of ["fr", "de", "en", "fr", "de", "fr"]) {
    page(ten);
    page([], language);
    page([["limit", "50"]]);
    page(ten, language);
  }
  page(ten);
  const history = new History(spec, HEAD, past.entries);
  const violated = allChecks(spec)
    .filter(({ operation }) => operation === LIST)
    .flatMap(({ id, verdict }) => {
      const { outcome } = verdict(history);
      return outcome === "violated" || outcome === "excused" ? [id] : [];
    });
  expect(violated).toEqual([]);
});
