import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const PACK = fileURLToPath(new URL("../../packaging/pack.mjs", import.meta.url));

/** Makes the tarball in a folder, from the current build. */
export async function packInto(folder: string): Promise<{ tarball: string; integrity: string }> {
  const { stdout } = await promisify(execFile)(process.execPath, [PACK, folder]);
  const [tarball = "", integrity = ""] = stdout.split("\n");
  return { tarball, integrity };
}
