import { closeSync, existsSync, mkdirSync, openSync, readFileSync, renameSync, writeSync } from "node:fs";
import { join } from "node:path";
import { deserialize, serialize } from "node:v8";
import { readTruth } from "../../src/evaluation/tracking/truth.ts";
import { type Eyes, type Look, openEyes } from "../../src/models/eyes/index.ts";
import { Levels } from "../../src/perception/eyes/levels.ts";
import { leastHits } from "../../src/perception/eyes/links.ts";
import { type Pieces, piecesOf } from "../../src/perception/eyes/pieces.ts";
import { sayingsOf, shownOf } from "../../src/perception/eyes/sayings.ts";
import { type Sight, sightOf } from "../../src/perception/eyes/sight.ts";
import { turned } from "../../src/perception/eyes/turned.ts";
import { VoxelMap, voxelSizeM } from "../../src/perception/eyes/voxels.ts";
import { openRecording } from "../../src/sensors/index.ts";
import { allNoise } from "../../src/world/noise/index.ts";
import { recordHouse, TRUTH_FILE } from "../../src/world/recorder/index.ts";

/** A simulated house as our eyes have it in pieces after some frames, and of which thing each place really is. */
export interface Scene extends Pieces {
  readonly house: string;
  /** As it was when it was cut; it goes on growing when the next scene is asked for. */
  readonly map: VoxelMap;
  /** 0 for walls and floors, -1 where nobody knows. */
  readonly truth: Int32Array;
  /** What each thing is, from number 1 on. */
  readonly categories: readonly string[];
  readonly floorZ: number;
}

/** After so many frames the map is cut, and at its end, as `Seeing` does: young maps are cut as well as old ones. */
const CUTS: readonly number[] = [65, 97];
const CAMERA = { size: { width: 320, height: 240 }, horizontalFovDeg: 70 } as const;

/** Houses as `eval eyes` records them, but with true masks; recordings and looks are kept in a folder. */
export async function* scenesOf(seeds: readonly number[], cache: string): AsyncGenerator<Scene> {
  mkdirSync(cache, { recursive: true });
  const net = await openEyes();
  try {
    for (const seed of seeds) {
      const out = join(cache, `house-${seed}`);
      if (!existsSync(out)) {
        const noise = { ...allNoise(0.5), masks: 0 };
        await recordHouse(
          { family: "house", seed, minutes: 1.5, fps: 1.5, noise, rooms: 4, out, ...CAMERA },
          {},
        );
      }
      const kept = join(cache, `looks-${net.id.replaceAll(/\W/g, "-")}-${seed}.bin`);
      yield* scenesIn(out, String(seed), keptLooks(net, kept));
    }
  } finally {
    await net.close();
  }
}

async function* scenesIn(folder: string, house: string, eyes: Eyes): AsyncGenerator<Scene> {
  const truth = await readTruth(join(folder, TRUTH_FILE));
  const numbers = new Map(truth.document.house.things.map(({ id }, n) => [id, n + 1]));
  const recording = await openRecording(folder);
  const levels = new Levels();
  const votes = new Map<number, { thing: number; count: number }>();
  let map: VoxelMap | undefined;
  let number = 0;
  let last: Sight | undefined;
  const cut = (): Scene => {
    map!.sweep(number);
    const pieces = piecesOf(map!, eyes.categories.length, leastHits(number));
    const places = Int32Array.from(pieces.seen.voxels, (voxel) => {
      const { cell } = map!.columns;
      return votes.get(keyOf(cell[3 * voxel]!, cell[3 * voxel + 1]!, cell[3 * voxel + 2]!))?.thing ?? -1;
    });
    const categories = truth.document.house.things.map(({ category }) => category);
    return {
      ...pieces,
      house,
      map: map!,
      truth: places,
      categories,
      floorZ: levels.floorBelow(last!.mapFromCamera.p.z),
    };
  };
  for await (const item of recording.items()) {
    if (item.kind !== "frame") continue;
    const { frame } = item;
    const sight = sightOf(frame);
    if (!sight || !frame.rgb) continue;
    last = sight;
    map ??= new VoxelMap(voxelSizeM(sight.intrinsics));
    const shown = shownOf(sight, frame.rgb, levels.floorBelow(sight.mapFromCamera.p.z));
    const upright = turned(shown);
    map.carve(sight, number);
    map.add(sight, sayingsOf(sight, upright, shown.rgb, await eyes.look(upright.input)), number++);
    levels.note(sight);
    const segments = truth.frameAt(frame.agentId, frame.timeUs)?.segments ?? [];
    const thingAt = (at: number) => numbers.get(segments[(frame.masks?.data[at] ?? 0) - 1] ?? "") ?? 0;
    vote(votes, sight, map.sizeM, thingAt);
    if (CUTS.includes(number)) yield cut();
  }
  await recording.close();
  await eyes.close();
  yield cut();
}

/** Whose each cube is by most of its pixels (Boyer and Moore 1981: one candidate and a count). */
function vote(
  votes: Map<number, { thing: number; count: number }>,
  { points, depthM, sound }: Sight,
  sizeM: number,
  thingAt: (at: number) => number,
): void {
  for (let at = 0; at < depthM.length; at++) {
    if (sound[at] === 0) continue;
    const cell = [0, 1, 2].map((k) => Math.floor(points[3 * at + k]! / sizeM));
    const key = keyOf(cell[0]!, cell[1]!, cell[2]!);
    const thing = thingAt(at);
    const own = votes.get(key);
    if (!own) votes.set(key, { thing, count: 1 });
    else if (own.thing === thing) own.count++;
    else if (--own.count < 0) votes.set(key, { thing, count: 1 });
  }
}

function keyOf(x: number, y: number, z: number): number {
  return ((x + 4_096) * 8_192 + y + 4_096) * 8_192 + z + 4_096;
}

/** Eyes whose looks are kept in a file, and taken from it where it is there: only what is laid into the map of them. */
function keptLooks(eyes: Eyes, path: string): Eyes {
  const known = existsSync(path) ? packsIn(path) : undefined;
  const file = known ? undefined : openSync(`${path}.part`, "w");
  return {
    ...eyes,
    async look(input) {
      if (known) return known.next().value as Look;
      const look = await eyes.look(input);
      const bytes = serialize(look);
      const head = Buffer.alloc(4);
      head.writeUInt32LE(bytes.length);
      writeSync(file!, Buffer.concat([head, bytes]));
      return look;
    },
    async close() {
      if (file === undefined) return;
      closeSync(file);
      renameSync(`${path}.part`, path);
    },
  };
}

function* packsIn(path: string): Generator<Look> {
  const bytes = readFileSync(path);
  for (let at = 0; at < bytes.length; at += 4 + bytes.readUInt32LE(at))
    yield deserialize(bytes.subarray(at + 4, at + 4 + bytes.readUInt32LE(at))) as Look;
}
