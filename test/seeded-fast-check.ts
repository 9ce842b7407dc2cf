import fc from "../node_modules/fast-check/lib/fast-check.js";

/**
 * Stands in for `fast-check` in tests (vitest.config.ts): a gate draws the same cases on every run, so that it refuses a change for what
 * the change did. `LOCI_TEST_SEED=random npm test` goes looking for new cases; a number repeats a run.
 */
const wish = process.env["LOCI_TEST_SEED"] ?? "20261116";
if (wish !== "random") fc.configureGlobal({ seed: Number(wish) });

export * from "../node_modules/fast-check/lib/fast-check.js";
export default fc;
