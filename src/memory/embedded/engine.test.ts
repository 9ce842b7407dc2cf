import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { engineContract } from "../testing/contract/suite.ts";
import { EmbeddedEngine } from "./engine.ts";

engineContract("loci", async ({ dim: _ }) => {
  const folder = mkdtempSync(join(tmpdir(), "loci-embedded-"));
  let engine = await EmbeddedEngine.open({ folder });
  return {
    engine,
    reopen: async () => {
      await engine.close();
      engine = await EmbeddedEngine.open({ folder, create: false });
      return engine;
    },
    cleanUp: async () => {
      await engine.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
});
