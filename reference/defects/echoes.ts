import { BODY_FIELDS, type BodyField, prefixOf } from "../fields/bodies.ts";
import type { Json } from "../json.ts";
import { changing, isOrdinary, isSent, SAYS, type Way } from "../operators/changing.ts";
import { VERSION_CHOICES } from "../operators/condition.ts";
import { inAll, onFields } from "../operators/on-fields.ts";
import { inTurn } from "../operators/operator.ts";
import { CHANGES, type Change } from "../operators/texts.ts";
import { mapTexts } from "../write-hook-tools.ts";
import type { Defect } from "./defect.ts";

const WAYS: readonly Way[] = ["made", "shown", "stored"];

function breaks({ operation }: BodyField, way: Way): readonly string[] {
  if (prefixOf(operation) === "CREATE")
    return way === "stored" ? ["CREATE-LISTED", "CREATE-ECHO"] : ["CREATE-ECHO"];
  if (way === "shown") return ["UPDATE-ECHO"];
  return way === "stored" ? ["UPDATE-STORED"] : ["UPDATE-ECHO", "UPDATE-STORED"];
}

/** A service may make these changes on purpose, so they break other requirements. */
const DETAILS: Readonly<Record<string, Change>> = {
  sorted: { does: "comes back sorted", applies: isOwnList, change: inOrder((list) => list.sort()) },
  reversed: {
    does: "comes back in reverse order",
    applies: isOwnList,
    change: inOrder((list) => list.reverse()),
  },
  "addresses-lower-cased": {
    does: "comes back in lower case",
    applies: ({ name }) => name === "alertEmails",
    change: (value) => mapTexts(value, (text) => text.toLowerCase()),
  },
  trimmed: {
    does: "comes back without blanks at its ends",
    applies: ({ name }) => ["name", "description"].includes(name),
    change: (value) => mapTexts(value, (text) => text.trim()),
  },
};

function isOwnList({ type, name }: BodyField): boolean {
  return type === "list" && name !== "allowedProviders";
}

function inOrder(change: (list: Json[]) => Json[]): Change["change"] {
  return (value) => (Array.isArray(value) ? change([...value]) : value);
}

function details(): Defect[] {
  return Object.entries(DETAILS).flatMap(([name, { does, applies, change }]) =>
    onFields(name, inAll(BODY_FIELDS.filter(applies)), (field) => ({
      breaks: [`${prefixOf(field.operation)}-ECHO-DETAILS`],
      does: `${field.name} ${does}`,
      hooks: changing(
        field,
        "made",
        (ctx) => isSent(field, ctx),
        (value) => (value === undefined ? undefined : change(value, field)),
      ),
    })),
  );
}

export const echoDefects: readonly Defect[] = [
  ...details(),
  ...Object.entries(CHANGES).flatMap(([name, { does, applies, change }]) => {
    const fields = BODY_FIELDS.filter((field) => applies(field) && isOrdinary(field));
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
    // No operation reads a financial account, so only two ways apply.
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
  }),
];
