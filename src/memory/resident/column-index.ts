import { assert, LIMITS, LociError } from "../../schema/core.ts";
import { cheapestWay } from "./candidates.ts";
import { encodeQuery } from "./encode-query.ts";
import { type ImageHeader, type ImageIdentity, readImage, writeImage } from "./image.ts";
import type { KernelVariant } from "./kernel.ts";
import {
  C_KIND,
  H_BUDGET,
  H_CACHE_BASE,
  H_CACHE_BYTES,
  H_FORMAT,
  H_LIVE,
  H_MAGIC,
  H_MAX_PAGES,
  H_ROWS,
  H_SCRATCH,
  H_SCRATCH_END,
  H_SCRATCH_TOP,
  H_TERMS,
  H_TOP,
  HEADER_BYTES,
  IMAGE_FORMAT,
  ROW_SEGMENT_BYTES,
  S_CACHE,
  S_CACHE_ROWS,
  S_COUNT,
  S_DIM,
  S_LIVE,
  S_OWNERS,
  S_PLACES,
  S_STRIDE,
  S_USED,
  S_VECTORS,
  SEGMENT,
} from "./layout.ts";
import type { LockOptions } from "./lock.ts";
import { SharedLock } from "./lock.ts";
import { AREA, MemoryView, meaningSegmentBytes, type Space, spaceAt } from "./memory-view.ts";
import type { IndexResult, NumericQuery, SearchHooks } from "./query.ts";
import { type RowInput, type RowPlace, RowWriter } from "./row-writer.ts";
import { Search } from "./search.ts";
import type { RankHooks } from "./vector-rank.ts";
import { liveRows } from "./word-scores.ts";

/** "LOCI", as a little-endian number. */
const MAGIC = 0x49434f4c;
const PAGE = 65536;
const DEFAULT_SCRATCH = 384 * 1024 * 1024;

export interface IndexOptions extends LockOptions {
  readonly textDim: number;
  readonly imageDim: number;
  /** Address space for exact float32 vectors; resident is what was inserted or asked for. Default 0. */
  readonly f32CacheBytes?: number;
  /**
   * Exact vectors are kept while they and the body stay below this, and an eighth of it in any case; by default only
   * `f32CacheBytes` limits them.
   */
  readonly residentBytes?: number;
  /** Address space for the threads' working areas, about 30 bytes a row and thread at most; default 384 MiB. */
  readonly scratchBytes?: number;
  /** The memory never grows beyond this; at most 4 GiB less one page, the default. */
  readonly maxBytes?: number;
  /** For tests: this build of the kernels and no other. */
  readonly variant?: KernelVariant;
}

export interface IndexStats {
  readonly live: number;
  readonly dead: number;
  readonly terms: number;
  readonly texts: number;
  readonly images: number;
  /** Bytes of the body: what an image holds. Rows, vectors, and the rest: tables, grid, times, postings, ids. */
  readonly bodyBytes: number;
  readonly rowBytes: number;
  readonly vectorBytes: number;
  readonly otherBytes: number;
  /** Exact float32 vectors that are resident, all spaces together. */
  readonly exactBytes: number;
  /** Reserved for float32 vectors and for scratch; resident only as far as it was touched. */
  readonly cacheBytes: number;
  readonly scratchBytes: number;
  readonly variant: KernelVariant;
}

/**
 * The in-memory 4D index: columns, grid, time lists, postings and int8 vectors in one shared WebAssembly
 * memory. Any number of threads `attach` to `memory` and search; one of them writes. Searches and writes take
 * the lock themselves; a commit of several calls wraps them in one `write`. All of it is synchronous.
 */
export class ColumnIndex {
  readonly memory: WebAssembly.Memory;
  readonly #view: MemoryView;
  readonly #lock: SharedLock;
  readonly #writer: RowWriter;

  private constructor(memory: WebAssembly.Memory, options: LockOptions & { variant?: KernelVariant }) {
    this.memory = memory;
    const slot = SharedLock.claim(memory);
    this.#lock = new SharedLock(memory, slot, options);
    this.#view = new MemoryView(memory, slot, options.variant);
    this.#view.cleanAreas();
    this.#writer = new RowWriter(this.#view);
  }

  /** A new, empty index. */
  static create(options: IndexOptions): ColumnIndex {
    const maxPages = Math.min(65535, Math.floor((options.maxBytes ?? 65535 * PAGE) / PAGE));
    const cacheBytes = Math.ceil((options.f32CacheBytes ?? 0) / PAGE) * PAGE;
    const scratchBytes = Math.ceil((options.scratchBytes ?? DEFAULT_SCRATCH) / PAGE) * PAGE;
    const base = HEADER_BYTES + scratchBytes;
    const pages = (base + cacheBytes) / PAGE + 16;
    if (pages > maxPages)
      throw new LociError("invalid-input", "maxBytes is too small for the float32 cache and the scratch");
    const memory = new WebAssembly.Memory({ initial: pages, maximum: 65536, shared: true });
    const u32 = new Uint32Array(memory.buffer, 0, HEADER_BYTES / 4);
    u32[H_MAGIC >>> 2] = MAGIC;
    u32[H_FORMAT >>> 2] = IMAGE_FORMAT;
    u32[H_MAX_PAGES >>> 2] = maxPages;
    u32[H_SCRATCH >>> 2] = HEADER_BYTES;
    u32[H_SCRATCH_TOP >>> 2] = HEADER_BYTES;
    u32[H_SCRATCH_END >>> 2] = base;
    u32[H_TOP >>> 2] = base + cacheBytes;
    u32[H_CACHE_BASE >>> 2] = base;
    u32[H_CACHE_BYTES >>> 2] = cacheBytes;
    u32[H_BUDGET >>> 2] = Math.min(options.residentBytes ?? 0xffffffff, 0xffffffff);
    // Text may fill the cache; images get a quarter of it where there are any.
    const usable = options.f32CacheBytes ?? 0;
    const textBytes = options.imageDim > 0 ? Math.floor((usable * 0.75) / 64) * 64 : usable;
    makeSpace(u32, "text", options.textDim, base, textBytes);
    makeSpace(u32, "image", options.imageDim, base + textBytes, usable - textBytes);
    const index = new ColumnIndex(memory, options);
    index.#view.kernel.gridInit();
    return index;
  }

  /** Another thread's index over the same memory. */
  static attach(
    memory: WebAssembly.Memory,
    options: LockOptions & { variant?: KernelVariant } = {},
  ): ColumnIndex {
    const u32 = new Uint32Array(memory.buffer, 0, 2);
    assert(
      u32[H_MAGIC >>> 2] === MAGIC && u32[H_FORMAT >>> 2] === IMAGE_FORMAT,
      "this memory holds no index",
    );
    return new ColumnIndex(memory, options);
  }

  /** Gives this thread's place back. */
  detach(): void {
    this.#lock.release();
  }

  /** This thread's number, by which another may `evict` it once it has ended. */
  get thread(): number {
    return this.#lock.slot;
  }

  /** Frees the place of a thread that died, and the lock if it died holding it for reading. */
  evict(thread: number): void {
    this.#lock.evict(thread);
  }

  /** Several searches over one state. `fn` must be synchronous. */
  read<T>(fn: () => T): T {
    return this.#lock.read(() => {
      this.#view.refresh();
      return fn();
    });
  }

  /** One commit: readers see all of it or nothing. After an error inside, part of it may remain; rebuild then. */
  write<T>(fn: () => T): T {
    return this.#lock.write(() => {
      this.#view.refresh();
      return fn();
    });
  }

  /** Adds a vector under the caller's key; a known key changes nothing. */
  insertMeaning(space: Space, key: number, vector: Float32Array): void {
    this.write(() => this.#writer.insertMeaning(space, key, vector));
  }

  hasMeaning(space: Space, key: number): boolean {
    return this.read(() => this.#writer.hasMeaning(space, key));
  }

  /** Wipes a vector that no live row uses. True if it was there. */
  removeMeaning(space: Space, key: number): boolean {
    return this.write(() => this.#writer.removeMeaning(space, key));
  }

  /** Adds a row with a new number and id, whose meanings are present; returns its slot. */
  insertRow(input: RowInput): number {
    return this.write(() => this.#writer.insertRow(input));
  }

  /** True if the row existed. Its slot stays occupied until the index is rebuilt. */
  removeRow(row: number): boolean {
    return this.write(() => this.#writer.removeRow(row));
  }

  /** Re-anchors: new places for all live rows of some submaps. Returns the number of rows. */
  setPlaces(
    submaps: readonly number[],
    placeOf: (row: number, submap: number) => RowPlace | undefined,
  ): number {
    return this.write(() => this.#writer.setPlaces(submaps, placeOf));
  }

  /** A number for a name (an owner, say) that lives in the index and its images; 1 or more. */
  intern(name: string): number {
    return this.write(() => this.#writer.term(`\0${name}`) + 1);
  }

  /** The number of a name that was interned, or 0. */
  numberOf(name: string): number {
    return this.read(() => {
      const bytes = Buffer.from(`\0${name}`);
      const at = this.#view.area(AREA.heap, bytes.length);
      this.#view.u8.set(bytes, at);
      return this.#view.kernel.findTerm(at, bytes.length) + 1;
    });
  }

  /** The kinds of these ids that have a live row. */
  kindsOf(ids: readonly string[]): Map<string, number> {
    return this.read(() => {
      const view = this.#view;
      const at = view.area(AREA.heap, 4096);
      const found = new Map<string, number>();
      for (const id of ids) {
        if (id.length > LIMITS.idChars) continue;
        for (let i = 0; i < id.length; i++) view.u8[at + i] = id.charCodeAt(i);
        const slot = view.kernel.findId(at, id.length);
        if (slot >= 0) found.set(id, view.columnB(slot, C_KIND));
      }
      return found;
    });
  }

  hasRow(row: number): boolean {
    return this.read(() => this.#view.kernel.findRow(row) >= 0);
  }

  /** The length of a space's vectors; 0 before the index was made with one. */
  dimOf(space: Space): number {
    return this.read(() => this.#view.u32[(spaceAt(space) + S_DIM) >>> 2]!);
  }

  /** The hooks must not search or write this index. */
  search(query: NumericQuery, hooks: RankHooks): IndexResult {
    return this.read(() => new Search(this.#view, query, hooks).run());
  }

  /** How many rows pass the filters; rank and limit play no part, and any of several meaning keys will do. */
  count(query: NumericQuery, hooks: SearchHooks): number {
    return this.read(() => new Search(this.#view, query, hooks, true).count());
  }

  /** The planner's estimate: how it would list the matching rows, and about how many there are. */
  estimate(query: NumericQuery): { driver: string; rows: number; costNs: number } {
    return this.read(() => {
      const way = cheapestWay(this.#view, query, encodeQuery(this.#view, query, true), undefined);
      return { driver: way.driver, rows: Math.min(way.rows, liveRows(this.#view)), costNs: way.costNs };
    });
  }

  stats(): IndexStats {
    return this.read(() => {
      const { u32 } = this.#view;
      const live = u32[H_LIVE >>> 2]!;
      const of = (space: Space, field: number) => u32[(spaceAt(space) + field) >>> 2]!;
      const segments = (n: number) => Math.ceil(n / SEGMENT);
      const rowBytes = segments(u32[H_ROWS >>> 2]!) * ROW_SEGMENT_BYTES;
      const ofSpace = (space: Space) =>
        segments(of(space, S_COUNT)) * meaningSegmentBytes(of(space, S_STRIDE));
      const vectorBytes = ofSpace("text") + ofSpace("image");
      const cacheBytes = u32[H_CACHE_BYTES >>> 2]!;
      const bodyBytes = u32[H_TOP >>> 2]! - u32[H_CACHE_BASE >>> 2]! - cacheBytes;
      return {
        live,
        dead: u32[H_ROWS >>> 2]! - live,
        terms: u32[H_TERMS >>> 2]!,
        texts: of("text", S_LIVE),
        images: of("image", S_LIVE),
        bodyBytes,
        rowBytes,
        vectorBytes,
        otherBytes: bodyBytes - rowBytes - vectorBytes,
        exactBytes: (["text", "image"] as const).reduce((n, s) => n + of(s, S_USED) * of(s, S_DIM) * 4, 0),
        cacheBytes,
        scratchBytes: u32[H_SCRATCH_TOP >>> 2]! - u32[H_SCRATCH >>> 2]!,
        variant: this.#view.variant,
      };
    });
  }

  /**
   * The whole index as bytes, in pieces handed to `sink` in order: views of the memory, valid only during the
   * call. Holds the read lock throughout, so commits wait; searches go on.
   */
  writeImage(identity: ImageIdentity, sink: (piece: Uint8Array) => void): ImageHeader {
    return this.read(() => writeImage(this.#view, identity, sink));
  }

  /**
   * An index from an image: `fill` puts the next bytes of the image into the given view and says how many it had.
   * Refuses torn, foreign and other formats, and images of another database, with `memory-corrupt`.
   */
  static load(
    fill: (into: Uint8Array) => number,
    databaseId: Uint8Array,
    options: LockOptions & { variant?: KernelVariant } = {},
  ): { index: ColumnIndex; header: ImageHeader } {
    const { memory, header } = readImage(fill, databaseId);
    return { index: new ColumnIndex(memory, options), header };
  }
}

/** Directory entries for each place of an exact vector: the ratio of meanings to resident vectors. */
const ENTRIES_PER_PLACE = 16;

/** A vector space and its share of the float32 cache: directory, owners of places, places. */
function makeSpace(u32: Uint32Array, space: Space, dim: number, at: number, bytes: number): void {
  const header = spaceAt(space);
  const set = (field: number, value: number) => {
    u32[(header + field) >>> 2] = value;
  };
  set(S_DIM, dim);
  set(S_STRIDE, Math.ceil(dim / 32) * 32);
  const places =
    dim === 0 ? 0 : Math.max(0, Math.floor((bytes - 128) / (dim * 4 + 4 + 4 * ENTRIES_PER_PLACE)));
  const owners = at + places * 4 * ENTRIES_PER_PLACE;
  set(S_CACHE, at);
  set(S_CACHE_ROWS, places * ENTRIES_PER_PLACE);
  set(S_OWNERS, owners);
  set(S_VECTORS, (owners + places * 4 + 63) & ~63);
  set(S_PLACES, places);
}
