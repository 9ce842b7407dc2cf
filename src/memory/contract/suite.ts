import { describe } from "vitest";
import type { OpenEngine } from "./fixtures.ts";
import { propertySuite } from "./suite-properties.ts";
import { readingSuite } from "./suite-reading.ts";
import { writingSuite } from "./suite-writing.ts";

/**
 * What every memory engine must do, as tests. An engine's own test file calls this with a way to open an empty
 * memory; each behaviour of the port is one `it` by name, and the last ones compare with the oracle.
 */
export function engineContract(name: string, open: OpenEngine): void {
  describe(`${name}: the engine contract`, () => {
    writingSuite(open);
    readingSuite(open);
    propertySuite(open);
  });
}
