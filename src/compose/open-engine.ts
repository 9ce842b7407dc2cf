import { mkdirSync } from "node:fs";
import { EmbeddedEngine } from "../memory/embedded/engine.ts";
import type { KeptEngine } from "../memory/port.ts";
import { isPostgresUrl, openPostgres } from "../memory/postgres/open.ts";
import { memoryFolder } from "./memory-folder.ts";

interface EngineOptions {
  readonly nowUs: () => number;
  readonly create?: boolean;
  readonly approximate?: boolean;
  readonly environment?: Readonly<Record<string, string | undefined>>;
}

/** The engine of a place: a server's for its URL, else the embedded one; and the folder of what lies beside the records. */
export async function openEngine(
  place: string,
  { nowUs, create = true, approximate = false, environment }: EngineOptions,
): Promise<{ readonly engine: KeptEngine; readonly folder: string }> {
  const folder = memoryFolder(place, environment);
  if (!isPostgresUrl(place))
    return { engine: await EmbeddedEngine.open({ folder, nowUs, create, approximate }), folder };
  const engine = await openPostgres(place, { nowUs, create });
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  return { engine, folder };
}
