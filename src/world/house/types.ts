import type { Polygon, Vec3 } from "../../geometry/index.ts";
import type { Light, Paint, Solid } from "../solid.ts";

/**
 * The contract of the house with the sensors, the question generator and the viewer. Own axes of everything, a
 * thing or one of its solids, follow REP-103: x points to its front, y to its left, z up; so a decal on "front"
 * is on the +x face, "left" on +y, "back" on −x, "right" on −y.
 */
export type ThingType = "structure" | "furniture" | "small" | "door" | "window" | "person" | "vehicle";

/** One thing with a lasting identity: what a memory should remember as one track. */
export interface HouseThing {
  /** Category and a count within the house: "mug-3". */
  readonly id: string;
  /** Instance number ≥ 1, unique in the house; the number in Solid.thing and in instance masks. */
  readonly number: number;
  readonly category: string;
  /** The fine name without attributes: "coffee mug". */
  readonly name: string;
  readonly type: ThingType;
  /** One of the twelve of COLOUR_NAMES. */
  readonly colour?: string;
  readonly material?: string;
  /** What is printed on it. */
  readonly text?: string;
  /** Reading distance relative to print on household things; default 1. */
  readonly lettering?: number;
  /** A person's name. */
  readonly owner?: string;
  readonly affordances: readonly string[];
  /** Names out of FLUENTS that it has. */
  readonly fluents: readonly FluentName[];
  /** Whether people carry it about. */
  readonly movable: boolean;
  /** Room id; "outside" for a thing that comes later. */
  readonly roomAtStart: string;
}

/** Moves by itself: not an obstacle for planning, since it will be elsewhere. */
export function isMover({ type }: HouseThing): boolean {
  return type === "person" || type === "vehicle";
}

/** The states that change and the values they take; the first value is the resting one. */
export const FLUENTS = {
  openness: ["closed", "open"],
  power: ["off", "on"],
  fill: ["empty", "full"],
  making: ["made", "unmade"],
  occupancy: ["free", "occupied"],
} as const;

export type FluentName = keyof typeof FLUENTS;
export type FluentValues = { readonly [name in FluentName]?: string };

/** Where a thing is at one moment. The box is that of the body at rest: an open door swings out of it. */
export interface Placement {
  /** Of the box, in the world. */
  readonly centre: Vec3;
  /** Full size along its own axes. */
  readonly extent: Vec3;
  /** A multiple of 15°: see YAWS. */
  readonly yawRad: number;
  /** Null while outside the house. */
  readonly room: string | null;
  /** Thing it rests on, hangs on (a wall, the ceiling) or is carried by. */
  readonly supportedBy?: string;
  /** Thing whose cavity or open shelf it is in. */
  readonly insideOf?: string;
  /** Inside something closed, or away. */
  readonly hidden: boolean;
}

export const ROOM_TYPES = [
  "hallway",
  "kitchen",
  "living room",
  "bedroom",
  "bathroom",
  "office",
  "dining room",
  "laundry",
  "children's room",
  "garage",
  "library",
  "gym",
] as const;
export type RoomType = (typeof ROOM_TYPES)[number];

/** A part of the floor with a name: a room, an aisle, a bay, a block of a campus. */
export interface Room {
  /** "living-room-1" */
  readonly id: string;
  /** One of ROOM_TYPES in a house. */
  readonly type: string;
  /** As people call it: "kitchen", "Anna's bedroom", "aisle C". */
  readonly name: string;
  /** A sign in it shows its name, so that an agent that was there can know it. */
  readonly isSigned?: boolean;
  readonly floor: number;
  /** The inner faces of its walls, from the floor to the ceiling. */
  readonly polygon: Polygon;
  readonly floorZM: number;
  readonly ceilingM: number;
  /** "bright", "quiet", "cosy"… */
  readonly ambience: readonly string[];
  readonly owner?: string;
  /** Ids of openings. */
  readonly doors: readonly string[];
  readonly windows: readonly string[];
}

/** A hole in a wall: a door with a leaf, an arch without one, the entrance, or a window. */
export interface Opening {
  readonly id: string;
  readonly kind: "door" | "arch" | "entrance" | "window";
  /** The second is null where it leads outside. */
  readonly rooms: readonly [string, string | null];
  readonly floor: number;
  /** The direction in which its wall runs. */
  readonly along: "x" | "y";
  /** Middle of the hole at its lower edge, in the middle of the wall. */
  readonly centre: Vec3;
  readonly widthM: number;
  readonly heightM: number;
  /** The leaf or the pane; an arch has none. */
  readonly thing?: string;
  /** The frame around a doorway. */
  readonly frame?: string;
  /** For a leaf: the end of the hole (towards −/+ of `along`) with the hinge, and the side (−/+ across) it opens to. */
  readonly hinge?: -1 | 1;
  readonly swing?: -1 | 1;
}

/** A straight flight; the robot's way between two floors. */
export interface Stair {
  readonly thing: string;
  readonly fromFloor: number;
  readonly toFloor: number;
  /** Free standing points before the first and behind the last step, on the floors. */
  readonly foot: Vec3;
  readonly head: Vec3;
}

/** A light that a lamp or a window gives; lamps shine while their power is on. */
export interface HouseLight extends Light {
  readonly thing: string;
  readonly room: string;
  readonly kind: "lamp" | "window";
}

/** A solid in its thing's own axes, from the middle of the bottom of the thing's box. */
export type Part = Omit<Solid, "thing">;

export type Rgb = Paint["rgb"];

/** What a model needs to rebuild a thing's solids in any of its states. */
export interface Look {
  readonly model: string;
  readonly size: Vec3;
  readonly main: Rgb;
  readonly accent: Rgb;
  readonly material: string;
  /** Small choices within a model: handle side, stripe pattern, number of cushions. */
  readonly variant: number;
  readonly text?: string;
  /** Given outright for structure, whose walls have holes of their own. */
  readonly parts?: readonly Part[];
}

/** The initial state of a thing; the timeline continues from here. */
export interface Start {
  readonly placement: Placement;
  readonly fluents: FluentValues;
  readonly look: Look;
}

export interface House {
  readonly seed: string;
  readonly floors: number;
  readonly rooms: readonly Room[];
  readonly openings: readonly Opening[];
  readonly stairs: readonly Stair[];
  /** In order of number: `things[i].number === i + 1`. */
  readonly things: readonly HouseThing[];
  /** In the order of things; always with a placement: things that arrive later are hidden with room null. */
  readonly starts: readonly Start[];
  readonly lights: readonly HouseLight[];
  /** Names of the people who live here. */
  readonly people: readonly string[];
}

export interface HouseOptions {
  /** 4–14, hallways included. */
  readonly rooms?: number;
  /** 1 or 2. */
  readonly floors?: number;
  /** 60–400: furniture, doors, windows and small things; structure and people are not counted. */
  readonly objects?: number;
  /** 0 keeps the usual room for each thing, 1 puts small things anywhere: how far a prior may be wrong. */
  readonly perturbation?: number;
}

/** The world at one moment: the input of the checker, the relations and the navigation. */
export interface HouseSnapshot {
  readonly house: House;
  placementOf(thingId: string): Placement | undefined;
  fluentOf(thingId: string, fluent: FluentName): string | undefined;
  /** Empty while the thing is away. */
  solidsOf(thingId: string): readonly Solid[];
}
