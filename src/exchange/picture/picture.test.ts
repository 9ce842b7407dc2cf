import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type MemoryReader, SqliteEngine, type WriteBatch } from "../../memory/index.ts";
import { GROUND } from "./drawing.ts";
import { type Drawing, drawPicture, pictureMemory, rasterise, readDrawing } from "./index.ts";
import { type LabelWish, placeLabels } from "./labels.ts";
import { openingsOf } from "./openings.ts";
import { outlinesOf } from "./outline.ts";
import { glyphsOf, textWidth } from "./stroke-font.ts";

const SECOND_US = 1_000_000;
const square = (x: number, y: number, size: number) => [
  { x, y },
  { x: x + size, y },
  { x: x + size, y: y + size },
  { x, y: y + size },
];

const DRAWING: Drawing = {
  title: "a small house",
  subtitle: "at noon",
  floorsM: [0],
  rooms: [
    { name: "kitchen", ring: square(0, 0, 4), floor: 0 },
    { name: "hall", ring: square(4.2, 0, 4), floor: 0 },
  ],
  things: [
    { name: "table", ring: square(1, 1, 1.2), floor: 0, isGone: false, isOverhead: false },
    { name: "mug", ring: square(1.2, 1.2, 0.1), floor: 0, isGone: false, isOverhead: false },
    { name: "mug", ring: square(1.5, 1.2, 0.1), floor: 0, isGone: false, isOverhead: false },
    { name: "vase", ring: square(3, 3, 0.3), floor: 0, isGone: true, isOverhead: false },
  ],
  moves: [{ name: "book", from: { x: 1, y: 1 }, to: { x: 6, y: 2 }, floor: 0 }],
  people: [],
  agents: [{ name: "robot-1", legs: [{ floor: 0, points: square(0.5, 0.5, 3) }] }],
  ground: [],
  openings: [],
};

describe("doorways", () => {
  /** Two rooms of 4 × 4 m, separated by a wall of two cells with a gap of `doorCells`. */
  function grounds(doorCells: number, inDoor: number) {
    const [columns, rows] = [84, 42];
    const cells = Uint8Array.from({ length: columns * rows }, (_, i) => {
      const [x, y] = [i % columns, Math.floor(i / columns)];
      if (x === 0 || y === 0 || x === columns - 1 || y === rows - 1) return GROUND.wall;
      if (x !== 41 && x !== 42) return GROUND.free;
      return y >= 10 && y < 10 + doorCells ? inDoor : GROUND.wall;
    });
    return { floor: 0, originM: { x: -0.1, y: -0.1 }, cellM: 0.1, columns, rows, cells };
  }
  const rooms = [
    { name: "kitchen", ring: square(0, 0, 4.1), floor: 0 },
    { name: "hall", ring: square(4.1, 0, 4.1), floor: 0 },
  ];

  it("are where the ground goes through a wall, in the outlines of both rooms", () => {
    for (const inDoor of [GROUND.free, GROUND.lintel]) {
      const found = openingsOf(grounds(9, inDoor), rooms);
      expect(found).toHaveLength(2);
      for (const { from, to } of found) {
        expect(from.x).toBeCloseTo(4.1, 6);
        expect(Math.abs(Math.hypot(to.x - from.x, to.y - from.y) - 0.9)).toBeLessThan(0.15);
        expect(Math.abs((from.y + to.y) / 2 - 1.35)).toBeLessThan(0.1);
      }
    }
  });

  it("are not where something stands, where nobody looked, or through a crack", () => {
    expect(openingsOf(grounds(9, GROUND.occupied), rooms)).toEqual([]);
    expect(openingsOf(grounds(9, GROUND.unknown), rooms)).toEqual([]);
    expect(openingsOf(grounds(4, GROUND.free), rooms)).toEqual([]);
    expect(openingsOf({ ...grounds(9, GROUND.free), floor: 1 }, rooms)).toEqual([]);
  });
});

describe("drawing", () => {
  it("names rooms and things, counts twins, and marks what is gone", () => {
    const svg = drawPicture([DRAWING]);
    for (const label of [
      "KITCHEN",
      "HALL",
      "table",
      "2 × mug",
      "vase (gone)",
      "a small house",
      "at noon",
      "moved",
      "N",
    ]) {
      expect(svg).toContain(`aria-label="${label}"`);
    }
    expect(svg).not.toMatch(/NaN|undefined|Infinity/);
    // Letters are paths: no fonts are needed.
    expect(svg).not.toContain("<text");
  });

  it("knows doors and windows by their colour, without a name", () => {
    const fixtures = ["door", "front door", "window", "doormat"].map((name, i) => ({
      name,
      ring: square(i, 0, 0.6),
      floor: 0,
      isGone: false,
      isOverhead: false,
    }));
    const svg = drawPicture([{ ...DRAWING, things: fixtures }], { layers: ["things", "labels"] });
    expect(svg).toContain('aria-label="doormat"');
    expect(svg).not.toContain('aria-label="front door"');
    expect(svg.match(/aria-label="(door|window)"/g)).toHaveLength(2);
  });

  it("is the same every time", () => {
    expect(drawPicture([DRAWING])).toBe(drawPicture([DRAWING]));
  });

  it("draws several drawings to one scale", () => {
    const svg = drawPicture([DRAWING, { ...DRAWING, title: "the truth" }]);
    expect(svg).toContain('aria-label="the truth  ·  3 things  ·  32 m2 of rooms"');
  });

  it("shows the floor and the layers that are asked for", () => {
    const two: Drawing = {
      ...DRAWING,
      floorsM: [0, 3],
      rooms: [...DRAWING.rooms, { name: "attic", ring: square(0, 0, 4), floor: 1 }],
    };
    expect(drawPicture([two])).toContain('aria-label="ATTIC"');
    expect(drawPicture([two], { floor: 0 })).not.toContain('aria-label="ATTIC"');
    expect(() => drawPicture([two], { layers: ["foo" as never] })).toThrow(/expected layers .*got "foo"/);
    expect(() => drawPicture([two], { layers: [] })).toThrow(/expected layers/);
    expect(drawPicture([two], { layers: ["rooms", "labels"] })).not.toContain('aria-label="table"');
    expect(() => drawPicture([two], { floor: 7 })).toThrow(/no such floor/);
    expect(() => drawPicture([two], { widthPx: 10 })).toThrow(/width/);
  });

  it("stands an empty drawing and hostile names", () => {
    const empty: Drawing = { ...DRAWING, rooms: [], things: [], moves: [], agents: [] };
    expect(drawPicture([empty])).not.toMatch(/NaN|Infinity/);
    const hostile = drawPicture([{ ...DRAWING, title: '<script>alert("x")</script>\u0007' }]);
    expect(hostile).not.toContain("<script");
  });

  it("becomes a PNG with ink in it", async () => {
    const { default: sharp } = await import("sharp");
    const png = await rasterise(drawPicture([DRAWING], { widthPx: 640 }));
    const { data, info } = await sharp(png).greyscale().raw().toBuffer({ resolveWithObject: true });
    expect(info.width).toBe(640);
    expect(data.filter((value) => value < 100).length).toBeGreaterThan(500);
  });

  it("refuses what is no picture", async () => {
    await expect(rasterise("not an image")).rejects.toMatchObject({ code: "invalid-input" });
  });
});

describe("letters", () => {
  it("are drawn for everything that names are made of", () => {
    const usual = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 .,:;-–+/()'\"!?%&×→°·_=#";
    expect(glyphsOf(usual).filter(({ key }) => key === "none")).toEqual([]);
    expect(glyphsOf("café’s")).toHaveLength(6);
    expect(glyphsOf("漢")[0]!.key).toBe("none");
  });

  it("are as wide as their glyphs", () => {
    expect(textWidth("mm", 10)).toBeGreaterThan(textWidth("ii", 10) * 2);
    expect(textWidth("", 10)).toBe(0);
    expect(textWidth("mug", 20)).toBeCloseTo(2 * textWidth("mug", 10));
  });
});

describe("placing labels", () => {
  const wish = fc.record({
    text: fc.constantFrom("mug", "a long name of a thing", "sofa"),
    sizePx: fc.constant(8),
    importance: fc.integer({ min: 0, max: 100 }),
    target: fc
      .tuple(
        fc.integer({ min: 0, max: 380 }),
        fc.integer({ min: 0, max: 280 }),
        fc.integer({ min: 1, max: 60 }),
      )
      .map(([left, top, size]) => ({ left, top, right: left + size, bottom: top + size })),
  });

  it("never lets two names cover each other, and loses none", () => {
    const bounds = { left: 0, top: 0, right: 400, bottom: 300 };
    fc.assert(
      fc.property(fc.array(wish, { maxLength: 60 }), (wishes: LabelWish[]) => {
        const { placed, dropped } = placeLabels(wishes, bounds, []);
        expect(placed.length + dropped.length).toBe(wishes.length);
        const boxes = placed.map(({ wish: { text, sizePx }, at }) => {
          const half = textWidth(text, sizePx) / 2;
          return { left: at.x - half, right: at.x + half, top: at.y - sizePx, bottom: at.y };
        });
        boxes.forEach((a, i) => {
          expect(a.left >= 0 && a.right <= 400 && a.top >= 0 && a.bottom <= 300).toBe(true);
          for (const b of boxes.slice(i + 1)) {
            const isApart = a.right <= b.left || b.right <= a.left || a.bottom <= b.top || b.bottom <= a.top;
            expect(isApart).toBe(true);
          }
        });
      }),
      { numRuns: 50 },
    );
  });
});

describe("outlines of cells", () => {
  it("enclose exactly the cells of a value", () => {
    const cells = fc.array(fc.integer({ min: 0, max: 1 }), { minLength: 30, maxLength: 30 });
    fc.assert(
      fc.property(cells, (list) => {
        const ground = {
          floor: 0,
          originM: { x: 0, y: 0 },
          cellM: 1,
          columns: 6,
          rows: 5,
          cells: Uint8Array.from(list),
        };
        const loops = outlinesOf(ground, 1);
        // Even-odd, by a ray to the right from the middle of each cell.
        list.forEach((value, i) => {
          const [x, y] = [(i % 6) + 0.5, Math.floor(i / 6) + 0.5];
          let crossings = 0;
          for (const loop of loops) {
            loop.forEach((a, n) => {
              const b = loop[(n + 1) % loop.length]!;
              if (a.x === b.x && a.x > x && a.y > y !== b.y > y) crossings++;
            });
          }
          expect(crossings % 2).toBe(value);
        });
      }),
      { numRuns: 100 },
    );
  });
});

describe("a memory", () => {
  const batch: WriteBatch = {
    frames: [
      {
        parent: "world",
        child: "map-1",
        kind: "submap",
        transform: { p: { x: 10, y: 0, z: 0 }, q: { w: Math.SQRT1_2, x: 0, y: 0, z: Math.SQRT1_2 } },
      },
    ],
    records: [
      {
        kind: "region",
        id: "room-1",
        type: "room",
        level: 1,
        name: "kitchen",
        hull: square(0, 0, 4).map((corner) => ({ ...corner, z: 0 })),
        anchor: { submap: "map-1", p: { x: 2, y: 2, z: 0 } },
        validFromUs: 0,
        validToUs: null,
      },
      ...["mug", "person"].map((name) => ({
        kind: "track" as const,
        id: `track-${name}`,
        name,
        category: name,
        type: name === "person" ? ("person" as const) : ("object" as const),
        validFromUs: 0,
        validToUs: null,
      })),
      {
        kind: "state",
        id: "mug-before",
        trackId: "track-mug",
        name: "mug",
        category: "mug",
        anchor: { submap: "map-1", p: { x: 1, y: 1, z: 1 } },
        extent: { x: 0.4, y: 0.1, z: 0.1 },
        validFromUs: 0,
        validToUs: 10 * SECOND_US,
      },
      {
        kind: "state",
        id: "mug-after",
        trackId: "track-mug",
        name: "mug",
        category: "mug",
        anchor: { submap: "map-1", p: { x: 3, y: 3, z: 1 } },
        movedFrom: { stateId: "mug-before", p: 0.9 },
        validFromUs: 12 * SECOND_US,
        validToUs: null,
      },
      {
        kind: "state",
        id: "person",
        trackId: "track-person",
        name: "person",
        category: "person",
        validFromUs: 0,
        validToUs: null,
      },
      ...[0, 1, 2].map((n) => ({
        kind: "observation" as const,
        id: `obs-${n}`,
        sensorId: "camera",
        author: "robot-1",
        anchor: { submap: "map-1", p: { x: n, y: 0, z: 1.5 } },
        validFromUs: n * SECOND_US,
        validToUs: n * SECOND_US + 1,
      })),
    ],
    sightings: [
      ...[0, 1, 2].map((n) => ({
        stateId: "person",
        timeUs: n * SECOND_US,
        outcome: "seen" as const,
        anchor: { submap: "map-1", p: { x: n, y: 1, z: 1 } },
      })),
      { stateId: "mug-before", timeUs: 5 * SECOND_US, outcome: "seen" as const },
      { stateId: "mug-before", timeUs: 10 * SECOND_US, outcome: "absent" as const },
    ],
  };

  async function withMemory(test: (reader: MemoryReader) => Promise<void>): Promise<void> {
    const folder = await mkdtemp(join(tmpdir(), "loci-picture-"));
    const engine = await SqliteEngine.open({ folder, nowUs: () => 1 });
    try {
      await (await engine.writer()).write(batch);
      await test(await engine.reader());
    } finally {
      await engine.close();
      await rm(folder, { recursive: true, force: true });
    }
  }

  it("is read into the world's frame, turned with its submap", () =>
    withMemory(async (reader) => {
      const drawing = await readDrawing(reader, { atUs: 20 * SECOND_US });
      expect(drawing.rooms[0]!.ring[1]!.x).toBeCloseTo(10);
      expect(drawing.rooms[0]!.ring[1]!.y).toBeCloseTo(4);
      expect(drawing.things.map(({ name, isGone }) => ({ name, isGone }))).toEqual([
        { name: "mug", isGone: false },
      ]);
      expect(drawing.moves[0]).toMatchObject({ name: "mug" });
      expect(drawing.moves[0]!.from.x).toBeCloseTo(9);
      expect(drawing.people[0]!.legs[0]!.points).toHaveLength(3);
      expect(drawing.agents[0]!.name).toBe("robot-1");
      const before = await readDrawing(reader, { atUs: 5 * SECOND_US });
      const ring = before.things[0]!.ring;
      expect(Math.abs(ring[0]!.x - ring[2]!.x)).toBeCloseTo(0.1);
      expect(Math.abs(ring[0]!.y - ring[2]!.y)).toBeCloseTo(0.4);
      const between = await readDrawing(reader, { atUs: 11 * SECOND_US });
      expect(between.things).toMatchObject([{ name: "mug", isGone: true }]);
    }));

  it("becomes a picture", () =>
    withMemory(async (reader) => {
      const svg = await pictureMemory(reader, { title: "my house" });
      expect(svg).toContain('aria-label="KITCHEN"');
      expect(svg).toContain('aria-label="mug"');
    }));
});
