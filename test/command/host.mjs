/**
 * A process that loads the compiled command once and runs it many times, because loading takes longer than
 * most commands. A message holds arguments, folder and environment. Its answer holds the exit code and the
 * printed text.
 */

import { main } from "../../dist/command/main.js";

/** Active resources of the host itself, and of connections that are closing. They don't belong to a running command. */
const HARMLESS = new Set(["PipeWrap", "CloseReq", "ShutdownWrap", "Immediate"]);
const MOST_TURNS = 200;

process.on("disconnect", () => process.kill(process.pid, "SIGKILL"));
process.on("message", async ({ args, cwd, env }) => {
  const before = process.eventNames().map((name) => [name, process.listeners(name)]);
  process.chdir(cwd);
  for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name];
  Object.assign(process.env, env);
  const ended = await captured(args);
  // Remove the listeners that the command added. Usually they end with its process.
  for (const name of process.eventNames())
    for (const listener of process.listeners(name))
      if (!before.some(([known, all]) => known === name && all.includes(listener)))
        process.off(name, listener);
  for (const stream of [process.stdout, process.stderr]) stream.removeAllListeners("error");
  process.send({ ...ended, isIdle: await isIdle() });
});

function captured(args) {
  const ended = { code: null, stdout: "", stderr: "" };
  const own = { exit: process.exit, stdout: process.stdout.write, stderr: process.stderr.write };
  for (const name of ["stdout", "stderr"])
    process[name].write = (chunk, ...rest) => {
      ended[name] += String(chunk);
      rest.find((each) => typeof each === "function")?.();
      return true;
    };
  return new Promise((resolve) => {
    process.exit = (code) => {
      process.exit = own.exit;
      for (const name of ["stdout", "stderr"]) process[name].write = own[name];
      resolve({ ...ended, code: Number(code ?? 0) });
    };
    main(args);
  });
}

/** True once nothing of the command runs any more. False if that takes long: it might disturb the next command. */
async function isIdle() {
  for (let turn = 0; turn < MOST_TURNS; turn++) {
    if (process.getActiveResourcesInfo().every((name) => HARMLESS.has(name))) return true;
    await new Promise((resolve) => setImmediate(() => setTimeout(resolve, 1)));
  }
  return false;
}
