import { boxFromCentre, centreOf, extentOf } from "../geometry/index.ts";
import { contentId, LIMITS, type RecordInput } from "../schema/core.ts";
import type { RecordedCaption, RecordedGraph } from "../sensors/index.ts";

/** The names under which external statements are filed. */
export interface Filing {
  readonly sceneId: string;
  readonly labels: readonly string[];
}

const POINT = { x: 0.2, y: 0.2, z: 0.2 };

/** A sentence from a robot, one line for each of its sentences; the same one again changes nothing. */
export function captionRecord(
  caption: RecordedCaption,
  { sceneId, labels }: Filing,
): RecordInput | undefined {
  const lines = caption.text
    .split(/(?<=[.!?])\s+|\n+/)
    .map((line) => line.replace(/\s+/g, " ").trim().slice(0, LIMITS.lineChars))
    .filter((line) => line !== "")
    .slice(0, LIMITS.linesPerRecord);
  if (lines.length === 0) return undefined;
  return {
    kind: "caption",
    id: contentId("caption", sceneId, caption.agentId, caption.timeUs, caption.text),
    sceneId,
    author: caption.agentId,
    labels: [...labels],
    validFromUs: caption.timeUs,
    validToUs: caption.endUs,
    text: lines,
    source: "vlm",
    ...(caption.position && { anchor: { submap: caption.mapFrame, p: caption.position } }),
  };
}

/**
 * An external scene graph as our records: objects become tracks with one state; places and rooms stay what they are.
 */
export function graphRecords(graph: RecordedGraph, { sceneId, labels }: Filing): RecordInput[] {
  const common = {
    sceneId,
    author: graph.agentId,
    labels: [...labels],
    validFromUs: graph.timeUs,
    validToUs: null,
  };
  const id = (kind: string, of: string) => contentId(kind, sceneId, graph.agentId, of);
  const anchor = (p: { x: number; y: number; z: number }) => ({ submap: graph.mapFrame, p });
  const rooms = graph.rooms.map(
    (room): RecordInput => ({
      ...common,
      kind: "region",
      id: id("room", room.id),
      type: "room",
      level: 1,
      name: room.name.slice(0, LIMITS.nameChars),
      text: [room.name.slice(0, LIMITS.nameChars)],
      anchor: anchor(room.box ? centreOf(room.box) : room.position),
      ...(room.box && { extent: extentOf(room.box) }),
      children: room.places.map((place) => id("place", place)).slice(0, LIMITS.refsPerRecord),
      leaves: room.places.length,
    }),
  );
  const places = graph.places.map(
    (place): RecordInput => ({
      ...common,
      kind: "place",
      id: id("place", place.id),
      yawRad: 0,
      anchor: anchor(place.position),
      edges: place.neighbours
        .slice(0, LIMITS.refsPerRecord)
        .map(({ to, costM }) => ({ to: id("place", to), costM, type: "clear" as const })),
      ...(place.room !== undefined && { regionId: id("room", place.room) }),
    }),
  );
  const objects = graph.objects.flatMap((object): RecordInput[] => {
    const name = (object.name || object.category || "object").slice(0, LIMITS.nameChars);
    const category = (object.category || name).slice(0, LIMITS.nameChars);
    const box = object.box ?? boxFromCentre(object.position, POINT);
    const trackId = id("track", object.id);
    return [
      { ...common, kind: "track", id: trackId, name, category, text: [name] },
      {
        ...common,
        kind: "state",
        id: id("state", object.id),
        trackId,
        name,
        category,
        text: [name],
        anchor: anchor(centreOf(box)),
        extent: extentOf(box),
        ...(object.room !== undefined && { regionId: id("room", object.room) }),
        ...(object.place !== undefined && { placeId: id("place", object.place) }),
      },
    ];
  });
  return [...rooms, ...places, ...objects];
}
