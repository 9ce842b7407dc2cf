import type { MemoryReader } from "../../memory/index.ts";
import { areKin } from "../../ontology/index.ts";
import { matchTracks } from "../tracking/identity.ts";
import { type Look, readLooks } from "../tracking/looks.ts";
import { currentState } from "../tracking/places.ts";
import type { Ratio } from "../tracking/ratio.ts";
import { type Remembered, readRemembered } from "../tracking/remembered.ts";
import type { Truth } from "../tracking/truth.ts";
import type { Pixels } from "./blindfold.ts";

/** Counts of tracks against the things that are really there. */
export interface TrackCounts {
  readonly precision: Ratio;
  readonly recall: Ratio;
  /** Tracks of things that have a name; and the right ones among them. */
  readonly named: Ratio;
  readonly namesRight: Ratio;
  /** What the wrong tracks are. */
  readonly wrong: WrongTracks;
}

export interface WrongTracks {
  /** Tracks of a thing that has another track: a part of it, or a duplicate. */
  readonly pieces: number;
  /** Tracks of several things, none of which has more than half. */
  readonly merged: number;
  /** Of walls, floors and air. */
  readonly ghosts: number;
}

/** A detection belongs to the thing with this share of its pixels. */
const MOST = 0.5;
const AT_ONCE = 512;
/** Smaller things are not counted. */
export const LEAST_M = 0.1;

/** Counts a memory; `pixels` if its detections are not the truth's. */
export async function countTracks(
  reader: MemoryReader,
  truth: Truth,
  pixels: Pixels | undefined,
): Promise<TrackCounts> {
  const remembered = await readRemembered(reader);
  const { looks, torn } = pixels
    ? await looksOf(reader, truth, remembered, pixels)
    : { looks: (await readLooks(reader, truth, remembered)).looks, torn: new Map<string, number>() };
  const { thingOf, trackOf, duplicates, invented, mixed, unseen } = matchTracks(remembered, looks);
  const isAsked = (id: string) => {
    const { extent } = truth.placementAt(id, truth.document.startUs)?.placement ?? {};
    return extent === undefined || Math.max(extent.x, extent.y, extent.z) >= LEAST_M;
  };
  const asked = truth.things.filter(({ id }) => truth.isCountable(id) && isAsked(id));
  let [named, right] = [0, 0];
  for (const [trackId, thingId] of thingOf) {
    const category = currentState(remembered.tracks.get(trackId)!)?.record.category;
    const { category: real } = truth.thing(thingId)!;
    if (category === undefined || category === "thing") continue;
    named++;
    if (areKin(category, real)) right++;
  }
  const looksAt = Map.groupBy(looks, ({ trackId }) => trackId);
  const isTorn = (track: string) => 2 * (torn.get(track) ?? 0) > (looksAt.get(track)?.length ?? 0);
  const ghosts = [...invented, ...unseen].filter((track) => !isTorn(track)).length;
  const { size } = remembered.tracks;
  return {
    precision: { hits: thingOf.size, total: size },
    recall: { hits: asked.filter(({ id }) => trackOf.has(id)).length, total: asked.length },
    named: { hits: named, total: thingOf.size },
    namesRight: { hits: right, total: named },
    wrong: {
      pieces: duplicates.length,
      merged: mixed.length + invented.length + unseen.length - ghosts,
      ghosts,
    },
  };
}

/**
 * Our eyes' detections with their true things, null for none; and how many of a track's detections have no majority
 * thing.
 */
async function looksOf(
  reader: MemoryReader,
  truth: Truth,
  remembered: Remembered,
  pixels: Pixels,
): Promise<{ looks: Look[]; torn: Map<string, number> }> {
  const ids = [...pixels.keys()];
  const looks: Look[] = [];
  const torn = new Map<string, number>();
  for (let from = 0; from < ids.length; from += AT_ONCE) {
    for (const record of await reader.get(ids.slice(from, from + AT_ONCE))) {
      if (record?.kind !== "detection" || record.stateId === undefined) continue;
      const frame = truth.frameAt(record.author, record.validFromUs);
      const trackId = remembered.states.get(record.stateId)?.trackId;
      if (!frame || trackId === undefined) continue;
      const segment = mostOf(pixels.get(record.id)!);
      if (segment === undefined) torn.set(trackId, (torn.get(trackId) ?? 0) + 1);
      const thing = frame.segments[(segment ?? 0) - 1] ?? null;
      looks.push({ frame, segment: segment ?? 0, thing, stateId: record.stateId, trackId });
    }
  }
  looks.sort((a, b) => a.frame.trueUs - b.frame.trueUs || a.segment - b.segment);
  return { looks, torn };
}

/** The segment with most of the pixels; undefined where none has. */
function mostOf(pixels: ReadonlyMap<number, number>): number | undefined {
  const all = [...pixels.values()].reduce((sum, count) => sum + count, 0);
  for (const [segment, count] of pixels) if (count > MOST * all) return segment;
  return undefined;
}
