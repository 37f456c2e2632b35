/** Faults of the harbour office: with each, it accepts bodies that break one rule. */

import { type Fault, lax, laxOf } from "./faults.ts";
import * as at from "./harbour-bodies.ts";

/** For each operation, paths and keywords. `*` is any element or name, `power.sail` a power of type `sail`. */
const RULES: Record<string, string> = {
  [at.ENTER_SHIP]: `
    title minLength
    class enum
    flag pattern
    armed null
    draught exclusiveMinimum
    draught multipleOf
    tonnage multipleOf
    engines minItems
    engines uniqueItems
    engines/*/kw multipleOf
    engines/*/fuels minItems
    engines/*/fuels uniqueItems
    engines/*/served format
    engines/*/make required
    power/type const
    power.sail/masts maximum
    power.sail/area exclusiveMaximum
    power.motor/silent type
    power.hybrid/shares minItems
    power.hybrid/shares/*/percent maximum
    power.hybrid/shares/*/source enum
    contact additionalProperties
    contact/mail required
    contact/hours/*/till maximum
    contact/tel pattern
    waters minItems
    waters uniqueItems
    remarks minProperties
    remarks propertyNames
    remarks/* maxLength
    tanks maxProperties
    tanks propertyNames
    tanks/*/litres required
    tanks/*/litres type
    tanks/*/checked format
    imo pattern
    built minimum
    keel format`,
  [at.REPLACE_SHIP]: `
    class required
    engines maxItems
    contact/mail format
    contact/site format
    tanks/*/litres maximum
    power.motor/screws required
    tonnage type`,
  [at.CORRECT_SHIP]: `
    engines/*/fuels/* enum
    contact/hours maxItems
    power.hybrid/shares maxItems
    power/type required
    waters/* enum
    waters uniqueItems`,
  [at.INSURE_SHIP]: `
    sum/currency enum
    sum/value type
    riders/* type
    riders propertyNames
    shares/*/share exclusiveMinimum
    from format
    until format`,
  [at.HIRE_MATE]: `
    name/family required
    name/given/* minLength
    grade enum
    papers minItems
    papers/*.passport/number pattern
    papers/*/kind const
    papers/*.licence/limits maxItems
    papers/*.licence/grade required
    languages/* enum
    pay multipleOf
    badge minLength`,
  [at.PLAN_CALL]: `
    length anyOf
    services propertyNames
    services/* additionalProperties
    services/*/amount minimum
    stops uniqueItems
    stops/* pattern
    pilot type
    etd format
    tugs maximum`,
  [at.REPLAN_CALL]: `
    services/*/amount required
    length anyOf
    eta required`,
  [at.CLEAR_CALL]: `
    officer pattern
    officer required
    fee/currency required
    remarks maxItems`,
  [at.LAND_CRATE]: `
    content.goods additionalProperties
    content.livestock/fed/* maximum
    content.goods/value/currency enum
    seals/* pattern
    size/l enum
    size/over/cm minimum
    temperatures propertyNames
    temperatures/* minimum
    owner format`,
  [at.ADJUST_CRATE]: `
    content/kind const
    content.livestock/heads minimum
    temperatures maxProperties
    seals uniqueItems
    stack maximum
    weight null`,
};

/** Operations, and keywords that apply to the whole body. */
const WHOLE = [
  [at.CORRECT_SHIP, "minProperties"],
  [at.CLEAR_CALL, "additionalProperties"],
] as const;

export const LAX: readonly Fault[] = [
  ...laxOf(RULES),
  ...WHOLE.map(([operation, keyword]) => lax(operation, "", keyword)),
];
