const DAY_MS = 24 * 60 * 60 * 1000;

const MINUTE_MS = 60 * 1000;
const MINUTES_OF_A_DAY = 24 * 60;

/** Returns a time at most two days ahead, because a service may decline later ones. */
export function futureDateTime(variation: number): string {
  const hours = variation % 2 === 0 ? 0 : 5;
  // Variations differ even if a service cuts times to the hour.
  const minutes = (variation * 61) % MINUTES_OF_A_DAY;
  const local = new Date(Date.now() + DAY_MS + (minutes + hours * 60) * MINUTE_MS)
    .toISOString()
    .replace(/\.\d+Z$/, "");
  return hours === 0 ? `${local}Z` : `${local}+05:00`;
}

const HALF_PAST_TEN = 630 * MINUTE_MS;

const SECONDS_OF_A_DAY = 24 * 60 * 60;
/** An hour, a minute and a second, so that all three differ from one variation to the next. */
const ONE_OF_EACH = 3661;

function timeOfDay(variation: number): string {
  // Unique fields have large variations, and the day of the time must remain one that dates can name.
  const seconds = (variation * ONE_OF_EACH) % SECONDS_OF_A_DAY;
  return `${new Date(HALF_PAST_TEN + seconds * 1000).toISOString().slice(11, 19)}Z`;
}

const DAYS_AHEAD = 2;
/** Dates in unique fields must all differ, so they need many days. */
const UNIQUE_DAYS_AHEAD = 3650;

function hexGroups(number: number): string {
  return [Math.floor(number / 0x10000) % 0x10000, number % 0x10000]
    .map((part) => part.toString(16))
    .join(":");
}

/** Returns a valid text of the format, or undefined for an unknown format. */
export function textOfFormat(format = "", variation = 0, isUnique = false): string | undefined {
  switch (format) {
    case "date-time":
      return futureDateTime(variation);
    case "uri":
    case "url":
      return `https://example.com/Payments-conformance?Case=kept&n=${variation}`;
    case "currency-code":
      return variation % 2 === 0 ? "USD" : "EUR";
    case "country-code":
      return "GH";
    case "email":
      return `alerts${variation}@example.com`;
    case "date": {
      const days = 1 + (variation % (isUnique ? UNIQUE_DAYS_AHEAD : DAYS_AHEAD));
      return new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10);
    }
    case "uuid":
      return `00000000-0000-4000-8000-${String(variation).padStart(12, "0")}`;
    case "time":
      return timeOfDay(variation);
    case "duration":
      return `P${3 + (variation % 25)}D`;
    case "hostname":
      return `www${variation}.example.com`;
    case "ipv4":
      return `192.0.2.${1 + (variation % 254)}`;
    case "ipv6":
      return `2001:db8::${hexGroups(0x10000 + variation)}`;
    case "uri-reference":
      return `/payments-conformance/${variation}`;
    case "byte":
      return Buffer.from(`conformance ${variation}`).toString("base64");
    case "regex":
      return `^conformance${variation}$`;
    case "json-pointer":
      return `/conformance/${variation}`;
    default:
      return undefined;
  }
}
