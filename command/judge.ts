import { dirname, resolve } from "node:path";
import { UsageError } from "../spec/usage-error.ts";
import { EXIT, exitCodeOf } from "./exit-codes.ts";
import { type Flags, given, valuesFrom } from "./flags.ts";
import { judgeHistory } from "./judging/own-history.ts";
import { prepareJudging } from "./judging/prepare.ts";
import { openTraffic } from "./judging/traffic-file.ts";
import { complain } from "./output.ts";
import { presenter } from "./present.ts";
import { openFolder, writeReports } from "./write-reports.ts";

/** The default folder for reports. It is another one than that of runs, whose reports must not be lost. */
const FOLDER = "conformance-judged";

/**
 * `judge`: judges recorded traffic. Sends nothing. Exit code 1 if something fails, 3 if nothing does: traffic is no
 * proof that nothing is broken.
 */
export async function judgeCommand(files: readonly string[], flags: Flags): Promise<number> {
  const values = valuesFrom(flags, { sendsNothing: true });
  const out = given(flags, "out") && values.out !== undefined ? values.out : resolve(FOLDER);
  for (const file of files)
    if (file !== "-" && dirname(resolve(file)) === out)
      throw new UsageError(`--out must be another folder than the one that ${file} lies in`);
  if (files.length === 0) throw new UsageError("name a file of recorded traffic, or - for standard input");
  const judging = prepareJudging(values);
  const present = presenter(values.reporter, values.strict ?? false);
  const notices: string[] = [];
  const opened = [];
  for (const file of files)
    opened.push(await openTraffic(file, { notice: (sentence) => notices.push(sentence) }));
  openFolder(out);
  const report = await judgeHistory(judging, opened, notices);
  const written = writeReports(report, out, values.export);
  if (written.misplaced !== undefined) complain(`payments-conformance: ${written.misplaced}`);
  present.summary(report, written.files);
  const code = exitCodeOf(report, false);
  return written.misplaced !== undefined && code === EXIT.ok ? EXIT.notJudged : code;
}
