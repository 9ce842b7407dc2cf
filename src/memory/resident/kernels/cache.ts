import {
  H_BUDGET,
  H_CACHE_BASE,
  H_CACHE_BYTES,
  H_TOP,
  S_CACHE,
  S_CACHE_ROWS,
  S_DIM,
  S_HAND,
  S_IMAGE,
  S_OWNERS,
  S_PLACES,
  S_TEXT,
  S_USED,
  S_VECTORS,
} from "../layout";

// Exact float32 vectors of whatever was inserted or asked for, packed in that order, so that only what is used is
// resident. A directory leads from ordinals to places; each place knows its owner. Readers fill free places, under the
// read lock and several at once; only the writer, alone, gives a taken place to another vector. So an address that a
// search was given stays good until the search ends.

const ABSENT: u32 = 0;
/** Somebody is about to fill it. Whoever dies in between leaves a vector that is read from the truth. */
const CLAIMED: u32 = 1;
/** Entries from here on are places. */
const FIRST: u32 = 2;
const NOBODY: u32 = 0xffffffff;
const NONE: u32 = 0xffffffff;

function entryOf(space: usize, ordinal: u32): usize {
  return usize(load<u32>(space, S_CACHE)) + (usize(ordinal) << 2);
}

function ownerOf(space: usize, place: u32): usize {
  return usize(load<u32>(space, S_OWNERS)) + (usize(place) << 2);
}

function vectorOf(space: usize, place: u32): usize {
  return usize(load<u32>(space, S_VECTORS)) + usize(place) * (load<u32>(space, S_DIM) << 2);
}

/**
 * How many places of a space may be filled: what the budget leaves beside the body and the other space's vectors, and
 * an eighth of it where the body alone takes all, since nearly every search needs a few.
 */
function mostPlaces(space: usize): u32 {
  const other: usize = space === S_TEXT ? S_IMAGE : S_TEXT;
  const body = load<u32>(H_TOP) - load<u32>(H_CACHE_BASE) - load<u32>(H_CACHE_BYTES);
  const taken = u64(body) + u64(load<u32>(other, S_USED)) * u64(load<u32>(other, S_DIM) << 2);
  const budget = u64(load<u32>(H_BUDGET));
  const left = max<u64>(taken < budget ? budget - taken : 0, budget >> 3);
  return u32(min<u64>(u64(load<u32>(space, S_PLACES)), left / u64(load<u32>(space, S_DIM) << 2)));
}

/** Takes a place that nobody has had. Never one more and back: another reader, with more room in sight, may come between. */
function freePlace(space: usize): u32 {
  const most = mostPlaces(space);
  let used = atomic.load<u32>(space, S_USED);
  while (used < most) {
    const found = atomic.cmpxchg<u32>(space, used, used + 1, S_USED);
    if (found === used) return used;
    used = found;
  }
  return NONE;
}

/** Takes the place that was filled longest ago. Writer only. */
function takenPlace(space: usize): u32 {
  const used = load<u32>(space, S_USED);
  if (used === 0) return NONE;
  const hand = load<u32>(space, S_HAND);
  const place = hand < used ? hand : 0;
  store<u32>(space, place + 1, S_HAND);
  const owner = load<u32>(ownerOf(space, place));
  if (owner !== NOBODY) store<u32>(entryOf(space, owner), ABSENT);
  return place;
}

function put(space: usize, ordinal: u32, from: usize, alone: bool): void {
  if (ordinal >= load<u32>(space, S_CACHE_ROWS)) return;
  const entry = entryOf(space, ordinal);
  if (atomic.cmpxchg<u32>(entry, ABSENT, CLAIMED) !== ABSENT) return;
  let place = freePlace(space);
  if (place === NONE && alone) place = takenPlace(space);
  if (place === NONE) {
    atomic.store<u32>(entry, ABSENT);
    return;
  }
  memory.copy(vectorOf(space, place), from, load<u32>(space, S_DIM) << 2);
  store<u32>(ownerOf(space, place), ordinal);
  atomic.store<u32>(entry, place + FIRST);
}

/** Keeps the vector of a search's row while there is room. */
export function cachePut(space: usize, ordinal: u32, from: usize): void {
  put(space, ordinal, from, false);
}

/** Keeps a new vector, if need be in the place of the one kept longest. Writer only. */
export function cacheNew(space: usize, ordinal: u32, from: usize): void {
  put(space, ordinal, from, true);
}

/** The address of the exact vector if it is resident, else 0. */
export function cacheGet(space: usize, ordinal: u32): usize {
  if (ordinal >= load<u32>(space, S_CACHE_ROWS)) return 0;
  const entry = atomic.load<u32>(entryOf(space, ordinal));
  return entry < FIRST ? 0 : vectorOf(space, entry - FIRST);
}

/** Wipes a vector. Writer only. */
export function cacheDrop(space: usize, ordinal: u32): void {
  if (ordinal >= load<u32>(space, S_CACHE_ROWS)) return;
  const entry = entryOf(space, ordinal);
  const place = load<u32>(entry);
  store<u32>(entry, ABSENT);
  if (place < FIRST) return;
  memory.fill(vectorOf(space, place - FIRST), 0, load<u32>(space, S_DIM) << 2);
  store<u32>(ownerOf(space, place - FIRST), NOBODY);
}
