import { execFileSync } from "node:child_process";
import { closeSync, mkdtempSync, openSync, readSync, rmSync, writeFileSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ColumnIndex } from "../src/memory/resident/column-index.ts";
import type { NumericQuery, SearchHooks } from "../src/memory/resident/query.ts";

// Micro-benchmarks of the resident index alone, one thread, warm. node bench/kernels.bench.ts [--n N] [--dim D]
// [--cache MiB] [--only a,b] [--move] [--image] [--no-c]. Data as in ENGINES.md: 2,000 concepts, clustered in 2 km × 2 km × 20 m,
// intervals over 30 days.

const flag = (name: string, fallback: number): number => {
  const i = process.argv.indexOf(`--${name}`);
  return i < 0 ? fallback : Number(process.argv[i + 1]);
};
const N = flag("n", 100_000);
const DIM = flag("dim", 384);
const CACHE = flag("cache", Math.ceil((Math.min(N, 150_000) * (DIM * 4 + 1)) / 2 ** 20) + 1) * 2 ** 20;
const DAY = 86_400e6;

let seed = 42;
function random(): number {
  seed = (seed + 0x6d2b79f5) >>> 0;
  let t = Math.imul(seed ^ (seed >>> 15), seed | 1);
  t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
  return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
}
/** Near enough to a normal number, and cheap: of these there are N × DIM. */
const gauss = (): number => 2 * (random() + random() + random() - 1.5);

function unit(v: Float32Array): Float32Array {
  let square = 0;
  for (const x of v) square += x * x;
  const length = Math.sqrt(square);
  return v.map((x) => x / length);
}
const concepts = Array.from({ length: 2000 }, () => unit(Float32Array.from({ length: DIM }, gauss)));
/** Within a concept cosine is about 0.8. */
function vectorNear(concept: number): Float32Array {
  const base = concepts[concept]!;
  return unit(base.map((x) => x + (0.5 * gauss()) / Math.sqrt(DIM)));
}
const clusters = Array.from({ length: 400 }, () => ({ x: random() * 2000, y: random() * 2000 }));
function somewhere(): { x: number; y: number; z: number } {
  const c = clusters[Math.floor(random() * clusters.length)]!;
  return random() < 0.5
    ? { x: random() * 2000, y: random() * 2000, z: random() * 20 }
    : { x: c.x + 25 * gauss(), y: c.y + 25 * gauss(), z: random() * 20 };
}
const vocabulary = Array.from({ length: 20_000 }, (_, i) => `w${i.toString(36)}`);
const word = (): string => vocabulary[Math.floor(vocabulary.length * random() ** 3)]!;

const index = ColumnIndex.create({ textDim: DIM, imageDim: 0, f32CacheBytes: CACHE });
const floats = new Float32Array(N * DIM);
const centres: { x: number; y: number; z: number }[] = [];
const started = performance.now();
let writing = 0;
for (let from = 0; from < N; from += 100) {
  const batch = Array.from({ length: Math.min(100, N - from) }, (_, j) => {
    const row = from + j + 1;
    const vector = vectorNear(Math.floor(random() * 2000));
    floats.set(vector, (row - 1) * DIM);
    const p = somewhere();
    centres.push(p);
    const half = random() * 0.5;
    const start = Math.floor(1.7e15 + (row / N) * 30 * DAY + random() * 1e9);
    const lasts = random() < 0.05 ? null : Math.floor(1 + random() ** 4 * 6 * 3600e6);
    return {
      vector,
      input: {
        row,
        id: `01HV${row.toString(36).padStart(22, "0").toUpperCase()}`,
        kind: row % 8,
        labelSet: row % 3,
        scene: 1,
        author: 1,
        category: 1 + (row % 80),
        owner: 1 + Math.floor(row / 10),
        validFromUs: start,
        validToUs: lasts === null ? null : start + lasts,
        submap: 1 + (row % 10),
        place: {
          centre: p,
          box: {
            min: { x: p.x - half, y: p.y - half, z: p.z - half },
            max: { x: p.x + half, y: p.y + half, z: p.z + half },
          },
        },
        texts: [row],
        words: Array.from({ length: 12 }, word),
      },
    };
  });
  const t = process.cpuUsage();
  index.write(() => {
    for (const { vector, input } of batch) {
      index.insertMeaning("text", input.row, vector);
      index.insertRow(input);
    }
  });
  const { user, system } = process.cpuUsage(t);
  writing += (user + system) / 1000;
}
const stats = index.stats();
const residentBytes = stats.bodyBytes;
console.log(
  `n ${N} dim ${DIM} variant ${stats.variant} cache ${(stats.cacheBytes / 2 ** 20).toFixed(0)} MiB`,
);
console.log(
  `insert ${((writing / N) * 100).toFixed(3)} ms of CPU per 100 rows; build ${((performance.now() - started) / 1000).toFixed(1)} s`,
);
console.log(
  `resident ${(residentBytes / 2 ** 20).toFixed(0)} MiB, ${(residentBytes / N).toFixed(0)} B a row (vectors ${DIM})`,
);

let fetched = 0;
const hooks: SearchHooks = {
  exact: (_space, keys) => {
    fetched += keys.length;
    return keys.map((key) => floats.subarray((key - 1) * DIM, key * DIM));
  },
};
const boxOf = (percent: number) => {
  const side = Math.sqrt(percent / 100) * 2000;
  const x = random() * (2000 - side);
  const y = random() * (2000 - side);
  return { type: "box" as const, min: { x, y, z: -1 }, max: { x: x + side, y: y + side, z: 21 } };
};
const windowOf = (percent: number) => {
  const length = (percent / 100) * 30 * DAY;
  const fromUs = Math.floor(1.7e15 + random() * (30 * DAY - length));
  return { overlaps: { fromUs, toUs: Math.floor(fromUs + length) } };
};
const text = () => ({ vector: vectorNear(Math.floor(random() * 2000)) });
const meaning = { rank: "meaning" as const, limit: 10 };
const near = (radiusM: number, metric: "box" | "centre" = "box") => {
  return { type: "within" as const, point: somewhere(), radiusM, metric };
};
const queries: Record<string, () => NumericQuery> = {
  semantic: () => ({ ...meaning, text: text() }),
  "radius-5": () => ({ rank: "distance", limit: 10_000, place: near(5) }),
  "radius-50": () => ({ rank: "distance", limit: 10_000, place: near(50) }),
  nearest: () => ({ rank: "distance", limit: 10, place: near(Number.POSITIVE_INFINITY) }),
  "window-1h": () => ({ rank: "latest", limit: 10, time: windowOf(100 / 720) }),
  associate: () => {
    // A detection of something known: near its place, near its meaning.
    const row = Math.floor(random() * N);
    const base = floats.subarray(row * DIM, (row + 1) * DIM);
    const vector = unit(base.map((x) => x + (0.3 * gauss()) / Math.sqrt(DIM)));
    const { x, y, z } = centres[row]!;
    const point = { x: x + 0.2 * random(), y: y + 0.2 * random(), z };
    const place = { type: "within" as const, point, radiusM: 0.5, metric: "centre" as const };
    return { rank: "meaning", limit: 100, text: { vector, min: 0.8 }, place };
  },
  text: () => ({ rank: "words", limit: 10, words: [word(), word(), word()] }),
  "hybrid-text": () => ({
    rank: "fused",
    limit: 10,
    pool: 100,
    words: [word(), word()],
    text: text(),
    place: boxOf(1),
    time: windowOf(50),
  }),
  owner: () => ({ rank: "latest", limit: 10, owners: [1 + Math.floor((random() * N) / 10)] }),
};
for (const [box, window] of [
  [0.01, 1],
  [0.01, 50],
  [1, 1],
  [1, 50],
  [30, 1],
  [30, 50],
] as const) {
  queries[`hybrid-${box}x${window}`] = () => ({
    ...meaning,
    text: text(),
    place: boxOf(box),
    time: windowOf(window),
  });
}

const only = process.argv.indexOf("--only");
for (const [name, make] of Object.entries(queries)) {
  if (only >= 0 && !process.argv[only + 1]!.split(",").includes(name)) continue;
  const slow = ["semantic", "hybrid-30x50", "hybrid-text"].includes(name);
  const runs = slow ? Math.max(30, Math.min(200, 2e7 / N)) : 2000;
  for (let i = 0; i < runs / 2; i++) index.search(make(), hooks);
  const times: number[] = [];
  fetched = 0;
  let hits = 0;
  const drivers = new Map<string, number>();
  for (let i = 0; i < runs; i++) {
    const query = make();
    const t = performance.now();
    const found = index.search(query, hooks);
    times.push(performance.now() - t);
    hits += found.hits.length;
    drivers.set(found.plan.driver, (drivers.get(found.plan.driver) ?? 0) + 1);
  }
  times.sort((a, b) => a - b);
  const p = (q: number) => times[Math.min(times.length - 1, Math.floor(q * times.length))]!.toFixed(4);
  const how = [...drivers].map(([d, n]) => `${d} ${n}`).join(", ");
  console.log(
    `${name.padEnd(16)} p50 ${p(0.5)} p99 ${p(0.99)} ms  hits ${(hits / runs).toFixed(1)} fetched ${(fetched / runs).toFixed(1)}  [${how}]`,
  );
}

if (!process.argv.includes("--no-c")) {
  try {
    nativeScan();
  } catch (error) {
    console.log(`no C scan: ${(error as Error).message.split("\n")[0]}`);
  }
}

/** The same scan in C, int8 with a top-k threshold, as fast as the compiler makes it. */
function nativeScan(): void {
  const folder = mkdtempSync(join(tmpdir(), "loci-c-"));
  const source = `#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#define N ${N}L
#define D ${DIM}
static double now(void){struct timespec t;clock_gettime(CLOCK_MONOTONIC,&t);return t.tv_sec*1e3+t.tv_nsec/1e6;}
static int cmp(const void*a,const void*b){double x=*(double*)a,y=*(double*)b;return x<y?-1:x>y;}
int main(void){
  int8_t*m=malloc(N*D);int8_t q[D];float*s=malloc(N*4);float*out=malloc(N*4);unsigned r=1;
  for(long i=0;i<N*D;i++){r=r*1664525u+1013904223u;m[i]=(int8_t)((r>>24)%255-127);}
  for(int i=0;i<D;i++)q[i]=(int8_t)(i*37%255-127);
  for(long i=0;i<N;i++)s[i]=0.001f;
  double t[21];volatile float sink=0;
  for(int k=0;k<21;k++){double a=now();float best=-1e30f;
    for(long i=0;i<N;i++){const int8_t*row=m+i*D;int32_t sum=0;for(int j=0;j<D;j++)sum+=(int32_t)row[j]*q[j];
      float v=sum*s[i];out[i]=v;if(v>best)best=v;}
    sink+=best+out[k];t[k]=now()-a;}
  qsort(t,21,sizeof(double),cmp);printf("%f\\n",t[10]);return 0;}`;
  writeFileSync(join(folder, "scan.c"), source);
  const native = process.arch === "arm64" ? ["-mcpu=native"] : ["-march=native"];
  execFileSync("cc", ["-O3", ...native, "-o", join(folder, "scan"), join(folder, "scan.c")]);
  console.log(`C int8 scan      p50 ${Number(execFileSync(join(folder, "scan")).toString()).toFixed(4)} ms`);
  rmSync(folder, { recursive: true });
}

if (process.argv.includes("--move")) {
  const t = performance.now();
  const moved = index.setPlaces(
    Array.from({ length: 10 }, (_, i) => i + 1),
    (row) => {
      const { x, y, z } = centres[row - 1]!;
      const centre = { x: x + 1.5, y: y - 0.7, z };
      return { centre, box: { min: { x: x + 1, y: y - 1, z }, max: { x: x + 2, y: y - 0.4, z: z + 0.3 } } };
    },
  );
  console.log(`re-anchored ${moved} rows in ${(performance.now() - t).toFixed(0)} ms`);
}

if (process.argv.includes("--image")) {
  const folder = mkdtempSync(join(tmpdir(), "loci-image-"));
  const file = join(folder, "index.image");
  const id = new Uint8Array(16);
  let t = performance.now();
  const out = openSync(file, "w");
  const header = index.writeImage({ databaseId: id, commit: 1 }, (piece) => writeSync(out, piece));
  closeSync(out);
  console.log(
    `image ${(header.bytes / 2 ** 20).toFixed(0)} MiB written in ${(performance.now() - t).toFixed(0)} ms`,
  );
  for (let i = 0; i < 3; i++) {
    t = performance.now();
    const fd = openSync(file, "r");
    ColumnIndex.load((into) => readSync(fd, into), id);
    closeSync(fd);
    console.log(`image loaded in ${(performance.now() - t).toFixed(0)} ms`);
  }
  rmSync(folder, { recursive: true });
}
