import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";

const NAME = "payments-conformance";

export function invocation(environment: NodeJS.ProcessEnv = process.env): string {
  // Folders node_modules/.bin do not count, because only npx adds them to the path.
  const folders = (environment.PATH ?? environment.Path ?? "")
    .split(delimiter)
    .filter((folder) => folder !== "" && !/[\\/]node_modules[\\/]\.bin[\\/]?$/.test(folder));
  const isFound = folders.some((folder) =>
    [NAME, `${NAME}.cmd`].some((file) => existsSync(join(folder, file))),
  );
  return isFound ? NAME : `npx ${NAME}`;
}
