import currencies from "currency-codes";
import countries from "i18n-iso-countries";

const currencyCodes = new Set(currencies.codes());
const countryCodes = new Set(Object.keys(countries.getAlpha2Codes()));

export function isCurrency(text: string): boolean {
  return currencyCodes.has(text);
}

export function isCountry(text: string): boolean {
  return countryCodes.has(text);
}

const DATE_TIME = /^(\d{4})-(\d{2})-(\d{2})[Tt](\d{2}):(\d{2}):(\d{2})(\.\d+)?([Zz]|[+-](\d{2}):(\d{2}))$/;

export function isDateTime(text: string): boolean {
  const parts = DATE_TIME.exec(text);
  if (!parts) return false;
  const [year, month, day, hour, minute, second] = parts.slice(1, 7).map(Number);
  if (year === undefined || month === undefined || day === undefined) return false;
  const lastDay = new Date(Date.UTC(2000 + (year % 400), month, 0)).getUTCDate();
  if (month < 1 || month > 12 || day < 1 || day > lastDay) return false;
  if ((hour ?? 24) > 23 || (minute ?? 60) > 59 || (second ?? 61) > 60) return false;
  return Number(parts[9] ?? 0) <= 23 && Number(parts[10] ?? 0) <= 59;
}

export function isWebUrl(text: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern looks for control characters
  if (/[\s\u0000-\u001f\u007f]/.test(text) || !/^https?:\/\/[^/]/i.test(text)) return false;
  return URL.canParse(text);
}
