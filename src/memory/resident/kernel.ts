import { readFileSync } from "node:fs";
import { assert } from "../../schema/core.ts";

/** The exports of `kernels/`. Addresses and counts come back as signed 32-bit numbers: `>>> 0` them. */
export interface Kernel {
  scratch(log: number): number;
  unscratch(at: number, log: number): void;
  roomFor(bytes: number): number;
  compareIds(a: number, b: number): number;
  isLive(slot: number): number;
  warmHits(list: number, count: number): number;
  findId(bytes: number, length: number): number;
  findMeaning(space: number, key: number): number;
  findRow(external: number): number;
  findTerm(bytes: number, length: number): number;
  passes(query: number, slot: number): number;
  filterList(query: number, list: number, count: number): number;
  scanColumns(query: number, list: number): number;
  gridInit(): void;
  boxEstimate(query: number): number;
  cellsCovered(query: number, grid: number): number;
  coarseCount(query: number): number;
  gridList(query: number, list: number, fine: number): number;
  nearestWalk(query: number, heap: number, k: number, byBox: number, fine: number, budget: number): number;
  timeEstimate(query: number): number;
  timeList(query: number, list: number): number;
  timeWalk(
    query: number,
    list: number,
    want: number,
    newest: number,
    budget: number,
    cursors: number,
  ): number;
  heapSort(heap: number, count: number): void;
  selectList(
    list: number,
    count: number,
    by: number,
    query: number,
    scores: number,
    heap: number,
    k: number,
  ): number;
  boundRows(vector: number, space: number, list: number, count: number, pairs: number, floor: number): number;
  pairsHeap(pairs: number, count: number): void;
  pairsPop(pairs: number, count: number): void;
  reachOfMeaning(vector: number, space: number, ordinal: number): number;
  rowsOf(query: number, space: number, ordinal: number, heap: number, k: number): number;
  scanMeanings(vector: number, space: number, bounds: number): void;
  selectBounds(bounds: number, count: number, heap: number, k: number, below: number, after: number): number;
  addTerm(
    query: number,
    term: number,
    idf: number,
    meanLength: number,
    scores: number,
    list: number,
    count: number,
  ): number;
  clearScores(scores: number, list: number, count: number): void;
  corpusOf(query: number, out: number): void;
  documentFrequency(query: number, term: number): number;
  postingsOf(term: number): number;
  visibleCount(query: number): number;
  cacheGet(space: number, ordinal: number): number;
  cachePut(space: number, ordinal: number, from: number): void;
  exactScore(vector: number, space: number, at: number): number;
  exactRows(vector: number, space: number, slots: number, step: number, count: number, out: number): void;
  adoptMeaning(space: number, key: number, from: number, scale: number, residual: number): number;
  insertMeaning(space: number, key: number, from: number): number;
  prepareVector(vector: number, space: number, narrow: number): void;
  refsOfMeaning(space: number, ordinal: number): number;
  squareOf(from: number, dim: number): number;
  removeMeaning(space: number, ordinal: number): void;
  vectorAt(space: number, ordinal: number): number;
  dropPlace(slot: number): void;
  insertRow(input: number): number;
  internTerm(bytes: number, length: number): number;
  movePlace(slot: number, from: number): void;
  removeRow(slot: number): void;
  checksum(state: number, from: number, bytes: number): void;
  ownerList(query: number, owners: number, count: number, list: number, limit: number): number;
  markBits(bitmap: number, list: number, count: number, on: number): void;
  dotsForTest(query: number, rows: number, count: number, stride: number, out: number): void;
}

/** Which build runs: the second needs a query of seven bits, offset to 0…127 (x64's relaxed dot). */
export type KernelVariant = "plain" | "relaxed" | "relaxed-offset";

interface LoadedKernel {
  readonly kernel: Kernel;
  readonly variant: KernelVariant;
}

let chosen: { module: WebAssembly.Module; variant: KernelVariant } | undefined;

/** An instance of the best build over a memory; every thread makes its own. */
export function loadKernel(memory: WebAssembly.Memory, only?: KernelVariant): LoadedKernel {
  if (only !== undefined) {
    const module = moduleOf(only === "plain" ? "kernels.wasm" : "kernels-relaxed.wasm");
    assert(module !== undefined, `this engine does not take the ${only} kernel`);
    return { kernel: instantiate(module, memory), variant: only };
  }
  chosen ??= choose();
  return { kernel: instantiate(chosen.module, memory), variant: chosen.variant };
}

/** The relaxed build is taken only where its dot products are exact on this very CPU. */
function choose(): { module: WebAssembly.Module; variant: KernelVariant } {
  const relaxed = moduleOf("kernels-relaxed.wasm");
  if (relaxed !== undefined) {
    if (dotsAreExact(relaxed, -127, 127)) return { module: relaxed, variant: "relaxed" };
    if (dotsAreExact(relaxed, 1, 127)) return { module: relaxed, variant: "relaxed-offset" };
  }
  const plain = moduleOf("kernels.wasm");
  assert(plain !== undefined, "this engine has no WebAssembly SIMD with threads");
  return { module: plain, variant: "plain" };
}

function moduleOf(file: string): WebAssembly.Module | undefined {
  const bytes = readFileSync(new URL(`./kernels/${file}`, import.meta.url));
  return WebAssembly.validate(bytes) ? new WebAssembly.Module(bytes) : undefined;
}

function instantiate(module: WebAssembly.Module, memory: WebAssembly.Memory): Kernel {
  const imports = { env: { memory, abort: () => assert(false, "kernel aborted") } };
  return new WebAssembly.Instance(module, imports).exports as unknown as Kernel;
}

const TEST_ROWS = 23;
const TEST_STRIDE = 96;

/** Dot products of extreme and of scattered bytes against plain JavaScript. */
export function dotsAreExact(module: WebAssembly.Module, low: number, high: number): boolean {
  const memory = new WebAssembly.Memory({ initial: 16, maximum: 65536, shared: true });
  const kernel = instantiate(module, memory);
  const query = new Int8Array(memory.buffer, 1024, TEST_STRIDE);
  const rows = new Int8Array(memory.buffer, 4096, TEST_ROWS * TEST_STRIDE);
  const out = new Int32Array(memory.buffer, 32768, TEST_ROWS);
  let seed = 12345;
  const next = (from: number, to: number) => {
    seed = (Math.imul(seed, 1103515245) + 12345) >>> 0;
    return from + ((seed >>> 8) % (to - from + 1));
  };
  for (let round = 0; round < 4; round++) {
    for (let i = 0; i < TEST_STRIDE; i++)
      query[i] = [low, high, next(low, high), next(0, 1) ? low : high][round]!;
    for (let i = 0; i < rows.length; i++) rows[i] = i % 3 === 0 ? next(-127, 127) : next(0, 1) ? -127 : 127;
    kernel.dotsForTest(1024, 4096, TEST_ROWS, TEST_STRIDE, 32768);
    for (let r = 0; r < TEST_ROWS; r++) {
      let sum = 0;
      for (let i = 0; i < TEST_STRIDE; i++) sum += query[i]! * rows[r * TEST_STRIDE + i]!;
      if (out[r] !== sum) return false;
    }
  }
  return true;
}
