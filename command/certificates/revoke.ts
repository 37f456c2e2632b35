import { existsSync } from "node:fs";
import { privateKeyOf } from "../../reports/certificates/keys.ts";
import { readOwnStatusList, statusListText, withRevoked } from "../../reports/certificates/status-list.ts";
import { MOST_MEGABYTES, readText } from "../../spec/loading/read-file.ts";
import { UsageError } from "../../spec/usage-error.ts";
import type { Flags } from "../flags.ts";
import { complain, print } from "../output.ts";
import { EXIT } from "../running/exit-codes.ts";
import { writeWhole } from "../running/write-reports.ts";
import { signingKey } from "./signing-key.ts";
import { judgeFile } from "./verify.ts";

/**
 * Adds a report to the status list, and returns the exit code.
 * @throws UsageError if another key signed the list
 */
export function revokeCommand(file: string, flags: Flags): number {
  const { reason, statusList } = flags;
  if (typeof reason !== "string" || reason.trim() === "")
    throw new UsageError("revoke needs --reason: it stands in the list");
  if (typeof statusList !== "string") throw new UsageError("revoke needs --status-list");
  const given = signingKey(flags.key, false, process.env);
  const { certificate, attestations, status } = judgeFile(file, {
    publicKeys: [given.publicKey, ...(given.envelopes === undefined ? [] : [given.envelopes.publicKey])],
    certificateOnly: true,
  });
  const named = attestations?.[0].subject.find(({ name }) => name === "report.json");
  const report = certificate?.statement.files["report.json"] ?? named?.digest.sha256;
  if (report === undefined) throw new UsageError(`${file} is no certificate`);
  const key = privateKeyOf((given.envelopes ?? given).privateKey);
  const there = existsSync(statusList)
    ? readText(statusList, "status list", MOST_MEGABYTES.certificate)
    : undefined;
  const list = there === undefined ? undefined : readOwnStatusList(there, key);
  if (there !== undefined && list === undefined)
    throw new UsageError(`${statusList} is no status list that this key signed`);
  if (list?.revoked.some((entry) => entry.report === report))
    throw new UsageError(`${statusList} revokes this certificate already`);
  writeWhole(statusList, statusListText(withRevoked(list, { report, reason }, new Date()), key));
  print(`Revoked in ${statusList}. Hand it to everybody who verifies.\n`);
  if (status === "unknown-signer" || status === "changed")
    complain(
      "payments-conformance: this key did not sign the certificate as it is, so the list counts only for those who name its public half, too",
    );
  return EXIT.ok;
}
