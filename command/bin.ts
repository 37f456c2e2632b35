#!/usr/bin/env node
import { tuneEngine } from "./engine.ts";
import { tooFewHandles } from "./file-handles.ts";
import { listenForSignals } from "./interruption.ts";

listenForSignals(130);
tuneEngine(process.argv[2]);
const problem = tooFewHandles();
if (problem !== undefined) {
  process.stderr.write(`payments-conformance: ${problem}\n`);
  process.exit(2);
}
const { main } = await import("./main.ts");
await main(process.argv.slice(2));
