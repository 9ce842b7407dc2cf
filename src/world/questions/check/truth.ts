import { z } from "zod";
import { parseOrThrow } from "../../../schema/index.ts";

/** The parts of truth.json that answers follow from, as plain data; nothing here is shared with the generator. */
const point = z.object({ x: z.number(), y: z.number(), z: z.number() });
const placement = z.object({
  centre: point,
  extent: point,
  yawRad: z.number(),
  room: z.string().nullable(),
  supportedBy: z.string().optional(),
  insideOf: z.string().optional(),
});
const truthFileSchema = z.object({
  settings: z.object({ cameraHeightM: z.number() }),
  startUs: z.number(),
  durationUs: z.number(),
  house: z.object({
    rooms: z.array(
      z.object({
        id: z.string(),
        type: z.string(),
        name: z.string(),
        isSigned: z.boolean().optional(),
        floor: z.number(),
        floorZM: z.number(),
        polygon: z.object({ points: z.array(z.object({ x: z.number(), y: z.number() })) }),
        ambience: z.array(z.string()),
      }),
    ),
    openings: z.array(
      z.object({
        kind: z.string(),
        rooms: z.tuple([z.string(), z.string().nullable()]),
        centre: point,
        thing: z.string().optional(),
      }),
    ),
    stairs: z.array(z.object({ foot: point, head: point })),
    things: z.array(
      z.object({
        id: z.string(),
        category: z.string(),
        name: z.string(),
        type: z.string(),
        colour: z.string().optional(),
        material: z.string().optional(),
        text: z.string().optional(),
        affordances: z.array(z.string()),
        fluents: z.array(z.string()),
        movable: z.boolean(),
      }),
    ),
  }),
  histories: z.record(
    z.string(),
    z.object({
      segments: z.array(
        z.object({
          fromUs: z.number(),
          placement: placement.optional(),
          path: z.array(z.object({ timeUs: z.number(), position: point })).optional(),
          reason: z.string(),
        }),
      ),
      fluents: z.record(z.string(), z.array(z.object({ timeUs: z.number(), value: z.string() }))),
    }),
  ),
  events: z.array(
    z.object({
      type: z.string(),
      timeUs: z.number(),
      endUs: z.number(),
      thing: z.string(),
      other: z.string().optional(),
      who: z.string().nullable(),
      from: z.union([placement, z.string()]).optional(),
      to: z.union([placement, z.string()]).optional(),
    }),
  ),
  frames: z.array(
    z.object({
      agentId: z.string(),
      trueUs: z.number(),
      room: z.string().nullable(),
      worldFromCamera: z.object({
        p: point,
        q: z.object({ w: z.number(), x: z.number(), y: z.number(), z: z.number() }),
      }),
      visible: z.array(z.object({ thing: z.string(), pixels: z.number(), bbox: z.array(z.number()) })),
    }),
  ),
});

type TruthFile = z.infer<typeof truthFileSchema>;
export type TruthThing = TruthFile["house"]["things"][number];
export type TruthRoom = TruthFile["house"]["rooms"][number];
export type TruthEvent = TruthFile["events"][number];
export type TruthPlacement = z.infer<typeof placement>;
export interface TruthFrame {
  readonly agentId: string;
  readonly timeUs: number;
  readonly room: string | null;
  readonly x: number;
  readonly y: number;
  readonly z: number;
  readonly yawRad: number;
  readonly seen: ReadonlyMap<string, { readonly pixels: number; readonly bbox: readonly number[] }>;
}

/** truth.json, read for checking: linear scans over plain arrays, slow and easy to believe. */
export class Truth {
  readonly file: TruthFile;
  readonly frames: readonly TruthFrame[];
  readonly #things: ReadonlyMap<string, TruthThing>;

  constructor(document: unknown) {
    this.file = parseOrThrow(truthFileSchema, document, "truth.json");
    this.#things = new Map(this.file.house.things.map((thing) => [thing.id, thing]));
    const { cameraHeightM } = this.file.settings;
    this.frames = this.file.frames
      .map(({ agentId, trueUs, room, worldFromCamera: { p, q }, visible }) => ({
        agentId,
        timeUs: trueUs,
        room,
        x: p.x,
        y: p.y,
        z: p.z - cameraHeightM,
        // The optical axis is the third column of the rotation.
        yawRad: Math.atan2(2 * (q.y * q.z - q.w * q.x), 2 * (q.x * q.z + q.w * q.y)),
        seen: new Map(visible.map(({ thing, pixels, bbox }) => [thing, { pixels, bbox }])),
      }))
      .sort((a, b) => a.timeUs - b.timeUs);
  }

  get things(): readonly TruthThing[] {
    return this.file.house.things;
  }

  get rooms(): readonly TruthRoom[] {
    return this.file.house.rooms;
  }

  thing(id: string): TruthThing {
    return this.#things.get(id)!;
  }

  segmentIndex(id: string, timeUs: number): number {
    const { segments } = this.file.histories[id]!;
    let found = 0;
    segments.forEach((segment, i) => {
      if (segment.fromUs <= timeUs) found = i;
    });
    return found;
  }

  since(id: string, timeUs: number): number {
    return this.file.histories[id]!.segments[this.segmentIndex(id, timeUs)]!.fromUs;
  }

  /** Where a thing is, with movers on their way. */
  at(id: string, timeUs: number): TruthPlacement | undefined {
    const segment = this.file.histories[id]!.segments[this.segmentIndex(id, timeUs)]!;
    if (segment.placement === undefined || segment.path === undefined) return segment.placement;
    const { path } = segment;
    const after = path.findIndex((p) => p.timeUs > timeUs);
    const b = after < 0 ? path.at(-1)! : path[Math.max(1, after)]!;
    const a = after < 0 ? b : path[Math.max(0, after - 1)]!;
    const share = b.timeUs > a.timeUs ? Math.max(0, (timeUs - a.timeUs) / (b.timeUs - a.timeUs)) : 0;
    const mix = (u: number, v: number): number => u + (v - u) * share;
    const feet = {
      x: mix(a.position.x, b.position.x),
      y: mix(a.position.y, b.position.y),
      z: mix(a.position.z, b.position.z),
    };
    const centre = { ...feet, z: feet.z + segment.placement.extent.z / 2 };
    return { ...segment.placement, centre, room: this.roomOf(feet)?.id ?? segment.placement.room };
  }

  state(id: string, fluent: string, timeUs: number): string | undefined {
    return (this.file.histories[id]!.fluents[fluent] ?? []).filter((c) => c.timeUs <= timeUs).at(-1)?.value;
  }

  isHidden(id: string, timeUs: number): boolean {
    let within = this.at(id, timeUs)?.insideOf;
    for (let depth = 0; within !== undefined && depth < 8; depth++) {
      if (this.state(within, "openness", timeUs) === "closed") return true;
      within = this.at(within, timeUs)?.insideOf;
    }
    return false;
  }

  /** Ids of all that is no structure and in the house. */
  present(timeUs: number): string[] {
    return this.things
      .filter(({ id, type }) => type !== "structure" && this.at(id, timeUs) !== undefined)
      .map(({ id }) => id);
  }

  roomOf(p: { x: number; y: number; z: number }): TruthRoom | undefined {
    return this.rooms.find((room) => {
      const xs = room.polygon.points.map(({ x }) => x);
      const ys = room.polygon.points.map(({ y }) => y);
      const inside =
        p.x >= Math.min(...xs) && p.x <= Math.max(...xs) && p.y >= Math.min(...ys) && p.y <= Math.max(...ys);
      return inside && p.z > room.floorZM - 0.3 && p.z < room.floorZM + 2.4;
    });
  }

  /** Frames until a moment that show a thing with at least this many pixels. */
  sightings(
    id: string,
    untilUs: number,
    leastPixels: number,
    agents?: (id: string) => boolean,
  ): TruthFrame[] {
    return this.frames.filter(
      ({ timeUs, agentId, seen }) =>
        timeUs <= untilUs && (agents?.(agentId) ?? true) && (seen.get(id)?.pixels ?? 0) >= leastPixels,
    );
  }

  /** The agent's frame nearest to a time. */
  frameOf(agentId: string, timeUs: number): TruthFrame | undefined {
    let best: TruthFrame | undefined;
    for (const frame of this.frames)
      if (
        frame.agentId === agentId &&
        (best === undefined || Math.abs(frame.timeUs - timeUs) < Math.abs(best.timeUs - timeUs))
      )
        best = frame;
    return best;
  }
}
