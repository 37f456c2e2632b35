import { randomBytes } from "node:crypto";

/** Returns eight hexadecimal digits that begin with a letter: redaction would hide a number in another way. */
export function newRunId(): string {
  const bytes = randomBytes(4);
  bytes.writeUInt8(0xa0 | bytes.readUInt8(0), 0);
  return bytes.toString("hex");
}
