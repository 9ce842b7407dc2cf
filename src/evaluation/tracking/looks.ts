import { eachHit, type MemoryReader } from "../../memory/index.ts";
import { contentId, LIMITS } from "../../schema/index.ts";
import type { Remembered } from "./remembered.ts";
import type { Truth } from "./truth.ts";
import type { TruthFrame } from "./truth-schema.ts";

/** Scenes separate places in a memory; a simulated recording has one place. */
const SCENE = "default";

/** One detection of one frame and its assigned state; `segment` counts from 1, as masks do. */
export interface Assignment {
  readonly frame: number;
  readonly segment: number;
  readonly stateId: string;
}

/** Assignments from a pipeline whose memory does not keep detections. */
export type Assignments = readonly Assignment[];

/** One detection assigned to a track, and its true thing; null for none. */
export interface Look {
  readonly frame: TruthFrame;
  readonly segment: number;
  readonly thing: string | null;
  readonly stateId: string;
  readonly trackId: string;
}

export interface Looks {
  /** In order of true time, then segment. */
  readonly looks: readonly Look[];
  /** Detections whose frame, segment or state is unknown: a sign of a bug, not of bad tracking. */
  readonly unknown: number;
}

/**
 * The true thing of each assigned detection. From the assignments if they are given; else from detection records and
 * from sightings that name their detection. A detection's id derives from its observation's, which derives from
 * agent, sensor and stamp, and its number.
 */
export async function readLooks(
  reader: MemoryReader,
  truth: Truth,
  remembered: Remembered,
  assignments?: Assignments,
): Promise<Looks> {
  const looks: Look[] = [];
  let unknown = 0;
  const take = (frame: TruthFrame | undefined, segment: number | undefined, stateId: string) => {
    const trackId = remembered.states.get(stateId)?.trackId;
    const thing = segment === undefined ? undefined : frame?.segments[segment - 1];
    if (frame === undefined || segment === undefined || thing === undefined || trackId === undefined)
      unknown++;
    else looks.push({ frame, segment, thing, stateId, trackId });
  };
  if (assignments) {
    const frames = new Map(truth.frames.map((frame) => [frame.index, frame]));
    for (const { frame, segment, stateId } of assignments) take(frames.get(frame), segment, stateId);
  } else {
    const segments = new SegmentNumbers(truth);
    for (const { id, agentId, timeUs, stateId } of await detectionsOf(reader, remembered)) {
      if (!truth.isInWorld(agentId)) continue;
      take(truth.frameAt(agentId, timeUs), segments.of(id, agentId, timeUs), stateId);
    }
  }
  looks.sort((a, b) => a.frame.trueUs - b.frame.trueUs || a.segment - b.segment);
  return { looks, unknown };
}

interface AssignedDetection {
  readonly id: string;
  readonly agentId: string;
  readonly timeUs: number;
  readonly stateId: string;
}

/** A detection before its track was confirmed has no state of its own; a later sighting may name it. */
async function detectionsOf(reader: MemoryReader, remembered: Remembered): Promise<AssignedDetection[]> {
  const found = new Map<string, AssignedDetection>();
  const stateIds = [...remembered.states.keys()];
  const most: number = LIMITS.hitsPerSearch;
  for (let fromUs = -LIMITS.timeUs, page = most; page === most; ) {
    const sightings = await reader.sightings({
      stateIds,
      outcomes: ["seen"],
      during: { fromUs, toUs: null },
      order: "earliest",
    });
    for (const { detectionId, agentId, timeUs, stateId } of sightings) {
      if (detectionId !== undefined) found.set(detectionId, { id: detectionId, agentId, timeUs, stateId });
    }
    page = sightings.length;
    fromUs = sightings.at(-1)?.timeUs ?? fromUs;
  }
  for await (const { record } of eachHit(reader, "detection")) {
    const { id, author, validFromUs, stateId } = record;
    if (stateId !== undefined) found.set(id, { id, agentId: author, timeUs: validFromUs, stateId });
  }
  return [...found.values()];
}

/** A detection's id is a hash of its number, so the number is found by hashing every number of its frame. */
class SegmentNumbers {
  readonly #truth: Truth;
  readonly #frames = new Map<string, Map<string, number>>();

  constructor(truth: Truth) {
    this.#truth = truth;
  }

  of(id: string, agentId: string, timeUs: number): number | undefined {
    const key = `${agentId}/${timeUs}`;
    let numbers = this.#frames.get(key);
    if (numbers === undefined) {
      const { length } = this.#truth.frameAt(agentId, timeUs)?.segments ?? [];
      const observation = contentId("obs", SCENE, agentId, "camera", timeUs);
      numbers = new Map(Array.from({ length }, (_, n) => [contentId("det", observation, n), n + 1]));
      this.#frames.set(key, numbers);
    }
    return numbers.get(id);
  }
}
