import { BODY_FIELDS, type BodyField, prefixOf } from "../fields/bodies.ts";
import type { Defect } from "./defect.ts";
import { changing, isFree, isSent, SAYS, type Way } from "./tools/changing.ts";
import { VERSION_CHOICES } from "./tools/condition.ts";
import { inAll, onFields } from "./tools/on-fields.ts";
import { inTurn } from "./tools/operator.ts";
import { CHANGES } from "./tools/texts.ts";

const WAYS: readonly Way[] = ["made", "shown", "stored"];

/** What a change breaks. Nothing that is shown reads a financial account again: there the answer is all there is. */
function breaks({ operation }: BodyField, way: Way): readonly string[] {
  if (prefixOf(operation) === "CREATE")
    return way === "stored" ? ["CREATE-LISTED", "CREATE-ECHO"] : ["CREATE-ECHO"];
  if (way === "shown") return ["UPDATE-ECHO"];
  return way === "stored" ? ["UPDATE-STORED"] : ["UPDATE-ECHO", "UPDATE-STORED"];
}

/** What was sent comes back changed (rows 62 and 80): each field in one of the ways, and under one version. */
export const echoDefects: readonly Defect[] = Object.entries(CHANGES).flatMap(
  ([name, { does, applies, change }]) => {
    const fields = BODY_FIELDS.filter((field) => applies(field) && isFree(field));
    const about = (way: Way) => (field: BodyField) => ({
      breaks: breaks(field, way),
      does: `${field.name} ${does}${SAYS[way]}`,
      hooks: changing(
        field,
        way,
        (ctx) => isSent(field, ctx),
        (value) => (value === undefined ? undefined : change(value, field)),
      ),
    });
    const wayOf = (field: BodyField, index: number) =>
      WAYS[(index + name.length) % (field.operation === "POST /v1/financial-accounts" ? 2 : 3)];
    return [
      ...WAYS.flatMap((way) =>
        onFields(name, inAll(fields.filter((field, index) => wayOf(field, index) === way)), about(way)),
      ),
      ...onFields(
        name,
        inTurn(fields, () => VERSION_CHOICES, name.length),
        about("made"),
      ),
    ];
  },
);
