/** Faults in nested fields: the orchard book accepts faulty bodies, or stores or shows other values. */

import { asText, type Fault, gone, lax, laxOf, shown, stored } from "./faults.ts";
import * as at from "./orchard-bodies.ts";

/** For each operation, paths and keywords. `*` is any element or name, `water.well` water from a `well`. */
const RULES: Record<string, string> = {
  [at.PLANT_GROVE]: `
    label minLength
    corners uniqueItems
    corners/*/lon exclusiveMaximum
    corners/*/mark pattern
    water.well/pumps/*/hours uniqueItems
    water.well/pumps/*/kw multipleOf
    water.rain/tanks propertyNames
    water.rain/tanks/*/litres multipleOf
    water.rain/tanks minProperties
    inputs/* multipleOf`,
  [at.CHANGE_GROVE]: `
    hectares exclusiveMinimum
    keeper additionalProperties
    keeper/speaks minItems
    water.river/months uniqueItems
    water.river/permit required
    water/source const
    inputs propertyNames`,
  [at.FELL_GROVE]: `
    reason required
    crew/*/shifts uniqueItems
    crew/*/role enum`,
  [at.ADD_ROW]: `
    trellis anyOf
    blocks/*/kinds minItems
    blocks/*/notes propertyNames
    blocks/*/notes/* minLength
    sensors/*/bounds minItems`,
  [at.RELAY_ROW]: `
    facing required
    sensors propertyNames
    sensors/*/alarm/mail required
    sensors/*/bounds/* maximum
    sensors/*/unit null`,
  [at.SET_TREE]: `
    health.sick/treatments/*/days uniqueItems
    health.sick/treatments/*/dose exclusiveMinimum
    health.sound additionalProperties
    grafts/*/scion minLength
    marks propertyNames`,
  [at.TEND_TREE]: `
    grafts/*/outcome enum
    grafts/*/at format
    health.sick/treatments maxItems
    health.sound/score type
    marks/* maxLength`,
  [at.BUY_TOOL]: `
    load multipleOf
    parts/*/count exclusiveMinimum
    rates/* multipleOf`,
  [at.REPLACE_TOOL]: `
    parts uniqueItems
    rates propertyNames
    rates minProperties`,
  [at.BOOK_TOOL]: `
    hours maximum
    farmer/mail format
    extras uniqueItems`,
};

const half = (value: unknown) => Math.trunc(Number(value) / 2);

export const LAX: readonly Fault[] = [
  ...laxOf(RULES),
  lax(at.TEND_TREE, "", "minProperties"),

  stored("a second pump is lost", at.PLANT_GROVE, "water/pumps/1", gone),
  stored("a second tank is uncovered", at.CHANGE_GROVE, "water/tanks/*/covered", () => false),
  stored("a loud alarm is silent", at.RELAY_ROW, "sensors/*/alarm/loud", () => false),
  stored("notes of blocks are lost", at.ADD_ROW, "blocks/*/notes", gone),
  stored("the lower bound of a sensor is whole", at.ADD_ROW, "sensors/*/bounds/0", (value) =>
    Math.trunc(Number(value)),
  ),
  stored("the second treatment of a sick tree is lost", at.SET_TREE, "health/treatments/1", gone),
  stored("a mark of null is empty", at.SET_TREE, "marks/*", (value) => value ?? ""),
  stored("a failed graft has no outcome", at.TEND_TREE, "grafts/*/outcome", (value) =>
    value === "failed" ? null : value,
  ),
  stored("quarters of rates are lost", at.BUY_TOOL, "rates/*", (value) => Math.trunc(Number(value))),
  stored("a part that is no spare is one", at.REPLACE_TOOL, "parts/*/spare", () => true),
  stored("the third extra is lost", at.BOOK_TOOL, "extras/2", gone),
  shown("a listed dose is text", "RESOURCE-FIELDS", at.LIST_TREES, "*/health/treatments/*/dose", asText),
  shown("a sensor has one bound", "RESOURCE-FIELDS", at.GET_ROW, "sensors/*/bounds/1", gone),
  shown(
    "litres of a changed tank are halved",
    "UPDATE-ECHO RESOURCE-FIELDS",
    at.CHANGE_GROVE,
    "water/tanks/*/litres",
    half,
  ),
  shown(
    "listed corners have no longitude",
    "RESOURCE-PRESENT RESOURCE-FIELDS",
    at.LIST_GROVES,
    "*/corners/*/lon",
    gone,
  ),
  shown("a month of a river is 0", "RESOURCE-FIELDS", at.GET_GROVE, "water/months/0", () => 0),
  shown("a replaced part is counted as text", "RESOURCE-FIELDS", at.REPLACE_TOOL, "parts/*/count", asText),
];
