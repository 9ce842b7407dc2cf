import { distance } from "../../geometry/index.ts";
import {
  blobsOf,
  LIMITS,
  type LociRecord,
  RECORD_KINDS,
  type RecordOf,
  type Stored,
} from "../../schema/core.ts";
import { eachHit } from "../each-hit.ts";
import type { ForgetSelection, MemoryReader } from "../port.ts";
import { type Candidate, LINE_BYTES, plain, ROW_BYTES } from "./gather.ts";

/** A record rewritten without its optional parts; every earlier version is deleted. */
export interface Slimmed {
  readonly record: LociRecord;
  readonly versions: readonly number[];
  readonly bytes: number;
  /** Pictures that it has instead of its own. */
  readonly blobs?: readonly Uint8Array[];
}

/** Views and captions, which can be reworded. */
export function isWorded({ record }: Slimmed): boolean {
  return record.kind === "view" || record.kind === "caption";
}

/** A version with the same content about the world as the next one. */
export type PastVersion = NonNullable<ForgetSelection["past"]>[number] & { readonly bytes: number };
export type SpareSighting = NonNullable<ForgetSelection["sightings"]>[number];

/** A row of a sighting with its place in the index. */
export const SIGHTING_BYTES = 90;
/**
 * Looks at one thing that follow each other within this are as good as their first and last: clearly less than the half
 * minute after which it counts as seen another time.
 */
const CROWDED_US = 25_000_000;
/** How many sightings are kept at either end: what was seen only once or twice is believed less. */
const LOOKS_AT_ENDS = 2;
/** Written once and never again. */
const UNVERSIONED: ReadonlySet<string> = new Set(["observation", "detection"]);

/**
 * Submaps with surface points, oldest first: people view those, questions never use them. Also the merged grid of all
 * submaps, which opens the map sooner and is rebuilt from the submaps by the next recording.
 */
export async function surfacesOf(
  reader: MemoryReader,
  isHeld: (record: LociRecord) => boolean,
): Promise<Slimmed[]> {
  const surfaces: Slimmed[] = [];
  for await (const { record } of eachHit(reader, "region", { where: { category: ["map"] } })) {
    if (record.surface === undefined || isHeld(record)) continue;
    const { surface: _surface, ...rest } = plain(record);
    surfaces.push(await slimmed(reader, record as Stored, rest));
  }
  for await (const { record } of eachHit(reader, "region", { where: { category: ["site"] } })) {
    if (record.grid === undefined || isHeld(record)) continue;
    const { grid: _grid, ...rest } = plain(record);
    surfaces.push(await slimmed(reader, record as Stored, rest));
  }
  return surfaces;
}

/** Views without overlays and signatures: the picture, its boxes and its words stay, distances to the millimetre. */
export async function barerViews(reader: MemoryReader, views: readonly Candidate[]): Promise<Slimmed[]> {
  const barer: Slimmed[] = [];
  for (const { record } of views) {
    const view = record as RecordOf<"view">;
    if (view.overlay === undefined && view.signature === undefined) continue;
    const { overlay: _overlay, signature: _signature, ...rest } = plain(view);
    const visible = view.visible.map((one) => ({
      ...one,
      depthM: Math.round(one.depthM * 1e3) / 1e3,
      fraction: Math.round(one.fraction * 1e3) / 1e3,
    }));
    barer.push(await slimmed(reader, view as Stored, { ...rest, visible }));
  }
  return barer;
}

/** Captions with the way they were made along to the centimetre, and without points that repeat the one before. */
export async function barerCaptions(
  reader: MemoryReader,
  captions: readonly Candidate[],
): Promise<Slimmed[]> {
  const barer: Slimmed[] = [];
  for (const { record } of captions) {
    const caption = record as RecordOf<"caption">;
    if (caption.path === undefined || caption.source === "human") continue;
    const rounded = caption.path.map(({ x, y, z }) => ({ x: toCm(x), y: toCm(y), z: toCm(z) }));
    const path = rounded.filter((point, n) => n === 0 || distance(point, rounded[n - 1]!) > 0);
    const rest = { ...plain(caption), path };
    const letters = JSON.stringify(caption.path).length - JSON.stringify(path).length;
    if (letters === 0) continue;
    const { bytes, ...one } = await slimmed(reader, caption as Stored, rest);
    barer.push({ ...one, bytes: bytes + letters });
  }
  return barer;
}

function toCm(metres: number): number {
  return Math.round(metres * 100) / 100;
}

/** Places reduced to a few of their lines: captions have the lines too, with their times. */
export async function barerPlaces(
  reader: MemoryReader,
  isHeld: (record: LociRecord) => boolean,
  lines: number,
): Promise<Slimmed[]> {
  const barer: Slimmed[] = [];
  for await (const { record } of eachHit(reader, "place")) {
    if (record.text.length <= lines || isHeld(record)) continue;
    const rest = { ...plain(record), text: record.text.slice(-lines) };
    const { bytes, ...one } = await slimmed(reader, record as Stored, rest);
    // Half of the lines are assumed to exist elsewhere as well.
    barer.push({ ...one, bytes: bytes + ((record.text.length - lines) * LINE_BYTES) / 2 });
  }
  return barer;
}

/** A record as it would be without something, and what that frees in blobs and rows of its past. */
export async function slimmed(reader: MemoryReader, record: Stored, rest: LociRecord): Promise<Slimmed> {
  const history = record.version === 1 ? [record] : await reader.history(record.id);
  const stays = new Set(blobsOf(rest));
  let bytes = (history.length - 1) * ROW_BYTES;
  for (const ref of new Set(history.flatMap(blobsOf)))
    if (!stays.has(ref)) bytes += (await reader.blob(ref))?.length ?? 0;
  return { record: rest, versions: history.map(({ version }) => version), bytes };
}

/**
 * Versions of records that are no boundary between two states of the world: the next remaining version gives the same
 * times and properties of the thing. Only the history of the memory's belief is lost.
 */
export async function pastOf(
  reader: MemoryReader,
  isHeld: (record: LociRecord) => boolean,
): Promise<PastVersion[]> {
  const past: PastVersion[] = [];
  for (const kind of RECORD_KINDS) {
    if (UNVERSIONED.has(kind)) continue;
    for await (const { record } of eachHit(reader, kind)) {
      if ((record as Stored).version === 1 || isHeld(record)) continue;
      const history = await reader.history(record.id);
      let next = history.at(-1)!;
      for (const version of history.slice(0, -1).toReversed()) {
        if (isBoundary(version, next)) next = version;
        else past.push({ id: version.id, version: version.version, bytes: rowBytes(version, next) });
      }
    }
  }
  return past;
}

function isBoundary(version: LociRecord, next: LociRecord): boolean {
  if (version.kind !== "state" || next.kind !== "state") return false;
  if (version.validFromUs !== next.validFromUs) return true;
  // The later version records the end; the earlier one did not know it yet.
  if (version.validToUs !== next.validToUs && version.validToUs !== null) return true;
  const [before, after] = [version.attributes, next.attributes];
  return Object.keys(before).some((name) => before[name]!.value !== after[name]?.value);
}

function rowBytes(version: LociRecord, next: LociRecord): number {
  const own = version.text.filter((line) => !next.text.includes(line));
  return ROW_BYTES + JSON.stringify(version).length + own.length * LINE_BYTES;
}

/**
 * Sightings between two others that follow each other closely and saw the same. First and last ones, those on either
 * side of another outcome, and positions of a mover, are kept.
 */
export async function crowdedSightings(
  reader: MemoryReader,
  stateIds: readonly string[],
): Promise<SpareSighting[]> {
  const spare: SpareSighting[] = [];
  for (const stateId of stateIds) {
    const looks = await reader.sightings({ stateIds: [stateId], limit: LIMITS.hitsPerSearch });
    looks.sort((a, b) => a.timeUs - b.timeUs);
    let last = looks[0];
    for (const [n, look] of looks.entries()) {
      const next = looks[n + 1];
      const isInside = n >= LOOKS_AT_ENDS && n < looks.length - LOOKS_AT_ENDS && look.anchor === undefined;
      const isSame = last?.outcome === look.outcome && next?.outcome === look.outcome;
      const isClose = next !== undefined && last !== undefined && next.timeUs - last.timeUs < CROWDED_US;
      if (isInside && isSame && isClose && look.timeUs > last!.timeUs && next.timeUs > look.timeUs)
        spare.push({ stateId, timeUs: look.timeUs });
      else last = look;
    }
  }
  return spare;
}
