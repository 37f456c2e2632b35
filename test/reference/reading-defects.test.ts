import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { readingDefects } from "../../reference/defects/reading/index.ts";
import { wideDefects } from "../../reference/defects/wide/index.ts";
import { defects } from "../../reference/index.ts";
import type { OperationName } from "../../reference/operations.ts";
import { tour } from "./tour.ts";

/** Those that a tour of single calls can show. */
const toured = [...readingDefects, ...wideDefects];

const sound = new Map<OperationName, Promise<readonly string[]>>();

function soundTour(operation: OperationName): Promise<readonly string[]> {
  const known = sound.get(operation) ?? tour(operation, []);
  sound.set(operation, known);
  return known;
}

test("the same tour of the same service gives the same answers", async () => {
  expect(await tour("POST /webhooks", [])).toEqual(await soundTour("POST /webhooks"));
  expect(await tour("GET /v1/payment-codes", [])).toEqual(await soundTour("GET /v1/payment-codes"));
});

test.each(toured.map((defect) => [defect.name, defect] as const))(
  "%s shows at each of its operations",
  async (name, { operations }) => {
    const silent: OperationName[] = [];
    for (const operation of operations) {
      const [with_, without] = [await tour(operation, [name]), await soundTour(operation)];
      if (JSON.stringify(with_) === JSON.stringify(without)) silent.push(operation);
    }
    expect(silent).toEqual([]);
  },
);

const { requirements } = parse(readFileSync("spec/requirements.yaml", "utf8")) as {
  requirements: { id: string; row: number; level: string }[];
};

test("what a defect breaks besides is in the catalogue, and not what it breaks anyway", () => {
  const ids = new Set(requirements.map(({ id }) => id));
  const odd = toured.flatMap(({ name, requirement, alsoBreaks = [] }) =>
    alsoBreaks.filter((id) => id === requirement || !ids.has(id)).map((id) => `${name}: ${id}`),
  );
  expect(odd).toEqual([]);
});

test("every statement about reading has a defect that breaks it", () => {
  // Statements about fields of resources in general: each kind of resource has its own.
  const general = ["RESOURCE-FIELDS", "RESOURCE-PRESENT", "RESOURCE-EXPECTED"];
  const broken = new Set(defects.map(({ requirement }) => requirement));
  const about = requirements.filter(
    ({ row, level }) => level !== "NOTE" && (row < 60 || (row >= 90 && row <= 95)),
  );
  expect(about.map(({ id }) => id).filter((id) => !broken.has(id))).toEqual(general);
});
