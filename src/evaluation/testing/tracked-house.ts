import type { Vec3 } from "../../geometry/index.ts";
import { contentId, type RecordInput, type SightingInput } from "../../schema/index.ts";
import { worldFromOptical } from "../../world/sensors/index.ts";
import { parseTruth, type Truth } from "../tracking/truth.ts";
import type { TruthDocument, TruthThing } from "../tracking/truth-schema.ts";

/** For tests: a house of two rooms, a minute long, and the memory that a perfect pipeline would make of it. */
const START_US = 1_000_000_000;
const SECOND_US = 1_000_000;
const CLOCK_OFFSET_US = 200_000;

/** When each thing is where; the last place holds to the end, undefined is away. */
interface Script {
  readonly thing: Partial<TruthThing> & { readonly id: string; readonly category: string };
  readonly places: readonly { readonly fromS: number; readonly at: Vec3 | undefined }[];
}

const SCRIPTS: readonly Script[] = [
  {
    thing: { id: "mug-1", category: "mug", type: "small" },
    places: [{ fromS: 0, at: { x: 0.6, y: 3, z: 1 } }],
  },
  {
    thing: { id: "mug-2", category: "mug", type: "small" },
    places: [{ fromS: 0, at: { x: 1.3, y: 3, z: 1 } }],
  },
  {
    thing: { id: "lamp-1", category: "lamp", type: "furniture", fluents: ["power"], colour: "red" },
    places: [{ fromS: 0, at: { x: 2, y: 3, z: 1 } }],
  },
  {
    thing: { id: "book-1", category: "book", type: "small" },
    places: [
      { fromS: 0, at: { x: 3.4, y: 3, z: 1 } },
      { fromS: 20, at: { x: 7, y: 3, z: 1 } },
    ],
  },
  {
    thing: { id: "vase-1", category: "vase", type: "small" },
    places: [
      { fromS: 0, at: { x: 2.7, y: 3, z: 1 } },
      { fromS: 30, at: undefined },
    ],
  },
];

const roomOf = (at: Vec3) => (at.x < 4 ? "kitchen-1" : "office-1");

/**
 * The agent looks along +y from the middle of the kitchen for twenty seconds, then of the office, then of the kitchen
 * again, once a second; everything in its room is seen whole. Segments are in the order of the things.
 */
export function smallTruth(change: (document: TruthDocument) => TruthDocument = (same) => same): Truth {
  const frames: TruthDocument["frames"] = [];
  for (let second = 0; second < 60; second++) {
    const room = second < 20 || second >= 40 ? "kitchen-1" : "office-1";
    const seen = SCRIPTS.filter((script) => {
      const at = placeAt(script, second);
      return at !== undefined && roomOf(at) === room;
    }).map(({ thing }) => thing.id);
    frames.push({
      index: second,
      agentId: "robot-1",
      trueUs: START_US + second * SECOND_US,
      room,
      worldFromCamera: worldFromOptical({ x: room === "kitchen-1" ? 2 : 6, y: 1, z: 1.5 }, Math.PI / 2, -0.3),
      segments: seen,
      visible: seen.map((thing) => ({ thing, pixels: 200, fraction: 1 })),
    });
  }
  const square = (id: string, type: string, minX: number) => ({
    id,
    type,
    name: type,
    floor: 0,
    polygon: {
      points: [
        { x: minX, y: 0 },
        { x: minX + 3.9, y: 0 },
        { x: minX + 3.9, y: 4 },
        { x: minX, y: 4 },
      ],
      minZ: 0,
      maxZ: 2.6,
    },
  });
  return parseTruth(
    change({
      version: 1,
      settings: { seed: "test", fps: 1, size: { width: 160, height: 120 }, horizontalFovDeg: 120 },
      startUs: START_US,
      durationUs: 60 * SECOND_US,
      agents: [{ id: "robot-1", clockOffsetUs: CLOCK_OFFSET_US, mapFrame: "world" }],
      house: {
        rooms: [square("kitchen-1", "kitchen", 0), square("office-1", "office", 4)],
        things: SCRIPTS.map(({ thing }) => ({ name: thing.category, type: "small", fluents: [], ...thing })),
      },
      histories: Object.fromEntries(SCRIPTS.map((script) => [script.thing.id, historyOf(script)])),
      events: [],
      frames,
    }),
  );
}

function placeAt({ places }: Script, second: number): Vec3 | undefined {
  return places.findLast(({ fromS }) => fromS <= second)?.at;
}

function historyOf({ thing, places }: Script): TruthDocument["histories"][string] {
  return {
    segments: places.map(({ fromS, at }, i) => ({
      fromUs: START_US + fromS * SECOND_US,
      toUs: places[i + 1] ? START_US + places[i + 1]!.fromS * SECOND_US : null,
      ...(at && {
        placement: {
          centre: at,
          extent: { x: 0.5, y: 0.5, z: 0.5 },
          yawRad: 0,
          room: roomOf(at),
          hidden: false,
        },
      }),
    })),
    fluents: thing.fluents?.includes("power") ? { power: [{ timeUs: START_US, value: "on" }] } : {},
  };
}

export interface FixtureMemory {
  readonly records: RecordInput[];
  readonly sightings: SightingInput[];
}

/** One track per thing, one state per place it was seen at, every detection assigned to its state, both rooms. */
export function perfectMemory(truth: Truth): FixtureMemory {
  const records: RecordInput[] = [];
  const sightings: SightingInput[] = [];
  for (const [id, x] of [
    ["kitchen-1", 0],
    ["office-1", 4],
  ] as const) {
    const hull = truth.room(id)!.polygon.points.map((point) => ({ ...point, z: 0 }));
    const anchor = { submap: "world", p: { x: x + 2, y: 2, z: 0 } };
    records.push({
      kind: "region",
      id: `room-${id}`,
      type: "room",
      level: 1,
      name: id.replace("-1", ""),
      hull,
      anchor,
      validFromUs: START_US,
      validToUs: null,
    });
  }
  for (const { id, category, colour } of truth.things) {
    records.push({
      kind: "track",
      id: `track-${id}`,
      name: category,
      category,
      validFromUs: START_US,
      validToUs: null,
    });
    truth.staysOf(id).forEach(({ placement, fromUs, toUs, looks }, n) => {
      if (looks.length === 0) return;
      const goneUs = toUs === null ? undefined : stampOf(40);
      records.push({
        kind: "state",
        id: stateIdOf(id, n),
        trackId: `track-${id}`,
        author: "robot-1",
        name: category,
        category,
        validFromUs: fromUs + CLOCK_OFFSET_US,
        validToUs: goneUs ?? null,
        anchor: { submap: "world", p: placement.centre },
        extent: placement.extent,
        regionId: `room-${placement.room}`,
        ...(n > 0 && { movedFrom: { stateId: stateIdOf(id, n - 1), p: 0.9 } }),
        attributes: {
          ...(id === "lamp-1" && { power: { value: "on", p: 1, support: 3, lastUs: fromUs } }),
          ...(colour && { colour: { value: colour, p: 1, support: 3, lastUs: fromUs } }),
        },
      });
      for (const { index } of looks) sightings.push(seen(stateIdOf(id, n), index));
      if (goneUs !== undefined) {
        sightings.push({ stateId: stateIdOf(id, n), timeUs: goneUs, outcome: "absent", agentId: "robot-1" });
      }
    });
  }
  for (const frame of truth.frames) {
    frame.segments.forEach((thing, n) => {
      const stays = truth.staysOf(thing!);
      const stay = stays.findIndex((one) => one.looks.includes(frame));
      const timeUs = stampOf(frame.index);
      const observationId = contentId("obs", "default", "robot-1", "camera", timeUs);
      if (n === 0) {
        const at = { validFromUs: timeUs, validToUs: timeUs + 1, author: "robot-1" };
        records.push({ kind: "observation", id: observationId, sensorId: "camera", ...at });
      }
      records.push({
        kind: "detection",
        id: contentId("det", contentId("obs", "default", "robot-1", "camera", timeUs), n),
        observationId,
        stateId: stateIdOf(thing!, stay),
        author: "robot-1",
        score: 1,
        validFromUs: timeUs,
        validToUs: timeUs + 1,
      });
    });
  }
  return { records, sightings };
}

/** The agent's stamp of a frame. */
export function stampOf(second: number): number {
  return START_US + second * SECOND_US + CLOCK_OFFSET_US;
}

export function stateIdOf(thing: string, stay: number): string {
  return `state-${thing}-${stay}`;
}

function seen(stateId: string, second: number): SightingInput {
  return { stateId, timeUs: stampOf(second), outcome: "seen", agentId: "robot-1" };
}
