/** Masks data about customers, but keeps form and length. */
import type { CheckResult, Exchange } from "./report.ts";

/** Matches mail addresses. The limits of RFC 5321 section 4.5.3.1 keep the search linear. */
const MAIL = /(?<![\w.+-])[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,8}/g;
const PHONE = /\+\d{8,15}\b/g;
/** The end of a body may be cut off within a value. Limits of names keep the search linear. */
const PERSONAL_FIELD =
  /("(?:[a-z]{0,40}phone[a-z]{0,40}|msisdn|[a-z]{0,40}email[a-z]{0,40}|(?:first|last|full|middle|given|family|sur|customer|holder|payer|payee|sender|recipient|beneficiary|accountholder|legal)_?name)"\s*:\s*")((?:[^"\\]|\\.)*)(?="|\\?$)/gi;
/** A service may show a phone number as a number. */
const PHONE_AS_NUMBER = /("(?:[a-z]{0,40}phone[a-z]{0,40}|msisdn)"\s*:\s*)(\d{6,})/gi;
const PERSON =
  /("(?:customer|holder|payer|payee|sender|recipient|beneficiary|person|contact)\w{0,40}"\s*:\s*\{(?:[^{}]|\{[^{}]*\})*?"name"\s*:\s*")((?:[^"\\]|\\.)*)(?="|\\?$)/gi;
/** Nobody has these addresses (RFC 2606). */
const ADDRESS_OF_NOBODY = /@(?:[\w-]+\.)*example(?:\.\w+)?$|\.(?:test|invalid|example)$/i;

/**
 * Returns the check with the personal data of its evidence masked. The data in requests is invented, so only
 * responses are masked.
 */
export function withoutPersonalData(check: CheckResult): CheckResult {
  const { message, expected, actual } = check;
  const people = new Set<string>();
  const evidence = check.evidence.map((exchange) => maskedExchange(exchange, people));
  const redact = (text: string) => maskPeople(withoutNames(text, people), maskedText);
  return {
    ...check,
    ...(message === undefined ? {} : { message: redact(message) }),
    ...(expected === undefined ? {} : { expected: redact(expected) }),
    ...(actual === undefined ? {} : { actual: redact(actual) }),
    evidence,
  };
}

export function exchangeWithoutPeople(exchange: Exchange): Exchange {
  return maskedExchange(exchange, new Set());
}

function maskedExchange(exchange: Exchange, people: Set<string>): Exchange {
  const { response } = exchange;
  if (response === undefined || response.body === null) return exchange;
  const body = maskPeople(response.body, maskedText, (value) => people.add(value));
  return { ...exchange, response: { ...response, body } };
}

export type Mask = (value: string) => string;

/** Returns the text with names, phone numbers and mail addresses masked, and hands each to `take`. */
export function maskPeople(text: string, mask: Mask, take: (value: string) => void = () => {}): string {
  const fields = [PERSONAL_FIELD, PERSON, PHONE_AS_NUMBER].flatMap((pattern) =>
    [...text.matchAll(pattern)].map(({ index, 1: name = "", 2: value = "" }) => {
      take(value);
      return { from: index + name.length, value, isNumber: pattern === PHONE_AS_NUMBER };
    }),
  );
  const patterns = [...(text.includes("@") ? [MAIL] : []), ...(text.includes("+") ? [PHONE] : [])];
  const others = patterns.flatMap((pattern) =>
    [...text.matchAll(pattern)].map(({ index, 0: value }) => ({ from: index, value, isNumber: false })),
  );
  if (fields.length + others.length === 0) return text;
  // In one pass, no mask is masked again.
  let clean = "";
  let end = 0;
  for (const { from, value, isNumber } of [...fields, ...others].sort((a, b) => a.from - b.from)) {
    if (from < end || ADDRESS_OF_NOBODY.test(value)) continue;
    // No number in JSON begins with 0.
    clean += text.slice(end, from) + (isNumber ? mask(value).replace(/^0/, "1") : mask(value));
    end = from + value.length;
  }
  return end === 0 ? text : clean + text.slice(end);
}

/** Shorter names may be words. */
const LEAST_NAME = 4;

function withoutNames(text: string, people: ReadonlySet<string>): string {
  let bare = text;
  for (const name of people) if (name.length >= LEAST_NAME) bare = bare.replaceAll(name, maskedText(name));
  return bare;
}

/**
 * Returns the text with letters and digits replaced. Punctuation and escapes stay, because they identify
 * nobody.
 */
function maskedText(text: string): string {
  if (ADDRESS_OF_NOBODY.test(text)) return text;
  return text.replace(/\\u[0-9a-f]{4}|\\.|\p{L}|\d/giu, (each) => {
    if (each.startsWith("\\")) return each;
    return /\d/.test(each) ? "0" : "x";
  });
}
