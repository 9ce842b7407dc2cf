import { EmbeddedEngine } from "../../../src/memory/embedded/engine.ts";
import type { MemoryEngine } from "../../../src/memory/port.ts";

/** How the bench opens Loci: as the library does by default. The one line to change when the default does. */
export async function openLociEngine(folder: string): Promise<MemoryEngine> {
  return EmbeddedEngine.open({ folder });
}
