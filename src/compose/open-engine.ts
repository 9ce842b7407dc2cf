import { mkdirSync } from "node:fs";
import { EmbeddedEngine } from "../memory/embedded/engine.ts";
import type { KeptEngine } from "../memory/port.ts";
import { isPostgresUrl } from "../memory/postgres/url.ts";
import { memoryFolder } from "./memory-folder.ts";

/** What the choice of an engine depends on. */
interface EngineOptions {
  readonly create?: boolean;
  readonly approximate?: boolean;
  readonly environment?: Readonly<Record<string, string | undefined>>;
  readonly nowUs: () => number;
}

/** Opens the engine for a folder or a `postgres://…` URL, and the folder that belongs to it. */
export async function openEngine(
  place: string,
  { create = true, approximate = false, environment, nowUs }: EngineOptions,
): Promise<{ readonly engine: KeptEngine; readonly folder: string }> {
  const folder = memoryFolder(place, environment);
  if (!isPostgresUrl(place))
    return { engine: await EmbeddedEngine.open({ folder, nowUs, create, approximate }), folder };
  // Loaded on demand: most memories are folders.
  const { openPostgres } = await import("../memory/postgres/open.ts");
  const engine = await openPostgres(place, { nowUs, create, environment });
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  return { engine, folder };
}
