import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { fullFormats } from "ajv-formats/dist/formats.js";
import currencyCodes from "currency-codes";
import countries from "i18n-iso-countries";

/** Codes withdrawn from ISO 4217 since 1999 (table A.3), which old records may have. */
const WITHDRAWN_CURRENCIES =
  "ADP AFA ANG ATS AYM AZM AZN BEF BGL BGN BYB BYR CSD CUC CYP DEM ECS ECV EEK ESP FIM FRF GHC GRD GWP HRK IEP ITL LTL LUF LVL MGF MRO MTL MXV MZM NLG PTE ROL RUR SDD SIT SKK SLL SRG STD SVC TMM TPE TRL UYN USS VEB VEF XEU XFO XFU YUM ZMK ZRN ZWD ZWL ZWN ZWR";
const currencies = new Set([
  ...currencyCodes.codes(),
  ...WITHDRAWN_CURRENCIES.split(" "),
  "VED",
  "SLE",
  "XCG",
  "ZWG",
]);
// `Intl` depends on the machine, but a verdict must not.
const countryCodes = new Set(Object.keys(countries.getAlpha2Codes()));

export function isCurrencyCode(text: string): boolean {
  return currencies.has(text);
}

export function isCountryCode(text: string): boolean {
  return countryCodes.has(text);
}

/** Returns the two-letter code for one of two or three letters, in any case. */
export function countryCodeOf(text: string): string | undefined {
  return isCountryCode(text) ? text : countries.toAlpha2(text.toUpperCase());
}

export function allCountryCodes(): string[] {
  return [...countryCodes].sort();
}

/** Returns the decimals of a currency: 2 for GHS, 0 for XOF. */
export function decimalsOf(currency: string): number | undefined {
  return currencyCodes.code(currency)?.digits;
}

/** Accepts lower-case letters, any offset and leap seconds (RFC 3339), but no space for the T. */
export function isDateTime(text: string): boolean {
  if (text[4] !== "-") return false;
  const format = fullFormats["date-time"];
  // ajv-formats also accepts offsets without a colon or minutes, unlike RFC 3339.
  if (/\s/.test(text) || !/([Zz]|[+-]\d\d:\d\d)$/.test(text)) return false;
  if (typeof format === "object" && "validate" in format && typeof format.validate === "function") {
    return (format.validate as (value: string) => boolean)(text);
  }
  throw new Error("ajv-formats gives no function for date-time");
}

const ATOM = "[\\w!#$%&'*+/=?^`{|}~-]+";
const QUOTED = '"(?:[ !#-[\\]-~]|\\\\[ -~])*"';
const LABEL = "[a-z0-9](?:[a-z0-9-]*[a-z0-9])?";
const MAILBOX = new RegExp(
  `^(?:${ATOM}(?:\\.${ATOM})*|${QUOTED})@(?:${LABEL}(?:\\.${LABEL})*|\\[[!-Z^-~]+\\])$`,
  "i",
);
const LONGEST_LOCAL_PART = 64;

/** Accepts what RFC 5321 does, unlike ajv-formats: a domain without a dot, a quoted text, an address. */
function isMailAddress(text: string): boolean {
  return text.lastIndexOf("@") <= LONGEST_LOCAL_PART && MAILBOX.test(text);
}

/** Returns the seconds since 1970 of a date-time, and the fraction as text, so that it compares exactly. */
function timeIn(text: string): [seconds: number, fraction: string] {
  const match = /^(.{10})[Tt](\d\d):(\d\d):(\d\d)(?:\.(\d+))?([Zz]|[+-]\d\d:\d\d)$/.exec(text);
  if (!match) throw new Error(`not a date-time: ${text}`);
  const [, date = "", hour = "", minute = "", second = "", fraction = "", zone = ""] = match;
  const start = Date.parse(`${date}T${hour}:${minute}:00${zone.toUpperCase()}`) / 1000;
  return [start + Number(second), fraction.replace(/0+$/, "")];
}

const TIME_OF_DAY = /^(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?(?:z|[+-]\d\d:\d\d)$/i;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Formats whose values have several spellings. */
const SPELLED_FORMATS = ["date-time", "time", "uuid"];

/** True for formats whose values have several spellings, such as times. */
export function isSpelled({ format = "" }: { format?: string }): boolean {
  return SPELLED_FORMATS.includes(format);
}

/** Returns one text for all spellings of a date-time, a time of day (in any zone) or a UUID. */
export function plainText(text: string): string {
  if (isDateTime(text)) return inUtc(text);
  if (TIME_OF_DAY.test(text)) return inUtc(`2000-01-01T${text}`).slice(11);
  return UUID.test(text) ? text.toLowerCase() : text;
}

function inUtc(text: string): string {
  const [seconds, fraction] = timeIn(text);
  return new Date(seconds * 1000).toISOString().replace(/000Z$/, `${fraction.padEnd(3, "0")}Z`);
}

export function isInstantBefore(a: string, b: string): boolean {
  const [aSeconds, aFraction] = timeIn(a);
  const [bSeconds, bFraction] = timeIn(b);
  return aSeconds === bSeconds ? aFraction < bFraction : aSeconds < bSeconds;
}

const TOKEN_LIKE = /^(?=.*\d)(?=.*[a-z])\S{16,}$/i;

/** True if the text, or a part of it, occurs in no other text by chance. */
export function isTokenLike(text: string): boolean {
  return TOKEN_LIKE.test(text);
}

let names: string[] | undefined;

export function formatNames(): string[] {
  names ??= Object.keys(createAjv().formats);
  return names;
}

/** Returns ajv with the formats and extensions of editions. */
export function createAjv(): Ajv2020 {
  const ajv = new Ajv2020({
    strict: false,
    allErrors: true,
    verbose: true,
    validateFormats: true,
    passContext: true,
    // A field may have the name of an inherited property (`constructor`).
    ownProperties: true,
    // Optimizing the code takes longer than it saves.
    code: { optimize: false },
    inlineRefs: false,
    validateSchema: false,
    // Without a precision, 0.3 is no multiple of 0.05, because of binary fractions.
    multipleOfPrecision: 9,
  });
  addFormats.default(ajv);
  ajv.addFormat("email", { type: "string", validate: isMailAddress });
  ajv.addFormat("date-time", { type: "string", validate: isDateTime });
  ajv.addFormat("currency-code", { type: "string", validate: isCurrencyCode });
  ajv.addFormat("country-code", { type: "string", validate: isCountryCode });
  return ajv;
}

/** Returns a validator for the schemas of profiles, which people write: it refuses unknown keywords. */
export function createProfileAjv(): Ajv2020 {
  const ajv = new Ajv2020({ strictSchema: true, strictTypes: false, strictTuples: false });
  addFormats.default(ajv);
  return ajv;
}
