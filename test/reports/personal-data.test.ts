import { expect, it } from "vitest";
import { maskPeople, withoutPersonalData } from "../../reports/personal-data.ts";
import { exchange, failing } from "./example.ts";

it("names, phone numbers and mail addresses of answers are masked, and nothing else", () => {
  const body = JSON.stringify({
    name: "Airtel",
    firstName: "Ngozi",
    authorizedPhoneNumber: "+237612345678",
    alertEmails: ["ngozi@acme.cm", "alerts@example.com"],
    customer: { metadata: { name: "kept" }, name: "Aïcha Diallo" },
    note: "call +237612345678",
    amount: 12,
  });
  const sent = exchange({ response: { status: 200, headers: {}, body } });
  const check = withoutPersonalData(failing({ evidence: [sent], actual: 'ngozi@acme.cm of "Aïcha Diallo"' }));
  expect(JSON.parse(check.evidence[0]?.response?.body ?? "")).toEqual({
    name: "Airtel",
    firstName: "xxxxx",
    authorizedPhoneNumber: "+000000000000",
    alertEmails: ["xxxxx@xxxx.xx", "alerts@example.com"],
    customer: { metadata: { name: "kept" }, name: "xxxxx xxxxxx" },
    note: "call +000000000000",
    amount: 12,
  });
  expect(check.actual).toBe('xxxxx@xxxx.xx of "xxxxx xxxxxx"');
  expect(check.evidence[0]?.request).toEqual(sent.request);
});

it("a name is masked if the body was cut off within it", () => {
  const cut = (body: string) => {
    const sent = exchange({ response: { status: 200, headers: {}, body, truncated: true } });
    return withoutPersonalData(failing({ evidence: [sent] })).evidence[0]?.response?.body;
  };
  expect(cut('{"firstName":"Ngoz')).toBe('{"firstName":"xxxx');
  expect(cut('{"firstName":"Ngoz\\')).toBe('{"firstName":"xxxx\\');
  expect(cut('{"customer":{"name":"Aïcha Dia')).toBe('{"customer":{"name":"xxxxx xxx');
});

it("a phone number is masked if it is a number", () => {
  const body = '{"phoneNumber": 237612345678, "phones": 2, "amount": 123456}';
  const sent = exchange({ response: { status: 200, headers: {}, body } });
  const check = withoutPersonalData(failing({ evidence: [sent], actual: "number 237612345678" }));
  expect(check.evidence[0]?.response?.body).toBe(
    '{"phoneNumber": 100000000000, "phones": 2, "amount": 123456}',
  );
  expect(check.actual).toBe("number 000000000000");
});

it("a long name of a field does not hold up the search", () => {
  const body = `{"${"aphone".repeat(200_000)}": 1}`;
  expect(maskPeople(body, () => "masked")).toBe(body);
});
