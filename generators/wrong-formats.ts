import { memoized } from "../spec/memoized.ts";
import type { Schema } from "../spec/model/spec.ts";
import type { SchemaIndex } from "../spec/schema-index.ts";

const FORMLESS = ["not of this form", "[", "%", "300.0.0.1"];

/** Returns texts that are far from the format, the most easily overlooked first. */
export const formatViolations = memoized((schemas: SchemaIndex, format: string): string[] => {
  const examples = FORMAT_VIOLATIONS[format];
  const broken = (examples ?? FORMLESS).filter((text) => isWrong(schemas, format, text));
  return examples ? broken : broken.slice(0, 1);
});

const FORMAT_VIOLATIONS: Record<string, string[]> = {
  // XAE is here because a service may check only the first letters (XAF).
  "currency-code": ["XAE", "", "US", "USDX", "U$D", "840"],
  "date-time": ["tomorrow", "2031-13-01T00:00:00Z", "2031-01-01", "2031-02-30T10:00:00Z"],
  uri: ["not a url", "example", "://example.com"],
  email: ["not an address"],
  date: ["tomorrow", "2031-13-01", "2031-01-01T00:00:00Z"],
  uuid: ["not-a-uuid"],
  "country-code": ["ZZ"],
};

/** Returns a text that is nearly of the format, made from a valid text. */
type NearMiss = (valid: string) => string;

interface NearMisses {
  example: string;
  made: readonly NearMiss[];
}

/** Returns the ways to make a valid text nearly of the format. */
export const formatNearMisses = memoized((schemas: SchemaIndex, format: string): NearMisses => {
  const { example, made } = NEAR_MISSES[format] ?? { example: "", made: [] };
  return { example, made: made.filter((near) => isWrong(schemas, format, near(example))) };
});

function isWrong(schemas: SchemaIndex, format: string, text: string): boolean {
  const schema: Schema = { type: "string", format };
  return schemas.validate(schema, text).length > 0;
}

const OFFSET = /(?:Z|[+-]\d\d:\d\d)$/i;
const LONGEST_LABEL = 63;

/** Texts that common libraries take are left out: the offset `+0000`, a UUID without hyphens, `_` in a host name. */
const NEAR_MISSES: Record<string, NearMisses> = {
  // RFC 3339: the offset is not optional.
  "date-time": { example: "2031-01-01T10:00:00Z", made: [(valid) => valid.replace(OFFSET, "")] },
  time: { example: "10:30:00Z", made: [(valid) => `25${valid.slice(2)}`] },
  date: { example: "2031-01-01", made: [(valid) => `${valid.slice(0, 4)}-02-30`] },
  ipv4: {
    example: "192.0.2.1",
    made: [(valid) => valid.replace(/^\d+/, "256"), () => "2001:db8::1"],
  },
  ipv6: {
    example: "2001:db8::1",
    made: [
      (valid) => `${valid}:2:3:4:5:6:7:8`,
      (valid) => valid.replace(/[^:]*$/, "12345"),
      () => "192.0.2.1",
    ],
  },
  // RFC 1123 section 2.1: labels have letters, digits and inner hyphens only.
  hostname: {
    example: "www.example.com",
    made: [
      (valid) => `-${valid}`,
      (valid) => `${"a".repeat(LONGEST_LABEL + 1)}.${valid.split(".").slice(-2).join(".")}`,
    ],
  },
  uuid: {
    example: "00000000-0000-4000-8000-000000000000",
    made: [(valid) => valid.slice(0, -1), (valid) => `${valid.slice(0, -1)}g`],
  },
  email: {
    example: "alerts@example.com",
    made: [
      (valid) => valid.replace("@", "@@"),
      (valid) => valid.replace(/@.*$/, "@"),
      (valid) => valid.replace(/^.*@/, "@"),
    ],
  },
  // A reference is no URI without a scheme (RFC 3986 section 4.3).
  uri: {
    example: "https://example.com/path",
    made: [(valid) => valid.replace(/^[^:]+:\/\/[^/?#]*\/?/, "/"), (valid) => valid.replace(/^[^:]+:/, "")],
  },
};
