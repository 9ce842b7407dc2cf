import { existsSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { contentId, LociError, type QuestionRecord, type RecordInput } from "../../schema/index.ts";
import { type Dataset, type DatasetScene, readJson, SOME_TIME_US } from "./dataset.ts";
import type { OrientedBox } from "./oriented-box.ts";
import { roomQuestions } from "./room-questions.ts";

const triple = z.tuple([z.number(), z.number(), z.number()]);
const boxSchema = z.object({
  centroid: triple,
  axesLengths: z.tuple([z.number().min(0), z.number().min(0), z.number().min(0)]),
  /** Three unit axes, one after the other. */
  normalizedAxes: z.array(z.number()).length(9),
  min: triple,
  max: triple,
});
const roomSchema = z.object({
  room_size: z.number().positive(),
  object_counts: z.record(z.string(), z.int().min(0)),
  object_bbox: z.record(z.string(), z.array(boxSchema).max(10_000)),
});
type Room = z.infer<typeof roomSchema>;

const FILES = ["scannet.json", "scannetpp.json", "arkitscenes.json"];

/** A labelled box of a room. */
export interface RoomObject {
  readonly trackId: string;
  readonly category: string;
  readonly box: OrientedBox;
}

/**
 * VSI-Bench's meta information: real rooms as labelled boxes. A box becomes a track with one state; counts, sizes,
 * distances, directions and the nearest follow from the boxes, so the questions are made here.
 */
export function loadVsiBench(folder: string): Dataset {
  const files = FILES.filter((file) => existsSync(join(folder, file)));
  if (files.length === 0)
    throw new LociError(
      "invalid-input",
      `vsi-bench: expected ${FILES.join(" or ")} in ${folder}, found none`,
    );
  const notes = [
    "Distances are between the nearest points of the boxes; a size is the longest side of a box.",
  ];
  const scenes = files.flatMap((file) => {
    const rooms = readJson("vsi-bench", folder, file, z.record(z.string(), roomSchema));
    return Object.entries(rooms).map(([name, room]) =>
      sceneOf(`${file.replace(".json", "")}-${name}`, room, notes),
    );
  });
  return { name: "vsi-bench", scenes, excluded: [], notes };
}

function sceneOf(id: string, room: Room, notes: string[]): DatasetScene {
  const objects = Object.entries(room.object_bbox).flatMap(([category, boxes]) =>
    boxes.map((box, i) => ({
      trackId: contentId("track", id, category, i),
      category,
      box: { centre: vector(box.centroid), lengths: box.axesLengths, axes: axesOf(box.normalizedAxes) },
      bounds: { min: vector(box.min), max: vector(box.max) },
    })),
  );
  const disputed = Object.entries(room.object_counts)
    .filter(([category, count]) => (room.object_bbox[category]?.length ?? 0) !== count)
    .map(([category]) => category);
  for (const category of disputed)
    notes.push(`${id}: ${category} has another count than boxes; it is not counted in questions.`);
  const questions: QuestionRecord[] = roomQuestions(id, objects, new Set(disputed));
  return {
    id,
    questions,
    records: objects.flatMap((object) => recordsOf(id, object)),
    sightings: objects.map(({ trackId }) => ({
      stateId: stateIdOf(trackId),
      timeUs: SOME_TIME_US,
      outcome: "seen" as const,
    })),
    floorAreaM2: room.room_size,
  };
}

function recordsOf(
  sceneId: string,
  {
    trackId,
    category,
    box,
    bounds,
  }: RoomObject & { readonly bounds: { readonly min: Vector; readonly max: Vector } },
): RecordInput[] {
  const { min, max } = bounds;
  const common = { sceneId, validFromUs: SOME_TIME_US, validToUs: null, text: [category] };
  const attribute = (value: number) => ({ value, p: 1, support: 1, lastUs: SOME_TIME_US });
  return [
    { ...common, kind: "track", id: trackId, name: category, category },
    {
      ...common,
      kind: "state",
      id: stateIdOf(trackId),
      trackId,
      name: category,
      category,
      anchor: {
        submap: "world",
        p: { x: (min.x + max.x) / 2, y: (min.y + max.y) / 2, z: (min.z + max.z) / 2 },
      },
      extent: { x: max.x - min.x, y: max.y - min.y, z: max.z - min.z },
      attributes: { longestSideM: attribute(Math.max(...box.lengths)) },
    },
  ];
}

type Vector = { readonly x: number; readonly y: number; readonly z: number };

function vector([x, y, z]: readonly [number, number, number]): Vector {
  return { x, y, z };
}

function axesOf(flat: readonly number[]): OrientedBox["axes"] {
  const axis = (i: number) => ({ x: flat[3 * i]!, y: flat[3 * i + 1]!, z: flat[3 * i + 2]! });
  return [axis(0), axis(1), axis(2)];
}

function stateIdOf(trackId: string): string {
  return trackId.replace(/^track/, "state");
}
