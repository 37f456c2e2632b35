import fc from "fast-check";

/**
 * Property tests have one seed, so that the same code always passes or always fails. `npm run fuzz` sets
 * `PROPERTY_SEED=random` to pick another one.
 */
const seed = process.env.PROPERTY_SEED ?? "1";

if (seed !== "random") fc.configureGlobal({ seed: Number(seed) });
