import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { fingerprint } from "../../spec/loading/checked.ts";
import { readEdition } from "../../spec/loading/load.ts";

const [openapi, requirements] = ["openapi.yaml", "requirements.yaml"].map((name) => ({
  name,
  text: readFileSync(`spec/${name}`, "utf8"),
})) as [{ name: string; text: string }, { name: string; text: string }];

describe("the edition that the build stores", () => {
  it("equals the files, read and checked", () => {
    const kept = JSON.parse(readFileSync("dist/spec/loading/checked-edition.json", "utf8"));
    const { document, catalogue } = readEdition(openapi, requirements);
    expect(kept, "npm run build stores it again").toEqual({
      sha256: fingerprint(openapi.text, requirements.text),
      document,
      requirements: [...catalogue.values()],
    });
  });

  it("changes as soon as either file does", () => {
    const own = fingerprint(openapi.text, requirements.text);
    expect(fingerprint(`${openapi.text}\n`, requirements.text)).not.toBe(own);
    expect(fingerprint(openapi.text, `${requirements.text}\n`)).not.toBe(own);
  });
});
