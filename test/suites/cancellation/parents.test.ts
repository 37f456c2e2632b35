/** Codes below parents may have the same ids. */

import { expect, test } from "vitest";
import type { Head } from "../../../history/entry.ts";
import { History } from "../../../history/history.ts";
import type { JsonObject } from "../../../spec/json.ts";
import { cancellationRules } from "../../../suites/cancellation/rules.ts";
import { HEAD, HistoryBuilder } from "../../history/builder.ts";
import { documentCopy, objectAt, specOf } from "../../spec/package-spec.ts";

const CODES = "/v1/financial-accounts/{account}/payment-codes";
const ONE = `${CODES}/{id}`;
const HEAD_WITH_CODE: Head = { ...HEAD, fixtures: { cancellablePaymentCode: "1" } };
const createTime = "2026-01-01T00:00:00Z";
const open: JsonObject = { id: "1", name: "a", status: "pending", metadata: {}, createTime };
const cancelled: JsonObject = { ...open, status: "cancelled" };

/** An edition with payment codes below accounts. */
function edition() {
  const document = documentCopy();
  const paths = objectAt(document, "paths");
  const account = { name: "account", in: "path", required: true, schema: { type: "string" } };
  for (const [from, to] of [
    ["/v1/payment-codes", CODES],
    ["/payment-codes/{id}", ONE],
  ] as const) {
    const path = objectAt(paths, from);
    delete paths[from];
    paths[to] = path;
    const own = Array.isArray(path.parameters) ? path.parameters : [];
    path.parameters = [{ ...account, "x-made-by": "createFinancialAccount" }, ...own];
  }
  return specOf(document);
}

const spec = edition();

class Codes {
  readonly past = new HistoryBuilder(spec);

  constructor() {
    const sent = { name: "a", currency: "XAF" };
    for (const id of ["A", "B"])
      this.past.answers("POST /v1/financial-accounts", { result: { id } }, { sent, key: `key-${id}` });
  }

  reads(account: string, shown: JsonObject): this {
    this.past.answers(`GET ${ONE}`, { success: true, result: shown }, { outer: { account }, path: "1" });
    return this;
  }

  lists(account: string, ...items: JsonObject[]): this {
    const page = { success: true, result: items, pagination: { next: null } };
    this.past.answers(`GET ${CODES}`, page, { outer: { account }, path: account });
    return this;
  }

  updates(account: string, sent: JsonObject, shown: JsonObject): this {
    this.past.answers(
      `PATCH ${ONE}`,
      { success: true, result: shown },
      { outer: { account }, path: "1", sent },
    );
    return this;
  }

  cancels(account: string, shown = cancelled): this {
    this.updates(account, { status: "cancelled" }, shown);
    this.past.waits(2 * HEAD.consistencyTimeoutMs);
    return this;
  }

  outcome(rule: string): string | undefined {
    const check = cancellationRules(spec).find(({ id }) => id === `updates/${rule}`);
    if (!check) throw new Error(`there is no check ${rule}`);
    return check.verdict(new History(spec, HEAD_WITH_CODE, this.past.entries)).outcome;
  }
}

test("a read is compared with the list below its own parent", () => {
  const rule = `SHAPES-AGREE GET ${ONE} after PATCH ${ONE} with status`;
  const read = () => new Codes().reads("A", open).cancels("A").reads("A", cancelled);
  const listed = (account: string, item: JsonObject) =>
    read().lists(account, item).reads("A", cancelled).outcome(rule);
  expect(listed("B", open)).toBe("not-exercised");
  expect(listed("A", cancelled)).toBe("held");
  expect(listed("A", open)).toBe("violated");
});

test("a filtered list need not show a code of another parent", () => {
  const filter = `FILTER-COMPLETE GET ${CODES} status after PATCH ${ONE} with status`;
  const lists = (account: string) => {
    const codes = new Codes().reads("A", open).cancels("A").lists("A", cancelled);
    const page = { success: true, result: [], pagination: { next: null } };
    const query: [string, string][] = [["status", "cancelled"]];
    codes.past.answers(`GET ${CODES}`, page, { outer: { account }, path: account, query });
    return codes.lists("A", cancelled).outcome(filter);
  };
  expect(lists("B")).not.toBe("violated");
  expect(lists("A")).toBe("violated");
});

test("values before an update are those of the code of one parent", () => {
  const rule = `UPDATE-KEEPS PATCH ${ONE} older values once cancelled`;
  const updated = { ...open, name: "b" };
  const after = (account: string) =>
    new Codes()
      .reads("A", open)
      .updates("A", { name: "b" }, updated)
      .cancels("A", { ...cancelled, name: "b" })
      .reads(account, cancelled)
      .outcome(rule);
  expect(after("B")).toBe("held");
  expect(after("A")).toBe("violated");
});
