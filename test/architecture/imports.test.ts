import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** The other folders that each folder may import. No two folders may import each other. */
const MAY_IMPORT: Record<string, readonly string[]> = {
  spec: [],
  generators: ["spec"],
  history: ["spec"],
  client: ["spec", "generators", "history"],
  profiles: ["spec", "history", "client"],
  suites: ["spec", "generators", "client", "history", "profiles"],
  reports: ["spec"],
  runner: ["spec", "generators", "client", "history", "suites", "profiles", "reports", "reference"],
  command: [
    "spec",
    "generators",
    "client",
    "history",
    "suites",
    "profiles",
    "reports",
    "reference",
    "runner",
  ],
  // The vitest adapter also uses the command.
  "runner/vitest": ["spec", "client", "profiles", "reports", "runner", "command"],
  reference: [],
};

/** The files of the project that each file imports, types included. */
const graph = new Map(
  Object.keys(MAY_IMPORT)
    .filter((folder) => !folder.includes("/"))
    .flatMap((folder) =>
      readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" })
        .filter((name) => name.endsWith(".ts"))
        .map((name) => `${folder}/${name}`),
    )
    .map((file) => [file, importsOf(file)]),
);

function importsOf(file: string): string[] {
  const text = readFileSync(join(ROOT, file), "utf8");
  const named = text.matchAll(
    /(?:^|\n)\s*(?:import|export)\b[^;"']*?\bfrom\s*"(\.[^"]+\.ts)"|import\("(\.[^"]+\.ts)"\)/g,
  );
  return [...named].map(([, plain, late]) => relative(ROOT, join(ROOT, dirname(file), plain ?? late ?? "")));
}

function folderOf(file: string): string {
  return file.startsWith("runner/vitest/") ? "runner/vitest" : (file.split("/")[0] ?? "");
}

test("each folder imports only folders that it may import", () => {
  const up = [...graph].flatMap(([file, imported]) =>
    imported
      .filter((other) => folderOf(other) !== folderOf(file))
      .filter((other) => !MAY_IMPORT[folderOf(file)]?.includes(folderOf(other)))
      .map((other) => `${file} -> ${other}`),
  );
  expect(up, 'see MAY_IMPORT in this file, and "A paragraph a folder" in docs/architecture.md').toEqual([]);
});

test("no file of rules imports the client", () => {
  const rules = [...graph].filter(([file]) => /^suites\/.+\/(rules|judging)\.ts$/.test(file));
  expect(rules.length).toBeGreaterThan(2);
  const wrong = rules.flatMap(([file, imported]) =>
    imported.filter((other) => folderOf(other) === "client").map((other) => `${file} -> ${other}`),
  );
  expect(wrong).toEqual([]);
});

test("no file that makes rules makes a probe, too", () => {
  const making = [...graph].filter(
    ([file]) =>
      file.startsWith("suites/") &&
      /\b(history|rejection)Rule(<.*>)?\(\{/.test(readFileSync(join(ROOT, file), "utf8")),
  );
  expect(making.length).toBeGreaterThan(40);
  const senders = new Set(["client/call.ts", "suites/shared/sampled.ts"]);
  const wrong = making.flatMap(([file, imported]) =>
    imported.filter((other) => senders.has(other)).map((other) => `${file} -> ${other}`),
  );
  expect(wrong, "move the probe into a file beside it").toEqual([]);
});

test("no files import each other in a circle", () => {
  expect(circles(graph)).toEqual([]);
});

test("no file is longer than 300 lines", () => {
  const lines = (file: string) => readFileSync(join(ROOT, file), "utf8").split("\n").length - 1;
  expect(
    [...graph.keys()].filter((file) => lines(file) > 300),
    "move a part that belongs together into a file of its own",
  ).toEqual([]);
});

test("every import leads to a file", () => {
  const missing = [...graph].flatMap(([file, imported]) =>
    imported.filter((other) => !graph.has(other)).map((other) => `${file} -> ${other}`),
  );
  expect(missing).toEqual([]);
});

/** Groups of files that import each other in a circle: strongly connected components, by Tarjan's algorithm. */
function circles(edges: ReadonlyMap<string, readonly string[]>): string[][] {
  const order = new Map<string, number>();
  const low = new Map<string, number>();
  const stack: string[] = [];
  const found: string[][] = [];
  const visit = (file: string): void => {
    order.set(file, order.size);
    low.set(file, order.get(file) ?? 0);
    stack.push(file);
    for (const other of edges.get(file) ?? []) {
      if (!order.has(other)) visit(other);
      if (stack.includes(other)) low.set(file, Math.min(low.get(file) ?? 0, low.get(other) ?? 0));
    }
    if (low.get(file) !== order.get(file)) return;
    const group = stack.splice(stack.indexOf(file));
    if (group.length > 1) found.push(group.sort());
  };
  for (const file of edges.keys()) if (!order.has(file)) visit(file);
  return found;
}
