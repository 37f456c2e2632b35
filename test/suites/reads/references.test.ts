import { describe, expect, test } from "vitest";
import { History } from "../../../history/history.ts";
import type { JsonObject } from "../../../spec/json.ts";
import { readRules } from "../../../suites/reads/rules.ts";
import { HEAD, HistoryBuilder } from "../../history/builder.ts";
import { documentCopy, objectAt, specOf } from "../../spec/package-spec.ts";

const CODES = "GET /v1/payment-codes";
const CM: [string, string][] = [["country", "CM"]];

describe("a reference to a record that no page has shown", () => {
  /** An edition with these reads of banks and momos. */
  const edition = (read?: { by: string[] }) => {
    const document = documentCopy();
    const paths = objectAt(document, "paths");
    for (const path of ["/banks/{idOrCode}", "/momos/{idOrCode}"])
      if (read) Object.assign(objectAt(paths, path, "get", "x-same-record"), read);
      else delete paths[path];
    return specOf(document);
  };
  const page = (result: JsonObject[], next: string | null) => ({
    success: true,
    messages: [],
    result,
    pagination: { count: result.length, total: 90, next },
  });
  const code = { id: "c1", authorizedProviders: ["ECO"] };

  test("proves nothing if no operation reads the record by such a reference", () => {
    for (const read of [undefined, { by: ["name"] }]) {
      const spec = edition(read);
      const past = new HistoryBuilder(spec)
        .answers("GET /banks", page([{ id: "b1", code: "AFRI", country: "CM" }], "c2"), { query: CM })
        .answers(CODES, page([code], null));
      if (read)
        for (const kind of ["banks", "momos"])
          past.answers(`GET /${kind}/{idOrCode}`, {}, { path: "ECO", status: 404 });
      const check = readRules(spec).find(({ id }) => id === `reads/PROVIDERS-EXIST ${CODES}`);
      expect(check?.verdict(new History(spec, HEAD, past.entries)).outcome).toBe("not-exercised");
    }
  });

  test("is looked for in its own space alone, by each read", () => {
    const spec = edition({ by: ["id", "code"] });
    const judge = (more: { space?: string }, read: string) => {
      const past = new HistoryBuilder(spec)
        .answers("GET /banks", page([{ id: "b1", code: "AFRI", country: "CM" }], null), { query: CM })
        .answers(CODES, page([code], null), more)
        .answers("GET /banks/{idOrCode}", {}, { path: "ECO", status: 404 })
        .answers(read, {}, { path: "ECO", status: 404 });
      const head = { ...HEAD, spaces: ["spc-main", "spc-other"] };
      const check = readRules(spec).find(({ id }) => id === `reads/PROVIDERS-EXIST ${CODES}`);
      return check?.verdict(new History(spec, head, past.entries)).outcome;
    };
    expect(judge({}, "GET /momos/{idOrCode}")).toBe("violated");
    expect(judge({ space: "spc-other" }, "GET /momos/{idOrCode}")).toBe("not-exercised");
    expect(judge({}, "GET /banks/{idOrCode}")).toBe("not-exercised");
  });
});
