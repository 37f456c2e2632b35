import type { LegacyDefect as Defect } from "../legacy.ts";
import { wideAccessDefects } from "./access.ts";
import { elsewhereDefects } from "./elsewhere.ts";
import { wideListDefects } from "./lists.ts";
import { wideReadDefects } from "./reads.ts";
import { wideResponseDefects } from "./responses.ts";
import { wideSpaceDefects } from "./spaces.ts";

/** Defects of many operations at once, and those that other areas have at other operations only. */
export const wideDefects: readonly Defect[] = [
  ...wideResponseDefects,
  ...wideListDefects,
  ...wideAccessDefects,
  ...wideSpaceDefects,
  ...wideReadDefects,
  ...elsewhereDefects,
];
