import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { LociError, parseOrThrow } from "../../schema/index.ts";
import type { RecordOptions } from "../../world/recorder/index.ts";

export const HOUSES_FILE = "houses.json";
const MAX_HOUSES = 200;
/** Seeds that were not used while the product was developed. */
const SEEDS: readonly (readonly [number, number])[] = [
  [20_000, 29_999],
  [70_000, 79_999],
];
const SEED_ERROR = `expected a seed of ${SEEDS.map((range) => range.join(" to ")).join(" or ")}`;
/** Families with a truth sheet. */
const PEOPLE_FAMILIES = ["house", "warehouse"] as const;

/** Missing options are drawn by the simulator from the seed. */
const houseSchema = z.strictObject({
  seed: z
    .int()
    .refine((seed) => SEEDS.some(([least, most]) => seed >= least && seed <= most), { message: SEED_ERROR }),
  family: z.enum(PEOPLE_FAMILIES).default("house"),
  /** Robots that tour it concurrently. */
  agents: z.int().min(1).max(4).default(1),
  minutes: z.number().positive().max(120).default(6),
  fps: z.number().positive().max(30).default(2),
  noise: z.number().min(0).max(1).default(0.5),
  /** Things that happen in an hour. */
  rate: z.number().min(0).max(3_600).default(60),
  /** Rooms of a house, aisles of a warehouse. */
  rooms: z.int().min(4).max(14).optional(),
  floors: z.int().min(1).max(2).optional(),
  people: z.int().min(0).max(8).optional(),
  /** Pixels of the pictures, as 320x240. */
  size: z
    .string()
    .regex(/^\d+x\d+$/)
    .optional(),
});

const housesSchema = z
  .array(houseSchema)
  .min(1)
  .max(MAX_HOUSES)
  .refine((houses) => new Set(houses.map(({ seed }) => seed)).size === houses.length, {
    message: "a seed stands there twice",
  });

export type HouseSpec = z.output<typeof houseSchema>;

/** The houses of a folder of questions: `houses.json`, a list of seeds with the options of their recordings. */
export async function readHouses(folder: string): Promise<HouseSpec[]> {
  const path = join(folder, HOUSES_FILE);
  let value: unknown;
  try {
    value = JSON.parse(await readFile(path, "utf8"));
  } catch (error) {
    throw new LociError("invalid-input", `expected a list of houses in ${path}`, { cause: error });
  }
  return parseOrThrow(housesSchema, value, path);
}

/** A name from all options, so that nothing made with other options is reused. */
export function keyOf(spec: HouseSpec): string {
  const { seed, family, agents, minutes, fps, noise, rate, rooms, floors, people, size } = spec;
  const drawn = { agents: agents === 1 ? undefined : agents, rooms, floors, people, size };
  const given = Object.entries(drawn).flatMap(([name, value]) =>
    value === undefined ? [] : `${name}${value}`,
  );
  const kind = family === "house" ? [] : [family];
  return [...kind, seed, `${minutes}min`, `${fps}fps`, `noise${noise}`, `rate${rate}`, ...given].join("_");
}

export function recordingOf(
  { rooms, floors, people, size, ...place }: HouseSpec,
  out: string,
): RecordOptions {
  return {
    ...place,
    out,
    ...(rooms !== undefined && { rooms }),
    ...(floors !== undefined && { floors }),
    ...(people !== undefined && { people }),
    ...(size !== undefined && { size }),
  };
}
