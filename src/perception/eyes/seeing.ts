import type { Eyes, EyesInput, Look } from "../../models/eyes/index.ts";
import type { MapParts } from "../../schema/core.ts";
import { isDark } from "../gate.ts";
import type { PosedFrame } from "../posed-frame.ts";
import { Levels } from "./levels.ts";
import { leastHits } from "./links.ts";
import { masksOf } from "./masks.ts";
import { Parts } from "./parts.ts";
import { type Partition, partition } from "./regions.ts";
import { sayingsOf, shownOf } from "./sayings.ts";
import { onGrid, type Sight, sightOf } from "./sight.ts";
import { type FrameStates, statesIn } from "./states.ts";
import { type SeenThing, thingsIn } from "./things.ts";
import { turned } from "./turned.ts";
import { VoxelMap, voxelSizeM } from "./voxels.ts";

/** Frames that are held back at most, so that what comes next helps to see them; and bytes of them. */
const WINDOW = 64;
const WINDOW_BYTES = 160e6;
/** Frames that are being looked at while others are worked on. */
const AHEAD = 1;
/** Frames after which the map is cut into things anew. */
const EVERY = 32;
/** Maps of robots that are looked at at once. */
const MAPS = 16;
/** Why frames are handed back as they came, in words after their number. */
const UNSEEN = {
  dark: "too dark",
  depth: "without depth where a surface could be",
  pose: "without a pose",
  numbers: "with numbers that cannot be",
} as const;

interface Scene {
  readonly map: VoxelMap;
  frames: number;
  cutAt: number;
  cut: Partition | undefined;
  things: readonly (SeenThing & { readonly part: number })[];
  readonly parts: Parts;
  /** What the last cut says of earlier ones, until a frame tells it. */
  said: MapParts | undefined;
  readonly levels: Levels;
  /** Of the frames that wait, by their number. */
  readonly states: Map<number, FrameStates>;
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
  #kinds: readonly string[] = [];
  #states: readonly string[] = [];
  readonly #scenes = new Map<string, Scene>();
  readonly #waiting: { readonly frame: F; readonly number: number | undefined }[] = [];
  /** Frames that are being looked at, in their order: the eyes see one while the one before is laid into its map. */
  readonly #ahead: Promise<() => void>[] = [];
  #last: Promise<unknown> = Promise.resolve();
  #bytes = 0;
  readonly #unseen = new Map<keyof typeof UNSEEN, number>();
  #turned = 0;
  /** Things that were numbered so far, over all maps. */
  #parts = 0;

  /** Opened with the first frame that needs them: many recordings bring their things along. */
  constructor(open: () => Promise<Eyes>) {
    this.#open = open;
  }

  /** Takes a frame in and hands back those that have waited long enough, with what they show. */
  async take(frame: F): Promise<F[]> {
    this.#waiting.push({ frame, number: this.#begin(frame) });
    this.#bytes += bytesOf(frame);
    await this.#settle(AHEAD);
    const out: F[] = [];
    while (this.#waiting.length > WINDOW || (this.#bytes > WINDOW_BYTES && this.#waiting.length > 1 + AHEAD))
      out.push(this.#next());
    return out;
  }

  /** The frames that still wait, at the end of a recording. */
  async *finish(): AsyncGenerator<F> {
    await this.#settle(0);
    for (const scene of this.#scenes.values()) scene.cutAt = -1;
    while (this.#waiting.length > 0) yield this.#next();
  }

  /** A frame with what is known by now: for robots that cannot wait. */
  async look(frame: F): Promise<F> {
    const number = this.#begin(frame);
    await this.#settle(0);
    return number === undefined ? frame : this.#shown(frame, number);
  }

  /** What a person should know of the frames so far: those in which nothing was looked for, and those that were turned. */
  get remarks(): readonly string[] {
    const unseen = [...this.#unseen].map(([reason, count]) => `${count} ${UNSEEN[reason]}`);
    return [
      ...(unseen.length > 0 ? [`frames in which nothing was looked for: ${unseen.join(", ")}`] : []),
      ...(this.#turned > 0
        ? [`frames on their side or upside down, turned before they were looked at: ${this.#turned}`]
        : []),
    ];
  }

  async close(): Promise<void> {
    await (await this.#eyes)?.close();
  }

  #next(): F {
    const { frame, number } = this.#waiting.shift()!;
    this.#bytes -= bytesOf(frame);
    return number === undefined ? frame : this.#shown(frame, number);
  }

  /** Shows a frame to the eyes; undefined for one that is left as it is, else its number in its map. */
  #begin(frame: F): number | undefined {
    const { rgb } = frame;
    if (!rgb || frame.detections || frame.masks) return undefined;
    if (isDark(rgb)) return this.#leave("dark");
    const sight = sightOf(frame);
    if (!sight) return this.#leave(!frame.depth ? "depth" : frame.worldFromCamera ? "numbers" : "pose");
    if (!sight.sound.includes(1)) return this.#leave("depth");
    const scene = this.#sceneOf(frame, sight);
    const shown = shownOf(sight, rgb, scene.levels.floorBelow(sight.mapFromCamera.p.z));
    scene.levels.note(sight);
    const number = scene.frames++;
    const upright = turned(shown);
    if (upright.quarters !== 0) this.#turned++;
    const laid = this.#asked(upright.input).then((said) => () => {
      const sayings = sayingsOf(sight, upright, shown.rgb, said);
      scene.map.add(sight, sayings, number);
      const states = statesIn(
        sight,
        sayings.cellOf,
        said,
        this.#states,
        shown.rgb,
        this.#categories.indexOf("person"),
      );
      if (states) scene.states.set(number, states);
    });
    // Whoever stops in between never asks for it; its failure is then nobody's concern.
    laid.catch(() => {});
    this.#ahead.push(laid);
    return number;
  }

  #leave(reason: keyof typeof UNSEEN): undefined {
    this.#unseen.set(reason, (this.#unseen.get(reason) ?? 0) + 1);
  }

  async #asked(input: EyesInput): Promise<Look> {
    this.#eyes ??= this.#open();
    const eyes = await this.#eyes;
    this.#categories = eyes.categories;
    this.#kinds = eyes.kinds ?? [];
    this.#states = eyes.states ?? [];
    return eyes.look(input);
  }

  /** Lays what was looked at into its map, in order, until so many are left. */
  #settle(left: number): Promise<void> {
    const done = this.#last.then(async () => {
      while (this.#ahead.length > left) (await this.#ahead.shift()!)();
    });
    this.#last = done.catch(() => undefined);
    return done;
  }

  #shown(frame: F, number: number): F {
    const sight = sightOf(frame, false)!;
    const scene = this.#sceneOf(frame, sight);
    this.#cut(scene, number, sight);
    const { masks, detections } = masksOf(
      sight,
      scene.map,
      scene.cut!,
      scene.things,
      number,
      scene.states.get(number),
    );
    scene.states.delete(number);
    const { said } = scene;
    scene.said = undefined;
    const found = { ...(detections.length > 0 && { masks, detections }), ...(said && { parts: said }) };
    return { ...frame, ...onGrid(frame, sight), ...found };
  }

  /** Cuts the map anew when enough frames have come since. */
  #cut(scene: Scene, number: number, { mapFromCamera }: Sight): void {
    const isFresh = scene.cut !== undefined && scene.cutAt >= 0 && scene.frames - scene.cutAt < EVERY;
    if (isFresh) return;
    const { map, frames } = scene;
    map.sweep(number);
    scene.cut = partition(map, this.#categories.length, leastHits(frames));
    const floorZ = scene.levels.floorBelow(mapFromCamera.p.z);
    const things = thingsIn(map, scene.cut, this.#categories, floorZ, this.#kinds);
    const { parts, said } = scene.parts.of(map, scene.cut, things);
    scene.things = things.map((thing, n) => ({ ...thing, part: parts[n]! }));
    scene.said = said;
    scene.cutAt = frames;
  }

  #sceneOf(frame: F, { intrinsics }: Sight): Scene {
    const key = "mapFrame" in frame ? String(frame.mapFrame) : "";
    let scene = this.#scenes.get(key);
    if (scene) return scene;
    scene = {
      map: new VoxelMap(voxelSizeM(intrinsics)),
      frames: 0,
      cutAt: -1,
      cut: undefined,
      things: [],
      parts: new Parts(() => ++this.#parts),
      said: undefined,
      levels: new Levels(),
      states: new Map(),
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
