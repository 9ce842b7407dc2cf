import { LociError } from "../../schema/core.ts";
import { PIECE, readPiece, writePiece } from "./image-blocks.ts";
import { loadKernel } from "./kernel.ts";
import {
  H_ALLOC_LOCK,
  H_CACHE_BASE,
  H_CACHE_BYTES,
  H_SCRATCH,
  H_SCRATCH_FREE,
  H_SCRATCH_TOP,
  H_TOP,
  H_WRITER,
  HEADER_BYTES,
  IMAGE_FORMAT,
  READER_BYTES,
  READER_SLOTS,
  READERS,
  S_HAND,
  S_IMAGE,
  S_TEXT,
  S_USED,
} from "./layout.ts";
import { AREA, type MemoryView } from "./memory-view.ts";

/** The source of an image: the caller's database and the last commit that is in it. */
export interface ImageIdentity {
  /** 16 bytes. */
  readonly databaseId: Uint8Array;
  readonly commit: number;
}

export interface ImageHeader extends ImageIdentity {
  readonly format: number;
  readonly bytes: number;
}

// An image is {header of 4 KiB, control block and directories, everything after scratch and float32 cache}. Those two
// are left out: an image has no attached threads, and the cache fills itself again. What other readers change while an
// image is written (their state words, scratch, the cache) is exactly what is left out. The body is written in pieces,
// shortened (image-blocks.ts); the sums are over the bytes in memory.
const IMAGE_MAGIC = "LOCIIDX2";
const HEADER = 4096;
const PAGE = 65536;
// Fields of the image header.
const O_FORMAT = 8;
const O_COMMIT = 16;
const O_TOP = 24;
const O_CACHE = 32;
const O_DATABASE = 48;
const O_SUM = 64;
const O_SELF = 128;

export function writeImage(
  view: MemoryView,
  identity: ImageIdentity,
  sink: (piece: Uint8Array) => void,
): ImageHeader {
  if (identity.databaseId.length !== 16) throw new RangeError("a database id has 16 bytes");
  const control = new Uint8Array(HEADER_BYTES);
  control.set(view.u8.subarray(0, HEADER_BYTES));
  calm(control);
  const top = Math.ceil(view.u32[H_TOP >>> 2]! / 64) * 64;
  const body = view.u32[H_CACHE_BASE >>> 2]! + view.u32[H_CACHE_BYTES >>> 2]!;
  const state = checksumState(view, control);
  for (let at = body; at < top; at += PIECE) view.kernel.checksum(state, at, Math.min(PIECE, top - at));
  const header = new Uint8Array(HEADER);
  const fields = new DataView(header.buffer);
  for (let i = 0; i < 8; i++) header[i] = IMAGE_MAGIC.charCodeAt(i);
  fields.setUint32(O_FORMAT, IMAGE_FORMAT, true);
  fields.setFloat64(O_COMMIT, identity.commit, true);
  fields.setFloat64(O_TOP, top, true);
  fields.setFloat64(O_CACHE, body - HEADER_BYTES, true);
  header.set(identity.databaseId, O_DATABASE);
  header.set(view.u8.subarray(state, state + 64), O_SUM);
  fields.setUint32(O_SELF, sumOf(header.subarray(0, O_SELF)), true);
  sink(header);
  sink(control);
  let bytes = HEADER + HEADER_BYTES;
  for (let at = body; at < top; at += PIECE)
    bytes += writePiece(view.u8, body, at, Math.min(at + PIECE, top), sink);
  return { ...identity, format: IMAGE_FORMAT, bytes };
}

export function readImage(
  fill: (into: Uint8Array) => number,
  databaseId: Uint8Array,
): { memory: WebAssembly.Memory; header: ImageHeader } {
  let length = 0;
  const takeCounted = (into: Uint8Array) => {
    take(fill, into);
    length += into.length;
  };
  const bytes = new Uint8Array(HEADER);
  const fields = new DataView(bytes.buffer);
  takeCounted(bytes);
  for (let i = 0; i < 8; i++) if (bytes[i] !== IMAGE_MAGIC.charCodeAt(i)) corrupt("is not an index image");
  const format = fields.getUint32(O_FORMAT, true);
  if (format !== IMAGE_FORMAT) corrupt(`has format ${format}, this Loci reads ${IMAGE_FORMAT}`);
  if (fields.getUint32(O_SELF, true) !== sumOf(bytes.subarray(0, O_SELF))) corrupt("has a damaged header");
  const owner = bytes.slice(O_DATABASE, O_DATABASE + 16);
  if (!owner.every((byte, i) => byte === databaseId[i])) corrupt("belongs to another database");
  const top = fields.getFloat64(O_TOP, true);
  const body = HEADER_BYTES + fields.getFloat64(O_CACHE, true);
  const pages = Math.ceil(top / PAGE) + 16;
  if (!(body <= top && pages <= 65536)) corrupt("has impossible sizes");
  const memory = new WebAssembly.Memory({ initial: Math.max(16, pages), maximum: 65536, shared: true });
  const u8 = new Uint8Array(memory.buffer);
  const control = new Uint8Array(HEADER_BYTES);
  takeCounted(control);
  u8.set(control, 0);
  const { kernel } = loadKernel(memory);
  const state = HEADER_BYTES; // The start of the scratch region.
  kernel.checksum(state, 0, HEADER_BYTES);
  const u32 = new Uint32Array(memory.buffer);
  for (let at = body; at < top; at += PIECE) {
    const end = Math.min(at + PIECE, top);
    if (!readPiece(u8, u32, body, at, end, takeCounted)) corrupt("is torn or damaged");
    kernel.checksum(state, at, end - at);
  }
  for (let i = 0; i < 64; i++) if (u8[state + i] !== bytes[O_SUM + i]) corrupt("is torn or damaged");
  if (fill(new Uint8Array(1)) !== 0) corrupt("is longer than it says");
  u8.fill(0, state, state + 64);
  const commit = fields.getFloat64(O_COMMIT, true);
  return { memory, header: { databaseId: owner, commit, format, bytes: length } };
}

/** Clears every attachment: no lock held, every thread's place free and without scratch, no exact vector resident. */
function calm(control: Uint8Array): void {
  const words = new Int32Array(control.buffer);
  words[H_WRITER / 4] = 0;
  words[H_ALLOC_LOCK / 4] = 0;
  words[H_SCRATCH_TOP / 4] = words[H_SCRATCH / 4]!;
  words.fill(0, H_SCRATCH_FREE / 4, H_SCRATCH_FREE / 4 + 32);
  for (const space of [S_TEXT, S_IMAGE]) {
    words[(space + S_USED) / 4] = 0;
    words[(space + S_HAND) / 4] = 0;
  }
  words.fill(0, READERS / 4, (READERS + READER_SLOTS * READER_BYTES) / 4);
}

/** Sums over the control block, kept in scratch, which no image holds; the caller continues with the body. */
function checksumState(view: MemoryView, control: Uint8Array): number {
  const state = view.area(AREA.heap, HEADER_BYTES + 64);
  view.u8.fill(0, state, state + 64);
  view.u8.set(control, state + 64);
  view.kernel.checksum(state, state + 64, HEADER_BYTES);
  return state;
}

function take(fill: (into: Uint8Array) => number, into: Uint8Array): void {
  for (let done = 0; done < into.length; ) {
    const got = fill(into.subarray(done));
    if (!(got > 0)) corrupt("is cut short");
    done += got;
  }
}

function sumOf(bytes: Uint8Array): number {
  let h = 2166136261;
  for (const byte of bytes) h = Math.imul(h ^ byte, 16777619);
  return h >>> 0;
}

function corrupt(why: string): never {
  throw new LociError("memory-corrupt", `the index image ${why}; it will be rebuilt from the memory`);
}
