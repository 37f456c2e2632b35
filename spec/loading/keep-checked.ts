import { readFileSync, writeFileSync } from "node:fs";
import { CHECKED_EDITION, type CheckedEdition, fingerprint } from "./checked.ts";
import { readEdition } from "./load.ts";

const [openapi, requirements] = ["openapi.yaml", "requirements.yaml"].map((name) => ({
  name,
  text: readFileSync(`spec/${name}`, "utf8"),
}));
if (openapi === undefined || requirements === undefined) throw new Error("an edition has two files");
const { document, catalogue } = readEdition(openapi, requirements);
const edition: CheckedEdition = {
  sha256: fingerprint(openapi.text, requirements.text),
  document,
  requirements: [...catalogue.values()],
};
writeFileSync(CHECKED_EDITION, JSON.stringify(edition));
