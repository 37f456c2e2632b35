import type { Defect } from "../defect.ts";
import { accessHistoryDefects } from "./access.ts";
import { cacheHistoryDefects } from "./caches.ts";
import { contentHistoryDefects } from "./contents.ts";
import { createHistoryDefects } from "./creates.ts";
import { withHistory } from "./group.ts";
import { keyHistoryDefects } from "./keys.ts";
import { laterHistoryDefects } from "./later.ts";
import { listHistoryDefects } from "./lists.ts";
import { momentHistoryDefects } from "./moments.ts";
import { pageSizeDefects } from "./page-sizes.ts";
import { pageHistoryDefects } from "./pages.ts";
import { readHistoryDefects } from "./reads.ts";
import { rejectionHistoryDefects } from "./rejections.ts";
import { returnHistoryDefects } from "./returns.ts";
import { sequenceHistoryDefects } from "./sequences.ts";
import { updateHistoryDefects } from "./updates.ts";

/** Defects that only a sequence of requests shows. `--history` adds them to the proof. */
export const historyDefects: readonly Defect[] = withHistory([
  ...updateHistoryDefects,
  ...createHistoryDefects,
  ...keyHistoryDefects,
  ...listHistoryDefects,
  ...readHistoryDefects,
  ...cacheHistoryDefects,
  ...accessHistoryDefects,
  ...laterHistoryDefects,
  ...sequenceHistoryDefects,
  ...rejectionHistoryDefects,
  ...pageSizeDefects,
  ...pageHistoryDefects,
  ...momentHistoryDefects,
  ...contentHistoryDefects,
  ...returnHistoryDefects,
]);
