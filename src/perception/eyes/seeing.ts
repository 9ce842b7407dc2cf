import type { Eyes } from "../../models/eyes/index.ts";
import type { RgbImage } from "../../schema/core.ts";
import type { PosedFrame } from "../posed-frame.ts";
import { masksOf } from "./masks.ts";
import { type Partition, partition } from "./regions.ts";
import { sayingsOf, shownOf } from "./sayings.ts";
import { type Sight, sightOf } from "./sight.ts";
import { type SeenThing, thingsIn } from "./things.ts";
import { turned } from "./turned.ts";
import { VoxelMap } from "./voxels.ts";

/** Frames that are held back at most, so that what comes next helps to see them; and bytes of them. */
const WINDOW = 64;
const WINDOW_BYTES = 160e6;
/** Frames after which the map is cut into things anew. */
const EVERY = 32;
/** Voxels are as large as what a pixel shows at this distance, within bounds. */
const USUAL_M = 2.5;
const VOXEL_M = { least: 0.025, most: 0.06 };
/** Maps of robots that are looked at at once. */
const MAPS = 16;
/** The floor is a level that lies so far below a camera, and has so much of what faces up. */
const BELOW_M = { least: 0.25, most: 2.4 };
const FLOOR_SHARE = 0.12;
/** A picture with fewer bright places than this is the inside of a lens cap. */
const BRIGHT = 24;
const BRIGHT_SHARE = 0.05;

interface Scene {
  readonly map: VoxelMap;
  frames: number;
  cutAt: number;
  cut: Partition | undefined;
  things: readonly SeenThing[];
  /** Places that face up, by height in steps of 4 cm. */
  readonly levels: Map<number, number>;
}

/**
 * Sees things in frames that come without any: what the eyes say of each frame is laid into a map of little cubes, the map
 * is cut into things, and each frame is shown what of them it shows. What comes later helps to see what came before, so
 * frames are handed back some time after they were taken; `look` hands back at once.
 */
export class Seeing<F extends PosedFrame> {
  readonly #open: () => Promise<Eyes>;
  #eyes: Promise<Eyes> | undefined;
  #categories: readonly string[] = [];
  readonly #scenes = new Map<string, Scene>();
  readonly #waiting: { readonly frame: F; readonly number: number | undefined }[] = [];
  #bytes = 0;
  #last: Promise<unknown> = Promise.resolve();

  /** Opened with the first frame that needs them: many recordings bring their things along. */
  constructor(open: () => Promise<Eyes>) {
    this.#open = open;
  }

  /** Takes a frame in and hands back those that have waited long enough, with what they show. */
  async take(frame: F): Promise<F[]> {
    const number = await this.#learn(frame);
    this.#waiting.push({ frame, number });
    this.#bytes += bytesOf(frame);
    const out: F[] = [];
    while (this.#waiting.length > WINDOW || (this.#bytes > WINDOW_BYTES && this.#waiting.length > 1))
      out.push(this.#next());
    return out;
  }

  /** The frames that still wait, at the end of a recording. */
  *finish(): Generator<F> {
    for (const scene of this.#scenes.values()) scene.cutAt = -1;
    while (this.#waiting.length > 0) yield this.#next();
  }

  /** A frame with what is known by now: for robots that cannot wait. */
  async look(frame: F): Promise<F> {
    const number = await this.#learn(frame);
    return number === undefined ? frame : this.#shown(frame, number);
  }

  async close(): Promise<void> {
    await (await this.#eyes)?.close();
  }

  #next(): F {
    const { frame, number } = this.#waiting.shift()!;
    this.#bytes -= bytesOf(frame);
    return number === undefined ? frame : this.#shown(frame, number);
  }

  /** Lays a frame into its map, after those before it; undefined for one that is left as it is. */
  #learn(frame: F): Promise<number | undefined> {
    const done = this.#last.then(() => this.#lay(frame));
    this.#last = done.catch(() => undefined);
    return done;
  }

  async #lay(frame: F): Promise<number | undefined> {
    const { rgb } = frame;
    if (!rgb || frame.detections || frame.masks || isDark(rgb)) return undefined;
    const sight = sightOf(frame);
    if (!sight?.sound.includes(1)) return undefined;
    const scene = this.#sceneOf(frame, sight);
    const shown = shownOf(sight, rgb, floorBelow(scene.levels, sight.mapFromCamera.p.z));
    this.#eyes ??= this.#open();
    const eyes = await this.#eyes;
    this.#categories = eyes.categories;
    const upright = turned(shown);
    const said = await eyes.look(upright.input);
    const number = scene.frames++;
    scene.map.add(sight, sayingsOf(sight, upright, shown.rgb, said), number);
    noteLevels(scene.levels, sight);
    return number;
  }

  #shown(frame: F, number: number): F {
    const sight = sightOf(frame)!;
    const scene = this.#sceneOf(frame, sight);
    this.#cut(scene, number, sight);
    const { masks, detections } = masksOf(
      sight,
      scene.map,
      scene.cut!,
      scene.things,
      number,
      frame.intrinsics,
    );
    return detections.length === 0 ? frame : { ...frame, masks, detections };
  }

  /** Cuts the map anew when enough frames have come since. */
  #cut(scene: Scene, number: number, { mapFromCamera }: Sight): void {
    const isFresh = scene.cut !== undefined && scene.cutAt >= 0 && scene.frames - scene.cutAt < EVERY;
    if (isFresh) return;
    const { map, frames } = scene;
    map.sweep(number);
    const leastHits = frames >= 8 ? 2 : 1;
    scene.cut = partition(map, this.#categories.length, leastHits);
    const floorZ = floorBelow(scene.levels, mapFromCamera.p.z);
    scene.things = thingsIn(map, scene.cut, this.#categories, { floorZ, frames });
    scene.cutAt = frames;
  }

  #sceneOf(frame: F, { intrinsics }: Sight): Scene {
    const key = "mapFrame" in frame ? String(frame.mapFrame) : "";
    let scene = this.#scenes.get(key);
    if (scene) return scene;
    const pixelM = (1.2 * USUAL_M) / intrinsics.fx;
    const sizeM = Math.min(VOXEL_M.most, Math.max(VOXEL_M.least, pixelM));
    scene = {
      map: new VoxelMap(sizeM),
      frames: 0,
      cutAt: -1,
      cut: undefined,
      things: [],
      levels: new Map(),
    };
    const [oldest] = this.#scenes.keys();
    if (this.#scenes.size >= MAPS && oldest !== undefined) this.#scenes.delete(oldest);
    this.#scenes.set(key, scene);
    return scene;
  }
}

function bytesOf({ rgb, depth }: PosedFrame): number {
  return (rgb?.data.byteLength ?? 0) + (depth?.data.byteLength ?? 0);
}

/** Nothing to see: a lens cap, a night, or numbers that are no picture. */
function isDark({ width, height, data }: RgbImage): boolean {
  if (data.length !== 3 * width * height) return true;
  const step = 3 * Math.max(1, Math.floor(data.length / 3 / 4_096));
  let [bright, all] = [0, 0];
  for (let at = 0; at + 2 < data.length; at += step, all++)
    if (Math.max(data[at]!, data[at + 1]!, data[at + 2]!) > BRIGHT) bright++;
  return bright < BRIGHT_SHARE * all;
}

const LEVEL_STEP_M = 0.04;

/** Counts what faces up, by the area that a pixel covers. */
function noteLevels(levels: Map<number, number>, { depthM, points, normals, sound }: Sight): void {
  for (let at = 0; at < depthM.length; at += 3) {
    if (sound[at] === 0 || normals[3 * at + 2]! < 0.92) continue;
    const step = Math.round(points[3 * at + 2]! / LEVEL_STEP_M);
    levels.set(step, (levels.get(step) ?? 0) + depthM[at]! * depthM[at]!);
  }
}

/** The lowest level under a camera that is large enough; NaN where there is none. */
function floorBelow(levels: ReadonlyMap<number, number>, cameraZ: number): number {
  const [from, to] = [cameraZ - BELOW_M.most, cameraZ - BELOW_M.least].map((z) =>
    Math.ceil(z / LEVEL_STEP_M),
  );
  const around = (step: number) =>
    (levels.get(step - 1) ?? 0) + (levels.get(step) ?? 0) + (levels.get(step + 1) ?? 0);
  let most = 0;
  for (let step = from!; step <= to!; step++) most = Math.max(most, around(step));
  for (let step = from!; step <= to!; step++)
    if (most > 0 && around(step) > FLOOR_SHARE * most && around(step) >= around(step + 1))
      return step * LEVEL_STEP_M;
  return Number.NaN;
}
