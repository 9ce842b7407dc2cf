import { ArrayMemory } from "./oracle.ts";
import { engineContract } from "./suite.ts";

engineContract("array", async () => {
  const engine = new ArrayMemory();
  return { engine, cleanUp: () => engine.close() };
});
