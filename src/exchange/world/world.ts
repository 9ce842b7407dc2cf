import { apply, type FrameGraph, polygonArea, type Transform, type Vec3 } from "../../geometry/index.ts";
import { type RecordOf, WORLD_FRAME } from "../../schema/core.ts";

export interface WorldOptions {
  /** The moment; default: the latest that the memory knows. */
  readonly atUs?: number;
  /** Only this scene; default: all that the reader sees. */
  readonly sceneId?: string;
}

/** What the memory believes of a place at one moment. */
export interface World {
  readonly atUs: number;
  readonly graph: FrameGraph;
  /** Heights of the storeys, lowest first; never empty. */
  readonly floorsM: readonly number[];
  readonly rooms: readonly WorldRoom[];
  readonly things: readonly WorldThing[];
  readonly places: readonly WorldPlace[];
}

export interface WorldRoom {
  readonly id: string;
  readonly name: string;
  /** Index of its storey. */
  readonly floor: number;
  /** Corners on the floor, counter-clockwise seen from above, the last not repeated. */
  readonly ring: readonly Vec3[];
  readonly areaM2: number;
  readonly validFromUs: number;
}

/** A thing as a box. `id` is its state's: after a move, the same track has another state. */
export interface WorldThing {
  readonly id: string;
  readonly trackId: string;
  readonly type: RecordOf<"track">["type"];
  readonly name: string;
  readonly category: string;
  /** The centre of the box, rotated with its submap. */
  readonly worldFromBox: Transform;
  readonly sizeM: Vec3;
  readonly validFromUs: number;
  readonly validToUs: number | null;
  readonly lastSeenUs: number | null;
  readonly attributes: Readonly<Record<string, string | number | boolean>>;
  readonly roomId?: string;
  readonly placeId?: string;
  readonly supportedBy?: string;
  readonly insideOf?: string;
}

export interface WorldPlace {
  readonly id: string;
  readonly position: Vec3;
  readonly yawRad: number;
  readonly roomId?: string;
  readonly edges: readonly { readonly to: string; readonly costM: number }[];
}

/** Rooms this close in height are on one floor. */
const STOREY_M = 1.5;

export function roomOf(
  record: RecordOf<"region">,
  ring: readonly Vec3[],
  floorsM: readonly number[],
): WorldRoom {
  const area = polygonArea({ points: ring });
  return {
    id: record.id,
    name: record.name,
    floor: floorAt(floorsM, lowest(ring)),
    ring: area < 0 ? ring.toReversed() : ring,
    areaM2: Math.abs(area),
    validFromUs: record.validFromUs,
  };
}

/** The corners of a region in the world; a hull is given in the frame of its anchor. */
export function ringOf({ hull, anchor }: RecordOf<"region">, graph: FrameGraph): Vec3[] {
  const worldFromSubmap = graph.resolve(WORLD_FRAME, anchor?.submap ?? WORLD_FRAME);
  return worldFromSubmap ? (hull ?? []).map((corner) => apply(worldFromSubmap, corner)) : [];
}

/**
 * Whether a state was merged into another record: it ends at the instant it began, and was never a place of its own.
 */
export function isMergedAway({
  validFromUs,
  validToUs,
}: {
  readonly validFromUs: number;
  readonly validToUs: number | null;
}): boolean {
  return validToUs !== null && validToUs - validFromUs <= 1;
}

/** The storeys given by heights of floors, lowest first; one at zero if there are none. */
export function floorsOf(heightsM: readonly number[]): number[] {
  const floors: number[] = [];
  for (const z of [...heightsM].sort((a, b) => a - b)) {
    if (floors.length === 0 || z - floors.at(-1)! > STOREY_M) floors.push(z);
  }
  return floors.length === 0 ? [0] : floors;
}

/** The floor of a height: the highest one that is not above it, within noise. */
export function floorAt(floorsM: readonly number[], z: number): number {
  const above = floorsM.findIndex((floorM) => floorM > z + 0.35);
  return above < 0 ? floorsM.length - 1 : Math.max(0, above - 1);
}

export function lowest(ring: readonly Vec3[]): number {
  return Math.min(...ring.map(({ z }) => z));
}
