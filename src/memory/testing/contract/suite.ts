import { describe } from "vitest";
import type { OpenEngine } from "./fixtures.ts";
import { changesSuite } from "./suite-changes.ts";
import { lifecycleSuite } from "./suite-lifecycle.ts";
import { logSuite } from "./suite-log.ts";
import { meaningSuite } from "./suite-meaning.ts";
import { propertySuite } from "./suite-properties.ts";
import { readingSuite } from "./suite-reading.ts";
import { searchSuite } from "./suite-search.ts";
import { secrecySuite } from "./suite-secrecy.ts";
import { writingSuite } from "./suite-writing.ts";

/**
 * What every memory engine must do, as tests. An engine's own test file calls this with a way to open an empty
 * memory; each behaviour of the port is one `it` by name, and the last ones compare with the oracle.
 */
export function engineContract(name: string, open: OpenEngine): void {
  describe(`${name}: the engine contract`, () => {
    writingSuite(open);
    readingSuite(open);
    meaningSuite(open);
    searchSuite(open);
    changesSuite(open);
    lifecycleSuite(open);
    logSuite(open);
    secrecySuite(open);
    propertySuite(open);
  });
}
