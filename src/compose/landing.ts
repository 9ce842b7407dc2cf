import { type FrameGraph, IDENTITY, type Transform } from "../geometry/index.ts";
import type { MemoryReader } from "../memory/port.ts";
import { contentId, WORLD_FRAME } from "../schema/core.ts";
import { settings } from "../schema/settings.ts";
import type { Frame, RecordingItem, RecordingReader } from "../sensors/index.ts";
import { type ArrivalReport, knownAs } from "./arriving.ts";
import { edgeItems, edgesInto, isNewView, isSamePlace, placeOf, viewOf } from "./known-place.ts";
import { ROBOT_FRAMES, RobotFrames } from "./robot-frames.ts";
import { Stretches } from "./stretches.ts";

const HOLD = settings("arrival.hold", {
  /** Frames wait until so many of them look at different things … */
  views: [10, "views", 4, 48, "recording"],
  /** … or so many wait, 1.5 MB each at 640×480 … */
  frames: [32, "frames", 8, 128, "limit"],
  /** … or for so long, by the robot's clock. */
  waitS: [10, "s", 1, 60, "limit"],
  /** Views that a map apart is held against known ones by, the latest; tried again as often as they double. */
  laterViews: [64, "views", 16, 128, "limit"],
});

/** What is known of the map that frames are in now. */
export type Landed = ArrivalReport;

export interface LandingOptions {
  readonly sceneId: string;
  readonly labels: readonly string[];
  /** The map's name where it stays apart, if one was given. */
  readonly map?: string | undefined;
  /** Where the frames before a jump are; absent if that is to be found out as they come. */
  readonly start?: Landed | undefined;
  /** Whether maps are recognised in one another. */
  readonly join: boolean;
  /** The source is known to keep its origin: its jumps are outliers. */
  readonly isFixed?: boolean | undefined;
  /** The memory as it is now, as the written labels see it. */
  readonly reader: () => Promise<MemoryReader>;
  /** Every frame of the memory: the names of robots' own frames, which nothing is anchored to. */
  readonly graph: () => Promise<FrameGraph>;
  /** Writes what stages still hold of the known map, so that frames are held against all of it. */
  readonly settle?: (() => Promise<void>) | undefined;
  /** True for the one source that an empty scene's world is founded by. */
  readonly founds: () => boolean;
}

interface Waiting {
  readonly frame: Frame;
  readonly stretch: number;
}

/**
 * Places the frames of a source whose poses begin wherever its tracker began, whatever their frame is called. They wait
 * until enough of them show something new; then they are in a known map, at a known place of it, or in a map of their own
 * that is tried again as more of it is seen. After a jump of the poses this begins anew.
 */
export class Landing {
  readonly #options: LandingOptions;
  readonly #stretches = new Stretches();
  readonly #stretchOf = new WeakMap<Frame, number>();
  readonly #places = new Map<number, Landed>();
  #held: Waiting[] = [];
  #views: Frame[] = [];
  #tryAt = 0;
  #last: Landed | undefined;
  #names: RobotFrames | undefined;

  constructor(options: LandingOptions) {
    this.#options = options;
    if (options.start) this.#places.set(0, options.start);
    this.#last = options.start;
  }

  /** The map of the latest frames; undefined while they wait. */
  get place(): Landed | undefined {
    return this.#last;
  }

  get waiting(): number {
    return this.#held.length;
  }

  /** From the map of the latest frames to the world; the identity where that is not known. */
  get worldFromMap(): Transform {
    const { map, into, intoFromMap } = this.#last ?? {};
    return map !== WORLD_FRAME && into === WORLD_FRAME && intoFromMap ? intoFromMap : IDENTITY;
  }

  /** A frame has come: jumps show in the frames as they come, before any of them is dropped. */
  came(frame: Frame): void {
    if (isOwn(frame)) this.#stretchOf.set(frame, this.#options.isFixed ? 0 : this.#stretches.of(frame));
  }

  /** What can be taken in now, in order: frames in their map, and the edges that place it. */
  async take(frame: Frame): Promise<RecordingItem[]> {
    if (!isOwn(frame)) return this.#named(frame);
    if (!this.#stretchOf.has(frame)) this.came(frame);
    const stretch = this.#stretchOf.get(frame)!;
    const [first] = this.#held;
    const out: RecordingItem[] = [];
    // Poses that jumped away and are back were outliers, to be judged where they say they are.
    if (first && stretch < first.stretch) out.push(...(await this.#release(this.#places.get(stretch))));
    else if (first && stretch > first.stretch) out.push(...(await this.#decide()));
    const place = this.#places.get(stretch);
    if (place) {
      this.#last = place;
      if (place.refused) this.#remember(frame);
      return [...out, ...(await this.#landed([frame], place))];
    }
    if (this.#held.length === 0) this.#views = [];
    this.#held.push({ frame, stretch });
    this.#remember(frame);
    const heldS = (frame.timeUs - this.#held[0]!.frame.timeUs) / 1e6;
    const isEnough =
      this.#views.length >= HOLD.views ||
      this.#held.length >= HOLD.frames ||
      heldS >= HOLD.waitS ||
      (await this.#isFirst());
    return isEnough ? [...out, ...(await this.#decide())] : out;
  }

  /** The same for a frame that newer ones have passed: it says nothing of where the robot is now. */
  async takeLate(frame: Frame): Promise<RecordingItem[]> {
    if (!isOwn(frame)) return this.#named(frame);
    const stretch = this.#stretchOf.get(frame);
    const place = stretch === undefined ? undefined : this.#places.get(stretch);
    if (place) return this.#landed([frame], place);
    // Its place is about to be decided, or nobody will know it.
    if (stretch !== undefined && this.#held[0]?.stretch === stretch) this.#held.push({ frame, stretch });
    return [];
  }

  /** What still waits, at the end. */
  async end(): Promise<RecordingItem[]> {
    return this.#held.length > 0 ? this.#decide() : [];
  }

  /** Where the map apart lies, if that shows by now; asked as often as its views have doubled. */
  async lookAgain({
    isLast = false,
  } = {}): Promise<(Landed & Required<Pick<Landed, "into" | "intoFromMap">>) | undefined> {
    const place = this.#last;
    if (!place?.refused || !this.#options.join) return undefined;
    if (isLast ? this.#views.length <= this.#tryAt / 2 : this.#views.length < this.#tryAt) return undefined;
    const graph = await this.#options.graph();
    const into = graph.topOf(place.map);
    if (into !== place.map)
      return void this.#joined(place, { into, intoFromMap: graph.resolve(into, place.map) ?? IDENTITY });
    this.#tryAt = Math.min(2 * this.#views.length, this.#views.length + HOLD.laterViews);
    const found = await this.#found(this.#views.slice(-HOLD.laterViews), place.map);
    if (found === undefined || "refused" in found) return undefined;
    return this.#joined(place, found);
  }

  #joined<T extends Pick<Landed, "into">>(place: Landed, found: T): T & Pick<Landed, "map"> {
    const landed = { ...found, map: place.map };
    for (const [stretch, one] of this.#places) if (one === place) this.#places.set(stretch, landed);
    this.#last = landed;
    return landed;
  }

  /** Nothing is known yet, and this source is the first. */
  async #isFirst(): Promise<boolean> {
    if (this.#places.size > 0 || this.#options.map !== undefined) return false;
    return (await this.#maps(await this.#options.reader())).length === 0;
  }

  #remember(frame: Frame): void {
    if (frame.depth && isNewView(frame, this.#views.at(-1))) this.#views.push(frame);
    if (this.#views.length > 2 * HOLD.laterViews)
      this.#tryAt -= this.#views.splice(0, HOLD.laterViews).length;
  }

  /** Decides where the waiting frames are, and gives them out there. */
  async #decide(): Promise<RecordingItem[]> {
    const { stretch, frame } = this.#held[0]!;
    const reader = await this.#options.reader();
    const { sceneId, map, founds } = this.#options;
    const maps = await this.#maps(reader);
    this.#tryAt = 2 * this.#views.length;
    const isFirst = maps.length === 0 && this.#places.size === 0 && map === undefined && founds();
    if (isFirst) return this.#release({ map: WORLD_FRAME }, stretch);
    const stored = await this.#stored(reader);
    if (stored !== undefined) return this.#release({ map: stored }, stretch);
    await this.#options.settle?.();
    const own = this.#places.size === 0 && map !== undefined ? map : nameOf(sceneId, frame);
    const found = this.#options.join ? await this.#found(this.#views, own) : { refused: "not-sure" as const };
    if (found === undefined || "refused" in found)
      return this.#release({ map: own, refused: found?.refused ?? "nothing-in-common" }, stretch);
    const { into, intoFromMap } = found;
    const graph = await this.#options.graph();
    // A map of this robot may begin where these frames do: it goes on.
    const known = [
      into,
      WORLD_FRAME,
      ...rootsOf(graph.frames(), frame.agentId, (child) => graph.edgeOf(child)?.parent),
    ];
    const same = known.find((root) => {
      const pose = root === into ? undefined : graph.resolve(into, root);
      return root === into ? isSamePlace(intoFromMap) : pose && isSamePlace(intoFromMap, pose);
    });
    if (same !== undefined) return this.#release({ map: same, ...found }, stretch);
    const edges = edgesInto(graph, into, own, intoFromMap);
    const out = await this.#release({ map: own, ...found }, stretch);
    return [...edgeItems(edges, frame.receivedAtUs ?? frame.timeUs), ...out];
  }

  /** The map of these very frames, if they were taken in before: by a run that was cut off, or by a bag played again. */
  async #stored(reader: MemoryReader): Promise<string | undefined> {
    const graph = await this.#options.graph();
    const frames = this.#held.map(({ frame }) => frame);
    return (await knownAs(reader, graph, this.#options.sceneId, frames, 0))?.frame;
  }

  async #found(views: readonly Frame[], own: string) {
    const reader = await this.#options.reader();
    const maps = (await this.#maps(reader)).filter(({ root }) => root !== own);
    if (maps.length === 0) return undefined;
    return placeOf(reader, { ...this.#options, maps, views: views.flatMap(viewOf) });
  }

  async #maps(reader: MemoryReader) {
    const { mapsIn } = await import("../sharing/index.ts");
    return mapsIn(reader, this.#options.sceneId);
  }

  /** The waiting frames, in a map; `stretch` is the one that is decided by it. */
  async #release(place: Landed = { map: WORLD_FRAME }, stretch?: number): Promise<RecordingItem[]> {
    if (stretch !== undefined) this.#places.set(stretch, place);
    this.#last = place;
    const frames = this.#held.splice(0).map(({ frame }) => frame);
    return this.#landed(frames, place);
  }

  async #landed(frames: readonly Frame[], { map }: Landed): Promise<RecordingItem[]> {
    const out: RecordingItem[] = [];
    for (const frame of frames) out.push(...(await this.#named(inMap(frame, map))));
    return out;
  }

  async #named(frame: Frame): Promise<RecordingItem[]> {
    this.#names ??= new RobotFrames(this.#options.graph);
    return [...(await this.#names.edgesFor(frame)), { kind: "frame", frame }];
  }
}

/** A recording whose frames are placed as they come; everything else is handed on. `onEach` has what places them. */
export function landed(
  recording: RecordingReader,
  options: LandingOptions,
  onEach: (landing: Landing) => void,
): RecordingReader {
  return {
    ...recording,
    close: () => recording.close(),
    async *items(reading = {}) {
      const placing = new Landing(options);
      onEach(placing);
      for await (const item of recording.items(reading))
        if (item.kind === "frame") yield* await placing.take(item.frame);
        else yield item;
      yield* await placing.end();
    },
  };
}

/** Whether a frame's poses count from an origin of its source's own. */
function isOwn({ mapFrame, submap }: Frame): boolean {
  return mapFrame === WORLD_FRAME && submap === undefined;
}

function inMap(frame: Frame, map: string): Frame {
  return map === WORLD_FRAME ? frame : { ...frame, mapFrame: map };
}

/** The maps that a robot's own frames hang in. */
function rootsOf(
  frames: readonly string[],
  agentId: string,
  parentOf: (frame: string) => string | undefined,
): string[] {
  return frames
    .filter((frame) => frame.startsWith(`${ROBOT_FRAMES}${agentId}:`))
    .flatMap((frame) => parentOf(frame) ?? []);
}

/** The same robot that wakes at the same moment has the same map, also when it is taken in again. */
function nameOf(sceneId: string, { agentId, timeUs, worldFromCamera }: Frame): string {
  const digest = contentId("map", sceneId, agentId, JSON.stringify([timeUs, worldFromCamera?.p]));
  return `${agentId.replace(/[^\w-]+/g, "-").slice(0, 32)}.${digest.slice(-6)}`;
}
