import fc from "fast-check";
import { fromAxisAngle, fromYaw } from "../../../geometry/index.ts";
import type { RecordKind } from "../../../schema/index.ts";
import { RECORD_KINDS } from "../../../schema/index.ts";
import type { Principal, ReaderOptions } from "../../port.ts";
import type { MeaningKey, RankBy, ScalarKey, SearchRequest, SpaceKey, TimeKey } from "../../request.ts";
import {
  AUTHORS,
  CATEGORIES,
  coordinate,
  idOf,
  imageVector,
  LABELS,
  LINES,
  lineVector,
  SCENES,
  SLOTS,
  SUBMAPS,
} from "./generate.ts";

/** Requests of every key and mixture, over the scenes of generate.ts. */

const point = fc.record({ x: coordinate, y: coordinate, z: fc.constantFrom(0, 0.5, 1) });
const frame = fc.oneof(
  { weight: 4, arbitrary: fc.constant(undefined) },
  { weight: 2, arbitrary: fc.constantFrom("world", "map-a", "map-b", "map-c") },
  { weight: 1, arbitrary: fc.constantFrom(...SUBMAPS, "never-heard-of") },
);
const metric = fc.constantFrom(undefined, "box" as const, "centre" as const);
const radius = fc.constantFrom(0, 1, 2.5, 4, 6, 9, 20);
const ids = fc.array(
  fc
    .tuple(fc.constantFrom<RecordKind[]>(...RECORD_KINDS), fc.nat({ max: SLOTS }))
    .map(([k, n]) => idOf(k, n)),
  { maxLength: 6 },
);

/** Absent `absent` times as often as present: a request with every key finds nothing. */
const maybe = <T>(present: fc.Arbitrary<T>, absent: number): fc.Arbitrary<T | undefined> =>
  fc.oneof({ weight: absent, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: present });

/** Drops the undefined fields that drawing leaves behind. */
function defined<T extends object>(value: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(value).filter(([, inner]) => inner !== undefined)) as never;
}

const spaceKey: fc.Arbitrary<SpaceKey> = fc.oneof(
  fc.tuple(point, fc.constantFrom(0, 1, 4, 12)).map(
    ([min, size]): SpaceKey => ({
      type: "box",
      min,
      max: { x: min.x + size, y: min.y + size, z: min.z + size },
    }),
  ),
  fc
    .record({ type: fc.constant("radius" as const), centre: point, radiusM: radius, metric, frame })
    .map((key): SpaceKey => defined(key)),
  fc
    .record({
      type: fc.constant("nearest" as const),
      point,
      maxM: fc.oneof(fc.constant(undefined), radius),
      metric,
      frame,
    })
    .map((key): SpaceKey => defined(key)),
  fc
    .record({
      type: fc.constant("cone" as const),
      apex: point,
      axis: fc.integer({ min: 0, max: 7 }).map((n) => ({
        x: Math.cos((n * Math.PI) / 4),
        y: Math.sin((n * Math.PI) / 4),
        z: 0,
      })),
      halfAngleRad: fc.constantFrom(0.3, Math.PI / 4, Math.PI / 2, 2.5, Math.PI),
      rangeM: radius,
      frame,
    })
    .map((key): SpaceKey => defined(key)),
  fc.tuple(fc.array(point, { minLength: 3, maxLength: 6 }), fc.boolean()).map(([points, flat]): SpaceKey => {
    const ring = points.map(({ x, y }) => ({ x, y }));
    return flat ? { type: "region", points: ring, minZ: 0, maxZ: 0.5 } : { type: "region", points: ring };
  }),
  fc
    .record({
      type: fc.constant("frustum" as const),
      worldFromCamera: fc.record({
        p: point,
        q: fc.oneof(
          fc.integer({ min: 0, max: 7 }).map((n) => fromYaw(n)),
          fc.integer({ min: 0, max: 7 }).map((n) => fromAxisAngle({ x: 1, y: n, z: 1 }, 2)),
        ),
      }),
      tanHalfWidth: fc.constantFrom(0.5, 1, 4),
      tanHalfHeight: fc.constantFrom(0.5, 1, 4),
      nearM: fc.constantFrom(0, 0.5),
      farM: fc.constantFrom(3, 20),
      frame,
    })
    .map((key): SpaceKey => defined(key)),
);

const vector = fc.oneof(
  fc.constantFrom(...LINES).map(lineVector),
  fc.constantFrom(...LINES).map((line) => lineVector(line).map((v) => v * 3)),
  fc.nat({ max: 5 }).map((n) => lineVector(`another line ${n}`)),
);

const words = fc.oneof(
  fc.constantFrom(...LINES),
  fc.constantFrom(
    "mug",
    "mugs tables",
    "RED door door",
    "tur offnet",
    "42",
    "xylophone",
    "",
    "?!",
    "the mug mug red",
  ),
);

const meaningKey: fc.Arbitrary<MeaningKey> = fc
  .record({
    vector: maybe(vector, 1),
    image: maybe(fc.nat({ max: 3 }).map(imageVector), 3),
    words: maybe(words, 1),
    minCosine: maybe(fc.constantFrom(-1, 0, 0.2, 0.6, 1), 5),
    minZ: maybe(fc.constantFrom(-1, 0, 0.5, 2), 5),
    pool: maybe(fc.constantFrom(1, 2, 3, 50), 2),
  })
  .map((key): MeaningKey => defined(key));

const timeUs = fc.integer({ min: -5, max: 165 });
const timeKey: fc.Arbitrary<TimeKey> = fc
  .record({
    overlaps: maybe(
      fc
        .tuple(timeUs, fc.option(fc.integer({ min: 1, max: 60 })))
        .map(([fromUs, length]) => ({ fromUs, toUs: length === null ? null : fromUs + length })),
      1,
    ),
    before: maybe(timeUs, 4),
    after: maybe(timeUs, 4),
  })
  .map((key): TimeKey => defined(key));

const someOf = (values: readonly string[]) => maybe(fc.subarray([...values], { minLength: 1 }), 6);
const scalarKey: fc.Arbitrary<ScalarKey> = fc
  .record({
    ids: maybe(ids, 6),
    sceneId: someOf(SCENES),
    author: someOf(AUTHORS),
    category: someOf([...CATEGORIES, "room", "appear"]),
    owner: maybe(ids, 6),
    regionId: maybe(fc.subarray(["region-0", "region-1", "region-2"]), 6),
    attributes: maybe(
      fc.constantFrom<Record<string, boolean | string>>(
        { open: true },
        { open: false },
        {},
        { open: "true" },
      ),
      6,
    ),
  })
  .map((key): ScalarKey => defined(key));

/** Some requests are refused (a rank without its key, an unplaced frame): engines must refuse the same ones. */
export const searchRequest: fc.Arbitrary<SearchRequest> = fc
  .record({
    kinds: maybe(fc.subarray([...RECORD_KINDS], { minLength: 1 }), 2),
    meaning: maybe(meaningKey, 1),
    space: maybe(spaceKey, 1),
    time: maybe(timeKey, 2),
    where: maybe(scalarKey, 2),
    rank: maybe(fc.nat({ max: 19 }), 1),
    limit: maybe(fc.constantFrom(1, 2, 5, 100), 1),
  })
  .map(({ rank, ...request }): SearchRequest => {
    const keys = defined(request);
    return rank === undefined ? keys : { ...keys, rank: rankOf(keys, rank) };
  });

/** One of the ranks that the keys allow, and once in twenty any rank. */
function rankOf({ meaning, space }: SearchRequest, pick: number): RankBy {
  const all: RankBy[] = ["earliest", "latest", "id"];
  if (pick === 19) return "fused";
  if (meaning?.vector) all.push("meaning", "fused");
  if (meaning?.image) all.push("image", "fused");
  if (meaning?.words !== undefined) all.push("words", "fused");
  if (space !== undefined && space.type !== "box" && space.type !== "region") all.push("distance");
  return all[pick % all.length]!;
}

/** A reader, its memory time given as the number of a commit (−1: before the first). */
export interface ReaderDraft {
  readonly labels: Principal["labels"];
  readonly asOfCommit: number | undefined;
  readonly asOfWorldUs: number | undefined;
  readonly mapRevision: number | undefined;
}

export const readerDraft: fc.Arbitrary<ReaderDraft> = fc.record({
  labels: fc.oneof(fc.constant("*" as const), fc.subarray([...LABELS])),
  asOfCommit: maybe(fc.integer({ min: -1, max: 12 }), 2),
  asOfWorldUs: maybe(timeUs, 3),
  mapRevision: maybe(fc.nat({ max: 3 }), 2),
});

/** The reader's options in a memory with commits at these times. */
export function toReader(draft: ReaderDraft, commitTimes: readonly number[]): ReaderOptions {
  const { labels, asOfCommit, asOfWorldUs, mapRevision } = draft;
  const nth = asOfCommit === undefined ? -1 : asOfCommit % commitTimes.length;
  const asOfMemoryUs =
    asOfCommit === undefined || commitTimes.length === 0
      ? undefined
      : nth < 0
        ? commitTimes[0]! - 1
        : commitTimes[nth]!;
  return defined({ principal: { id: "someone", labels }, asOfMemoryUs, asOfWorldUs, mapRevision });
}
