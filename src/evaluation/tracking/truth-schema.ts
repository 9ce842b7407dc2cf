import { z } from "zod";

/**
 * The parts of a simulated recording's truth document that the scorer reads (`world/recorder/truth.ts` writes it).
 * Only used fields are listed, so that the document may grow without breaking old scorers.
 */
const finite = z.number();
const vec3 = z.object({ x: finite, y: finite, z: finite });
const quat = z.object({ w: finite, x: finite, y: finite, z: finite });
const timeUs = z.int();

const placement = z.object({
  centre: vec3,
  extent: vec3,
  yawRad: finite,
  room: z.string().nullable(),
  supportedBy: z.string().optional(),
  insideOf: z.string().optional(),
  hidden: z.boolean(),
});

const segment = z.object({
  fromUs: timeUs,
  toUs: timeUs.nullable(),
  placement: placement.optional(),
  path: z.array(z.object({ timeUs, position: vec3 })).optional(),
});

const history = z.object({
  segments: z.array(segment),
  fluents: z.record(z.string(), z.array(z.object({ timeUs, value: z.string() }))),
});

const thing = z.object({
  id: z.string(),
  category: z.string(),
  name: z.string(),
  type: z.enum(["structure", "furniture", "small", "door", "window", "person", "vehicle"]),
  colour: z.string().optional(),
  material: z.string().optional(),
  text: z.string().optional(),
  fluents: z.array(z.string()),
});

/** A door, an arch or a window in a wall. */
const opening = z.object({
  kind: z.string(),
  along: z.enum(["x", "y"]),
  centre: vec3,
  widthM: finite,
});

const room = z.object({
  id: z.string(),
  type: z.string(),
  name: z.string(),
  floor: z.int(),
  polygon: z.object({
    points: z.array(z.object({ x: finite, y: finite })).min(3),
    minZ: finite,
    maxZ: finite,
  }),
});

const frame = z.object({
  index: z.int().min(0),
  agentId: z.string(),
  trueUs: timeUs,
  room: z.string().nullable(),
  worldFromCamera: z.object({ p: vec3, q: quat }),
  /** The thing behind segment n is at n − 1; null for one that the detector made up. */
  segments: z.array(z.string().nullable()),
  visible: z.array(z.object({ thing: z.string(), pixels: finite, fraction: finite })),
});

export const truthSchema = z.object({
  version: z.literal(1),
  settings: z.object({
    seed: z.union([z.string(), z.number()]),
    fps: z.number().positive(),
    size: z.object({ width: z.int().positive(), height: z.int().positive() }),
    horizontalFovDeg: z.number().positive(),
  }),
  startUs: timeUs,
  durationUs: z.number().positive(),
  agents: z.array(z.object({ id: z.string(), clockOffsetUs: finite, mapFrame: z.string() })),
  house: z.object({ rooms: z.array(room), things: z.array(thing), openings: z.array(opening).optional() }),
  histories: z.record(z.string(), history),
  events: z.array(z.object({ type: z.string(), thing: z.string(), timeUs })),
  frames: z.array(frame),
});

export type TruthDocument = z.output<typeof truthSchema>;
export type TruthThing = z.output<typeof thing>;
export type TruthRoom = z.output<typeof room>;
export type TruthFrame = z.output<typeof frame>;
export type TruthPlacement = z.output<typeof placement>;
export type TruthSegment = z.output<typeof segment>;
