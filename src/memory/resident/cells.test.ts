import { describe, expect, it } from "vitest";
import type { Vec3 } from "../../geometry/index.ts";
import { mulberry } from "../testing/index-rows.ts";
import { ColumnIndex } from "./column-index.ts";
import type { NumericQuery } from "./query.ts";
import type { RowInput } from "./row-writer.ts";

/** What cell entries count in: their rounding shows at multiples of these, so that is where everything lies here. */
const STEP_M = 1 / 16;
const STEP_US = 2 ** 22;
const ROWS = 3_000;
const QUERIES = 300;

const random = mulberry(11);
const pick = (from: number, to: number) => from + Math.floor(random() * (to - from + 1));
const metres = () => pick(-400, 400) * STEP_M + (pick(0, 3) === 0 ? random() * STEP_M : 0);
const micros = () => pick(-200, 200) * STEP_US + pick(-1, 1);
const point = (): Vec3 => ({ x: metres(), y: metres(), z: metres() });

function rowOf(row: number): RowInput {
  const centre = point();
  const half = pick(0, 2) === 0 ? pick(1, 8) / 8 : 0;
  // Some boxes do not hold their centre; nothing forbids that.
  const off = pick(0, 9) === 0 ? 0.5 : 0;
  const from = micros();
  return {
    row,
    id: `r${String(row).padStart(5, "0")}`,
    kind: row % 3,
    labelSet: 0,
    scene: 0,
    author: 0,
    category: 0,
    owner: 0,
    validFromUs: from,
    validToUs: pick(0, 4) === 0 ? null : from + pick(0, 100) * STEP_US + pick(0, 1),
    submap: 0,
    place: {
      centre,
      box: {
        min: { x: centre.x + off - half, y: centre.y - half, z: centre.z - half },
        max: { x: centre.x + off + half, y: centre.y + half, z: centre.z + half },
      },
    },
    texts: [],
    words: [],
  };
}

function queryOf(): NumericQuery {
  const a = point();
  const b = point();
  const from = micros();
  const axes = ["x", "y", "z"] as const;
  const low = Object.fromEntries(axes.map((axis) => [axis, Math.min(a[axis], b[axis])])) as unknown as Vec3;
  const high = Object.fromEntries(axes.map((axis) => [axis, Math.max(a[axis], b[axis])])) as unknown as Vec3;
  return {
    rank: "id",
    limit: ROWS,
    place: { type: "box", min: low, max: high },
    ...(pick(0, 2) === 0 ? { kinds: 1 << pick(0, 2) } : {}),
    ...(pick(0, 3) === 0
      ? {}
      : {
          time: {
            ...(pick(0, 1)
              ? { overlaps: { fromUs: from, toUs: pick(0, 3) === 0 ? null : from + STEP_US } }
              : {}),
            ...(pick(0, 1) ? { after: micros() } : {}),
            ...(pick(0, 1) ? { before: micros() } : {}),
          },
        }),
  };
}

function passes({ place, validFromUs, validToUs, kind }: RowInput, query: NumericQuery): boolean {
  if (query.kinds !== undefined && !((query.kinds >> kind) & 1)) return false;
  const { overlaps, after, before } = query.time ?? {};
  const to = validToUs ?? Number.POSITIVE_INFINITY;
  if (after !== undefined && validFromUs < after) return false;
  if (before !== undefined && to > before) return false;
  if (overlaps && !(validFromUs < (overlaps.toUs ?? Number.POSITIVE_INFINITY) && to > overlaps.fromUs))
    return false;
  const { min, max } = query.place as { min: Vec3; max: Vec3 };
  const { box } = place!;
  return (["x", "y", "z"] as const).every((axis) => box.min[axis] <= max[axis] && box.max[axis] >= min[axis]);
}

describe("what a cell knows of its rows", () => {
  const index = ColumnIndex.create({ textDim: 0, imageDim: 0, scratchBytes: 1 << 22 });
  const rows = Array.from({ length: ROWS }, (_, i) => rowOf(i + 1));
  index.write(() => {
    for (const row of rows) index.insertRow(row);
  });
  const hooks = { exact: () => [] };

  it("lets in and turns away exactly those that the columns would, at the very edges", () => {
    let found = 0;
    for (let i = 0; i < QUERIES; i++) {
      const query = queryOf();
      const { hits, plan } = index.search(query, hooks);
      const truth = rows.filter((row) => passes(row, query)).map(({ row }) => row);
      expect(
        hits.map(({ row }) => row),
        JSON.stringify([query, plan]),
      ).toEqual(truth);
      found += truth.length;
    }
    expect(found).toBeGreaterThan(QUERIES);
  });

  it("finds the nearest, by centre and by box", () => {
    for (let i = 0; i < QUERIES; i++) {
      const from = point();
      for (const metric of ["centre", "box"] as const) {
        const place = { type: "within", point: from, radiusM: Number.POSITIVE_INFINITY, metric } as const;
        const { hits } = index.search({ rank: "distance", limit: 7, place }, hooks);
        const truth = rows
          .map((row) => ({ row: row.row, score: distanceOf(row, from, metric) }))
          .sort((a, b) => a.score - b.score || a.row - b.row);
        expect(hits.map(({ row, score }) => ({ row, score }))).toEqual(truth.slice(0, 7));
      }
    }
  });
});

function distanceOf({ place }: RowInput, from: Vec3, metric: "centre" | "box"): number {
  const { centre, box } = place!;
  const gaps = (["x", "y", "z"] as const).map((axis) =>
    metric === "centre"
      ? from[axis] - centre[axis]
      : Math.max(Math.max(0, box.min[axis] - from[axis]), from[axis] - box.max[axis]),
  );
  return Math.sqrt(gaps[0]! * gaps[0]! + gaps[1]! * gaps[1]! + gaps[2]! * gaps[2]!);
}
