import { describe, expect, it } from "vitest";
import { findPackage } from "../optional-package.ts";
import { describeLanguageModel } from "../testing/language-model-contract.ts";
import { PROTOCOLS } from "../testing/protocols.ts";
import { openAiSdk } from "./ai-sdk.ts";

const from = process.env.LOCI_PACKAGES;
const packagesFrom = from === undefined ? {} : { packagesFrom: from };

describe("a vendor whose package is not there", () => {
  it("says what to install", async () => {
    const opening = openAiSdk({ vendor: "anthropic", model: "x", packagesFrom: "/nowhere" });
    await expect(opening).rejects.toMatchObject({
      code: "model-unavailable",
      message: expect.stringContaining("npm install @ai-sdk/anthropic@"),
    });
  });
});

for (const vendor of ["anthropic", "google"] as const) {
  const name = `@ai-sdk/${vendor}`;
  const isMissing = findPackage(name, from) === null;
  describe.skipIf(isMissing)(`${vendor} through the AI SDK${isMissing ? ` (needs ${name})` : ""}`, () => {
    describeLanguageModel(PROTOCOLS[vendor], (options) =>
      openAiSdk({ vendor, model: "some-model", ...options, ...packagesFrom }),
    );
  });
}
