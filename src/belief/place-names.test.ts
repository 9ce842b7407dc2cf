import { describe, expect, it } from "vitest";
import { boxFromCentre, type Vec3 } from "../geometry/index.ts";
import { type Labelled, labelledBy } from "./labelled.ts";
import { labelOf } from "./labels.ts";
import { namedByAll, type Told } from "./place-names.ts";
import { Racks } from "./racks.ts";
import { area, namedRooms, type RoomView } from "./room-names.ts";
import type { StateRecord } from "./thing.ts";

function room(
  id: string,
  type: string,
  [x0, y0, x1, y1]: readonly [number, number, number, number],
): RoomView {
  const hull = [
    { x: x0, y: y0, z: 0 },
    { x: x1, y: y0, z: 0 },
    { x: x1, y: y1, z: 0 },
    { x: x0, y: y1, z: 0 },
  ];
  const record = { id, hull, name: type } as unknown as RoomView["record"];
  return { id, name: type, type, record, centre: undefined, storey: 0 };
}

const record = (id: string, category: string, text: string) =>
  ({ id, category, name: `${category} that says “${text}”`, text: [] }) as unknown as StateRecord;

function bearing(text: string, at: Vec3, category = "sign"): Labelled {
  const box = boxFromCentre(at, { x: 1, y: 0.4, z: 0.4 });
  return labelledBy(record(`${text} ${at.x}`, category, text), box)!;
}

/** Two racks of three bays and two levels on both sides of a lane of three metres. */
function rack(letter: string, x: number): Labelled[] {
  return [0, 3].flatMap((across) =>
    [1, 2, 3].flatMap((bay) =>
      [1, 2].map((level) =>
        bearing(
          `${letter}-0${2 * bay - (across > 0 ? 0 : 1)}-${level}`,
          { x: x + across, y: 10 + 2 * bay, z: 0.1 + 0.8 * (level - 1) },
          "shelf",
        ),
      ),
    ),
  );
}

const said = (times: number, line: string, position: Vec3, byPerson = false): Told[] =>
  Array.from({ length: times }, () => ({ lines: [line], position, byPerson }));
const named = (rooms: readonly RoomView[], labelled: Labelled[], told: Told[] = []) =>
  namedByAll(rooms, { labelled, told });
const asked = (rooms: readonly RoomView[], head: string) =>
  namedRooms(rooms, { head, mods: [], attributes: {}, phrase: head });

describe("the names of rooms", () => {
  const front = room("front", "room", [0, 6, 12, 10]);

  it("come from the sign over the way in, and not to the room that all signs hang in", () => {
    const bays = [0, 1, 2].map((n) => room(`bay-${n}`, "room", [4 * n, 0, 4 * n + 4, 6]));
    const signs = [0, 1, 2].map((n) => bearing(`STAGING ${n + 1}`, { x: 4 * n + 2, y: 5.9, z: 2.5 }));
    const views = named([front, ...bays], signs);
    expect(views.map(({ id, name }) => [id, name])).toEqual([
      ["front", "room"],
      ["bay-0", "staging 1"],
      ["bay-1", "staging 2"],
      ["bay-2", "staging 3"],
    ]);
    expect(asked(views, "loading bay 2").map(({ id }) => id)).toEqual(["bay-1"]);
  });

  it("give a bay that the map left open the size of the others", () => {
    const open = room("open", "room", [4, 0, 12, 10]);
    const bay = room("bay-0", "room", [0, 0, 4, 6]);
    const signs = [
      bearing("STAGING 1", { x: 2, y: 5.9, z: 2.5 }),
      bearing("STAGING 2", { x: 6, y: 5.9, z: 2.5 }),
      bearing("STAGING 3", { x: 10, y: 5.9, z: 2.5 }),
    ];
    const views = named([open, bay], signs);
    const second = views.find(({ name }) => name === "staging 2")!;
    expect(area(second)).toBeCloseTo(24, 0);
    expect(views.map(({ name }) => name).sort()).toEqual(["room", "staging 1", "staging 2", "staging 3"]);
  });

  it("part what the map took for one room by the codes of its racks", () => {
    const whole = room("whole", "room", [0, 10, 12, 18]);
    const views = named(
      [front, whole],
      [...rack("A", 1), ...rack("B", 7), bearing("AISLE B", { x: 8.5, y: 10, z: 2.5 })],
    );
    expect(views.map(({ name }) => name)).toEqual(expect.arrayContaining(["aisle A", "aisle B"]));
    const [b] = asked(views, "aisle b");
    expect(b!.record.hull!.every(({ x }) => x > 6)).toBe(true);
  });

  it("are what captions say often, against what the furniture says", () => {
    const hall = room("hall", "storage room", [0, 0, 4, 4]);
    const at = { x: 2, y: 2, z: 1.5 };
    expect(named([hall], [], said(3, "This is a cross aisle.", at))[0]!.name).toBe("storage room");
    const [view] = named([hall], [], said(9, "This is a cross aisle.", at));
    expect(view!.name).toBe("cross aisle");
    expect(view!.names).toContainEqual({ name: "cross aisle", count: 9, source: "caption" });
  });

  it("are what a person says once, and the room is found by the other name too, told by both", () => {
    const bedroom = room("bed", "bedroom", [0, 0, 4, 4]);
    const [view] = named([bedroom], [], said(1, "This is Anna's room", { x: 2, y: 2, z: 0 }, true));
    expect(view!.name).toBe("Anna's room");
    expect(asked([view!], "bedroom").map(({ name }) => name)).toEqual(["Anna's room (bedroom)"]);
  });

  it("are not what is said on the storey below", () => {
    const above = room("above", "office", [0, 0, 4, 4]);
    const hull = above.record.hull!.map((point) => ({ ...point, z: 2.7 }));
    const office = { ...above, storey: 1, record: { ...above.record, hull } };
    const below = said(9, "This is a living room.", { x: 2, y: 2, z: 1.2 });
    expect(named([office], [], below)[0]!.names).toEqual([{ name: "office", count: 1, source: "furniture" }]);
    const own = said(9, "This is a children's room.", { x: 2, y: 2, z: 3.9 });
    expect(named([office], [], [...below, ...own])[0]!.name).toBe("children's room");
  });

  it("keep what the furniture tells more exactly", () => {
    const children = room("kids", "children's room", [0, 0, 4, 4]);
    const told = said(9, "This is a bedroom.", { x: 2, y: 2, z: 1.5 });
    expect(named([children], [], told)[0]!.name).toBe("children's room");
  });
});

describe("places by their codes", () => {
  const places = new Racks([...rack("A", 1), ...rack("B", 7)]);

  it("are slots, and bays of them", () => {
    expect(places.find("b-3-1")).toMatchObject({ code: "B-03-1", count: 1 });
    const bay = places.find("B-03")!;
    expect(bay.count).toBe(2);
    expect(bay.box.max.z - bay.box.min.z).toBeGreaterThan(1.5);
  });

  it("are reckoned above one that was read, where theirs was not", () => {
    const third = places.find("B-03-3")!;
    expect(third.count).toBe(0);
    expect(third.box.min.z - places.find("B-03-1")!.box.min.z).toBeCloseTo(1.6, 1);
    expect(places.find("C-03-1")).toBeUndefined();
  });

  it("hold what lies on their level", () => {
    const { box } = places.find("B-04-2")!;
    expect(places.at({ x: box.max.x + 0.3, y: (box.min.y + box.max.y) / 2, z: box.min.z + 0.3 })?.code).toBe(
      "B-04-2",
    );
    expect(places.at({ x: 20, y: 20, z: 0.3 })).toBeUndefined();
  });

  it("are none where only one thing bears such a code, or it is carried about", () => {
    expect(new Racks([bearing("LK-88", { x: 0, y: 0, z: 0 }, "shelf")]).find("LK-88")).toBeUndefined();
    const box = boxFromCentre({ x: 0, y: 0, z: 0 }, { x: 1, y: 1, z: 1 });
    expect(labelledBy(record("b", "box", "B-03-1"), box)).toBeUndefined();
    expect(labelOf("B-03-1")).toBeDefined();
  });
});
