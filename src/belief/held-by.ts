import type { FrameGraph } from "../geometry/index.ts";
import type { MemoryReader } from "../memory/index.ts";
import { hangsOn, holds, isKindOf, mobilityOf, supports } from "../ontology/index.ts";
import { followMerges } from "./merges.ts";
import { isFixed } from "./mobility.ts";
import { inWorld } from "./poses.ts";
import { RELATING } from "./settings/relations.ts";
import type { HeldBy, StateRecord } from "./thing.ts";

/** A stay that something stands on or is in, with the identity behind it. */
export interface Holder {
  readonly state: StateRecord;
  readonly trackId: string;
}

/** The stays that these stays name as their holders, read once for a question. */
export async function holdersOf(
  reader: MemoryReader,
  known: Map<string, Holder | undefined>,
  tracks: Map<string, string>,
  states: readonly StateRecord[],
): Promise<ReadonlyMap<string, Holder | undefined>> {
  const named = states.flatMap(({ insideOf, supportedBy }) => insideOf ?? supportedBy ?? []);
  const unread = [...new Set(named)].filter((id) => !known.has(id));
  if (unread.length === 0) return known;
  const records = await reader.get(unread);
  const found = records.flatMap((record) => (record?.kind === "state" ? [record] : []));
  await followMerges(
    reader,
    tracks,
    found.map(({ trackId }) => trackId),
  );
  for (const id of unread) known.set(id, undefined);
  for (const state of found)
    known.set(state.id, { state, trackId: tracks.get(state.trackId) ?? state.trackId });
  return known;
}

/**
 * What a stay stands on or is in, by its record. Only containers can have something in them: the box of a kitchen
 * counter reaches around what stands on it. A wall-mounted thing is not on what stands below it unless it touches it.
 */
export function heldBy(
  state: StateRecord,
  holders: ReadonlyMap<string, Holder | undefined>,
  frames: FrameGraph,
): HeldBy | undefined {
  const holder = holders.get(state.insideOf ?? state.supportedBy ?? "");
  if (!holder || holder.trackId === state.trackId) return undefined;
  if (state.insideOf !== undefined && isTooFixed(state, holder.state)) return undefined;
  const isInside =
    state.insideOf !== undefined && holds(holder.state.category) && !isOnTop(state, holder.state, frames);
  if (!isInside && (!bears(holder.state) || hangsDown(state) || isApart(state, holder.state)))
    return undefined;
  const { id: stateId, category } = holder.state;
  return { relation: isInside ? "in" : "on", stateId, trackId: holder.trackId, category };
}

/** What stays where it is lies in nothing that is carried about: the box of a cloth over a sofa holds the sofa. */
export function isTooFixed(
  { category }: { readonly category: string },
  holder: { readonly category: string },
): boolean {
  return isFixed(category) && mobilityOf(holder.category) === "carried";
}

/** Whether things can rest on it: not on doors, windows, hanging things without a top, or people. */
export function bears({ category }: { readonly category: string }): boolean {
  if (supports(category)) return true;
  return hangsOn(category) === undefined && !BEARS_NOTHING.some((kind) => isKindOf(category, kind));
}

const BEARS_NOTHING = ["opening", "window covering", "person", "animal"];

/** A thing that hangs down behind a desk ends at the height of its top, and lies on nothing. */
export function hangsDown({ category }: { readonly category: string }): boolean {
  return isKindOf(category, "window covering") || isKindOf(category, "opening");
}

function isApart(state: StateRecord, below: StateRecord): boolean {
  return hangsOn(state.category) === "wall" && !touches(state, below);
}

/**
 * A thing that begins this far below a top still stands on it: a share of the holder's height or metres, whichever is
 * less.
 */
const RIM = { share: 0.2, m: 0.1 } as const;

/** Whether a thing recorded as inside another begins at its top: soap on a basin, shoes on their rack. */
function isOnTop(state: StateRecord, below: StateRecord, frames: FrameGraph): boolean {
  const [a, b] = [state, below].map(({ anchor }) => anchor && inWorld(frames, anchor));
  if (!a || !b || !state.extent || !below.extent) return false;
  const topM = b.z + below.extent.z / 2;
  return a.z - state.extent.z / 2 > topM - Math.min(RIM.m, RIM.share * below.extent.z);
}

function touches(above: StateRecord, below: StateRecord): boolean {
  const [a, b] = [above.anchor, below.anchor];
  if (!a || !b || a.submap !== b.submap || !above.extent || !below.extent) return false;
  return Math.abs(a.p.z - above.extent.z / 2 - (b.p.z + below.extent.z / 2)) < RELATING.heldTouchM;
}
