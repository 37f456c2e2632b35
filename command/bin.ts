#!/usr/bin/env node
import { setFlagsFromString } from "node:v8";
import { tooFewHandles } from "./file-handles.ts";
import { listenForSignals } from "./interruption.ts";

listenForSignals(130);
// By default Node lets garbage grow to a multiple of the memory in use, and a CI job may have little memory.
setFlagsFromString("--heap-growing-percent=40");
const problem = tooFewHandles();
if (problem !== undefined) {
  process.stderr.write(`payments-conformance: ${problem}\n`);
  process.exit(2);
}
const { main } = await import("./main.ts");
await main(process.argv.slice(2));
