import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";

const NAME = "payments-conformance";

/** Returns how the user can call the command: by its name if the shell finds it, and else with npx. */
export function invocation(environment: NodeJS.ProcessEnv = process.env): string {
  // Only npx adds node_modules/.bin to the path.
  const folders = (environment.PATH ?? environment.Path ?? "")
    .split(delimiter)
    .filter((folder) => folder !== "" && !/[\\/]node_modules[\\/]\.bin[\\/]?$/.test(folder));
  const isFound = folders.some((folder) =>
    [NAME, `${NAME}.cmd`].some((file) => existsSync(join(folder, file))),
  );
  return isFound ? NAME : `npx ${NAME}`;
}
