import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { engineContract } from "../testing/contract/suite.ts";
import { SqliteEngine } from "./engine.ts";

engineContract("sqlite", async ({ dim: _ }) => {
  const folder = mkdtempSync(join(tmpdir(), "loci-sqlite-"));
  let engine = await SqliteEngine.open({ folder });
  return {
    engine,
    reopen: async () => {
      await engine.close();
      engine = await SqliteEngine.open({ folder, create: false });
      return engine;
    },
    cleanUp: async () => {
      await engine.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
});
