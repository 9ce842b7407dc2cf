import { expect, it } from "vitest";
import { print, scan } from "../algebra/notation.ts";
import { asMeant } from "./usage.ts";

function meant(question: string, expression: string): string {
  const reading = { parts: [scan(expression)], p: 1, cost: 0, notes: [] };
  return print(asMeant([reading], question, 0)[0]!.parts[0]!);
}

it("finds what is called after a room in that room, and a door by where it leads", () => {
  expect(
    meant(
      "bedroom window open?",
      'is(the(things(category: "bedroom window")), attribute: "openness", value: "open")',
    ),
  ).toBe(
    'is(the(in(things(category: "window"), rooms(name: "bedroom"))), attribute: "openness", value: "open")',
  );
  expect(meant("Where is the kitchen door?", 'place(the(things(category: "kitchen door")))')).toBe(
    'place(the(relate(things(category: "door"), rooms(name: "kitchen"), relation: "at")))',
  );
  for (const kind of [
    "kitchen table",
    "office chair",
    "garage door",
    "front door",
    "entrance door",
    "storage rack",
    "tax folder",
  ])
    expect(meant(kind, `place(the(things(category: "${kind}")))`)).toBe(
      `place(the(things(category: "${kind}")))`,
    );
});

it("asks of its fill whether something is in a mug, and of the first time what came first after", () => {
  const mug = 'the(things(category: "mug"))';
  const inMug = `exists(relate(things(), ${mug}, relation: "in"))`;
  expect(meant("Anything in the mug?", inMug)).toBe(
    `or(${inMug}, is(${mug}, attribute: "fill", value: "full"))`,
  );
  const inBox = 'exists(relate(things(), the(things(category: "drawer")), relation: "in"))';
  expect(meant("Anything in the drawer?", inBox)).toBe(inBox);
  const next = (which: string) =>
    `at(name(room(doings(verb: "visit"))), after(when(stay(rooms(name: "kitchen"))${which})))`;
  expect(meant("Which room came first after the kitchen?", next(""))).toBe(next(', which: "first"'));
  expect(meant("Which room came after the kitchen?", next(""))).toBe(next(""));
});

it("takes drawers for what they are in, a clock thing for a clock, walls for outlines and stairs for the floor above", () => {
  expect(
    meant(
      "?",
      'is(the(relate(things(category: "drawer"), the(things(category: "dresser")), relation: "in")), attribute: "openness", value: "open")',
    ),
  ).toBe('is(the(the(things(category: "dresser"))), attribute: "openness", value: "open")');
  expect(meant("?", 'place(the(things(category: "clock thing")))')).toBe(
    'place(the(things(category: "clock")))',
  );
  expect(meant("?", 'name(relate(things(), the(things(category: "wall")), relation: "on"))')).toBe(
    'name(relate(things(), things(category: "wall"), relation: "on"))',
  );
  expect(meant("?", 'count(doings(the(things(category: "stairs")), verb: "pass"))')).toBe(
    'count(doings(floors(name: "upstairs"), verb: "enter"))',
  );
});

it("measures to the toilet itself", () => {
  expect(meant("How far is the toilet?", 'distance(self(), rooms(name: "toilet"))')).toBe(
    'distance(self(), the(things(category: "toilet")))',
  );
});

it("measures from middle to middle, but not a gap", () => {
  const apart = 'distance(the(things(category: "sofa")), the(things(category: "tv")))';
  expect(meant("Sofa to TV, centre to centre?", apart)).toBe(apart.replace(/\)$/, ", middles: true)"));
  expect(meant("How far is the sofa from the TV?", apart)).toBe(apart.replace(/\)$/, ", middles: true)"));
  expect(meant("How far was the sofa from the TV at first?", `at(${apart}, moment(phase: "start"))`)).toBe(
    `at(${apart.replace(/\)$/, ", middles: true)")}, moment(phase: "start"))`,
  );
  expect(meant("How large is the gap between sofa and TV?", apart)).toBe(apart);
});

it("looks for water by what holds it, for a note by what it is stuck on, and for a copy among books", () => {
  expect(
    meant("?", 'exists(relate(things(category: "water"), the(things(category: "kettle")), relation: "in"))'),
  ).toBe('is(the(things(category: "kettle")), attribute: "fill", value: "full")');
  expect(
    meant(
      "?",
      'attribute(the(relate(things(category: "note"), the(things(category: "fridge door")), relation: "on")), name: "text")',
    ),
  ).toBe('attribute(the(things(category: "fridge")), name: "text")');
  expect(meant("?", 'place(the(things(category: "copy", text: "dune")))')).toBe(
    'place(the(things(category: "book", text: "dune")))',
  );
});

it("begins a way in the room that somebody says to be in", () => {
  const living = 'rooms(name: "living room")';
  const from = (room: string) => `route(rooms(name: "${room}"), ${living})`;
  expect(meant("I am in the kitchen, how must I go?", `route(${living})`)).toBe(from("kitchen"));
  expect(meant("I'm in the kitchen, which way?", `route(${living}, ${living})`)).toBe(from("kitchen"));
  expect(meant("I'm in the living room, which way?", `route(${living})`)).toBe(`route(${living})`);
  expect(meant("I'm in a hurry, which way?", `route(${living})`)).toBe(`route(${living})`);
  expect(meant("I'm in the kitchen, from the office?", from("office"))).toBe(from("office"));
});

it("takes nobody out of themselves", () => {
  const people = 'things(category: "person")';
  expect(meant("who else was home", `name(minus(${people}, ${people}))`)).toBe(`name(${people})`);
});

it("seats people at a table, not on one that stands on chairs", () => {
  const table = 'the(things(category: "dining table"))';
  const on = 'the(relate(things(category: "dining table"), things(category: "chair"), relation: "on"))';
  expect(meant("how many could sit at it on the chairs", `capacity(${on}, verb: "sit")`)).toBe(
    `capacity(${table}, verb: "sit")`,
  );
});

it("takes the whole question for a need whose purpose says only what to do with it", () => {
  const question = "My coat is wet and I'd like to hang it up.";
  expect(meant(question, 'name(serves(purpose: "hang it up"))')).toBe(`name(serves(purpose: "${question}"))`);
  expect(meant(question, 'name(serves(purpose: "dry off"))')).toBe('name(serves(purpose: "dry off"))');
});

it("does not tell things by what is asked of them", () => {
  const material = (which: string) =>
    `attribute(the(things(category: "armchair"${which})), name: "material")`;
  expect(meant("Upholstery material of the armchair?", material(', material: "fabric"'))).toBe(material(""));
  expect(meant("?", material(', colour: "grey"'))).toBe(material(', colour: "grey"'));
});

it("tells the log of a way in turn", () => {
  const visited = 'name(room(doings(verb: "visit")))';
  expect(meant("Sequence of rooms, repeats included?", visited)).toBe(
    "name(room(stay(rooms()), inTurn: true))",
  );
  expect(meant("In what order did you visit the rooms?", visited)).toBe(visited);
});

it("tells what is on the one and what is on the other", () => {
  const on = (thing: string) => `relate(things(), the(things(category: "${thing}")), relation: "on")`;
  const near = on("sofa").replace('"on"', '"near"');
  expect(meant("?", `name(and(${on("rug")}, ${on("sofa")}))`)).toBe(`name(or(${on("rug")}, ${on("sofa")}))`);
  expect(meant("?", `name(and(${on("rug")}, ${near}))`)).toBe(`name(and(${on("rug")}, ${near}))`);
});

it("takes the time since a morning that goes on from when it began", () => {
  const reading = {
    parts: [scan("at(name(changes()), after(moment(fromUs: 10, toUs: 30)))")],
    p: 1,
    cost: 0,
    notes: [],
  };
  const at = (nowUs: number) => print(asMeant([reading], "?", nowUs)[0]!.parts[0]!);
  expect(at(20)).toBe("at(name(changes()), moment(fromUs: 10))");
  expect(at(40)).toBe(print(reading.parts[0]!));
});

it("takes the first sight of a room for the first time there, and from one moment to itself for since then", () => {
  const first = 'when(stay(rooms(name: "kitchen")), which: "first")';
  expect(meant("?", 'when(the(things(category: "kitchen")), which: "first")')).toBe(first);
  const mug = 'when(the(things(category: "mug")), which: "first")';
  expect(meant("?", mug)).toBe(mug);
  expect(meant("?", `at(name(changes()), between(${first}, ${first}))`)).toBe(
    `at(name(changes()), after(${first}))`,
  );
});

it("takes a vehicle with its number for the one that bears it", () => {
  for (const set of ['the(things(category: "forklift F1"))', 'called(name: "forklift f1")'])
    expect(meant("Was forklift F1 moved?", `exists(changes(${set}, kinds: ["moved"]))`)).toMatch(
      /called\(name: "[Ff]1"\)/,
    );
  const shelf = 'place(the(things(category: "shelf S1")))';
  expect(meant("Where is shelf S1?", shelf)).toBe(shelf);
});

it("asks of a floor with nothing on it whether it is free", () => {
  const none = 'none(relate(in(things(), it()), things(category: "floor"), relation: "on"))';
  expect(meant("Which bay has a clear floor?", `name(filter(rooms(name: "bay"), ${none}))`)).toBe(
    'name(filter(rooms(name: "bay"), is(it(), attribute: "occupancy", value: "free")))',
  );
});

it("visits kinds of rooms as rooms", () => {
  expect(
    meant("bathrooms you visited", 'name(room(doings(things(category: "bathroom"), verb: "visit")))'),
  ).toBe('name(room(doings(rooms(name: "bathroom"), verb: "visit")))');
});

it("takes everybody for the people on the floor, unless they lie or sit there", () => {
  const on = 'name(relate(things(category: "person"), the(things(category: "floor")), relation: "on"))';
  expect(meant("Who was on the floor?", on)).toBe('name(things(category: "person"))');
  expect(meant("Who was lying on the floor?", on)).toBe(on);
});

it("asks the colour of the box in a slot, the robot of several, the things beside a fixture, what set off", () => {
  expect(meant("AB-1: slot and colour?", 'attribute(holder(called(name: "ab-1")), name: "colour")')).toBe(
    'attribute(called(name: "ab-1"), name: "colour")',
  );
  expect(meant("Only one of you saw the mug, which one?", 'name(things(category: "mug"))')).toBe(
    'witnesses(things(category: "mug"))',
  );
  expect(
    meant("What is beside the loo?", 'name(relate(rooms(), rooms(name: "loo"), relation: "beside"))'),
  ).toBe('name(relate(things(), the(things(category: "loo")), relation: "beside"))');
  const first = (kind: string) =>
    `name(least(things(category: "forklift"), seen(changes(it(), kinds: ["${kind}"]), which: "first")))`;
  expect(meant("Which forklift set off first?", first("switched-off"))).toBe(first("moved"));
  expect(meant("Which forklift was switched off first?", first("switched-off"))).toBe(first("switched-off"));
});

it("reads a change that was not noticed as the state that it leads to, at a cost", () => {
  const changed = 'name(affected(changes(things(category: "lamp"), kinds: ["switched-off"])))';
  const reading = { parts: [scan(changed)], p: 1, cost: 0, notes: [] };
  const [best, other] = asMeant([reading], "Which lamp did somebody turn off?", 0);
  expect(print(best!.parts[0]!)).toBe(changed);
  expect(print(other!.parts[0]!)).toBe(
    'name(filter(things(category: "lamp"), is(it(), attribute: "power", value: "off")))',
  );
  expect(other!.cost).toBeGreaterThan(best!.cost);
});

it("chooses among kinds of rooms as rooms, and counts boxes by the code that they bear", () => {
  const pallets = (where: string) => `none(${where})`;
  expect(
    meant(
      "Which staging bays have no pallet?",
      `name(filter(things(category: "staging bay"), ${pallets('relate(things(category: "pallet"), it(), relation: "on")')}))`,
    ),
  ).toBe(`name(filter(rooms(name: "staging bay"), ${pallets('in(things(category: "pallet"), it())')}))`);
  const boxes = (held: string) => `count(and(things(category: "box"), ${held}))`;
  expect(meant("How many boxes of LK-88?", boxes('held(called(name: "lk-88"))'))).toBe(
    boxes('or(called(name: "lk-88"), held(called(name: "lk-88")))'),
  );
  const aisle = boxes('held(called(name: "aisle 3"))');
  expect(meant("How many boxes are in aisle 3?", aisle)).toBe(aisle);
});

it("tells the areas that were entered in the order in which they were", () => {
  const entered = 'name(room(doings(verb: "enter")))';
  expect(meant("Give the sequence of areas that you entered.", entered)).toBe(
    "name(room(stay(rooms()), inTurn: true))",
  );
  expect(meant("Which areas did you enter?", entered)).toBe(entered);
});
