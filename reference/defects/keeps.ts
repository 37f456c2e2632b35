import { BODY_FIELDS, type BodyField } from "../fields/bodies.ts";
import { showField, UPDATES, type Where } from "../hook-tools.ts";
import { isObject, type Json } from "../json.ts";
import type { OperationName } from "../operations.ts";
import { changing, isOrdinary, SAYS, type Way } from "../operators/changing.ts";
import { VERSION_CHOICES } from "../operators/condition.ts";
import { across, eachWith, operator, SOME_VERSION } from "../operators/operator.ts";
import { makeField, setOtherwise, storeField } from "../write-hook-tools.ts";
import type { Defect } from "./defect.ts";

const FIELDS = BODY_FIELDS.filter(({ operation }) => UPDATES.includes(operation));
const CODE: Where = ["PATCH /payment-codes/{id}"];
const WEBHOOK: Where = ["PATCH /webhooks/{id}"];

const RESETS: Readonly<
  Record<string, { readonly does: string; readonly value: (field: BodyField) => Json | undefined }>
> = {
  "reset-unsent": { does: "is set to a constant", value: ({ constant }) => constant },
  "emptied-unsent": {
    does: "is emptied",
    value: ({ type }) => (type === "list" ? [] : type === "object" ? {} : type === "flag" ? false : ""),
  },
  "dropped-unsent": { does: "is lost", value: () => undefined },
};

const MAY_BE_ABSENT = ["metadata", "apiVersion", "customHeaders", "alertEmails", "verificationMethod"];

function keeps(): Defect[] {
  // An update may set the default of a code's `isActive`. Updates of payouts have one field.
  const fields = FIELDS.filter(
    (field) =>
      !field.required &&
      field.name !== "status" &&
      !(CODE.includes(field.operation) && field.name === "isActive") &&
      field.operation !== "PATCH /payouts/{id}",
  );
  // An answer may leave out a secret.
  const ways = (field: BodyField): Way[] =>
    isOrdinary(field) ? ["made", "shown", "stored"] : ["made", "stored"];
  return Object.entries(RESETS).flatMap(([name, { does, value }]) =>
    operator(
      name,
      eachWith(
        fields.filter((field) => value(field) !== undefined || MAY_BE_ABSENT.includes(field.name)),
        ways,
      ).map(([field, way]) => ({
        operation: field.operation,
        at: `${field.name}-${way}`,
        breaks: ["UPDATE-KEEPS"],
        does: `where it is not sent, ${field.name} ${does}${SAYS[way]}`,
        hooks: changing(
          field,
          way,
          ({ body }) => !Object.hasOwn(body, field.name),
          () => value(field),
        ),
      })),
    ),
  );
}

const REST: Readonly<Partial<Record<OperationName, Readonly<Record<string, Json>>>>> = {
  "PATCH /payment-codes/{id}": {
    id: "pyc_other",
    mode: "recurrent_other",
    status: "completed",
    ussdCode: "*126*999999#",
    amount: { currency: "XAF", value: 1 },
    customerTarget: { name: "Somebody Else" },
    progress: { isCompleted: true, totalPaymentCount: 9, totalPaymentSum: { currency: "XAF", value: 9 } },
    financialAccountId: "fac_other",
    createTime: "2020-01-01T00:00:00.000Z",
  },
  "PATCH /payouts/{id}": {
    id: "pot_other",
    status: "settled",
    amount: { currency: "XAF", value: 1 },
    source: { financialAccountId: "fac_other" },
    destination: { providerCode: "cm_m_mtnmomo", accountId: "other" },
    charges: [],
    createTime: "2020-01-01T00:00:00.000Z",
  },
  "PATCH /webhooks/{id}": { id: "whk_other", createTime: "2020-01-01T00:00:00.000Z" },
};

const GROWN: Readonly<Record<string, (value: Json | undefined) => Json | undefined>> = {
  charges: (value) => (Array.isArray(value) ? [...value, ...value.slice(0, 1)] : value),
  amount: (value) => (isObject(value) ? { ...value, value: Number(value.value) + 1 } : value),
};

function rest(): Defect[] {
  const places = Object.entries(REST).flatMap(([operation, fields]) =>
    Object.entries(fields).map(([field, value]) => ({ operation: operation as OperationName, field, value })),
  );
  const breaks = ["UPDATE-KEEPS-REST", "UPDATE-IDENTITY", "UPDATE-KEEPS"];
  return [
    ...operator(
      "rest-changed-in-answer",
      eachWith(places, () => [undefined, ...VERSION_CHOICES]).map(([{ operation, field, value }, when]) => ({
        operation,
        at: field,
        when,
        breaks,
        does: `the answer shows another ${field}`,
        hooks: showField([operation], field, () => value),
      })),
    ),
    ...operator(
      "rest-changed",
      places
        .filter(({ field }) => !["id", "customerTarget"].includes(field))
        .map(({ operation, field, value }) => ({
          operation,
          at: field,
          breaks,
          does: `an update sets ${field} to a constant`,
          hooks: makeField([operation], field, () => (field === "mode" ? "recurrent" : value)),
        })),
    ),
    ...operator(
      "rest-grown",
      Object.entries(GROWN).map(([field, grow]) => ({
        operation: "PATCH /payouts/{id}",
        at: field,
        breaks,
        does: `each update makes ${field} larger`,
        hooks: makeField(["PATCH /payouts/{id}"], field, (value) => grow(value)),
      })),
    ),
    ...operator(
      "rest-lost-in-reads",
      places
        .filter(({ field }) =>
          [
            "amount",
            "ussdCode",
            "source",
            "destination",
            "charges",
            "progress",
            "financialAccountId",
          ].includes(field),
        )
        .map(({ operation, field, value }) => ({
          operation,
          at: field,
          breaks,
          does: `the answer is right, and later reads show another ${field}`,
          hooks: storeField([operation], field, () => value),
        })),
    ),
    ...across("name-copied", CODE, SOME_VERSION, {
      breaks: ["UPDATE-KEEPS", "UPDATE-KEEPS-REST"],
      does: "a new name of a code is given to its customer, too",
      hooks: () =>
        setOtherwise(CODE, (changes, _ctx, { customer }) =>
          typeof changes.name === "string" && isObject(customer)
            ? { ...changes, customer: { ...customer, name: changes.name } }
            : changes,
        ),
    }),
    ...across("others-changed", WEBHOOK, SOME_VERSION, {
      breaks: ["UPDATE-KEEPS", "UPDATE-NO-EFFECT", "UPDATE-KEEPS-REST"],
      does: "new metadata of a webhook is given to every webhook of the space",
      hooks: () => ({
        written: ({ body, service }, record) => {
          if (!isObject(body.metadata)) return;
          for (const other of service.store.all("webhook"))
            if (other.space === record.space && other.id !== record.id)
              service.store.replace({ ...other, data: { ...other.data, metadata: body.metadata } });
        },
      }),
    }),
  ];
}

export const keepDefects: readonly Defect[] = [...keeps(), ...rest()];
