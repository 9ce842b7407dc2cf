import {
  H_ALLOC_LOCK,
  H_ARENA,
  H_ARENA_END,
  H_FREE_LISTS,
  H_MAX_PAGES,
  H_SCRATCH_END,
  H_SCRATCH_FREE,
  H_SCRATCH_TOP,
  H_TOP,
} from "../layout";

// The allocator. Nothing that was handed out ever moves; blocks of two-power size are used again.

const ARENA_CHUNK: u32 = 65536;
const LOCK_TRIES = 5000;

function lockAlloc(): void {
  let tries = 0;
  while (atomic.cmpxchg<i32>(H_ALLOC_LOCK, 0, 1) !== 0) {
    atomic.wait<i32>(H_ALLOC_LOCK, 1, 1_000_000);
    // A thread that died inside holds it for ever; trap rather than hang.
    if (++tries > LOCK_TRIES) unreachable();
  }
}

function unlockAlloc(): void {
  atomic.store<i32>(H_ALLOC_LOCK, 0);
  atomic.notify(H_ALLOC_LOCK, 1);
}

/** Fresh zeroed bytes at a multiple of 64. Traps when the memory is full: `roomFor` is asked beforehand. Writer only. */
export function bump(bytes: u32): usize {
  const at: u64 = (u64(load<u32>(H_TOP)) + 63) & ~(63 as u64);
  const end = at + u64(bytes);
  const pages = u32((end + 65535) >> 16);
  const have = u32(memory.size());
  if (pages > have) {
    if (pages > load<u32>(H_MAX_PAGES)) unreachable();
    let want = pages + min<u32>(pages >> 5, 256);
    if (want > load<u32>(H_MAX_PAGES)) want = pages;
    if (memory.grow(want - have) < 0 && memory.grow(pages - have) < 0) unreachable();
  }
  store<u32>(H_TOP, u32(end));
  return usize(at);
}

/** 2^log bytes of a thread's scratch, not zeroed; 0 when the region is used up. Any thread. */
export function scratch(log: u32): usize {
  lockAlloc();
  const list: usize = H_SCRATCH_FREE + (log << 2);
  let at = load<u32>(list);
  if (at !== 0) store<u32>(list, load<u32>(at));
  else if (u64(load<u32>(H_SCRATCH_TOP)) + ((1 as u64) << log) <= u64(load<u32>(H_SCRATCH_END))) {
    at = load<u32>(H_SCRATCH_TOP);
    store<u32>(H_SCRATCH_TOP, at + ((1 as u32) << log));
  }
  unlockAlloc();
  return usize(at);
}

export function unscratch(at: usize, log: u32): void {
  lockAlloc();
  const list: usize = H_SCRATCH_FREE + (log << 2);
  store<u32>(at, load<u32>(list));
  store<u32>(list, u32(at));
  unlockAlloc();
}

/** True if this many more bytes fit below the limit. */
export function roomFor(bytes: f64): bool {
  return f64(load<u32>(H_TOP)) + bytes + 65536.0 <= f64(load<u32>(H_MAX_PAGES)) * 65536.0;
}

/** Bytes that live as long as the index: ids, terms, line lists. Writer only. */
export function arena(bytes: u32, align: u32): usize {
  let at = (load<u32>(H_ARENA) + align - 1) & ~(align - 1);
  if (load<u32>(H_ARENA) === 0 || at + bytes > load<u32>(H_ARENA_END)) {
    if (bytes > ARENA_CHUNK / 4) return bump(bytes);
    at = u32(bump(ARENA_CHUNK));
    store<u32>(H_ARENA_END, at + ARENA_CHUNK);
  }
  store<u32>(H_ARENA, at + bytes);
  return usize(at);
}

/** A block of 2^log bytes, log from 4 to 31, not zeroed when it was used before. Writer only. */
export function allocBlock(log: u32): usize {
  const list: usize = H_FREE_LISTS + (log << 2);
  const head = load<u32>(list);
  if (head !== 0) {
    store<u32>(list, load<u32>(head));
    return head;
  }
  if (log <= 12) return arena((1 as u32) << log, 16);
  return bump((1 as u32) << log);
}

export function freeBlock(at: usize, log: u32): void {
  // Whole pages of zeros take no room in an image, nor in a memory that was read from one.
  if (log > 12) memory.fill(at, 0, (1 as u32) << log);
  const list: usize = H_FREE_LISTS + (log << 2);
  store<u32>(at, load<u32>(list));
  store<u32>(list, u32(at));
}

// A list of u32 behind one word: 0 is empty, odd is a single value (<< 1 | 1), even points to
// {count, log2 of the block, values…}. Most cells and most meanings have one row, which then costs nothing.

export function listCount(handle: u32): u32 {
  if (handle === 0) return 0;
  return handle & 1 ? 1 : load<u32>(handle);
}

export function listAt(handle: u32, i: u32): u32 {
  return handle & 1 ? handle >> 1 : load<u32>(usize(handle) + 8 + (usize(i) << 2));
}

export function listPush(at: usize, value: u32): void {
  let handle = load<u32>(at);
  if (handle === 0) {
    store<u32>(at, (value << 1) | 1);
    return;
  }
  if (handle & 1) {
    const block = allocBlock(5);
    store<u32>(block, 2);
    store<u32>(block, 5, 4);
    store<u32>(block, handle >> 1, 8);
    store<u32>(block, value, 12);
    store<u32>(at, u32(block));
    return;
  }
  const count = load<u32>(handle);
  const log = load<u32>(handle, 4);
  const capacity: u32 = (((1 as u32) << log) >> 2) - 2;
  if (count >= capacity) {
    const bigger = allocBlock(log + 1);
    memory.copy(bigger, handle, 8 + (count << 2));
    store<u32>(bigger, log + 1, 4);
    freeBlock(handle, log);
    handle = u32(bigger);
    store<u32>(at, handle);
  }
  store<u32>(usize(handle) + 8 + (usize(count) << 2), value);
  store<u32>(handle, count + 1);
}

/** Takes one occurrence out; the order of the rest may change. */
export function listRemove(at: usize, value: u32): void {
  const handle = load<u32>(at);
  if (handle === 0) return;
  if (handle & 1) {
    if (handle >> 1 === value) store<u32>(at, 0);
    return;
  }
  const count = load<u32>(handle);
  const items: usize = usize(handle) + 8;
  for (let i: u32 = 0; i < count; i++) {
    if (load<u32>(items + (usize(i) << 2)) !== value) continue;
    store<u32>(items + (usize(i) << 2), load<u32>(items + (usize(count - 1) << 2)));
    store<u32>(handle, count - 1);
    if (count === 1) {
      freeBlock(handle, load<u32>(handle, 4));
      store<u32>(at, 0);
    }
    return;
  }
}
