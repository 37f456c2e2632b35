import { describe, expect, test } from "vitest";
import { loadSpec } from "../../spec/loading/load.ts";
import { SpecError } from "../../spec/loading/source.ts";
import { openapi, requirements } from "./package-spec.ts";

const CATALOGUE = `requirements:
  - id: SOME-RULE
    row: 1
    level: MUST
    section: "1"
    statement: "It holds."
`;

const DOCUMENT = `openapi: 3.1.0
info: { title: Little, version: "1" }
x-versions: ["1"]
paths:
  /things:
    get:
      operationId: listThings
      x-section: "4.1"
      parameters:
        - name: kind
          in: query
          schema: { type: string }
          x-filter: /kind
        - { name: V, in: header, schema: { enum: ["1"] }, x-role: version }
      responses:
        "200":
          description: Things.
          content:
            application/json:
              schema:
                type: object
                properties:
                  result: { type: [array, "null"], items: { $ref: "#/components/schemas/Thing" } }
components:
  schemas:
    Thing:
      type: object
      x-identity: id
      properties:
        id: { type: string }
        kind: { type: string }
`;

/** The message with which the loader refuses these two texts, or an empty text if it accepts them. */
function complaint(document: string, catalogue = CATALOGUE): string {
  try {
    loadSpec({ name: "some/openapi.yaml", text: document }, { name: "some/rules.yaml", text: catalogue });
    return "";
  } catch (error) {
    expect(error).toBeInstanceOf(SpecError);
    return (error as SpecError).message;
  }
}

/** Returns `text` with the line `line` replaced by the lines `by`. Fails if there is no such line. */
function replaced(text: string, line: string, ...by: string[]): string {
  const lines = text.split("\n");
  const at = lines.indexOf(line);
  expect(at, line).toBeGreaterThanOrEqual(0);
  return [...lines.slice(0, at), ...by, ...lines.slice(at + 1)].join("\n");
}

/** The number (from 1) of the first line that contains `part`, below the first line that contains `behind`. */
function lineOf(text: string, part: string, behind = ""): number {
  const lines = text.split("\n");
  const start = behind === "" ? 0 : lines.findIndex((line) => line.includes(behind)) + 1;
  const at = lines.findIndex((line, index) => index >= start && line.includes(part));
  expect(at, part).toBeGreaterThanOrEqual(0);
  return at + 1;
}

test("the loader accepts the small document in which the other tests make mistakes", () => {
  expect(complaint(DOCUMENT)).toBe("");
  expect(complaint(openapi.text, requirements.text)).toBe("");
});

describe("refuses mistakes in the document, by file and line", () => {
  test("text that is no YAML", () => {
    const text = replaced(DOCUMENT, "    Thing:", "    Thing: }");
    expect(complaint(text)).toMatch(new RegExp(`^some/openapi\\.yaml:${lineOf(text, "Thing: }")}: `));
  });

  test("a key given twice", () => {
    const text = `${DOCUMENT}    Thing: {}\n`;
    expect(complaint(text)).toMatch(
      new RegExp(`^some/openapi\\.yaml:${lineOf(text, "Thing: {}")}: .*unique`),
    );
  });

  test("no paths", () => {
    expect(complaint("openapi: 3.1.0\n")).toBe("some/openapi.yaml:1: not an OpenAPI document: no paths");
    expect(complaint("")).toBe("some/openapi.yaml:1: not an OpenAPI document: no paths");
  });

  test("an operationId given twice", () => {
    const text = replaced(
      DOCUMENT,
      "components:",
      "  /others:",
      "    get:",
      "      operationId: listThings",
      "      responses: { '200': { $ref: '#/components/responses/Things' } }",
      "components:",
      "  responses:",
      "    Things: { description: T., content: { application/json: { schema: { $ref: '#/components/schemas/Thing' } } } }",
    );
    const line = lineOf(text, "operationId", "/others");
    expect(complaint(text)).toBe(`some/openapi.yaml:${line}: duplicate operationId listThings`);
  });

  test("an operation without an operationId", () => {
    const text = replaced(DOCUMENT, "      operationId: listThings");
    expect(complaint(text)).toMatch(/^some\/openapi\.yaml:\d+: GET \/things has no operationId$/);
  });

  test("a $ref that leads nowhere", () => {
    const text = DOCUMENT.replace('schemas/Thing"', 'schemas/Thin"');
    const line = lineOf(text, "$ref");
    expect(complaint(text)).toBe(`some/openapi.yaml:${line}: dangling $ref: #/components/schemas/Thin`);
  });

  test("a $ref to another document", () => {
    const text = DOCUMENT.replace("#/components/schemas/Thing", "other.yaml#/Thing");
    const line = lineOf(text, "$ref");
    expect(complaint(text)).toBe(`some/openapi.yaml:${line}: $ref leaves the document: other.yaml#/Thing`);
  });

  test("a version that an operation allows and x-versions lacks", () => {
    const text = DOCUMENT.replace('enum: ["1"]', 'enum: ["1", "2"]');
    expect(complaint(text)).toMatch(
      /^some\/openapi\.yaml:3: GET \/things allows version 2, which x-versions lacks/,
    );
  });
});

describe("refuses keywords that would give no check, by file and line", () => {
  /**
   * The mistake, the text that is replaced, its replacement, and the message. `at` is in the line that the message
   * names; by default, the last line of the replacement.
   */
  const faults: [what: string, text: string, by: string, said: string, at?: string][] = [
    ["OpenAPI 3.0", "openapi: 3.1.0", "openapi: 3.0.3", 'this has openapi "3.0.3"; OpenAPI 3.1 is needed'],
    ["no title", "title: Little, ", "", "info needs a title", "info:"],
    ["a method that is none", "    get:", "    gett:", "a path has no gett; did you mean get?"],
    ["a path without its slash", "  /things:", "  things:", "a path begins with /"],
    ["an operation's key that is none", "      responses:", "      rsponses:", "did you mean responses?"],
    ["no answer 200", '"200":', '"201":', "GET /things has no response 200", "responses:"],
    ["a status that is none", '"200":', '"2000":', "2000 is no status", "2000"],
    ["no JSON in the answer", "application/json", "text/xml", "needs content: application/json", "content:"],
    ["another envelope", "result: {", "data: {", "GET /things has no result", '"200":'],
    ["a parameter without a name", "- name: kind\n          in", "- in", "a parameter needs a name", "- in"],
    ["a parameter in no place", "in: query", "in: querry", "is in: query, header or path"],
    [
      "a parameter without a schema",
      "          schema: { type: string }\n",
      "",
      "needs a schema",
      "name: kind",
    ],
    ["a path parameter that is not declared", "/things:", "/things/{id}:", "for {id}", "    get:"],
    ["a type that is none", "id: { type: string }", "id: { type: strnig }", "did you mean string?"],
    [
      "a keyword that is none",
      "id: { type: string }",
      "id: { type: string, maxLenght: 3 }",
      "did you mean maxLength?",
    ],
    [
      "a keyword of OpenAPI 3.0",
      "id: { type: string }",
      "id: { type: string, nullable: true }",
      'type: [string, "null"]',
    ],
    [
      "a limit below 0",
      "id: { type: string }",
      "id: { type: string, minLength: -1 }",
      "minLength is a count of at most 100000, as larger ones can't be tried, not -1",
    ],
    [
      "a limit that no value could be made for",
      "id: { type: string }",
      "id: { type: string, maxLength: 1e15 }",
      "maxLength is a count of at most 100000",
    ],
    [
      "limits that contradict",
      "id: { type: string }",
      "id: { type: string, minLength: 3, maxLength: 2 }",
      "above maxLength 2",
    ],
    [
      "a pattern that is none",
      "id: { type: string }",
      "id: { type: string, pattern: '[a-' }",
      "Invalid regular expression",
    ],
    [
      "a format that is none",
      "id: { type: string }",
      "id: { type: string, format: emial }",
      "did you mean email?",
    ],
    [
      "an enumeration of another type",
      "id: { type: string }",
      "id: { type: string, enum: [1] }",
      "1 is not of type string",
    ],
    ["no values to choose from", "id: { type: string }", "id: { enum: [] }", "enum is a list of values"],
    [
      "a default outside the limits",
      "id: { type: string }",
      "id: { type: string, maxLength: 1, default: ab }",
      "default:",
    ],
    ["a schema that is a text", "id: { type: string }", "id: string", "a schema is an object, not string"],
    ["a schema that is nothing", "id: { type: string }", "id:", "a schema is an object, not null"],
    [
      "allOf that comes back",
      "    Thing:",
      "    Thing:\n      allOf: [{ $ref: '#/components/schemas/Thing' }]",
      "refers to itself: Thing → Thing",
      "    Thing:",
    ],
    [
      "a reference to another kind",
      "- name: kind",
      "- $ref: '#/components/schemas/Thing'\n        - name: kind",
      "can only refer to #/components/parameters/NAME",
      "$ref: '#",
    ],
    ["a reference that is no text", '$ref: "#/components/schemas/Thing"', "$ref: 5", "$ref is a text, not 5"],
    [
      "an identity that is no field",
      "x-identity: id",
      "x-identity: key",
      "x-identity: there is no property key",
    ],
    [
      "a required field that is not shown",
      "x-identity: id",
      "required: [idd]",
      "there is no property idd; did you mean id?",
    ],
    ["a filter on no field", "x-filter: /kind", "x-filter: /kinds", "there is no field /kinds"],
    [
      "an unknown keyword's requirement",
      "x-identity: id",
      "x-requirements: { fromat: SOME-RULE }",
      "x-requirements:",
    ],
    [
      "a cursor of no kind",
      "x-filter: /kind",
      "x-role: cursor-after",
      "a cursor has both x-role and x-cursor",
      "name: kind",
    ],
    ["a page size that is a text", "x-filter: /kind", "x-role: page-size", "of type: integer", "name: kind"],
    [
      "a NOTE that is none",
      "id: { type: string }",
      "id: { type: string, x-observe: SOME-RULE }",
      "a NOTE is needed",
    ],
    [
      "a list that is no list",
      "x-identity: id",
      "x-values-from: { fixture: a, list: listThings }",
      "list and field go together",
    ],
    [
      "a version that nothing allows",
      'x-versions: ["1"]',
      'x-versions: ["1", "2"]',
      "which no operation allows",
    ],
  ];

  test.each(faults)("%s", (_, text, by, said, at = by.split("\n").at(-1)) => {
    expect(DOCUMENT).toContain(text);
    const changed = DOCUMENT.replace(text, by);
    const heard = complaint(changed).replace(/^\d+ mistakes:\n/, "");
    expect(heard).toContain(said);
    expect(heard).toMatch(/^some\/openapi\.yaml:\d+: /);
    expect(Number(heard.split(":")[1]), heard).toBe(lineOf(changed, at ?? ""));
  });

  test("except keywords that JSON Schema and OpenAPI allow", () => {
    const taken = DOCUMENT.replace(
      "x-identity: id",
      "x-identity: id\n      title: Thing\n      externalDocs: { url: a }",
    )
      .replace(
        "id: { type: string }",
        "id: { type: string, format: uuid, pattern: '^\\p{L}', deprecated: true, examples: [] }",
      )
      .replace("      x-section", "      deprecated: true\n      security: []\n      x-section");
    expect(complaint(taken)).toBe("");
  });
});

describe("refuses extensions, by file and line", () => {
  const faults: [what: string, line: string, by: string[], message: string][] = [
    ["unknown", "      x-identity: id", ["      x-identty: id"], "unknown extension x-identty"],
    [
      "on an operation, where it belongs on a parameter",
      '      x-section: "4.1"',
      ['      x-section: "4.1"', "      x-filter: /kind"],
      "x-filter belongs on parameter, not on a operation",
    ],
    [
      "on a parameter, where it belongs on a schema",
      "          x-filter: /kind",
      ["          x-identity: id"],
      "x-identity belongs on schema, not on a parameter",
    ],
    [
      "on a schema, where it belongs on the root",
      "      x-identity: id",
      ["      x-versions: [a]"],
      "x-versions belongs on root, not on a schema",
    ],
    [
      "with a value of another type",
      "      x-identity: id",
      ["      x-identity: 5"],
      "x-identity: must be string",
    ],
    [
      "with a value that is not one of those allowed",
      "          x-filter: /kind",
      ["          x-role: paginator"],
      "x-role: must be equal to one of the allowed values",
    ],
    [
      "with a property that is not known",
      "      x-identity: id",
      ["      x-unique: { scope: space, per: day }"],
      "x-unique: must NOT have additional properties",
    ],
    [
      "without a property that is required",
      "      x-identity: id",
      ["      x-unique: {}"],
      "x-unique: must have required property 'scope'",
    ],
    [
      "naming a requirement that the catalogue lacks",
      "      x-identity: id",
      ["      x-requirements: { fields: NO-SUCH-RULE }"],
      "x-requirements: unknown requirement NO-SUCH-RULE",
    ],
    [
      "naming an operation that the document lacks",
      '      x-section: "4.1"',
      ["      x-same-record: { list: listThngs, by: [id], fields: all }"],
      "x-same-record: unknown operation listThngs",
    ],
  ];

  test.each(faults)("%s", (_, line, by, message) => {
    const text = replaced(DOCUMENT, line, ...by);
    const at = lineOf(text, (by.at(-1) ?? "").trim());
    const said = complaint(text);
    expect(said).toContain(message);
    expect(said).toMatch(new RegExp(`^some/openapi\\.yaml:${at}: `));
  });

  test("except a property whose name begins with x-", () => {
    const text = replaced(
      DOCUMENT,
      "        id: { type: string }",
      "        id: { type: string }",
      "        x-trace: { type: string }",
    );
    expect(complaint(text)).toBe("");
  });
});

describe("reports all mistakes at once", () => {
  const several = (text: string, ...changes: [from: string, to: string][]) =>
    changes.reduce((changed, [from, to]) => {
      expect(changed).toContain(from);
      return changed.replace(from, to);
    }, text);
  const places = (message: string) =>
    message
      .split("\n")
      .slice(1)
      .map((line) => line.split(":").slice(0, 2).join(":"));

  test("of both files, and of unrelated parts", () => {
    const document = several(
      DOCUMENT,
      ["x-section", "x-sektion"],
      ["schema: { type: string }", "schema: { type: text }"],
      ["x-filter: /kind", "x-filtre: /kind"],
      ["id: { type: string }", "id: { type: string, minLength: -1 }"],
      ["title: Little", "titel: Little"],
    );
    const catalogue = `${CATALOGUE}  - { id: other }\n  - { id: THIRD, row: x }\n`;
    const message = complaint(document, catalogue);
    expect(message).toMatch(/^7 mistakes:\n/);
    expect(places(message).sort()).toEqual(
      [
        "some/rules.yaml:7",
        "some/rules.yaml:8",
        ...["x-sektion", "type: text", "x-filtre", "minLength", "titel"].map(
          (part) => `some/openapi.yaml:${lineOf(document, part)}`,
        ),
      ].sort(),
    );
  });

  test("of links between correct parts", () => {
    const document = several(
      DOCUMENT,
      ["x-filter: /kind", "x-filter: /knid"],
      ["x-identity: id", "x-identity: ident"],
    );
    expect(complaint(document)).toMatch(/^2 mistakes:\n.*\/knid.*\n.*ident/);
  });

  test("of references that lead nowhere", () => {
    const document = several(
      DOCUMENT,
      ["schemas/Thing", "schemas/Thin"],
      ["kind: { type: string }", 'kind: { $ref: "#/no" }'],
    );
    expect(complaint(document)).toMatch(/^2 mistakes:\n.*dangling.*\n.*dangling/);
  });

  test("of the syntax", () => {
    expect(complaint(`${DOCUMENT}    Thing: {}\n    Thing: {}\n`)).toMatch(/^2 mistakes:\n/);
  });
});

describe("refuses mistakes in the catalogue, by file and line", () => {
  /** The catalogue with a second, valid entry, changed by `change`. A field that is null is left out. */
  const second = (change: Record<string, string | null>) => {
    const fields = { id: "OTHER", row: "2", level: "MUST", section: '"1"', statement: '"S."', ...change };
    const lines = Object.entries(fields).filter(([, value]) => value !== null);
    return `${CATALOGUE}  - ${lines.map(([name, value]) => `${name}: ${value}`).join("\n    ")}\n`;
  };

  test("accepts a second entry", () => {
    expect(complaint(DOCUMENT, second({}))).toBe("");
    expect(complaint(DOCUMENT, second({ untested: "It can't be." }))).toBe("");
  });

  test("a requirement given twice", () => {
    const text = second({ id: "SOME-RULE" });
    expect(complaint(DOCUMENT, text)).toBe(
      `some/rules.yaml:${lineOf(text, "SOME-RULE", "statement")}: duplicate requirement SOME-RULE`,
    );
  });

  const faults: [what: string, text: string, message: RegExp][] = [
    ["no list", "rules: []\n", /:1: no list of requirements$/],
    ["an entry that is no object", `${CATALOGUE}  - SOME\n`, /:7: a requirement is an object$/],
    ["no id", second({ id: null }), /:7: a requirement needs an id in capitals$/],
    ["an id in small letters", second({ id: "other" }), /:7: a requirement needs an id in capitals$/],
    ["no row", second({ row: null }), /:7: OTHER needs the row/],
    ["an unknown level", second({ level: "MAY" }), /:7: OTHER needs a level: MUST, SHOULD or NOTE$/],
    ["no level", second({ level: null }), /:7: OTHER needs a level: MUST, SHOULD or NOTE$/],
    ["a section that is a number", second({ section: "1" }), /:7: OTHER needs a section, in quotes$/],
    ["an empty statement", second({ statement: '""' }), /:7: OTHER needs a statement$/],
    ["an untested without a reason", second({ untested: "true" }), /:7: OTHER: untested is a reason$/],
    ["YAML that is none", "requirements: [\n", /:\d+: /],
  ];

  test.each(faults)("%s", (_, text, message) => {
    const said = complaint(DOCUMENT, text);
    expect(said).toMatch(/^some\/rules\.yaml:\d+: /);
    expect(said).toMatch(message);
  });
});
