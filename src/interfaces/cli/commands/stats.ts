import { clocksSeen, mapsSeen } from "../../../compose.ts";
import { clockLine } from "../clock-text.ts";
import { type MemoryOptions, type ReadAs, readerOptions, withMemory } from "../open.ts";
import { countOf, type Terminal, timeText } from "../terminal.ts";

interface StatsOptions extends MemoryOptions, ReadAs {
  readonly scene?: string;
}

export async function run(options: StatsOptions, terminal: Terminal): Promise<void> {
  const { stats, maps, clocks } = await withMemory(options, { create: false }, async (memory) => {
    const view = memory.as(readerOptions(options));
    const reader = await view.reader();
    const [maps, clocks] = [await mapsSeen(reader, options.scene), await clocksSeen(reader, options.scene)];
    return { stats: await view.stats(), maps, clocks };
  });
  const { records } = stats;
  const report = {
    ...stats,
    frames: records.observation,
    frameEdges: stats.frames,
    detections: records.detection,
    tracks: records.track,
    states: records.state,
    views: records.view,
    captions: records.caption,
    maps,
    clocks,
  };
  terminal.result(report, () => {
    const kinds = Object.entries(records).filter(([, n]) => n > 0);
    const lines = kinds.map(([kind, n]) => countOf(n, kind));
    lines.push(
      `${countOf(stats.versions, "version")}, ${countOf(stats.sightings, "sighting")}, ${countOf(stats.texts, "text")}, ${countOf(stats.vectors, "vector")}, ${countOf(stats.blobs, "blob")}`,
    );
    if (stats.firstUs !== null && stats.lastUs !== null)
      lines.push(`from ${timeText(stats.firstUs)} to ${timeText(stats.lastUs)}`);
    lines.push(
      `embedder ${stats.embedder ? `${stats.embedder.id}, ${stats.embedder.dim}-d` : "none yet"}; map revision ${stats.mapRevision}; ${(stats.bytes / 1e6).toFixed(2)} MB on disk`,
    );
    const [first, ...others] = maps;
    if (first && others.length > 0)
      lines.push(
        `${maps.length} maps that are not joined: ${maps.map(({ root, agents }) => `"${root}" of ${agents.join(", ")}`).join("; ")} (align joins them)`,
      );
    for (const clock of clocks) lines.push(clockLine(clock));
    return lines.join("\n");
  });
}
