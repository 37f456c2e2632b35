/** Webhooks below parents may have the same ids. */

import { expect, test } from "vitest";
import { bodyOf } from "../../../history/body.ts";
import type { Delivery } from "../../../history/entry.ts";
import { History } from "../../../history/history.ts";
import type { JsonObject } from "../../../spec/json.ts";
import { allChecks } from "../../../suites/index.ts";
import { HEAD, HistoryBuilder } from "../../history/builder.ts";
import { documentCopy, objectAt, specOf } from "../../spec/package-spec.ts";

const WEBHOOKS = "/v1/financial-accounts/{account}/webhooks";
const UPDATE = `PATCH ${WEBHOOKS}/{id}`;

/** An edition with webhooks below accounts. */
function edition() {
  const document = documentCopy();
  const paths = objectAt(document, "paths");
  const account = { name: "account", in: "path", required: true, schema: { type: "string" } };
  for (const end of ["", "/{id}"]) {
    const path = objectAt(paths, `/webhooks${end}`);
    delete paths[`/webhooks${end}`];
    paths[`${WEBHOOKS}${end}`] = path;
    path.parameters = [{ ...account, "x-made-by": "createFinancialAccount" }];
  }
  return specOf(document);
}

const spec = edition();
const url = (letters: string) => `https://run.example/mailbox-pc-test-${letters}`;
const note = "pc-test-1";

/** The result after webhook 1 of account B is made inactive, and a delivery about a later event arrives. */
function outcome(rule: string, deliveredTo: "aa" | "bb"): string | undefined {
  const more = (account: string) => ({ outer: { account }, path: account });
  const sent = (letters: string): JsonObject => ({ url: url(letters), isActive: true });
  const past = new HistoryBuilder(spec)
    .answers(`POST ${WEBHOOKS}`, { result: { id: "1" } }, { ...more("A"), sent: sent("aa"), key: "k1" })
    .answers(`POST ${WEBHOOKS}`, { result: { id: "1" } }, { ...more("B"), sent: sent("bb"), key: "k2" })
    .answers(
      UPDATE,
      { result: { id: "1" } },
      { ...more("B"), path: "1", sent: { url: url("bb"), isActive: false } },
    )
    .waits(HEAD.consistencyTimeoutMs)
    .answers("PATCH /payouts/{id}", {}, { path: "1", sent: { metadata: { note } } });
  const delivery: Delivery = {
    at: (past.entries.at(-1)?.ended ?? 0) + 0.5,
    mailbox: `mailbox-pc-test-${deliveredTo}`,
    method: "POST",
    headers: [],
    body: bodyOf(JSON.stringify({ note })),
    signedIn: null,
  };
  const history = new History(spec, HEAD, past.entries, past.entries, [delivery]);
  const check = allChecks(spec).find(({ id }) => id === `deliveries/${rule} ${UPDATE} after an update`);
  return check?.verdict(history).outcome;
}

test("an update of one webhook changes no webhook of another parent", () => {
  expect(outcome("DELIVERY-INACTIVE", "aa")).toBe("held");
  expect(outcome("DELIVERY-SUBSCRIBED", "aa")).toBe("not-exercised");
});

test("an inactive webhook below a parent gets nothing", () => {
  expect(outcome("DELIVERY-INACTIVE", "bb")).toBe("violated");
});
