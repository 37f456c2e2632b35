/**
 * `npm run promises`: tests if forty variants keep the profiles that runs on them suggest. Arguments select
 * variants by name.
 */

import { CHOSEN_VARIANTS, keptBy } from "./kept.ts";

const names = process.argv.slice(2);
const chosen = CHOSEN_VARIANTS.filter(({ name }) => names.length === 0 || names.includes(name));
let short = 0;
for (const [index, variant] of chosen.entries()) {
  const { promises, broken, untested } = await keptBy(variant);
  const well = broken.length + untested.length === 0;
  if (!well) short += 1;
  console.log(
    `${well ? "ok   " : "SHORT"} ${variant.name}: ${promises} promises (${index + 1}/${chosen.length})`,
  );
  for (const line of broken) console.log(`        ${line}`);
  for (const line of untested) console.log(`        untested: ${line}`);
}
console.log(`${chosen.length - short} of ${chosen.length} variants keep all that is suggested of them`);
process.exitCode = short === 0 && chosen.length > 0 ? 0 : 1;
