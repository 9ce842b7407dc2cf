import {
  apply,
  type Box,
  boxFromCentre,
  type FrameGraph,
  transformBox,
  type Vec3,
} from "../../geometry/index.ts";
import { WORLD_FRAME } from "../../schema/core.ts";
import { COLUMN, type Dictionaries, type Row } from "./codec.ts";

const NO_EXTENT = { x: 0, y: 0, z: 0 };

/** The position of a record in the world, by one revision of the map. */
export interface Place {
  readonly centre: Vec3;
  readonly box: Box;
}

/** The place of a row, or undefined if it has none or its submap is not connected to the world. */
export function placeOfRow(
  { names }: Pick<Dictionaries, "names">,
  row: Row,
  frames: FrameGraph,
  revision?: number,
): Place | undefined {
  if (row[COLUMN.submap] === null) return undefined;
  const submap = names.textOf(row[COLUMN.submap]!);
  const transform = frames.resolve(WORLD_FRAME, submap, revision === undefined ? {} : { revision });
  if (transform === undefined) return undefined;
  const p = { x: Number(row[COLUMN.x]), y: Number(row[COLUMN.y]), z: Number(row[COLUMN.z]) };
  const extent =
    row[COLUMN.sx] === null
      ? NO_EXTENT
      : { x: Number(row[COLUMN.sx]), y: Number(row[COLUMN.sy]), z: Number(row[COLUMN.sz]) };
  return { centre: apply(transform, p), box: transformBox(transform, boxFromCentre(p, extent)) };
}
