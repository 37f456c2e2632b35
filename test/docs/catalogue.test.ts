import { expect, test } from "vitest";
import { catalogueMarkdown } from "../../command/list.ts";

test("docs/requirements.md matches the catalogue (vitest -u writes it again)", async () => {
  const file = new URL("../../docs/requirements.md", import.meta.url);
  const text = [
    "# Requirements",
    "",
    "Every statement that the suite tests, and every one that it can't, from `spec/requirements.yaml`. This page is",
    "written by `npm run docs`; a test keeps it so. [reading.md](reading.md) says how the statements came about, and",
    "`payments-conformance explain ID` tells of each what is sent to test it.",
    "",
    catalogueMarkdown(),
  ].join("\n");
  await expect(text).toMatchFileSnapshot(file.pathname);
});
