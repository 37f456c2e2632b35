export type { Defect } from "./defects/defect.ts";
export { historyDefects } from "./defects/history/index.ts";
export { defects } from "./defects/index.ts";

export { nullServices, startNullService } from "./null-services.ts";
export type { ReferenceOptions, RunningService } from "./options.ts";
export { startReference } from "./start.ts";
export { variantCombinations, variantNamed, variants } from "./variants/index.ts";
export type { Variant } from "./variants/variant.ts";
