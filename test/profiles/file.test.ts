/**
 * A mistake in a profile's file is refused with a message that names file and line and suggests a correction.
 */

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, test } from "vitest";
import { isNotedBy } from "../../profiles/behaviour.ts";
import { BEHAVIOURS, behaviourOf } from "../../profiles/behaviours.ts";
import { profileSchema } from "../../profiles/profile-schema.ts";
import { openFields, promisedAt, REJECTION_CAUSES, withProfile } from "../../profiles/promises.ts";
import { checkPaths, readProfile } from "../../profiles/read-profile.ts";
import { LENGTH_UNITS, type LengthUnit, type Note } from "../../spec/model/note.ts";
import { UsageError } from "../../spec/usage-error.ts";
import { allChecks } from "../../suites/index.ts";
import { inFolder } from "../command/command.ts";
import { spec } from "../spec/package-spec.ts";

const file = new URL("../../profiles/profile.schema.json", import.meta.url);

/** Writes this text to a file and reads it as a profile. */
function read(text: string) {
  return inFolder(async (folder) => {
    const name = join(folder, "profile.yaml");
    writeFileSync(name, text);
    return readProfile(name, spec, allChecks(spec));
  });
}

test("the package's JSON Schema matches the vocabulary (npm run docs writes it again)", async () => {
  await expect(`${JSON.stringify(profileSchema(spec), null, 2)}\n`).toMatchFileSnapshot(file.pathname);
});

test("the JSON Schema describes every key", () => {
  const schema = JSON.parse(readFileSync(file, "utf8")) as {
    properties: Record<string, { description?: string }>;
  };
  expect(new Ajv2020({ strict: true }).validateSchema(schema)).toBe(true);
  for (const [key, { description }] of Object.entries(schema.properties))
    expect(description, key).toMatch(/\w/);
});

test("behaviours and causes concern only points that the specification leaves open", () => {
  for (const { key, fills, from = [] } of BEHAVIOURS) {
    expect(spec.requirements.get(fills)?.level, key).toBe("NOTE");
    for (const id of from) expect(spec.requirements.has(id), `${key}: ${id}`).toBe(true);
  }
  for (const { field, requirement } of openFields(spec).values())
    expect(spec.requirements.get(requirement)?.level, field).toBe("NOTE");
});

test("every behaviour and every cause is observed by some check", () => {
  const checks = allChecks(spec);
  for (const cause of Object.keys(REJECTION_CAUSES))
    expect(
      checks.some((check) => check.cause === cause),
      cause,
    ).toBe(true);
  for (const behaviour of BEHAVIOURS)
    expect(
      checks.some((check) => isNotedBy(behaviour, check)),
      behaviour.key,
    ).toBe(true);
});

test("the guide names every key and every cause", () => {
  const guide = readFileSync(new URL("../../docs/profiles.md", import.meta.url), "utf8");
  const keys = [
    ...Object.keys(REJECTION_CAUSES),
    ...BEHAVIOURS.map(({ key }) => key),
    ...openFields(spec).keys(),
  ];
  expect(keys.filter((key) => !guide.includes(`\`${key}\``))).toEqual([]);
});

describe("a profile that is refused", () => {
  const refused: [what: string, text: string, message: RegExp][] = [
    [
      "an unknown key",
      "name: A\nunknwnBodyFields: accepted\n",
      /:2: .*unknwnBodyFields; did you mean unknownBodyFields\?/,
    ],
    [
      "an unknown cause",
      "name: A\nrejections:\n  unknown-ids: 404\n",
      /:3: rejections has no unknown-ids; did you mean unknown-id\?/,
    ],
    ["no name", "unknownBodyFields: accepted\n", /:1: a profile needs a name/],
    [
      "an unknown answer",
      "name: A\nunknownBodyFields: acepted\n",
      /:2: unknownBodyFields must be one of accepted, rejected.*did you mean accepted\?/,
    ],
    [
      "an unknown answer at an operation",
      'name: A\nunknownBodyFields:\n  "POST *": acepted\n',
      /:3: unknownBodyFields.*must be one of accepted, rejected; did you mean accepted\?/,
    ],
    [
      "a status that rejects nothing",
      "name: A\nrejections:\n  unknown-id: 200\n",
      /:3: rejections\.unknown-id must be a status from 400 to 499/,
    ],
    [
      "a status in words",
      "name: A\nrejections:\n  unknown-id: not found\n",
      /:3: rejections\.unknown-id must be a status from 400 to 499/,
    ],
    [
      "an unknown operation",
      "name: A\nrejections:\n  unknown-id:\n    GET /bank/{idOrCode}: 404\n",
      /:4: .*GET \/bank\/\{idOrCode\} names no operation.*did you mean GET \/banks\/\{idOrCode\}\?/,
    ],
    [
      "an operation at which it can't be tested",
      "name: A\nrejections:\n  unknown-id:\n    GET /banks: 404\n",
      /:4: .*GET \/banks names no operation at which this can be tested/,
    ],
    [
      "an unknown field",
      "name: A\nemptyTexts:\n  POST /v1/financial-accounts nome: accepted\n",
      /:3: .*did you mean POST \/v1\/financial-accounts name\?/,
    ],
    [
      "an unknown enumeration",
      "name: A\nvalues:\n  Payout/state: [pending]\n",
      /:3: values has no Payout\/state; did you mean Payout\/status\?/,
    ],
    [
      "a schema that is none",
      "name: A\nerrorBody:\n  schema: { type: objet }\n",
      /:3: errorBody\.schema is no JSON Schema/,
    ],
    [
      "a schema with an unknown keyword",
      "name: A\nerrorBody:\n  schema: { type: object, requird: [a] }\n",
      /:3: errorBody\.schema is no JSON Schema.*requird/,
    ],
    [
      "a content type with parameters",
      "name: A\nerrorBody:\n  contentType: application/json; charset=utf-8\n",
      /:3: errorBody\.contentType: .*no media type/,
    ],
    ["a challenge that is none", "name: A\nchallenge: Bearer realm=x\n", /:2: challenge must match pattern/],
    [
      "another edition",
      'name: A\nspec: "000000000000"\nchallenge: Bearer\n',
      /:2: the profile is for the edition 000000000000/,
    ],
    [
      "an unknown version",
      "name: A\ndefaultVersion: caph.2025-08-24\n",
      /:2: defaultVersion must be one of .*did you mean caph\.2025-08-23\?/,
    ],
    ["a profile without promises", "name: A\nvendor: B\n", /promises nothing/],
    ["an empty map", "name: A\nrejections: {}\n", /:2: rejections must NOT have fewer than 1/],
    ["no map", "- a\n", /:1: a profile must be object/],
    ["an empty file", "", /:1: a profile must be object/],
    ["YAML that is none", "name: [A\n", /:\d+: /],
  ];

  test.each(refused)("for %s", async (_, text, message) => {
    const error = await read(text).then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    expect(error).toBeInstanceOf(UsageError);
    expect((error as UsageError).message).toMatch(message);
    expect((error as UsageError).message).toMatch(/profile\.yaml:\d+: /);
  });
});

test("promises are requirements, with the section of the practice", async () => {
  const profile = await read(`
    name: A
    rejections: { unknown-id: { "*": 404, "PATCH *": [404, 410] } }
    unknownBodyFields: rejected
  `);
  const requirements = [...withProfile(spec, profile).requirements.values()].slice(spec.requirements.size);
  expect(requirements).toMatchObject([
    {
      id: "PROFILE-REJECTION-UNKNOWN-ID",
      level: "MUST",
      section: spec.requirements.get("REJECTION-STATUS")?.section,
      statement:
        "A read or update of an id or code that does not exist is rejected with 404; 404 or 410 at PATCH *.",
    },
    { id: "PROFILE-UNKNOWN-BODY-FIELDS", level: "MUST" },
  ]);
});

test("the longest of several matching patterns counts, in any order", async () => {
  const { promised } = await read(`
    name: A
    emptyTexts:
      POST /v1/financial-accounts name: accepted
      "*": accepted
      POST /v1*: rejected
    nullInUpdate:
      PATCH /webhooks/{id} name: removed
      PATCH /webhooks/{id}: kept
  `);
  const answers = (key: string) => {
    const promise = promised.find((each) => each.kind === "practice" && each.practice === key);
    return promise?.kind === "practice" ? promise.answers : {};
  };
  const empty = answers("emptyTexts");
  expect(promisedAt(empty, "POST /v1/financial-accounts", "name")).toBe("accepted");
  expect(promisedAt(empty, "POST /v1/financial-accounts", "description")).toBe("rejected");
  const meant = answers("nullInUpdate");
  expect(promisedAt(meant, "PATCH /webhooks/{id}", "name")).toBe("removed");
  expect(promisedAt(meant, "PATCH /webhooks/{id}", "events")).toBe("kept");
  expect(promisedAt(meant, "PATCH /payouts/{id}", "metadata")).toBeUndefined();
});

test("a profile that promises other paths than those of the run is refused", async () => {
  const profile = await read("name: A\npaths: v1\n");
  expect(() => checkPaths(profile, "as-shown")).toThrow(/give --paths v1/);
  expect(() => checkPaths(profile, "v1")).not.toThrow();
});

describe("notes on counting", () => {
  const counting = behaviourOf("countsCharactersAs");
  const noted = (unit: LengthUnit, status: number): Note<"countsCharactersAs"> => ({
    requirement: "CREATE-COUNTING",
    operation: "POST /webhooks",
    behaviour: "countsCharactersAs",
    field: "name",
    tried: "9 astral characters",
    answer: { status, unit },
  });

  test.each(Object.entries({ graphemes: 0, "code-points": 1, "utf-16": 2, bytes: 3 }))(
    "a service that counts %s keeps that promise and no other",
    (answer, rank) => {
      const seen = LENGTH_UNITS.map((unit, index) => noted(unit, index >= rank ? 200 : 400));
      const kept = LENGTH_UNITS.filter((other) => seen.every((one) => counting?.agrees(other, one, spec)));
      expect(kept).toEqual([answer]);
    },
  );

  test("nothing is noted if even the shortest text is rejected", () => {
    expect(counting?.telling?.(LENGTH_UNITS.map((unit) => noted(unit, 400)))).toEqual([]);
  });
});

describe("an error schema is refused if", () => {
  test.each([
    ["it only refers to itself", "{ $ref: '#' }", "refers to itself: # → #"],
    [
      "a part of it refers to itself for the same value",
      "{ properties: { error: { $ref: '#/$defs/e' } }, $defs: { e: { anyOf: [{ $ref: '#/$defs/e' }] } } }",
      "refers to itself: anyOf → #/$defs/e → anyOf",
    ],
    ["it is no schema", "{ type: objekt }", "is no JSON Schema"],
    ["a reference is malformed", "{ $ref: '#/%' }", "is no JSON Schema"],
  ])("%s", async (_, schema, message) => {
    await expect(read(`name: vendor\nerrorBody: { schema: ${schema} }\n`)).rejects.toThrow(message);
  });

  test("except if it describes trees", async () => {
    const tree = "{ type: object, properties: { inner: { $ref: '#' }, all: { items: { $ref: '#' } } } }";
    expect((await read(`name: vendor\nerrorBody: { schema: ${tree} }\n`)).promised).toHaveLength(1);
  });
});
