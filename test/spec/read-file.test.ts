import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readJson } from "../../spec/loading/read-file.ts";
import { inFolder } from "../command/command.ts";

test("a byte order mark before JSON is ignored", () =>
  inFolder(async (folder) => {
    const file = join(folder, "report.json");
    writeFileSync(file, '\uFEFF{"a":1}');
    expect(readJson(file, "report", 1, "no report")).toEqual({ a: 1 });
  }));
