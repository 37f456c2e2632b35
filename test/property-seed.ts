import fc from "fast-check";

/**
 * One seed for all properties, so that a change is refused for what it did and not for what the day drew.
 * `PROPERTY_SEED=random` draws another one. `npm run fuzz` does that.
 */
const seed = process.env.PROPERTY_SEED ?? "1";

if (seed !== "random") fc.configureGlobal({ seed: Number(seed) });
