import { defineConfig } from "vitest/config";
import { SCRATCH } from "./test/scratch-folder.ts";

/**
 * What takes long because it starts browsers and servers, packs, kills, fuzzes or floods: `npm run test:slow`. Everything else is
 * `npm test`. A file that is new or renamed is a quick one until it is named here, so that none is forgotten.
 */
const SLOW = [
  "viewer/test/*.test.ts",
  "test/attack/*.test.ts",
  "test/body-python.test.ts",
  "test/cassettes.test.ts",
  "test/consistency.test.ts",
  "test/crash.test.ts",
  "test/demo.test.ts",
  "test/examples.test.ts",
  "test/explore-robot.test.ts",
  "test/explore-model.test.ts",
  "test/explore.test.ts",
  "test/handover.test.ts",
  "test/hostile-files.test.ts",
  "test/http-hostile.test.ts",
  "test/ingest.test.ts",
  "test/kernels.test.ts",
  "test/landing.test.ts",
  "test/live-house.test.ts",
  "test/mcp-conformance.test.ts",
  "test/mcp-explore.test.ts",
  "test/package.test.ts",
  "test/postgres-fleet.test.ts",
  "test/python-client.test.ts",
  "test/python-ros.test.ts",
  "test/serve-ending.test.ts",
  "test/serve-sources.test.ts",
  "test/stream-crash.test.ts",
  "test/replay.test.ts",
  "test/sync.test.ts",
  "test/sync-join.test.ts",
  "test/sync-order.test.ts",
  "test/systems-house.test.ts",
  "src/compose/goals.test.ts",
  "src/compose/join.test.ts",
  "src/compose/many-writers.test.ts",
  "src/compose/sync.test.ts",
  "src/memory/postgres/engine.test.ts",
  "src/memory/postgres/replicas.test.ts",
  "src/reasoning/loop/fuzz.test.ts",
  "src/sensors/fuzz.test.ts",
];
const ALL = ["src/**/*.test.ts", "test/**/*.test.ts", "viewer/**/*.test.ts"];
/** What Node keeps of compiled files: by itself in TMPDIR, which for the quick suite is a new one every time. */
const KEPT = new URL("./.cache/node-compile", import.meta.url).pathname;
const OUTSIDE = ["**/node_modules/**", "**/dist/**"];

// Two workers fit the smallest machine we support; a test that needs longer says so itself.
export default defineConfig({
  resolve: {
    alias: [
      { find: /^fast-check$/, replacement: new URL("./test/seeded-fast-check.ts", import.meta.url).pathname },
    ],
  },
  test: {
    maxWorkers: 2,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    reporters: process.env["CI"] ? ["default", "json"] : ["default"],
    outputFile: { json: process.env["LOCI_TEST_RESULTS"] ?? ".cache/test-results.json" },
    projects: [
      {
        extends: true,
        test: {
          name: "quick",
          include: ALL,
          exclude: [...OUTSIDE, ...SLOW],
          // Modules are loaded once for a worker, not once for each file; leave-as-found.ts watches over what that asks of a file.
          isolate: false,
          restoreMocks: true,
          setupFiles: ["test/leave-as-found.ts"],
          globalSetup: ["test/scratch-folder.ts"],
          ...(SCRATCH === undefined ? {} : { env: { TMPDIR: SCRATCH, NODE_COMPILE_CACHE: KEPT } }),
        },
      },
      { extends: true, test: { name: "slow", include: SLOW, exclude: OUTSIDE } },
    ],
  },
});
