import { oneWayValue } from "../../history/journal/field-values.ts";
import { fixtureValues } from "../../spec/fixture-values.ts";
import type { Operation, Schema, Spec } from "../../spec/model/spec.ts";
import { operationById } from "../../spec/operations.ts";
import type { RuleTarget } from "../shared/history-rule.ts";
import { optionalFields } from "../shared/update-fields.ts";
import { readerOf } from "../updates/read-back.ts";

/** A value that an update sets for good (`cancelled`). */
export interface OneWay extends RuleTarget {
  name: string;
  value: string;
  consumes: NonNullable<Schema["x-consumes"]>;
}

/** Returns the values that updates set for good (`x-consumes`). */
export function oneWays(spec: Spec): OneWay[] {
  return spec.operations.flatMap((operation) => {
    if (operation.kind !== "update") return [];
    return spec.schemas.fields(operation.body).flatMap(([name, schema]) => {
      const { "x-consumes": consumes } = schema;
      const value = oneWayValue(spec, schema);
      return consumes && typeof value === "string"
        ? [{ operation, name, value, consumes, detail: name }]
        : [];
    });
  });
}

export interface Form extends OneWay {
  isAlone: boolean;
}

/** Returns each one-way change alone, and with other fields. */
export function oneWayForms(spec: Spec): Form[] {
  return oneWays(spec).flatMap((at) => {
    const alone = { ...at, requirement: at.consumes.status, isAlone: true };
    if (optionalFields(spec, at.operation).length === 0) return [alone];
    return [
      { ...alone, isAlone: false },
      { ...alone, detail: `${at.name} alone` },
    ];
  });
}

export interface ShownTarget extends RuleTarget {
  change: OneWay;
  read: Operation;
  list: Operation;
  /** The filter by the changed field, or an empty text. */
  filter: string;
}

/** Returns the changes that a single read and a list show. */
export function shownBySingleAndList(spec: Spec): ShownTarget[] {
  return oneWays(spec).flatMap((change) => {
    const read = readerOf(spec, change.operation);
    if (!read?.sameRecord) return [];
    const list = operationById(spec, read.sameRecord.list);
    const { name: filter = "" } =
      list.list?.filters.find((candidate) => candidate.filter === `/${change.name}`) ?? {};
    const detail = `after ${change.operation.key} with ${change.name}`;
    const { requirement } = read.sameRecord;
    return [{ operation: read, change, read, list, filter, detail, requirement }];
  });
}

/** Returns the changes by whose value a list can be filtered. */
export function shownUnderFilter(spec: Spec): ShownTarget[] {
  return shownBySingleAndList(spec)
    .filter(({ filter }) => filter !== "")
    .map((at) => ({
      ...at,
      operation: at.list,
      detail: `${at.filter} ${at.detail}`,
      requirement: "FILTER-COMPLETE",
    }));
}

/** Returns the ids of resources that the user gives away, such as those of `cancellablePaymentCode=A,B`. */
export function fixturesOf({ consumes }: OneWay, fixtures: Readonly<Record<string, string>>): string[] {
  return fixtureValues(fixtures[consumes.fixture]);
}
