import { compose, type FrameGraph, IDENTITY, type Transform, transformDelta } from "../geometry/index.ts";
import type { MemoryReader } from "../memory/port.ts";
import { contentId, type FrameEdgeInput, type RecordOf, type Stored, WORLD_FRAME } from "../schema/core.ts";
import type { Frame, RecordingItem, RecordingReader } from "../sensors/index.ts";
import { isLiveFormat } from "../sensors/live/formats.ts";
import { edgesInto, isNewView, isSamePlace, placeOf, type Refusal, viewOf } from "./known-place.ts";

/** What was found out about a recording's map before its first frame was ingested. */
export interface ArrivalReport {
  /** The map that the recording's poses are in. */
  readonly map: string;
  /** The known map that it was recognised in; absent where it stays apart. */
  readonly into?: string;
  readonly intoFromMap?: Transform;
  /**
   * Share of the known surfaces that its frames confirm rather than see through, 0 to 1; set where it was recognised.
   */
  readonly agreement?: number;
  /** Why it stays apart. */
  readonly refused?: Refusal;
  /** Whether its frames were ingested before. */
  readonly isKnown?: boolean;
}

/** A recording ready to be ingested, placed in its map and shifted to its time. */
export interface Arriving {
  readonly recording: RecordingReader;
  /** Edges to write before its first frame. */
  readonly edges?: readonly FrameEdgeInput[];
  readonly report?: ArrivalReport;
  /** Shifted time of its first examined frame, where the recording returns to a known place. */
  readonly sinceUs?: number;
  /** From the recording's own world to the map that its things will be in. */
  readonly worldFromRecording: Transform;
}

/** Frames compared with the map, and how many are read to find them. */
const VIEWS = 64;
const MOST_READ = 1_200;
/** A remembered camera counts as the same within this distance; poses are refined against surfaces. */
const SAME_M = 0.5;
const SAME_RAD = 0.3;
/** A recording without dates is placed this long after the last known moment, rounded to a whole second. */
const AFTER_US = 60_000_000;

/**
 * Finds which map a recording belongs to. A recording with its own origin, or with an explicit map name, is a
 * separate map until it is recognised in a known one. An edge then joins the two, and later stages see one world.
 */
export async function arrivalOf(
  recording: RecordingReader,
  memory: MemoryReader,
  {
    sceneId,
    labels,
    map,
    join,
  }: { sceneId: string; labels: readonly string[]; map: string | undefined; join: boolean },
): Promise<Arriving> {
  const asItIs = { recording, worldFromRecording: IDENTITY };
  // The frames of a live robot cannot be read in advance: `landing.ts` places them as they come.
  if (map === WORLD_FRAME || isLiveFormat(recording.format)) return asItIs;
  if (map === undefined && recording.world !== "own") return asItIs;
  const { mapsIn } = await import("../sharing/index.ts");
  const maps = await mapsIn(memory, sceneId);
  if (maps.length === 0) return asItIs;
  const frames = await framesFor(recording);
  // Without poses nothing is said of where it lies.
  if (frames.length === 0) return asItIs;
  const graph = await memory.frames();
  const own = map ?? nameFor(recording, frames);
  const shiftUs = recording.times === "from-zero" ? await lateBy(memory, sceneId, graph, own, frames[0]) : 0;
  const known = await knownAs(memory, graph, sceneId, frames, shiftUs);
  if (known !== undefined)
    return {
      recording: delayed(recording, known.shiftUs),
      worldFromRecording: graph.resolve(graph.topOf(known.frame), known.frame) ?? IDENTITY,
      report: { map: known.frame, isKnown: true },
    };
  const late = delayed(recording, shiftUs);
  const apart = (refused: Refusal): Arriving => ({
    recording: late,
    worldFromRecording: IDENTITY,
    report: { map: own, refused },
  });
  if (!join) return { recording: late, worldFromRecording: IDENTITY, report: { map: own } };
  const found = await placeOf(memory, { sceneId, labels, maps, views: frames.flatMap(viewOf) });
  if ("refused" in found) return apart(found.refused);
  const { into, intoFromMap, agreement } = found;
  const isSame = isSamePlace(intoFromMap) && into === WORLD_FRAME;
  return {
    recording: late,
    edges: isSame ? [] : edgesInto(graph, into, own, intoFromMap),
    sinceUs: frames[0]!.timeUs + shiftUs,
    worldFromRecording: isSame ? IDENTITY : intoFromMap,
    report: { map: isSame ? into : own, into, intoFromMap, agreement },
  };
}

/** Frames from the beginning of a recording that look at different things. */
async function framesFor(recording: RecordingReader): Promise<Frame[]> {
  const kept: Frame[] = [];
  let read = 0;
  for await (const item of recording.items()) {
    if (item.kind !== "frame") continue;
    const { worldFromCamera: pose, mapFrame } = item.frame;
    if (++read > MOST_READ || kept.length >= VIEWS) break;
    if (pose === undefined || mapFrame !== WORLD_FRAME) continue;
    if (isNewView(item.frame, kept.at(-1))) kept.push(item.frame);
  }
  return kept;
}

/** A stable map name for a recording, made from its name and its camera path. */
export function nameFor({ info }: RecordingReader, frames: readonly Frame[]): string {
  const way = frames.slice(0, 4).map(({ worldFromCamera: pose, timeUs }) => [pose?.p, timeUs]);
  const called = info.source
    .split(": ")
    .at(-1)!
    .replace(/[^\w-]+/g, "-")
    .replace(/^[^A-Za-z0-9]+/, "");
  const digest = contentId("map", info.source, JSON.stringify([info.startUs, info.frames, way]));
  return `${called.slice(0, 32) || "recording"}.${digest.slice(-6)}`;
}

/** The stored observation of a frame that was ingested before. */
type Look = Stored<RecordOf<"observation">>;

/** The frame that an earlier ingest of this recording used, and its time shift. */
export async function knownAs(
  memory: MemoryReader,
  graph: FrameGraph,
  sceneId: string,
  frames: readonly Frame[],
  shiftUs: number,
): Promise<{ readonly frame: string; readonly shiftUs: number } | undefined> {
  const { observationIdOf } = await import("../ingest/index.ts");
  for (const lateUs of new Set([0, shiftUs])) {
    const ids = frames.map((frame) => observationIdOf(sceneId, { ...frame, timeUs: frame.timeUs + lateUs }));
    const looks = await memory.get(ids);
    for (const [n, look] of looks.entries()) {
      const pose = frames[n]!.worldFromCamera!;
      const found =
        look?.kind === "observation" ? placeIn(graph, look as Look, frames[n]!.mapFrame) : undefined;
      if (found === undefined) continue;
      const { translationM, rotationRad } = transformDelta(found.pose, pose);
      if (translationM < SAME_M && rotationRad < SAME_RAD) return { frame: found.frame, shiftUs: lateUs };
    }
  }
  return undefined;
}

/** The observation's camera pose in the frame of the recording's poses: the submap or the map. */
function placeIn(
  graph: FrameGraph,
  { anchor }: Look,
  mapFrame: string,
): { readonly frame: string; readonly pose: Transform } | undefined {
  if (anchor?.q === undefined) return undefined;
  const camera = { p: anchor.p, q: anchor.q };
  const above = anchor.submap === mapFrame ? mapFrame : graph.edgeOf(anchor.submap)?.parent;
  if (above === undefined) return undefined;
  const inAbove = above === anchor.submap ? IDENTITY : graph.resolve(above, anchor.submap);
  return inAbove && { frame: above, pose: compose(inAbove, camera) };
}

/** Time shift for a recording without dates: past everything known, unless the recording itself is known. */
async function lateBy(
  memory: MemoryReader,
  sceneId: string,
  graph: FrameGraph,
  own: string,
  first: Frame | undefined,
): Promise<number> {
  if (first === undefined) return 0;
  const isOwn = graph.topOf(own) !== own || graph.edgeOf(own) !== undefined;
  const { eachHit } = await import("../memory/index.ts");
  let [earliest, latest] = [Infinity, -Infinity];
  for await (const { record } of eachHit(memory, "observation", { where: { sceneId: [sceneId] } })) {
    latest = Math.max(latest, record.validFromUs);
    const submap = record.anchor?.submap;
    if (submap === own || submap === `${own}.upright`) earliest = Math.min(earliest, record.validFromUs);
  }
  if ((isOwn || earliest < Infinity) && earliest < Infinity) return earliest - first.timeUs;
  if (latest < first.timeUs) return 0;
  return Math.ceil((latest + AFTER_US - first.timeUs) / 1e6) * 1e6;
}

function delayed(recording: RecordingReader, byUs: number): RecordingReader {
  if (byUs === 0) return recording;
  return mapped(recording, (item) => {
    if (item.kind !== "frame") return item;
    const { frame } = item;
    return { kind: "frame", frame: { ...frame, timeUs: frame.timeUs + byUs } };
  });
}

function mapped(recording: RecordingReader, change: (item: RecordingItem) => RecordingItem): RecordingReader {
  return {
    ...recording,
    close: () => recording.close(),
    async *items(options = {}) {
      for await (const item of recording.items(options)) yield change(item);
    },
  };
}
