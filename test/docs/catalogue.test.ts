import { expect, test } from "vitest";
import { catalogueMarkdown } from "../../command/listing/list.ts";

test("docs/requirements.md matches the catalogue (npm run docs writes it again)", async () => {
  const file = new URL("../../docs/requirements.md", import.meta.url);
  const text = [
    "# Requirements",
    "",
    "What must a service do, and which statements can't be tested? `npm run docs` writes this page from",
    "`spec/requirements.yaml`. [reading.md](reading.md) says how the specification is read, and",
    "`payments-conformance explain ID` shows the requests that test a statement.",
    "",
    catalogueMarkdown(),
  ].join("\n");
  await expect(text).toMatchFileSnapshot(file.pathname);
});
