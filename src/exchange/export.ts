import type { MemoryReader } from "../memory/index.ts";
import { LociError } from "../schema/core.ts";
import {
  EXPORT_FORMATS,
  type ExportFormat,
  type ExportOptions,
  type ExportReport,
} from "./formats/format.ts";

type Exporter = (reader: MemoryReader, path: string, options: ExportOptions) => Promise<ExportReport>;

interface Format {
  /** The file name extensions; the longest match decides. */
  readonly endings: readonly string[];
  /** One line for people. */
  readonly is: string;
  /** Loaded on demand. */
  readonly load: () => Promise<Exporter>;
}

/** All but the first are views of a memory: only JSONL can be imported again completely. */
const FORMATS = {
  jsonl: {
    endings: [".jsonl"],
    is: "everything, every version; `import` makes an equal memory of it",
    load: async () => exportAll,
  },
  mcap: {
    endings: [".mcap"],
    is: "the scene over world time for Foxglove and Lichtblick",
    load: async () => (await import("./foxglove/mcap.ts")).exportMcap,
  },
  glb: {
    endings: [".glb"],
    is: "a model: floors, walls, surface points, things as boxes",
    load: async () => (await import("./formats/glb.ts")).exportGlb,
  },
  ply: {
    endings: [".ply"],
    is: "surface points with colours",
    load: async () => (await import("./formats/ply.ts")).exportPly,
  },
  geojson: {
    endings: [".geojson"],
    is: "rooms, things and places; degrees where the memory knows where on Earth it is",
    load: async () => (await import("./formats/geojson.ts")).exportGeoJson,
  },
  dsg: {
    endings: [".dsg.json"],
    is: "a dynamic scene graph as Hydra's spark_dsg reads it",
    load: async () => (await import("./formats/scene-graph.ts")).exportSceneGraph,
  },
  rooms: {
    endings: [".json"],
    is: "rooms and the things in them, plain",
    load: async () => (await import("./formats/rooms-json.ts")).exportRooms,
  },
  nav2: {
    endings: [".yaml", ".yml", ".pgm"],
    is: "an occupancy map for Nav2's map_server: .pgm and .yaml",
    load: async () => (await import("./formats/nav2.ts")).exportNav2,
  },
} as const satisfies Record<ExportFormat, Format>;

/** The format implied by a file's name. */
export function formatOf(path: string): ExportFormat {
  const name = path.toLowerCase();
  const fitting = EXPORT_FORMATS.flatMap((format) =>
    FORMATS[format].endings.filter((ending) => name.endsWith(ending)).map((ending) => ({ format, ending })),
  ).sort((a, b) => b.ending.length - a.ending.length);
  if (fitting[0] === undefined)
    throw new LociError(
      "invalid-input",
      `"${path}" ends in none of ${EXPORT_FORMATS.flatMap((format) => FORMATS[format].endings).join(", ")}; say which --format it is`,
    );
  return fitting[0].format;
}

/**
 * Writes what a reader sees to a file, in the given format or the one its name implies; the file appears only when
 * complete.
 */
export async function exportReader(
  reader: MemoryReader,
  path: string,
  { format = formatOf(path), ...options }: ExportOptions & { readonly format?: ExportFormat } = {},
): Promise<ExportReport & { readonly format: ExportFormat }> {
  const exporter = await FORMATS[format].load();
  return { format, ...(await exporter(reader, path, options)) };
}

async function exportAll(reader: MemoryReader, path: string, options: ExportOptions): Promise<ExportReport> {
  if (options.atUs !== undefined || options.sceneId !== undefined)
    throw new LociError(
      "invalid-input",
      "jsonl holds everything at all times: leave out the time and the scene, or choose another format",
    );
  const { exportJsonl } = await import("./jsonl.ts");
  const { statSync } = await import("node:fs");
  const { rows } = await exportJsonl(reader, path, {
    ...(options.signal && { signal: options.signal }),
    onProgress: (done) => options.onProgress?.(`${done} rows`),
  });
  return { bytes: statSync(path).size, counts: { rows }, notes: [] };
}
