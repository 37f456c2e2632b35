/** Faults in nested fields: the theatre desk accepts faulty bodies, or stores or shows other values. */

import { asText, type Fault, gone, lax, laxOf, shown, stored } from "./faults.ts";
import { isMap } from "./serving.ts";
import * as at from "./theatre-bodies.ts";

/** For each operation, paths and keywords. `*` is any element or name, `staging.arena` staging of an `arena`. */
const RULES: Record<string, string> = {
  [at.STAGE_PLAY]: `
    minutes multipleOf
    rating enum
    register pattern
    acts minItems
    acts/* maxItems
    acts/*/* minimum
    cast propertyNames
    cast/*/call format
    cast/*/understudies uniqueItems
    cast/*/costumes/*/pieces minItems
    staging.arena/sectors/* multipleOf
    staging.street/route/* minItems
    staging.street/permit additionalProperties
    staging.street/permit/until format
    authors/*/share multipleOf`,
  [at.REVISE_PLAY]: `
    site format
    opens format
    contact minProperties
    contact additionalProperties
    authors/*/born minimum
    staging/form const
    staging.arena/sectors propertyNames
    staging.proscenium/wings required
    acts/* minItems`,
  [at.CLOSE_PLAY]: `
    closedOn required
    why enum
    notices/* minItems
    notices/*/* maxLength`,
  [at.OPEN_NIGHT]: `
    doors format
    slot pattern
    price multipleOf
    tiers minProperties
    tiers/*/rows uniqueItems
    stream/address format
    ensemble/*/shifts/* maxItems`,
  [at.REPLAN_NIGHT]: `
    doors required
    blocked/* uniqueItems
    blocked/*/* pattern
    stream/token format
    stream additionalProperties
    stream/mirrors/*/host format
    stream/mirrors/*/port maximum
    ensemble/*/shifts/*/* maximum
    tiers/*/factor minimum`,
  [at.SELL_TICKET]: `
    place/number required
    extras/*.drink/units minItems
    extras/*.coat additionalProperties
    wishes propertyNames`,
  [at.AMEND_TICKET]: `
    extras/*/kind const
    extras/*.coat/pieces maximum
    discounts uniqueItems
    holder/mail format
    wishes/* maxLength`,
  [at.BUILD_HALL]: `
    built exclusiveMinimum
    plan/* minItems
    plan/*/* enum
    terminals uniqueItems
    lamps/* minItems
    lamps/*/*/watt multipleOf
    hours/wed/to required`,
  [at.REBUILD_HALL]: `
    hours additionalProperties
    terminals/*/ip format
    lamps/*/*/colours uniqueItems
    portal format`,
  [at.SHUT_HALL]: `
    keys uniqueItems
    shutFor enum`,
  [at.ENROL_PATRON]: `
    nick pattern
    addresses/*/zip pattern
    gifts/* minProperties`,
  [at.CORRECT_PATRON]: `
    gifts propertyNames
    gifts/*/* exclusiveMinimum
    addresses/*/since format`,
};

/** Faults of keywords that the suite may report under the requirement of another keyword. */
const RARE: readonly Fault[] = [
  lax(at.CORRECT_PATRON, "", "minProperties"),
  { ...lax(at.STAGE_PLAY, "contact", "dependentRequired"), breaks: ["CREATE-REQUIRED"] },
  { ...lax(at.REVISE_PLAY, "contact", "dependentRequired"), breaks: ["UPDATE-REQUIRED"] },
  lax(at.BUILD_HALL, "size/*", "exclusiveMinimum"),
  lax(at.REBUILD_HALL, "size", "maxItems"),
  lax(at.REBUILD_HALL, "size/*", "maximum"),
  lax(at.BUILD_HALL, "hours/mon/from", "format"),
];

const truncated = (value: unknown) => Math.trunc(Number(value));
const reversed = (value: unknown) => (Array.isArray(value) ? [...value].reverse() : []);

export const LAX: readonly Fault[] = [
  ...laxOf(RULES),
  ...RARE,

  stored("the second scene of an act is lost", at.STAGE_PLAY, "acts/*/1", gone),
  stored("a second costume is lost", at.STAGE_PLAY, "cast/*/costumes/1", gone),
  stored("a way through the street is in whole degrees", at.STAGE_PLAY, "staging/route/*/*", truncated),
  stored("the second author is born nowhere", at.REVISE_PLAY, "authors/1/born", gone),
  stored("a drawn curtain is open", at.REVISE_PLAY, "staging/curtain", () => false),
  stored("a contact has its extension in front", at.REVISE_PLAY, "contact/extension", (value) =>
    `0${String(value)}`.slice(-4),
  ),
  stored("a second notice is lost", at.CLOSE_PLAY, "notices/1", gone),
  stored("shifts go from the end to the beginning", at.OPEN_NIGHT, "ensemble/*/shifts/*", reversed),
  stored("cents of a price are lost", at.OPEN_NIGHT, "price", (value) => Math.max(0.05, truncated(value))),
  stored("seats of a second block are lost", at.REPLAN_NIGHT, "blocked/1/1", gone),
  stored("ports of mirrors are 443", at.REPLAN_NIGHT, "stream/mirrors/*/port", () => 443),
  stored("a factor is whole", at.REPLAN_NIGHT, "tiers/*/factor", (value) => Math.max(1, truncated(value))),
  stored("a wish of null is empty", at.SELL_TICKET, "wishes/*", (value) => value ?? ""),
  stored("drinks are served before", at.SELL_TICKET, "extras/*/when", () => "before"),
  stored("the third extra is lost", at.AMEND_TICKET, "extras/2", gone),
  stored("a hall is no deeper than it is wide", at.BUILD_HALL, "size", (value) =>
    Array.isArray(value) ? [value[0] ?? 1, Math.min(truncated(value[0]) || 1, Number(value[1]))] : value,
  ),
  stored("tuesdays are like mondays", at.BUILD_HALL, "hours", (value) =>
    isMap(value) && value.mon && value.tue ? { ...value, tue: value.mon } : value,
  ),
  stored("the second lamp has no colours", at.REBUILD_HALL, "lamps/*/1/colours", gone),
  stored("the first key is kept", at.SHUT_HALL, "keys/1", gone),
  stored("gifts are whole", at.ENROL_PATRON, "gifts/*/*", (value) => Math.max(1, truncated(value))),
  stored("a second address has no beginning", at.CORRECT_PATRON, "addresses/1/since", () => null),

  shown("listed sectors are text", "RESOURCE-FIELDS", at.LIST_PLAYS, "*/staging/sectors/*", asText),
  shown("a read route has one end", "RESOURCE-FIELDS", at.GET_PLAY, "staging/route/0/1", gone),
  shown("a listed scene lasts for nothing", "RESOURCE-FIELDS", at.LIST_PLAYS, "*/acts/*/0", () => 0),
  shown(
    "a stream of a read night has no token",
    "RESOURCE-PRESENT RESOURCE-FIELDS",
    at.GET_NIGHT,
    "stream/token",
    gone,
  ),
  shown("listed shifts end in words", "RESOURCE-FIELDS", at.LIST_NIGHTS, "*/ensemble/*/shifts/*/1", asText),
  shown(
    "an amended drink is no drink",
    "RESOURCE-FIELDS UPDATE-ECHO",
    at.AMEND_TICKET,
    "extras/*/kind",
    () => "soup",
  ),
  shown("a listed hall is as deep as text", "RESOURCE-FIELDS", at.LIST_HALLS, "*/size/1", asText),
  shown(
    "lamps of a read hall have no power",
    "RESOURCE-PRESENT RESOURCE-FIELDS",
    at.GET_HALL,
    "lamps/*/*/watt",
    gone,
  ),
  shown(
    "a read address is as old as a word",
    "RESOURCE-FIELDS",
    at.GET_PATRON,
    "addresses/*/since",
    () => "long",
  ),
];
