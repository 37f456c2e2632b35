import type { Defect } from "../defects/defect.ts";
import { PAGED, type Where } from "../hook-tools.ts";
import type { Hooks } from "../hooks.ts";
import type { Json, JsonObject } from "../json.ts";
import type { OperationName } from "../operations.ts";
import { type Condition, LATER_PAGES, VERSION_CHOICES } from "./condition.ts";
import { inTurn, operator } from "./operator.ts";

function without(body: JsonObject, field: string): JsonObject {
  const { [field]: _, ...others } = body;
  return others;
}

const WRONG: Readonly<Record<string, Json | undefined>> = {
  missing: undefined,
  null: null,
  false: false,
  text: "1",
  number: 7,
  fraction: 1.5,
  object: {},
  list: [],
};

export interface Part {
  readonly part: string;
  readonly values: readonly string[];
  readonly where: Where;
  readonly breaks: readonly string[];
}

function conditionsOf(operation: OperationName): readonly Condition[] {
  return PAGED.includes(operation) ? [...VERSION_CHOICES, LATER_PAGES] : VERSION_CHOICES;
}

/** A suite that finds a mutant in one case finds it in all, so one case is enough. */
export function inOneCase<P extends { readonly operation: OperationName }>(
  places: readonly P[],
  from: number,
): [P, Condition | undefined][] {
  return inTurn(places, ({ operation }) => [undefined, ...conditionsOf(operation)], from);
}

export const placesOf = (where: Where) => where.map((operation) => ({ operation }));

export function parts(
  all: readonly Part[],
  change: (where: Where, hook: (whole: JsonObject) => JsonObject) => Hooks,
  prefix = "",
): Defect[] {
  return all.flatMap(({ part, values, where, breaks }, index) =>
    values.flatMap((value, from) =>
      operator(
        `${prefix}${part}-${value}`,
        inOneCase(placesOf(where), index + from).map(([{ operation }, when]) => ({
          operation,
          when,
          breaks,
          does: `${part} is ${value === "missing" ? value : JSON.stringify(WRONG[value])}`,
          hooks: change([operation], (whole) => {
            const wrong = WRONG[value];
            return wrong === undefined ? without(whole, part) : { ...whole, [part]: wrong };
          }),
        })),
      ),
    ),
  );
}
