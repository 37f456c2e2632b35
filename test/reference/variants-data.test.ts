import { expect, test } from "vitest";
import { isObject, type Json } from "../../reference/json.ts";
import { absenceVariants } from "../../reference/variants/absences.ts";
import { contentVariants } from "../../reference/variants/contents.ts";
import { identifierVariants } from "../../reference/variants/identifiers.ts";
import { timeVariants } from "../../reference/variants/times.ts";
import { type Observation, observeVariants } from "./observe-variants.ts";
import { type Asker, readAll, startAs } from "./variant-client.ts";

function fieldsOf(list: string, ...fields: string[]): Observation {
  return async (asker) => (await readAll(asker, list)).map((item) => fields.map((field) => item[field]));
}

const times = fieldsOf("/v1/payment-codes", "createTime", "updateTime", "expireTime");

async function single(asker: Asker) {
  return (await asker.ask(`GET /payment-codes/${asker.service.fixtures.paymentCode}`)).result;
}

observeVariants(timeVariants, {
  "times-with-offset": times,
  "times-in-lower-case": times,
  "times-to-the-nanosecond": times,
  "times-in-every-spelling": times,
  "times-differ-by-shape": async (asker) => (await single(asker)).createTime,
  "times-at-the-edges": times,
  "updated-before-created": times,
  "sessions-expired-from-the-start": fieldsOf("/v1/ussd-otps", "expireTime"),
});

test.each(["times-with-offset", "times-in-lower-case", "times-to-the-nanosecond", "times-in-every-spelling"])(
  "%s keeps each moment in time",
  async (name) => {
    const instants = async (asker: Asker) =>
      (await readAll(asker, "/v1/payment-codes")).map(({ createTime }) =>
        Date.parse(String(createTime).toUpperCase()),
      );
    expect(await instants(await startAs(name))).toEqual(await instants(await startAs()));
  },
);

const ids = fieldsOf("/webhooks", "id");
const codes = fieldsOf("/banks?country=CM", "code");

observeVariants(identifierVariants, {
  "ids-that-need-encoding": ids,
  "ids-in-sequence": ids,
  "ids-like-values": ids,
  "ids-of-100-characters": ids,
  "ids-differ-by-case": ids,
  "awkward-provider-codes": codes,
  "ids-compared-by-the-database": async (asker) => (await asker.ask("GET /countries/CM%20")).status,
  "codes-in-any-casing": async (asker) => (await asker.ask("GET /countries/cm")).status,
  "ussd-codes-nearly-alike": async (asker) =>
    (await readAll(asker, `/v1/payment-codes?ussd_code=${encodeURIComponent("*12a# ")}`)).length,
});

test.each(identifierVariants)("$name: everything is found under its id and code", async ({ name }) => {
  const asker = await startAs(name);
  const path = (text: Json | undefined) => encodeURIComponent(String(text));
  for (const item of (await readAll(asker, "/v1/payment-codes")).slice(0, 15))
    expect((await asker.ask(`GET /payment-codes/${path(item.id)}`)).result.id).toBe(item.id);
  for (const bank of await readAll(asker, "/banks?country=CM"))
    for (const key of [bank.id, bank.code])
      expect((await asker.ask(`GET /banks/${path(key)}`)).result).toEqual(bank);
  const all = await readAll(asker, "/webhooks");
  const half = await asker.ask(`GET /webhooks?after=${path(all[6]?.id)}&limit=3`);
  expect(half.items).toEqual(all.slice(7, 10));
});

const amounts = fieldsOf("/v1/payment-codes", "amount");

observeVariants(contentVariants, {
  "names-in-every-script": fieldsOf("/v1/payment-codes", "name"),
  "owners-60-deep": async (asker) => {
    const depths = (await readAll(asker, "/v1/payment-codes")).map(({ ownershipGraph }) => {
      let depth = 0;
      for (let link = ownershipGraph; isObject(link) && isObject(link.owner); link = link.owner) depth += 1;
      return depth;
    });
    return Math.max(...depths);
  },
  "old-and-new-currencies": amounts,
  "very-large-amounts": amounts,
  "negative-and-zero-amounts": amounts,
  "providers-without-schemes": fieldsOf("/momos?country=CM", "featureSet"),
  "webhooks-at-their-limits": fieldsOf("/webhooks", "name"),
  "customary-digits-of-currencies": fieldsOf("/countries", "currency"),
  "country-codes-of-three-letters": fieldsOf("/countries", "code"),
  "country-codes-in-lower-case": fieldsOf("/countries", "code"),
  "phone-numbers-masked": fieldsOf("/v1/ussd-otps", "authorizedPhoneNumber"),
});

const secret = { hmac256: { secret: "a-long-secret" } };
const webhook = { name: "Hook", url: "https://example.com/a", events: null, verificationMethod: secret };

/** The secret in the answer to the create, and later in the list. */
const secrets: Observation = async (asker) => {
  const { id, verificationMethod } = (await asker.ask("POST /webhooks", { body: webhook })).result;
  const listed = (await readAll(asker, "/webhooks")).find((item) => item.id === id);
  return [verificationMethod, listed?.verificationMethod];
};

const nullEvents: Observation = async (asker) => {
  const { id } = (await asker.ask("POST /webhooks", { body: webhook })).result;
  return (await readAll(asker, "/webhooks")).find((item) => item.id === id)?.events;
};

const names: Observation = async (asker) => {
  const lists = ["/v1/ussd-otps", "/v1/payment-codes", "/webhooks"];
  const items = await Promise.all(lists.map((list) => readAll(asker, list)));
  return items.map((list) => list.map((item) => Object.keys(item).toSorted()));
};

observeVariants(absenceVariants, {
  "only-what-must-be-there": names,
  "absent-instead-of-null": names,
  "optional-lists-absent": names,
  "secrets-masked": secrets,
  "secrets-left-out": secrets,
  "verification-left-out": secrets,
  "secret-shown-once": secrets,
  "null-events-stay-null": nullEvents,
  "null-events-are-none": nullEvents,
  "modes-in-other-casings": async (asker) => {
    const all = await readAll(asker, "/v1/payment-codes?mode=recurrent");
    return (await asker.ask(`GET /payment-codes/${all[0]?.id}`)).result.mode;
  },
});
