import type { Vec3 } from "../geometry/index.ts";

/**
 * The interface between the house generator and the sensors: coloured convex solids, each part of one thing. A chair
 * is a seat, a back and four legs that share the thing's number.
 */
export interface Solid {
  /** The instance it belongs to; 0 is structure without identity (outer ground). */
  readonly thing: number;
  readonly shape: "box" | "cylinder" | "ellipsoid";
  readonly centre: Vec3;
  /** Full size along its own axes; a cylinder's axis is z. */
  readonly size: Vec3;
  readonly yawRad: number;
  readonly paint: Paint;
}

/** How a surface looks before light falls on it. Colours are linear-ish sRGB bytes. */
export interface Paint {
  readonly rgb: readonly [number, number, number];
  readonly texture:
    | "plain"
    | "wood"
    | "planks"
    | "tiles"
    | "carpet"
    | "fabric"
    | "brick"
    | "stripes"
    | "checker"
    | "books"
    | "metal"
    | "glass"
    | "picture"
    | "leaves"
    | "screen";
  /** Period of the pattern in metres. */
  readonly periodM: number;
  /** Second colour of the pattern. */
  readonly accent?: readonly [number, number, number];
  /** 0 lit by the room, 1 shines by itself (lamps that are on, screens). */
  readonly glow?: number;
  /** Letters painted on one face, readable from 1.5 m at 640×480. */
  readonly decal?: {
    readonly text: string;
    readonly rgb: readonly [number, number, number];
    readonly face: "front" | "back" | "left" | "right" | "top";
  };
}

/** A light for shading: rooms have ceiling lights and windows; the sun's reach is Infinity. */
export interface Light {
  readonly position: Vec3;
  readonly rgb: readonly [number, number, number];
  readonly reachM: number;
}
