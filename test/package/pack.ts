import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const PACK = fileURLToPath(new URL("../../packaging/pack.mjs", import.meta.url));

/** Packs the current build into a tarball in this folder. Returns its path and its integrity, as npm spells it. */
export async function packInto(folder: string): Promise<{ tarball: string; integrity: string }> {
  const { stdout } = await promisify(execFile)(process.execPath, [PACK, folder]);
  const [tarball = "", integrity = ""] = stdout.split("\n");
  return { tarball, integrity };
}
