import type { ColourName } from "./palette.ts";
import type { FluentName, FluentValues, Look, Part } from "./types.ts";

export type Range = readonly [number, number];

/**
 * A flat place on or in a piece of furniture for small things, in the furniture's own axes. A "top" is in the open, a
 * "shelf" is inside but visible, a "cavity" is hidden while the furniture is closed.
 */
export interface Shelf {
  readonly kind: "top" | "shelf" | "cavity";
  readonly minX: number;
  readonly maxX: number;
  readonly minY: number;
  readonly maxY: number;
  readonly z: number;
  /** Free height above it. */
  readonly heightM: number;
}

/** One kind of thing: how big, of what, in which colours, and how to build its solids. */
export interface Model {
  readonly category: string;
  /** Fine names; one is drawn. */
  readonly names: readonly string[];
  /** Depth (x), width (y), height (z), each drawn from its range. */
  readonly size: readonly [Range, Range, Range];
  readonly colours: readonly ColourName[];
  readonly materials: readonly string[];
  readonly affordances: readonly string[];
  readonly fluents?: readonly FluentName[];
  /** A list of TEXTS to print from. */
  readonly texts?: string;
  readonly parts: (look: Look, state: FluentValues) => Part[];
  readonly shelves?: (look: Look) => Shelf[];
  /** Floor to keep clear in front of it, for people and for its doors. */
  readonly clearM?: number;
  /** Carried about by people. */
  readonly movable?: boolean;
  /** How far its drawer, with its contents, comes out when opened. */
  readonly slideM?: number;
  /** Wall furniture: height of its underside over the floor. */
  readonly hangM?: Range;
}

/** A whole top. */
export function topShelf(look: Look, heightM = 0.5, inset = 0.02): Shelf {
  return {
    kind: "top",
    minX: -look.size.x / 2 + inset,
    maxX: look.size.x / 2 - inset,
    minY: -look.size.y / 2 + inset,
    maxY: look.size.y / 2 - inset,
    z: look.size.z,
    heightM,
  };
}

export const isOpen = (state: FluentValues): boolean => state.openness === "open";
export const isOn = (state: FluentValues): boolean => state.power === "on";
