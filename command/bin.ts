#!/usr/bin/env node
import { setFlagsFromString } from "node:v8";
import { tooFewHandles } from "./file-handles.ts";
import { listenForSignals } from "./interruption.ts";

listenForSignals(130);
// Node lets garbage grow to a multiple of what is in use, as the machine's memory allows; a CI job may have far less.
setFlagsFromString("--heap-growing-percent=40");
const problem = tooFewHandles();
if (problem !== undefined) {
  process.stderr.write(`payments-conformance: ${problem}\n`);
  process.exit(2);
}
const { main } = await import("./main.ts");
await main(process.argv.slice(2));
