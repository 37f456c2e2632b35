/** The ajv instance of the project: JSON Schema 2020-12 with the formats that the specification uses. */

import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { fullFormats } from "ajv-formats/dist/formats.js";
import currencyCodes from "currency-codes";
import countries from "i18n-iso-countries";

// The active list, and what the platform's own data adds to it: a code that ISO 4217 withdrew last year is not
// a fault of the service that still holds an account in it.
const currencies = new Set([...currencyCodes.codes(), ...Intl.supportedValuesOf("currency")]);
const countryCodes = new Set(Object.keys(countries.getAlpha2Codes()));

/** Whether `text` is an ISO 4217 code, current or withdrawn. */
export function isCurrencyCode(text: string): boolean {
  return currencies.has(text);
}

/** Whether `text` is an assigned ISO 3166-1 alpha-2 code. */
export function isCountryCode(text: string): boolean {
  return countryCodes.has(text);
}

/** The alpha-2 code of what `text` names: an ISO 3166-1 code of any kind, in any casing. */
export function countryCodeOf(text: string): string | undefined {
  return isCountryCode(text) ? text : countries.toAlpha2(text.toUpperCase());
}

/** Every assigned ISO 3166-1 alpha-2 code, in order. */
export function allCountryCodes(): string[] {
  return [...countryCodes].sort();
}

/** The minor-unit digits that ISO 4217 gives a currency; undefined where it is not known here. */
export function minorUnits(currency: string): number | undefined {
  return currencyCodes.code(currency)?.digits;
}

/**
 * Whether `text` is an RFC 3339 date-time. Lower-case t and z, any fraction, any offset and leap seconds are legal
 * (section 2, ruling on row 10); a space for the T, or an offset without its colon, is not part of the grammar.
 */
export function isDateTime(text: string): boolean {
  const format = fullFormats["date-time"];
  // ajv-formats also takes offsets without a colon or minutes, which are ISO 8601 but not RFC 3339.
  if (/\s/.test(text) || !/([Zz]|[+-]\d\d:\d\d)$/.test(text)) return false;
  if (typeof format === "object" && "validate" in format && typeof format.validate === "function") {
    return (format.validate as (value: string) => boolean)(text);
  }
  throw new Error("ajv-formats gives no function for date-time");
}

let names: string[] | undefined;

/** The formats that values are held against; any other would be no rule at all. */
export function formatNames(): string[] {
  names ??= Object.keys(createAjv().formats);
  return names;
}

/** A fresh ajv that reports every error, with the schema that each came from. */
export function createAjv(): Ajv2020 {
  const ajv = new Ajv2020({
    strict: false,
    allErrors: true,
    verbose: true,
    validateFormats: true,
    // 0.3 is six times 0.05, whatever binary fractions make of it.
    multipleOfPrecision: 9,
  });
  addFormats.default(ajv);
  ajv.addFormat("date-time", { type: "string", validate: isDateTime });
  ajv.addFormat("currency-code", { type: "string", validate: isCurrencyCode });
  ajv.addFormat("country-code", { type: "string", validate: isCountryCode });
  return ajv;
}

/** An ajv for schemas that people write by hand: keywords and formats that it does not know are errors. */
export function createProfileAjv(): Ajv2020 {
  const ajv = new Ajv2020({ strictSchema: true, strictTypes: false, strictTuples: false });
  addFormats.default(ajv);
  return ajv;
}
