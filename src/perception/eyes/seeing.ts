import type { Transform } from "../../geometry/index.ts";
import type { Eyes, EyesInput, Look } from "../../models/eyes/index.ts";
import { type Frame, isDark, type MapParts, NAMELESS, type PartName } from "../../schema/core.ts";
import { settings } from "../../schema/settings.ts";
import { bytesOf, Early } from "./early.ts";
import { allFilled, type Filled, fillHoles, refill } from "./holes.ts";
import { Levels } from "./levels.ts";
import { leastHits } from "./links.ts";
import { masksOf, NAMED_BY, standingAt } from "./masks.ts";
import { Parts } from "./parts.ts";
import { type Partition, partition } from "./regions.ts";
import { sayingsOf, shownOf } from "./sayings.ts";
import { withScreens } from "./screens.ts";
import { Settling, sightFrom } from "./settling.ts";
import { onGrid, type Sight, type SightRoom, sightOf } from "./sight.ts";
import { type FrameStates, statesIn } from "./states.ts";
import { type SeenThing, thingsIn } from "./things.ts";
import { turned } from "./turned.ts";
import { VoxelMap, voxelSizeM } from "./voxels.ts";

/** Value, unit, minimum, maximum, source. */
const SEEING = settings("eyes.seeing", {
  /** Most frames held back so that later ones help with them, and their bytes. */
  window: [64, "frames", 32, 128, "limit"],
  windowBytes: [160_000_000, "bytes", 80_000_000, 320_000_000, "limit"],
  /** Frames in the network while others are fused. */
  ahead: [1, "count", 0, 2, "limit"],
  /**
   * Most frames given to the network before they are fused, and their bytes: segmenting the map takes as long as
   * processing these.
   */
  shownAhead: [8, "count", 4, 16, "limit"],
  shownAheadBytes: [32_000_000, "bytes", 16_000_000, 64_000_000, "limit"],
  /** Number of frames between segmentations. */
  every: [32, "frames", 16, 64, "limit"],
  /**
   * A robot that cannot wait has few frames at first: its map is segmented again when it has grown by this share, so that
   * what came into view is seen at once, for less than five segmentations each time that the frames double.
   */
  liveGrowth: [0.2, "share", 0.1, 0.4, "experiment"],
  /** A robot's frame is looked at again once so many later ones were, or when the robot pauses. */
  againAfter: [24, "frames", 8, 64, "limit"],
  /** Most concurrent maps of robots. */
  maps: [16, "count", 8, 32, "limit"],
  /** Smaller pose errors are not worth reporting. */
  toldSlipM: [0.015, "m", 0.0075, 0.03, "experiment"],
});

/** Why frames are returned unchanged, as words after their number. */
const UNSEEN = {
  dark: "too dark",
  depth: "without depth where a surface could be",
  pose: "without a pose",
  numbers: "with numbers that cannot be",
} as const;

interface Scene {
  readonly map: VoxelMap;
  /** Frames given to the network, and those of them that were fused. */
  shown: number;
  frames: number;
  cutAt: number;
  cut: Partition | undefined;
  things: readonly (SeenThing & { readonly part: number })[];
  /** The instance at each voxel, by the last segmentation. */
  standing: Int32Array;
  readonly parts: Parts;
  /** The last segmentation's report on earlier ones, until a frame carries it. */
  said: MapParts | undefined;
  /** Over the frames given to the network, and over those fused. */
  readonly shownLevels: Levels;
  levels: Levels;
  /** States by frame number, of the waiting frames. */
  readonly states: Map<number, FrameStates>;
  readonly filled: Map<number, Filled>;
  /** Their poses in the map. */
  readonly poses: Map<number, Transform>;
  readonly settling: Settling;
}

/** A frame given to the network: its number in its scene, the levels with it, and the function that fuses it. */
interface Shown {
  readonly scene: Scene;
  readonly number: number;
  readonly levels: Levels;
  readonly laid: Promise<() => void>;
}

/**
 * Finds things in frames without detections. The network's output for each frame is fused into a voxel map, the map
 * is segmented into things, and these are projected into each frame. Later frames help with earlier ones, so frames
 * are returned with a delay; `look` returns at once.
 */
export class Seeing {
  readonly #open: () => Promise<Eyes>;
  #eyes: Promise<Eyes> | undefined;
  #categories: readonly string[] = [];
  #kinds: readonly string[] = [];
  #states: readonly string[] = [];
  readonly #scenes = new Map<string, Scene>();
  readonly #early = new Early<Scene>();
  readonly #begun: { readonly frame: Frame; readonly shown: Shown | undefined }[] = [];
  readonly #waiting: { readonly frame: Frame; readonly number: number | undefined }[] = [];
  /** Frames in the network, in order: it processes one while the previous one is fused. */
  readonly #ahead: Promise<() => void>[] = [];
  #last: Promise<unknown> = Promise.resolve();
  #bytes = 0;
  #begunBytes = 0;
  /** Arrays of fused sights, for reuse; and of the last sight whose things were projected. */
  readonly #rooms: { readonly sight: SightRoom; readonly colours: Uint8Array | undefined }[] = [];
  #shownRoom: SightRoom | undefined;
  readonly #unseen = new Map<keyof typeof UNSEEN, number>();
  #turned = 0;
  /** Number of instances so far, over all maps. */
  #parts = 0;

  /** The network is opened for the first frame that needs it: many recordings already have detections. */
  constructor(open: () => Promise<Eyes>) {
    this.#open = open;
  }

  /** Adds a frame and returns those that have waited long enough, with their detections. */
  async take(frame: Frame): Promise<Frame[]> {
    this.#begun.push({ frame, shown: this.#begin(frame) });
    this.#begunBytes += bytesOf(frame);
    const out: Frame[] = [];
    while (this.#begun.length > SEEING.shownAhead || this.#begunBytes > SEEING.shownAheadBytes)
      out.push(...(await this.#takeIn()));
    return out;
  }

  /** The frames still waiting, at the end of a recording. */
  async *finish(): AsyncGenerator<Frame> {
    while (this.#begun.length > 0) yield* await this.#takeIn();
    await this.#settle(0);
    for (const scene of this.#scenes.values()) scene.cutAt = -1;
    while (this.#waiting.length > 0) yield this.#next();
  }

  /** Fuses the first pending frame. Frames behind it have no effect before their turn. */
  async #takeIn(): Promise<Frame[]> {
    const { frame, shown } = this.#begun.shift()!;
    this.#begunBytes -= bytesOf(frame);
    this.#waiting.push({ frame, number: shown && this.#enter(shown) });
    this.#bytes += bytesOf(frame);
    await this.#settle(SEEING.ahead);
    const out: Frame[] = [];
    while (
      this.#waiting.length > SEEING.window ||
      (this.#bytes > SEEING.windowBytes && this.#waiting.length > 1 + SEEING.ahead)
    )
      out.push(this.#next());
    return out;
  }

  #enter({ scene, number, levels, laid }: Shown): number {
    scene.frames = number + 1;
    scene.levels = levels;
    this.#ahead.push(laid);
    return number;
  }

  /** Processes a frame with what is known by now, for robots that cannot wait. */
  async look(frame: Frame): Promise<Frame> {
    const shown = this.#begin(frame);
    const number = shown && this.#enter(shown);
    await this.#settle(0);
    if (number === undefined) return frame;
    const { scene } = shown!;
    this.#early.keep(frame, number, scene, SEEING);
    const { cutAt } = scene;
    return this.#shown(
      frame,
      number,
      Math.min(SEEING.every, Math.max(1, Math.floor(cutAt * SEEING.liveGrowth))),
    );
  }

  /** Frames of robots that may be looked at again. */
  get early(): number {
    return this.#early.length;
  }

  /**
   * The oldest frame that a robot could not wait for, by what is known by now; undefined if none has been followed by
   * enough others. `isPaused`: none will follow for a while.
   */
  again(isPaused: boolean): Frame | undefined {
    const found = this.#early.next(isPaused ? 0 : SEEING.againAfter);
    // In a pause the map is segmented once more, with all of its frames.
    return found && this.#shown(found.frame, found.number, isPaused ? 1 : SEEING.againAfter);
  }

  /** Remarks for people: the number of frames skipped, rotated or corrected. */
  get remarks(): readonly string[] {
    const unseen = [...this.#unseen].map(([reason, count]) => `${count} ${UNSEEN[reason]}`);
    return [
      ...(unseen.length > 0 ? [`frames in which nothing was looked for: ${unseen.join(", ")}`] : []),
      ...(this.#turned > 0
        ? [`frames on their side or upside down, turned before they were looked at: ${this.#turned}`]
        : []),
      ...(this.#slipM >= SEEING.toldSlipM
        ? [
            `poses are off by ${(100 * this.#slipM).toFixed(0)} cm in the mean: frames were laid on the surfaces that others show`,
          ]
        : []),
    ];
  }

  /** Mean pose correction over all maps. */
  get #slipM(): number {
    const all = [...this.#scenes.values()].map(({ settling }) => settling);
    const sum = (of: (one: Settling) => number) => all.reduce((total, one) => total + of(one), 0);
    return (
      sum(({ movedM }) => movedM) /
      Math.max(
        1,
        sum(({ frames }) => frames),
      )
    );
  }

  async close(): Promise<void> {
    await (await this.#eyes)?.close();
  }

  #next(): Frame {
    const { frame, number } = this.#waiting.shift()!;
    this.#bytes -= bytesOf(frame);
    return number === undefined ? frame : this.#shown(frame, number);
  }

  /** Gives a frame to the network; undefined if it is left unchanged. */
  #begin(frame: Frame): Shown | undefined {
    const { rgb, depth } = frame;
    if (!rgb || frame.detections || frame.masks) return undefined;
    if (isDark(rgb)) return this.#leave("dark");
    const room = this.#rooms.pop();
    const given = sightOf(frame, true, room?.sight);
    if (!given) return this.#leave(!frame.depth ? "depth" : frame.worldFromCamera ? "numbers" : "pose");
    if (!given.sound.includes(1)) return this.#leave("depth");
    const scene = this.#sceneOf(frame, given);
    const floorZ = scene.shownLevels.floorBelow(given.mapFromCamera.p.z);
    const shown = shownOf(given, rgb, floorZ, room?.colours);
    scene.shownLevels.note(given);
    const number = scene.shown++;
    const upright = turned(shown);
    if (upright.quarters !== 0) this.#turned++;
    const laid = this.#asked(upright.input).then((said) => () => {
      const sight = isPlacedByItsMap(frame)
        ? given
        : sightFrom(given, scene.settling.settle(scene.map, given));
      scene.poses.set(number, sight.mapFromCamera);
      const sayings = sayingsOf(sight, upright, shown.rgb, said);
      scene.map.carve(sight, number);
      const holes = fillHoles(sight, depth!, sayings, scene.map, floorZ);
      const filled = allFilled(holes);
      const screens = holes.filter(({ isScreen }) => isScreen);
      if (filled) scene.filled.set(number, filled);
      const all =
        screens.length > 0 ? withScreens(sayings, screens, sight, this.#categories, this.#kinds) : sayings;
      scene.map.add(sight, all, number);
      const states = statesIn(
        sight,
        sayings.cellOf,
        said,
        this.#states,
        shown.rgb,
        this.#categories.indexOf("person"),
      );
      if (states) scene.states.set(number, states);
      // If a frame is no finer than the grid, its colour buffer is its own and must not be reused.
      this.#rooms.push({ sight, colours: shown.rgb === rgb.data ? undefined : shown.rgb });
    });
    // A consumer that stops early never awaits it, so its failure is ignored.
    laid.catch(() => {});
    return { scene, number, levels: new Levels(scene.shownLevels), laid };
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

  /** Fuses processed frames in order, until this many are left. */
  #settle(left: number): Promise<void> {
    const done = this.#last.then(async () => {
      while (this.#ahead.length > left) (await this.#ahead.shift()!)();
    });
    this.#last = done.catch(() => undefined);
    return done;
  }

  #shown(frame: Frame, number: number, every = SEEING.every): Frame {
    const given = sightOf(frame, false, this.#shownRoom)!;
    this.#shownRoom = given;
    const scene = this.#sceneOf(frame, given);
    const worldFromCamera = scene.poses.get(number) ?? given.mapFromCamera;
    scene.poses.delete(number);
    const sight = { ...given, mapFromCamera: worldFromCamera };
    const filled = scene.filled.get(number);
    scene.filled.delete(number);
    if (filled) refill(sight, filled);
    this.#cut(scene, number, sight, every);
    const { masks, detections } = masksOf(
      sight,
      scene.map,
      scene.standing,
      scene.things,
      number,
      scene.states.get(number),
      frame.rgb,
    );
    scene.states.delete(number);
    const { said } = scene;
    scene.said = undefined;
    const found = { ...(detections.length > 0 && { masks, detections }), ...(said && { parts: said }) };
    return { ...frame, worldFromCamera, ...onGrid(frame, sight, filled), ...found };
  }

  /** Segments the map again after enough frames. */
  #cut(scene: Scene, number: number, { mapFromCamera }: Sight, every: number): void {
    const isFresh = scene.cut !== undefined && scene.cutAt >= 0 && scene.frames - scene.cutAt < every;
    if (isFresh) return;
    const { map, frames } = scene;
    map.sweep(number);
    scene.cut = partition(map, this.#categories.length, leastHits(frames));
    const floorZ = scene.levels.floorBelow(mapFromCamera.p.z);
    const things = thingsIn(map, scene.cut, this.#categories, floorZ, this.#kinds);
    const { parts, said } = scene.parts.of(map, scene.cut, things);
    scene.things = things.map((thing, n) => ({ ...thing, part: parts[n]! }));
    scene.standing = standingAt(scene.cut, things);
    scene.said = { ...said, names: things.map(partNameOf) };
    scene.cutAt = frames;
  }

  #sceneOf({ mapFrame }: Frame, { intrinsics }: Sight): Scene {
    let scene = this.#scenes.get(mapFrame);
    if (scene) return scene;
    scene = {
      map: new VoxelMap(voxelSizeM(intrinsics)),
      shown: 0,
      frames: 0,
      cutAt: -1,
      cut: undefined,
      things: [],
      standing: new Int32Array(0),
      parts: new Parts(() => ++this.#parts),
      said: undefined,
      shownLevels: new Levels(),
      levels: new Levels(),
      states: new Map(),
      filled: new Map(),
      poses: new Map(),
      settling: new Settling(),
    };
    const [oldest] = this.#scenes.keys();
    if (this.#scenes.size >= SEEING.maps && oldest !== undefined) this.#scenes.delete(oldest);
    this.#scenes.set(mapFrame, scene);
    return scene;
  }
}

/**
 * Poses in a submap come from odometry, drift by more than this corrects, and are corrected with that submap
 * (localisation).
 */
function isPlacedByItsMap(frame: Frame): boolean {
  return frame.submap !== undefined;
}

function partNameOf({ label, text, maybe, attributes }: SeenThing): PartName {
  return { category: label ?? NAMELESS, by: NAMED_BY, phrase: text, maybe, attributes };
}
