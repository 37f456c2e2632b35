import { BODY_FIELDS, type BodyField, prefixOf } from "../fields/bodies.ts";
import { refuse } from "../hook-tools.ts";
import type { Hooks } from "../hooks.ts";
import type { Json } from "../json.ts";
import { VERSION_CHOICES } from "../operators/condition.ts";
import { alsoInTurn, inAll, onFields } from "../operators/on-fields.ts";
import { eachWith } from "../operators/operator.ts";
import type { Defect } from "./defect.ts";

const isGiven = (value: Json | undefined) => value !== undefined && value !== null;

function refusing({ operation, name }: BodyField, isMeant: (value: Json | undefined) => boolean): Hooks {
  const problem = { at: `body.${name}`, rule: "format", message: "not now" } as const;
  return refuse([operation], "body", problem, ({ body }) => isMeant(body[name]));
}

const optional = BODY_FIELDS.filter(({ required, name }) => !required && name !== "status");
const nullable = BODY_FIELDS.filter((field) => field.nullable);

export const acceptanceDefects: readonly Defect[] = [
  ...onFields("field-refused", alsoInTurn(optional), (field) => ({
    breaks: [`${prefixOf(field.operation)}-ACCEPTED`, `${prefixOf(field.operation)}-EDGES`],
    does: `a body with ${field.name} is refused`,
    hooks: refusing(field, isGiven),
  })),
  ...onFields(
    "optional-required",
    inAll(optional.filter(({ operation }) => prefixOf(operation) === "CREATE")),
    (field) => ({
      breaks: ["CREATE-ACCEPTED"],
      does: `a body without ${field.name} is refused`,
      hooks: refusing(field, (value) => value === undefined),
    }),
  ),
  ...onFields(
    "null-refused",
    eachWith(nullable, () => [undefined, ...VERSION_CHOICES]),
    (field) => ({
      breaks: [`${prefixOf(field.operation)}-NULL-ACCEPTED`],
      does: `null is refused for ${field.name}`,
      hooks: refusing(field, (value) => value === null),
    }),
  ),
];
