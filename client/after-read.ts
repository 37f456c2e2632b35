import { type RequestPlan, requestTo } from "../generators/request.ts";
import { operationById } from "../spec/operations.ts";
import { sendBody } from "./resources.ts";
import { isAccepted, type Target } from "./target.ts";
import { defaultVersion } from "./version-choice.ts";

/** True if a read helps: a faulty service may need one between updates. */
export async function isAcceptedAfterRead(target: Target, update: RequestPlan): Promise<boolean> {
  const { operation, path } = update;
  const read = operation.readBack?.read;
  if (operation.kind !== "update" || read === undefined || path === undefined) return false;
  const reader = operationById(target.spec, read);
  if (reader.kind !== "read") return false;
  await target.send({ ...requestTo(reader, defaultVersion(target, reader)), path }, { role: "read back" });
  return isAccepted(await sendBody(target, update, "probe"));
}
