import { describe, expect, it } from "vitest";
import { FrameGraph } from "../geometry/index.ts";
import type { Hit, MemoryReader, SearchRequest } from "../memory/index.ts";
import { Rooms } from "./rooms.ts";

const frames = async () => new FrameGraph([]);

interface Outline {
  readonly id: string;
  readonly name: string;
  readonly x: readonly [number, number];
  readonly z: number;
  readonly parent?: string;
  readonly text?: readonly string[];
  readonly fromUs?: number;
  readonly endsUs?: number;
  /** The map that it is drawn in, where that is not the world. */
  readonly map?: string;
}

function region(outline: Outline, type: "room" | "floor"): Hit {
  const {
    id,
    name,
    x: [from, to],
    z,
    parent,
    text = [name],
  } = outline;
  const hull = [
    { x: from, y: 0, z },
    { x: to, y: 0, z },
    { x: to, y: 4, z },
    { x: from, y: 4, z },
  ];
  const span = { version: 1, validFromUs: outline.fromUs ?? 0, validToUs: outline.endsUs ?? null };
  const record = {
    kind: "region",
    id,
    type,
    name,
    text,
    hull,
    ...span,
    ...(parent !== undefined && { parent }),
    ...(outline.map !== undefined && { anchor: { submap: outline.map, p: { x: 0, y: 0, z: 0 } } }),
  };
  return { record, position: { x: (from + to) / 2, y: 2, z } } as unknown as Hit;
}

function house(
  rooms: readonly Outline[],
  floors: readonly Outline[] = [],
  reader = { frames } as unknown as MemoryReader,
) {
  const asked: SearchRequest[] = [];
  const hits = rooms.map((room) => region(room, "room"));
  const search = async (request: SearchRequest): Promise<Hit[]> => {
    asked.push(request);
    if (request.where?.category?.[0] === "floor") return floors.map((floor) => region(floor, "floor"));
    const ids = request.where?.ids;
    const found = ids ? hits.filter(({ record }) => ids.includes(record.id)) : hits;
    const point = request.space?.type === "nearest" ? request.space.point : undefined;
    const near = point
      ? found.toSorted((a, b) => Math.abs(a.position!.x - point.x) - Math.abs(b.position!.x - point.x))
      : found;
    return near.slice(0, request.limit ?? 10);
  };
  return { rooms: new Rooms({ nowUs: 0, options: { reader }, search, recorded: search }), asked };
}

const KITCHEN: Outline = { id: "k", name: "kitchen", x: [0, 5], z: 0, parent: "g" };
const BEDROOM: Outline = { id: "b", name: "bedroom", x: [0, 5], z: 2.85, parent: "u" };
const FLOORS: readonly Outline[] = [
  { id: "g", name: "ground floor", x: [0, 5], z: 0 },
  { id: "u", name: "first floor", x: [0, 5], z: 2.85 },
];

describe("the rooms of a house", () => {
  it("tells two hallways apart by their storeys, and not by those of maps that nobody joined", async () => {
    const [below, above] = [KITCHEN, BEDROOM].map((room) => ({ ...room, name: "hallway" })) as [
      Outline,
      Outline,
    ];
    const names = async (...rooms: Outline[]) =>
      (await house(rooms, FLOORS).rooms.all()).map(({ name }) => name);
    expect(await names(below, above)).toEqual(["downstairs hallway", "upstairs hallway"]);
    expect(await names(below, { ...above, map: "robot-2.map" })).toEqual(["hallway", "hallway"]);
  });

  it("has what lies a few millimetres under its floor in the room above, and the lamp in the one below", async () => {
    const { rooms } = house([KITCHEN, BEDROOM], FLOORS);
    expect((await rooms.at({ x: 1, y: 1, z: 2.84 }))?.id).toBe("b");
    expect((await rooms.of("k", { x: 1, y: 1, z: 2.84 }))?.id).toBe("b");
    expect((await rooms.at({ x: 1, y: 1, z: 2.5 }))?.id).toBe("k");
    expect((await rooms.of("k", { x: 1, y: 1, z: 2.5 }))?.id).toBe("k");
  });

  it("knows a room that nobody named by what it holds", async () => {
    const nameless: Outline = {
      ...BEDROOM,
      name: "room",
      text: ["room", "Room has 5 chairs, a dining table and a rug."],
    };
    const { rooms } = house([KITCHEN, nameless], FLOORS);
    expect((await rooms.all()).map(({ name }) => name)).toEqual(["kitchen", "dining room"]);
  });

  it("is content with what nearly names a room: its size, whose it is", async () => {
    const large: Outline = { ...BEDROOM, id: "b2", name: "bedroom 2", x: [5, 15] };
    const { rooms } = house([KITCHEN, BEDROOM, large], FLOORS);
    const named = async (head: string) =>
      (await rooms.named({ head, mods: [], attributes: {}, phrase: head })).map(({ id }) => id);
    expect(await named("big bedroom")).toEqual(["b2"]);
    expect(await named("small bedroom")).toEqual(["b"]);
    expect(await named("cooking place of the parents")).toEqual([]);
    expect(await named("sleeping room of the adults")).toEqual(["b2", "b"]);
    expect(await named("big library")).toEqual([]);
  });

  it("does not take the landing of the stairs for rooms over those it overlooks", async () => {
    const landing: Outline = { id: "l", name: "kitchen 2", x: [1, 3], z: 0.72, parent: "g" };
    const { rooms } = house([KITCHEN, landing, BEDROOM], FLOORS);
    expect((await rooms.all()).map(({ id }) => id)).toEqual(["k", "b"]);
    expect((await rooms.of("l", { x: 2, y: 1, z: 1.4 }))?.id).toBe("k");
  });

  it("tells rooms of one name apart by their storeys", async () => {
    const { rooms } = house([{ ...BEDROOM, id: "b2", x: [0, 5], z: 0, parent: "g" }, BEDROOM], FLOORS);
    expect((await rooms.all()).map(({ name }) => name)).toEqual(["downstairs bedroom", "upstairs bedroom"]);
  });
});

describe("the rooms of a large building", () => {
  const many = (length: number) =>
    Array.from(
      { length },
      (_, n): Outline => ({ id: `r${n}`, name: `office ${n}`, x: [n * 5, n * 5 + 5], z: 0 }),
    );

  it("are found by place, id and name, and are no house", async () => {
    const { rooms } = house(many(500));
    expect((await rooms.at({ x: 2_002, y: 1, z: 1 }))?.id).toBe("r400");
    expect((await rooms.of("r123", undefined))?.id).toBe("r123");
    expect(await rooms.house()).toBeUndefined();
    expect((await rooms.all()).length).toBe(500);
  });

  it("are read as far as a question needs them where there are too many", async () => {
    const { rooms, asked } = house(many(2_500));
    expect((await rooms.at({ x: 2_002, y: 1, z: 1 }))?.id).toBe("r400");
    expect((await rooms.of("r123", undefined))?.id).toBe("r123");
    expect(Math.max(...asked.slice(1).map(({ limit }) => limit ?? 10))).toBeLessThan(250);
  });
});

describe("the rooms of a moment", () => {
  it("are those that stood then", async () => {
    const redrawn = house([
      { ...KITCHEN, endsUs: 5 },
      { ...KITCHEN, id: "k2", fromUs: 5 },
    ]);
    expect((await redrawn.rooms.all()).map(({ id }) => id)).toEqual(["k"]);
  });

  it("are read once for a state of the memory, and again after a commit", async () => {
    let revision = "1";
    const stats = async () => ({ lastCommitUs: 1 });
    const reader = { revision: () => revision, stats, frames } as unknown as MemoryReader;
    const first = house([KITCHEN], FLOORS, reader);
    await first.rooms.all();
    const second = house([KITCHEN, BEDROOM], FLOORS, reader);
    expect((await second.rooms.all()).map(({ id }) => id)).toEqual(["k"]);
    expect(second.asked).toEqual([]);
    revision = "2";
    const third = house([KITCHEN, BEDROOM], FLOORS, reader);
    expect((await third.rooms.all()).map(({ id }) => id)).toEqual(["k", "b"]);
  });
});
