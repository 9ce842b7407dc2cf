import { existsSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { fromMatrix, type OrientedBox } from "../../geometry/index.ts";
import {
  contentId,
  type FrameEdgeInput,
  LociError,
  type QuestionRecord,
  type RecordInput,
} from "../../schema/index.ts";
import { type Dataset, type DatasetScene, readJson, SOME_TIME_US } from "./dataset.ts";
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
  /** Where the middle of the scan lies, in the frame of the boxes. */
  room_center: triple.optional(),
});
export type BoxedRoom = z.infer<typeof roomSchema>;

const FILES = ["scannet.json", "scannetpp.json", "arkitscenes.json"];

/** A labelled box of a room. */
export interface RoomObject {
  readonly trackId: string;
  readonly category: string;
  readonly box: OrientedBox;
}

/**
 * VSI-Bench's meta information: real rooms as labelled boxes. A box becomes a track with one state; counts, sizes,
 * distances, directions and the nearest follow from the boxes, so the questions are generated here.
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
    const rooms = readRooms("vsi-bench", folder, file);
    return Object.entries(rooms).map(([name, room]) =>
      sceneOf(`${file.replace(".json", "")}-${name}`, room, notes),
    );
  });
  return { name: "vsi-bench", scenes, excluded: [], notes };
}

/** The rooms of one file by their names. */
export function readRooms(dataset: string, folder: string, file: string): Record<string, BoxedRoom> {
  return readJson(dataset, folder, file, z.record(z.string(), roomSchema));
}

function objectsOf(id: string, { object_bbox }: BoxedRoom): RoomObject[] {
  return Object.entries(object_bbox).flatMap(([category, boxes]) =>
    boxes.map((box, i) => ({
      trackId: contentId("track", id, category, i),
      category,
      box: { centre: vector(box.centroid), lengths: box.axesLengths, axes: axesOf(box.normalizedAxes) },
    })),
  );
}

/** What the boxes of a room say, as records of a memory. */
export function factsOf(
  id: string,
  room: BoxedRoom,
): Pick<DatasetScene, "records" | "sightings" | "frames" | "floorAreaM2"> {
  const objects = objectsOf(id, room);
  return {
    records: objects.flatMap((object) => recordsOf(id, object)),
    sightings: objects.map(({ trackId }) => ({
      stateId: stateIdOf(trackId),
      timeUs: SOME_TIME_US,
      outcome: "seen" as const,
    })),
    frames: objects.map(frameOf),
    floorAreaM2: room.room_size,
  };
}

function sceneOf(id: string, room: BoxedRoom, notes: string[]): DatasetScene {
  const objects = objectsOf(id, room);
  const disputed = Object.entries(room.object_counts)
    .filter(([category, count]) => (room.object_bbox[category]?.length ?? 0) !== count)
    .map(([category]) => category);
  for (const category of disputed)
    notes.push(`${id}: ${category} has another count than boxes; it is not counted in questions.`);
  const questions: QuestionRecord[] = roomQuestions(id, objects, new Set(disputed));
  return {
    id,
    questions,
    ...factsOf(id, room),
  };
}

/** A box has a frame of its own, so that the memory stores its true sides instead of its bounding box. */
function recordsOf(sceneId: string, { trackId, category, box }: RoomObject): RecordInput[] {
  const [x, y, z] = box.lengths;
  const common = { sceneId, validFromUs: SOME_TIME_US, validToUs: null, text: [category] };
  return [
    { ...common, kind: "track", id: trackId, name: category, category },
    {
      ...common,
      kind: "state",
      id: stateIdOf(trackId),
      trackId,
      name: category,
      category,
      anchor: { submap: frameIdOf(trackId), p: { x: 0, y: 0, z: 0 } },
      extent: { x, y, z },
    },
  ];
}

function frameOf({ trackId, box }: RoomObject): FrameEdgeInput {
  const [a, b, c] = box.axes;
  // Some boxes have left-handed axes; flipping an axis does not change a box.
  const hand = a.x * (b.y * c.z - b.z * c.y) + a.y * (b.z * c.x - b.x * c.z) + a.z * (b.x * c.y - b.y * c.x);
  const s = hand < 0 ? -1 : 1;
  const q = fromMatrix([a.x, b.x, s * c.x, a.y, b.y, s * c.y, a.z, b.z, s * c.z]);
  return {
    parent: "world",
    child: frameIdOf(trackId),
    stampUs: null,
    transform: { p: box.centre, q },
    kind: "static",
    revision: 0,
  };
}

function frameIdOf(trackId: string): string {
  return trackId.replace(/^track/, "frame");
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
