import { defineConfig } from "vitest/config";

// Two workers fit the smallest machine we support; a test that needs longer says so itself.
export default defineConfig({
  test: {
    include: ["src/**/*.test.ts", "test/**/*.test.ts", "viewer/**/*.test.ts"],
    maxWorkers: 2,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    reporters: process.env["CI"] ? ["default", "json"] : ["default"],
    outputFile: { json: ".cache/test-results.json" },
  },
});
