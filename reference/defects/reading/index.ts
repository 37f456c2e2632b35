import type { LegacyDefect as Defect } from "../legacy.ts";
import { cursorUseDefects } from "./cursor-use.ts";
import { cursorDefects } from "./cursors.ts";
import { accountFieldDefects } from "./fields-accounts.ts";
import { codeFieldDefects } from "./fields-code.ts";
import { codeListFieldDefects } from "./fields-code-list.ts";
import { otpFieldDefects } from "./fields-otps.ts";
import { payoutFieldDefects } from "./fields-payouts.ts";
import { referenceDataDefects } from "./fields-reference-data.ts";
import { webhookFieldDefects } from "./fields-webhooks.ts";
import { filterDefects } from "./filters.ts";
import { isolationDefects } from "./isolation.ts";
import { itemCursorDefects } from "./item-cursors.ts";
import { listDefects } from "./lists.ts";
import { namedOnlyDefects } from "./named-only.ts";
import { paginationDefects } from "./pagination.ts";
import { readDefects } from "./reads.ts";
import { responseDefects } from "./responses.ts";
import { serverErrorDefects } from "./server-errors.ts";
import { shapeDefects } from "./shapes.ts";
import { spaceDefects } from "./spaces.ts";
import { tokenDefects } from "./tokens.ts";
import { versionDefects } from "./versions.ts";

/** Defects of what the service shows: answers, fields, access, lists, reads, versions (rows 1 to 53 and 90 to 95). */
export const readingDefects: readonly Defect[] = [
  ...responseDefects,
  ...serverErrorDefects,
  ...paginationDefects,
  ...otpFieldDefects,
  ...accountFieldDefects,
  ...codeListFieldDefects,
  ...codeFieldDefects,
  ...payoutFieldDefects,
  ...webhookFieldDefects,
  ...referenceDataDefects,
  ...tokenDefects,
  ...spaceDefects,
  ...isolationDefects,
  ...listDefects,
  ...cursorDefects,
  ...cursorUseDefects,
  ...itemCursorDefects,
  ...filterDefects,
  ...readDefects,
  ...shapeDefects,
  ...versionDefects,
  ...namedOnlyDefects,
];
