#!/usr/bin/env node
import { listenForSignals } from "./interruption.ts";

listenForSignals(130);
const { main } = await import("./main.ts");
await main(process.argv.slice(2));
