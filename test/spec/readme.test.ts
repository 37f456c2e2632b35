import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import extensions from "../../spec/extensions.schema.json" with { type: "json" };
import { isObject, type JsonObject } from "../../spec/json.ts";
import { allChecks } from "../../suites/index.ts";
import { documentCopy, openapi, specOf } from "./package-spec.ts";

const readme = readFileSync(new URL("../../spec/README.md", import.meta.url), "utf8");

/** The rows of the README's table of extensions: name, place, value, meaning, example. */
const rows = [...readme.matchAll(/^\| `(x-[a-z-]+)` (.+)\|$/gm)].map(([, name = "", rest = ""]) => {
  const [, where = "", value = "", meaning = "", example = ""] = rest.split("|").map((cell) => cell.trim());
  return { name, where, value, meaning, example };
});

test("every extension is described, once, and no other", () => {
  expect(rows.map(({ name }) => name).sort()).toEqual(Object.keys(extensions.properties).sort());
});

describe.each(rows)("$name", ({ name, where, value, meaning, example }) => {
  test("is documented with the places that the schema allows", () => {
    const entry = Object.entries(extensions.properties).find(([known]) => known === name)?.[1];
    const places = where
      .replace(/\([^)]*\)/g, "")
      .split(",")
      .map((place) => place.trim());
    expect(places.sort()).toEqual([...(entry?.["x-where"] ?? [])].sort());
  });

  test("has a value, a meaning, and a YAML example with its own name", () => {
    expect(value.length).toBeGreaterThan(2);
    expect(meaning.length).toBeGreaterThan(10);
    const parsed: unknown = parse(/`([^`]+)`/.exec(example)?.[1] ?? "");
    expect(Object.keys(isObject(parsed) ? parsed : {})).toEqual([name]);
  });

  test("is used by the document", () => {
    expect(openapi.text).toContain(`${name}:`);
  });
});

test("the operations of the example give checks", () => {
  const example = [...readme.matchAll(/```yaml\n([\s\S]*?)```/g)]
    .map(([, text = ""]) => text)
    .find((text) => text.includes("/v1/branches"));
  const paths: unknown = parse(example ?? "");
  const document = documentCopy();
  Object.assign(document.paths as JsonObject, paths);
  const components = document.components as { schemas: JsonObject };
  components.schemas.Branch = {
    type: "object",
    required: ["id", "city"],
    "x-identity": "id",
    properties: { id: { type: "string" }, city: { type: "string" } },
  };
  const requirements = new Set(
    allChecks(specOf(document))
      .filter(({ operation }) => operation.includes("/v1/branches"))
      .flatMap((check) => check.requirements),
  );
  for (const id of [
    "FILTER-SOUND",
    "FILTER-COMPLETE",
    "CURSOR-COMPLETE",
    "LIST-LIMIT-ACCEPTED",
    "READ-MATCHES-LIST",
    "SPACE-MISSING",
  ])
    expect(requirements).toContain(id);
});

test("every file that it names exists", () => {
  const named = [...readme.matchAll(/`([a-z-]+(?:\.schema)?\.(?:ts|json|yaml))`/g)].map(
    ([, name = ""]) => name,
  );
  expect(named.length).toBeGreaterThan(5);
  for (const name of named)
    expect(() => readFileSync(new URL(`../../spec/${name}`, import.meta.url))).not.toThrow();
});
