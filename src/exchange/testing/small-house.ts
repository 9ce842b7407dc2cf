import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sharp from "sharp";
import { apply, ecefFromEnu, fromYaw, type Transform } from "../../geometry/index.ts";
import { SceneMap } from "../../map/index.ts";
import { furniture, tour, twoRooms } from "../../map/testing/test-world.ts";
import { type MemoryReader, SqliteEngine, type WriteBatch } from "../../memory/index.ts";
import { blobRefOf, type RecordInput } from "../../schema/core.ts";

const SECOND_US = 1_000_000;
/** Start of the walk through the house. */
export const START_US = 1_000_000_000;
/** The house is rotated by a right angle and away from the origin, so that a missing transform shows. */
export const WORLD_FROM_HOUSE: Transform = { p: { x: 20, y: -3, z: 0 }, q: fromYaw(Math.PI / 2) };
export const HOUSE_ON_EARTH = { latitudeDeg: 48.8562, longitudeDeg: 2.3508, altitudeM: 67.4 };
const SUBMAP = "sub-0";
export const BED = furniture(1, 3.2, { x: 2, y: 1.4, z: 0.5 });
const STOVE = furniture(7.6, 3.6, { x: 0.6, y: 0.6, z: 0.9 });
/** What a reader without the label must never see. */
export const SECRET = "strongbox";

export interface TestHouse {
  readonly folder: string;
  readonly engine: SqliteEngine;
  readonly reader: MemoryReader;
  write(batch: WriteBatch): Promise<void>;
  close(): Promise<void>;
}

/** A memory of two rooms with a map, things that move, a walking person, pictures, and one secret thing. */
export async function openTestHouse(options: { readonly onEarth?: boolean } = {}): Promise<TestHouse> {
  const folder = await mkdtemp(join(tmpdir(), "loci-exchange-"));
  let now = 1;
  const engine = await SqliteEngine.open({ folder, nowUs: () => now++, create: true });
  const writer = await engine.writer();
  const reader = await engine.reader();
  await writer.write({ frames: framesOf(options.onEarth === true) });
  const map = await SceneMap.open(reader);
  const looks = tour([...twoRooms(), BED, STOVE]).map((look) => ({
    ...look,
    worldFromSubmap: WORLD_FROM_HOUSE,
  }));
  const nothing = { stateOf: [], changed: [] };
  for (const look of looks) await writer.write(map.observe(look, nothing));
  await writer.write(await map.update([], looks.at(-1)!.timeUs));
  await writer.write(map.finish());
  const picture = await sharp({ create: { width: 8, height: 6, channels: 3, background: "#3366cc" } })
    .jpeg()
    .toBuffer();
  await writer.write({
    blobs: [picture],
    records: [
      ...THINGS.map((record) => {
        const at = record.kind === "state" && record.anchor && apply(WORLD_FROM_HOUSE, record.anchor.p);
        const room = at ? map.roomAt({ ...at, z: 0 }) : undefined;
        return room && record.kind === "state" ? { ...record, regionId: room.id } : record;
      }),
      ...looks.slice(0, 3).flatMap((look, n): RecordInput[] => [
        {
          kind: "observation",
          id: `look-${n}`,
          sensorId: "camera",
          author: "robot",
          validFromUs: look.timeUs,
          validToUs: look.timeUs + 1,
          anchor: { submap: SUBMAP, p: look.submapFromCamera.p, q: look.submapFromCamera.q },
        },
        {
          kind: "view",
          id: `view-${n}`,
          author: "robot",
          observationId: `look-${n}`,
          thumb: blobRefOf(picture),
          validFromUs: look.timeUs,
          validToUs: look.timeUs + 1,
          anchor: { submap: SUBMAP, p: look.submapFromCamera.p },
        },
      ]),
    ],
    sightings: [1, 2, 3].map((n) => ({
      stateId: "ann-state",
      timeUs: START_US + n * SECOND_US,
      outcome: "seen" as const,
      anchor: { submap: SUBMAP, p: { x: n, y: 1, z: 0.9 } },
    })),
  });
  return {
    folder,
    engine,
    reader,
    write: async (batch) => void (await writer.write(batch)),
    close: async () => {
      await engine.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** A thing that is there between two seconds of the walk, as its track and its state. */
export function thing(
  name: string,
  at: { x: number; y: number; z: number },
  more: { fromS?: number; toS?: number; labels?: string[]; type?: "object" | "person"; state?: string } = {},
): RecordInput[] {
  const { fromS = 0, toS, labels = [], type = "object", state = `${name}-state` } = more;
  const common = { labels, name, category: name, validFromUs: START_US + fromS * SECOND_US };
  return [
    { ...common, kind: "track", id: name, type, validToUs: null },
    {
      ...common,
      kind: "state",
      id: state,
      trackId: name,
      validToUs: toS === undefined ? null : START_US + toS * SECOND_US,
      anchor: { submap: SUBMAP, p: at },
      extent: { x: 0.4, y: 0.2, z: 0.3 },
      attributes: { colour: { value: "red", p: 1, support: 1, lastUs: START_US } },
      text: [name],
    },
  ];
}

const THINGS: RecordInput[] = [
  ...thing("bed", { x: 1, y: 3.2, z: 0.25 }),
  ...thing("mug", { x: 2, y: 1, z: 0.8 }, { toS: 10, state: "mug-before" }),
  ...thing("mug", { x: 6, y: 2, z: 0.8 }, { fromS: 12, state: "mug-after" }).slice(1),
  ...thing("ann", { x: 1, y: 1, z: 0.9 }, { type: "person" }),
  ...thing(SECRET, { x: 7, y: 1, z: 0.2 }, { labels: ["vault"] }),
  {
    kind: "event",
    id: "mug-moved",
    type: "move",
    who: ["mug"],
    text: ["the mug was moved"],
    validFromUs: START_US + 12 * SECOND_US,
    validToUs: START_US + 12 * SECOND_US + 1,
  },
];

function framesOf(onEarth: boolean): NonNullable<WriteBatch["frames"]> {
  const house = { parent: "world", child: SUBMAP, kind: "submap" as const, transform: WORLD_FROM_HOUSE };
  const transform = ecefFromEnu(HOUSE_ON_EARTH);
  return onEarth ? [house, { parent: "earth", child: "world", kind: "geodetic", transform }] : [house];
}
