import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { describe, expect, it } from "vitest";
import { mulberry, unit } from "../testing/index-rows.ts";
import { ColumnIndex } from "./column-index.ts";
import type { RowInput } from "./row-writer.ts";

const DIM = 32;
const vector = unit(mulberry(1), DIM);

function row(n: number, at: number): RowInput {
  const centre = { x: at, y: 0, z: 0 };
  return {
    row: n,
    id: `r${n}`,
    kind: 0,
    labelSet: 0,
    scene: 1,
    author: 1,
    category: 1,
    owner: 1 + (n % 3),
    validFromUs: n,
    validToUs: n + 1,
    submap: 1,
    place: { centre, box: { min: centre, max: centre } },
    texts: [n % 4],
    words: ["word"],
  };
}

/** A reader that checks, search after search, that every key sees a whole number of batches of ten. */
const READER = `
import { parentPort, workerData } from "node:worker_threads";
import { ColumnIndex } from ${JSON.stringify(new URL("./column-index.ts", import.meta.url).href)};
const index = ColumnIndex.attach(workerData.memory);
const hooks = { exact: (_, keys) => keys.map(() => workerData.vector) };
const any = { rank: "id", limit: 1 };
const keys = [
  any,
  { ...any, place: { type: "box", min: { x: -1e6, y: -1, z: -1 }, max: { x: 1e6, y: 1, z: 1 } } },
  { ...any, time: { after: -5 } },
  { ...any, words: ["word"] },
  { ...any, text: { vector: workerData.vector } },
];
parentPort.postMessage("ready");
let searches = 0;
while (Atomics.load(workerData.stop, 0) === 0) {
  index.read(() => {
    const counts = keys.map((query) => index.count(query, hooks));
    if (counts.some((count) => count !== counts[0] || count % 10 !== 0)) throw new Error("torn: " + counts);
    const { hits } = index.search({ rank: "meaning", limit: 10, text: { vector: workerData.vector } }, hooks);
    if (hits.length !== Math.min(10, counts[0])) throw new Error("hits " + hits.length);
  });
  searches++;
}
index.detach();
parentPort.postMessage(searches);
`;

describe("threads", () => {
  it("read whole commits while another writes, moves and removes, across growth of the memory", async () => {
    const index = ColumnIndex.create({
      textDim: DIM,
      imageDim: 0,
      f32CacheBytes: 1 << 16,
      scratchBytes: 1 << 25,
    });
    for (let key = 0; key < 4; key++) index.insertMeaning("text", key, vector);
    const stop = new Int32Array(new SharedArrayBuffer(4));
    const readers = Array.from({ length: 2 }, () => {
      const code = new URL(`data:text/javascript,${encodeURIComponent(READER)}`);
      return new Worker(code, { workerData: { memory: index.memory, vector, stop } });
    });
    await Promise.all(readers.map((worker) => once(worker, "message")));
    const pages = index.memory.buffer.byteLength;
    let next = 0;
    const until = performance.now() + 2000;
    while (performance.now() < until && next < 60_000) {
      index.write(() => {
        for (let i = 0; i < 10; i++, next++) index.insertRow(row(next, (next % 977) * 3));
        if (next % 40 === 0) for (let i = next - 40; i < next - 30; i++) index.removeRow(i);
      });
      if (next % 5000 === 0) {
        index.setPlaces([1], (n) => {
          const centre = { x: n % 313, y: 0, z: 0 };
          return { centre, box: { min: centre, max: centre } };
        });
      }
    }
    const done = readers.map((worker) => once(worker, "message"));
    Atomics.store(stop, 0, 1);
    for (const [searches] of await Promise.all(done)) expect(searches).toBeGreaterThan(3);
    expect(index.memory.buffer.byteLength).toBeGreaterThan(pages);
    expect(index.stats().live).toBe(next - Math.floor(next / 40) * 10);
  });

  it("gives up on a reader that died inside, by name, and goes on once it is evicted", async () => {
    const index = ColumnIndex.create({ textDim: DIM, imageDim: 0, scratchBytes: 1 << 22, timeoutMs: 150 });
    const code = `
      import { parentPort, workerData } from "node:worker_threads";
      import { ColumnIndex } from ${JSON.stringify(new URL("./column-index.ts", import.meta.url).href)};
      const index = ColumnIndex.attach(workerData.memory);
      index.read(() => { parentPort.postMessage(index.thread); Atomics.wait(workerData.never, 0, 0); });`;
    const never = new Int32Array(new SharedArrayBuffer(4));
    const url = new URL(`data:text/javascript,${encodeURIComponent(code)}`);
    const worker = new Worker(url, { workerData: { memory: index.memory, never } });
    const [thread] = (await once(worker, "message")) as [number];
    await worker.terminate();
    expect(() => index.write(() => 1)).toThrow(/thread 1 has read for too long/);
    index.evict(thread);
    expect(index.write(() => 1)).toBe(1);
    expect(index.read(() => 2)).toBe(2);
  });
});
