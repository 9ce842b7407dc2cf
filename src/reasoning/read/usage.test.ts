import { expect, it } from "vitest";
import { print, scan } from "../algebra/notation.ts";
import { asMeant } from "./usage.ts";

function meant(question: string, expression: string): string {
  const reading = { parts: [scan(expression)], p: 1, cost: 0, notes: [] };
  return print(asMeant([reading], question)[0]!.parts[0]!);
}

it("takes a thing that is only named for one of that kind, unless words on it are spoken of", () => {
  const unicorn = 'exists(things(text: "unicorn"))';
  expect(meant("Is there a unicorn?", unicorn)).toBe('exists(things(category: "unicorn"))');
  expect(meant("is there anything that says unicorn?", unicorn)).toBe(unicorn);
  expect(meant("Is there a “unicorn”?", unicorn)).toBe(unicorn);
  const slot = 'exists(things(text: "a-12"))';
  expect(meant("is there an a-12?", slot)).toBe(slot);
});

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

it("counts visits and not rooms, and measures to the toilet itself", () => {
  expect(meant("bathroom visits: how many?", 'count(rooms(name: "bathroom"))')).toBe(
    'count(stay(rooms(name: "bathroom")))',
  );
  expect(meant("How many bathrooms?", 'count(rooms(name: "bathroom"))')).toBe(
    'count(rooms(name: "bathroom"))',
  );
  expect(meant("How far is the toilet?", 'distance(self(), rooms(name: "toilet"))')).toBe(
    'distance(self(), the(things(category: "toilet")))',
  );
});

it("hears whether from how, which side from where, and this room from any", () => {
  const route = 'route(self(), rooms(name: "bath"), rooms(name: "hall"))';
  expect(meant("Can I reach the bath without the hall?", route)).toBe(route.replace("route", "reachable"));
  expect(meant("Can you tell me how to get to the bath without the hall?", route)).toBe(route);
  const place = 'place(the(in(things(category: "desk"), rooms(name: "hallway"))))';
  expect(meant("The way you are standing, where is the desk in this hallway?", place)).toBe(
    'direction(the(in(things(category: "desk"), room(self()))))',
  );
  expect(meant("Where is the desk in the hallway?", place)).toBe(place);
  const door = 'at(name(affected(changes(things(category: "door")))), when(stay(rooms(name: "round"))))';
  expect(meant("Which door changed on your round?", door)).toBe(
    'name(affected(changes(things(category: "door"))))',
  );
});
