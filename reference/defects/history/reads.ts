import type { FieldType } from "../../fields/answers.ts";
import { READ_CONDITIONS } from "../../history/read-conditions.ts";
import { refuse, SINGLES, type Where } from "../../hook-tools.ts";
import type { OperationName } from "../../operations.ts";
import { operator, type Row, tabled } from "../../operators/operator.ts";
import { otherValue } from "../../operators/others.ts";
import { Rejected } from "../../problems.ts";
import { showAt } from "../../read-hook-tools.ts";
import type { Defect } from "../defect.ts";
import { oneOf, withOneOf } from "./group.ts";

const CODE: OperationName = "GET /payment-codes/{id}";
const PAYOUT: OperationName = "GET /payouts/{id}";

const FIELDS: readonly (readonly [OperationName, path: string, FieldType])[] = [
  [CODE, "name", "text"],
  [CODE, "amount/value", "integer"],
  [CODE, "financialAccountId", "text"],
  [CODE, "expireTime", "time"],
  [CODE, "allowedProviders", "list"],
  [CODE, "metadata", "object"],
  [PAYOUT, "amount/value", "integer"],
  [PAYOUT, "destination/accountId", "text"],
  [PAYOUT, "createTime", "time"],
  [PAYOUT, "metadata", "object"],
  ["GET /banks/{idOrCode}", "name", "text"],
  ["GET /banks/{idOrCode}", "status/active", "flag"],
  ["GET /momos/{idOrCode}", "country", "country"],
  ["GET /momos/{idOrCode}", "featureSet/payout/canPayTo", "flag"],
  ["GET /countries/{idOrCode}", "currency/code", "currency"],
  ["GET /countries/{idOrCode}", "supportedCurrencies", "list"],
];
const places = FIELDS.map(([operation, path, type]) => ({ operation, path, type }));

function differing(operation: OperationName): readonly string[] {
  if (operation === PAYOUT) return ["READ-STABLE", "VERSION-VALUES"];
  return ["READ-STABLE", "VERSION-VALUES", operation === CODE ? "SHAPES-AGREE" : "READ-MATCHES-LIST"];
}

const values: Defect[] = operator(
  "read-otherwise",
  withOneOf(3, "read-otherwise", READ_CONDITIONS, places).map(([{ operation, path, type }, when]) => ({
    operation,
    at: path.replaceAll("/", "."),
    when,
    breaks: differing(operation),
    does: `${path} is another than it was`,
    hooks: showAt([operation], path, (value) => (value === undefined ? value : otherValue(type, value))),
  })),
);

const READS: Readonly<Record<string, Row>> = {
  "read-refused": ["READ-ACCEPTED", "what exists is not found", () => ({ found: () => undefined })],
  "read-crashes": [
    ["NO-SERVER-ERROR", "READ-ACCEPTED"],
    "the read is answered with 500",
    () => ({
      item: () => {
        throw new Rejected({
          status: 500,
          headers: {},
          problems: [{ at: "url", rule: "state", message: "internal error" }],
        });
      },
    }),
  ],
  "other-shown": [
    (operation) => [...differing(operation), "READ-ACCEPTED"],
    "another resource of the kind is shown",
    () => ({
      found: (record, { service, space }, { kind }) =>
        record &&
        (service.store
          .all(kind)
          .find((other) => other.id !== record.id && [space, ""].includes(other.space)) ??
          record),
    }),
  ],
  "any-id-found": [
    "READ-UNKNOWN",
    "an unknown id shows the first record",
    () => ({
      found: (record, { service, space }, { kind }) =>
        record ?? service.store.all(kind).find((other) => [space, ""].includes(other.space)),
    }),
    oneOf(
      4,
      READ_CONDITIONS.filter(({ name }) =>
        ["after-unknown", "after-stranger", "second-on-connection"].includes(name),
      ),
    ),
  ],
  "read-refused-by-version": [
    ["VERSION-ACCEPTED", "READ-ACCEPTED"],
    "a read that names a version is refused",
    (where: Where) =>
      refuse(
        where,
        "version",
        { at: "header.Service-Version", rule: "enum", message: "no such version" },
        ({ request }) => Boolean(request.headers["service-version"]),
      ),
    oneOf(3, READ_CONDITIONS),
  ],
};

export const readHistoryDefects: readonly Defect[] = [
  ...values,
  ...tabled(SINGLES, oneOf(2, READ_CONDITIONS), READS),
];
