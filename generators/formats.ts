const DAY = 24 * 60 * 60 * 1000;

const MINUTE = 60 * 1000;
const MINUTES_OF_A_DAY = 24 * 60;

/** Returns a time at most two days ahead, because a service may decline later ones. */
export function futureDateTime(variation: number): string {
  const hours = variation % 2 === 0 ? 0 : 5;
  // Successive variations are over an hour apart, so that they differ even if a service cuts them to the hour.
  const minutes = (variation * 61) % MINUTES_OF_A_DAY;
  const local = new Date(Date.now() + DAY + (minutes + hours * 60) * MINUTE)
    .toISOString()
    .replace(/\.\d+Z$/, "");
  return hours === 0 ? `${local}Z` : `${local}+05:00`;
}

const FORMAT_EXAMPLES: Record<string, string> = {
  time: "10:30:00Z",
  duration: "P3D",
  hostname: "www.example.com",
  ipv4: "192.0.2.17",
  ipv6: "2001:db8::17",
  "uri-reference": "/payments-conformance",
  byte: "Y29uZm9ybWFuY2U=",
  regex: "^conformance$",
  "json-pointer": "/conformance",
};

export function textOfFormat(format = "", variation: number): string | undefined {
  switch (format) {
    case "date-time":
      return futureDateTime(variation);
    case "uri":
      return `https://example.com/payments-conformance?n=${variation}`;
    case "currency-code":
      return variation % 2 === 0 ? "USD" : "EUR";
    case "country-code":
      return "GH";
    case "email":
      return `alerts${variation}@example.com`;
    case "date":
      return new Date(Date.now() + (1 + (variation % 2)) * DAY).toISOString().slice(0, 10);
    case "uuid":
      return `00000000-0000-4000-8000-${String(variation).padStart(12, "0")}`;
    default:
      return FORMAT_EXAMPLES[format];
  }
}
