import { NOWHERE } from "../geometry/index.ts";
import { LociError, WORLD_FRAME } from "../schema/core.ts";
import type { RecordingReader } from "../sensors/index.ts";
import type { Arriving } from "./arriving.ts";

/** The recording placed in the map that was requested or found. */
export function inMapOf(
  { recording, report, edges = [] }: Arriving,
  asked: string | undefined,
): RecordingReader {
  const name = report?.map ?? asked;
  const own = name === undefined || name === WORLD_FRAME ? recording : inOwnMap(recording, name);
  if (edges.length === 0) return own;
  const receivedAtUs = recording.info.startUs ?? 0;
  return {
    ...own,
    close: () => own.close(),
    async *items(options = {}) {
      const { frameEdgeSchema, parseOrThrow } = await import("../schema/index.ts");
      for (const edge of edges)
        yield {
          kind: "edge",
          edge: { receivedAtUs, edge: parseOrThrow(frameEdgeSchema, edge, "frame edge") },
        };
      yield* own.items(options);
    },
  };
}

/** Refuses a name for a map that could be taken for another frame. */
export function checkMapName(name: string): void {
  if (!/^[A-Za-z0-9][\w.-]{0,47}$/.test(name) || name === NOWHERE)
    throw new LociError(
      "invalid-input",
      `expected a name for the map such as robot-1.tuesday, got "${name.slice(0, 64)}"`,
    );
}

/** The recording in a map of its own: every frame name, including the map's root, is prefixed with the map's name. */
function inOwnMap(recording: RecordingReader, root: string): RecordingReader {
  const named = (frame: string) => (frame === WORLD_FRAME ? root : `${root}:${frame}`);
  return {
    ...recording,
    close: () => recording.close(),
    async *items(options = {}) {
      for await (const item of recording.items(options)) {
        if (item.kind === "frame") {
          const { submap, mapFrame } = item.frame;
          yield {
            kind: "frame",
            frame: {
              ...item.frame,
              mapFrame: named(mapFrame),
              ...(submap && { submap: { ...submap, frame: named(submap.frame) } }),
            },
          };
        } else if (item.kind === "edge") {
          const { parent, child } = item.edge.edge;
          const edge = { ...item.edge.edge, parent: named(parent), child: named(child) };
          yield { kind: "edge", edge: { ...item.edge, edge } };
        } else yield item;
      }
    },
  };
}
