export type { Size } from "./data/seed.ts";
export type { Defect } from "./defects/defect.ts";
export { defects } from "./defects/index.ts";
export type { Hooks } from "./hooks.ts";
export { type NullService, nullServices, startNullService } from "./null-services.ts";
export type { ReferenceOptions, RunningService } from "./options.ts";
export { startReference } from "./start.ts";
export { variantCombinations, variantNamed, variants } from "./variants/index.ts";
export type { Variant } from "./variants/variant.ts";
