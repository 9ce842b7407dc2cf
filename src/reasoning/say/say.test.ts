import { expect, it } from "vitest";
import { node, scan } from "../algebra/notation.ts";
import { type KnownValue, unknownValue, type Value, WHOLE } from "../algebra/value.ts";
import { CONTEXT, numberOf, room, thing, thingsOf, truthOf, wordsOf } from "../testing/made-values.ts";
import { say } from "./say.ts";

const NAME = node("name", [node("things")]);
const text = async (expression: string, value: Value, more = {}) =>
  (await say(scan(expression), value, { ...CONTEXT, ...more })).text;

const dryer = thing("grey steel tumble dryer", {
  category: "tumble dryer",
  attributes: { colour: "grey", material: "steel" },
});
const redMug = thing("red mug", { attributes: { colour: "red" }, roomId: "study", holder: "desk" });
const whiteMug = thing("white mug", { attributes: { colour: "white" }, roomId: "kitchen" });
const olga = thing("blue fabric Olga", { category: "person", roomId: "kitchen" });

it("says whole lists, the same things counted, names short", async () => {
  const chairs = [thing("oak chair", { attributes: { material: "oak" } }), thing("chair")];
  const said = await say(NAME, thingsOf([...chairs, thing("lamp"), thing("rug")]), CONTEXT);
  expect(said.text).toBe("2 chairs, a lamp and a rug");
  expect(said.set).toEqual(["oak chair", "chair", "lamp", "rug"]);
  expect(said.type).toBe("set");
  expect(await text("name(things())", thingsOf([dryer]))).toBe("tumble dryer");
  expect(await text("name(things())", thingsOf([olga, thing("shoes"), thing("shoes")]))).toBe(
    "2 pairs of shoes and Olga",
  );
});

it("tells which one it is to whom the kind is known, of what changed too", async () => {
  const moved = wordsOf("name", [{ thing: redMug, words: "mug" }]);
  const which = 'name(affected(changes(things(category: "mug"), kinds: ["moved"])))';
  expect(await text(which, moved)).toBe("red mug in the study");
  expect(await text('name(affected(changes(kinds: ["moved"])))', moved)).toBe("mug");
});

it("says of very long lists how many more, and holds all of them", async () => {
  const many = Array.from({ length: 40 }, (_, n) => thing(`gadget${n}`));
  const said = await say(NAME, thingsOf(many), CONTEXT);
  expect(said.text).toMatch(/^a gadget0, .* and 26 more$/);
  expect(said.set).toHaveLength(40);
});

it("groups equal values of several things", async () => {
  const four = ["a", "b", "c", "d"].map((name) => ({ thing: thing(`window ${name}`), words: "closed" }));
  expect(await text('attribute(things(), name: "openness")', wordsOf("openness", four))).toBe(
    "all four are closed",
  );
  const blinds = [thing("blind", { roomId: "study" }), thing("blind", { roomId: "study" })];
  const apart = wordsOf("state", [
    { thing: blinds[0]!, words: "up" },
    { thing: blinds[1]!, words: "down" },
  ]);
  expect(await text('attribute(things(), name: "state")', apart)).toBe("both blinds: one up and one down");
  const five = Array.from({ length: 5 }, (_, n) => ({
    thing: thing("door"),
    words: n < 3 ? "open" : "closed",
  }));
  expect(await text('attribute(things(), name: "openness")', wordsOf("openness", five))).toBe(
    "five doors: three open and two closed",
  );
});

it("says yes and no with the reason", async () => {
  const oven = thing("oven");
  const is = 'is(the(things(category: "oven")), attribute: "power", value: "on")';
  const no = await say(scan(is), truthOf(false, { shown: thingsOf([oven]), instead: "it is off" }), CONTEXT);
  expect(no).toMatchObject({ text: "no, it is off", binary: false, type: "binary", status: "answered" });
  const exists = 'exists(things(category: "mug"))';
  expect(await text(exists, truthOf(true, { shown: thingsOf([redMug, whiteMug]) }))).toBe(
    "yes, two: the red one and the white one",
  );
  expect(await text(exists, truthOf(true, { shown: thingsOf([redMug]) }))).toBe(
    "yes, a mug on the desk in the study",
  );
  const none = truthOf(false, { shown: thingsOf([], { elsewhere: [whiteMug], phrase: "mug" }) });
  expect(await text(exists, none)).toBe("no, but there is a mug in the kitchen");
  const nothing = truthOf(false, { shown: thingsOf([], { elsewhere: [whiteMug], where: "in the pan" }) });
  expect(await text(exists, nothing)).toBe("no, there is nothing in the pan");
});

it("never calls a person it", async () => {
  const within = 'within(the(things(name: "Olga")), rooms(name: "study"))';
  const value = truthOf(false, { shown: thingsOf([olga]), instead: "it is in the kitchen" });
  expect(await text(within, value)).toBe("no, Olga is in the kitchen");
  const woman = thing("tall woman", { category: "woman" });
  const she = truthOf(false, { shown: thingsOf([woman]), instead: "It was in the hall" });
  expect(await text(within, she)).toBe("no, she was in the hall");
  const someone = truthOf(false, { shown: thingsOf([thing("person")]), instead: "it is in the hall" });
  expect(await text(within, someone)).toBe("no, they are in the hall");
});

it("says places with their position, rooms by name alone", async () => {
  const place = wordsOf("place", [{ words: "on the desk in the study", thing: redMug }]);
  const said = await say(scan('place(the(things(category: "mug")))'), place, CONTEXT);
  expect(said).toMatchObject({
    text: "on the desk in the study",
    position: { region: "study", trackId: redMug.trackId },
  });
  const rooms: KnownValue = {
    kind: "rooms",
    rooms: [room("kitchen")],
    phrase: "room",
    p: 1,
    complete: WHOLE,
    evidence: [],
  };
  expect(await text("name(rooms())", rooms)).toBe("kitchen");
  const three = { ...rooms, rooms: [room("bedroom"), { ...room("bedroom"), id: "other" }, room("kitchen")] };
  expect(await text("name(rooms())", three)).toBe("2 bedrooms and the kitchen");
  const again = { ...rooms, rooms: [room("hall"), room("kitchen"), room("hall")] };
  expect(await text("name(rooms())", again)).toBe("the hall, the kitchen and the hall");
});

it("says numbers with their units", async () => {
  expect(await text("count(things())", numberOf(3, "things", [redMug, whiteMug, redMug]))).toBe("3 mugs");
  expect(await text("count(things())", numberOf(0, "things", []))).toBe("none");
  expect(await text("often(things())", numberOf(2, "times"))).toBe("twice");
  expect(await text("duration(things())", numberOf(341, "s"))).toBe("5 minutes and 41 seconds");
  expect(await text("duration(things())", numberOf(4_800, "s"))).toBe("1 hour and 20 minutes");
  expect(await text("size(things())", numberOf(0.45, "m"))).toBe("45 cm");
  expect(await text("size(rooms())", numberOf(27.4, "m2"))).toBe("27 m²");
});

it("says times as a clock and how long ago", async () => {
  const { nowUs } = CONTEXT;
  const times = (...spans: { fromUs: number; toUs: number | null }[]): KnownValue => ({
    kind: "times",
    spans,
    p: 1,
    complete: WHOLE,
    evidence: [],
  });
  const fromUs = nowUs - 300_000_000;
  const said = await say(scan("when(things())"), times({ fromUs, toUs: fromUs + 1 }), CONTEXT);
  expect(said).toMatchObject({
    text: "5 minutes ago, at 11:55:00",
    type: "time",
    time: { atUs: fromUs, agoS: 300 },
  });
  const before = nowUs - 86_400_000_000;
  expect(await text("when(things())", times({ fromUs: before, toUs: before + 600_000_000 }))).toBe(
    "from yesterday at 12:00 to 12:10",
  );
  // The moment was not observed: this is the span in which it lies, not its duration.
  const toUs = fromUs + 200_000_000;
  const unseen = { ...times({ fromUs, toUs }), isBetween: true } as KnownValue;
  expect(await text("when(things())", unseen)).toBe("between 11:55:00 and 11:58:20");
  const begun = { ...times({ fromUs, toUs: null }), begunByUs: toUs } as KnownValue;
  expect(await text("when(things())", begun)).toBe("since some time between 11:55:00 and 11:58:20");
});

it("says routes as rooms and doors with metres", async () => {
  const route: KnownValue = {
    kind: "route",
    rooms: [room("kitchen"), room("hallway"), room("bedroom")],
    doors: [thing("door"), thing("door")],
    lengthM: 8.24,
    points: [],
    to: { point: { x: 1, y: 2, z: 0 } },
    p: 1,
    complete: WHOLE,
    evidence: [],
  };
  const said = await say(scan("route(rooms(), rooms())"), route, CONTEXT);
  expect(said.text).toBe("from the kitchen through the hallway to the bedroom, through two doors, 8.2 m");
  expect(said).toMatchObject({ quantity: { value: 8.24, unit: "m" }, goalPlace: { x: 1, y: 2, z: 0 } });
});

it("names what was not looked at, without a not", async () => {
  const open = { share: 0.6, missing: ["the attic", "the garage", "after 10:20"] };
  expect(await text("name(things())", thingsOf([redMug, whiteMug], { complete: open }))).toBe(
    "2 mugs; I have yet to look in the attic and the garage, and I was elsewhere after 10:20",
  );
});

it("says each rival's own value where there is one, and nothing of rivals where all agree", async () => {
  const place = (words: string) => wordsOf("place", [{ words }]);
  const where = 'place(the(things(category: "mug")))';
  const rivals = [
    { thing: redMug, value: place("on the desk in the study") },
    { thing: whiteMug, value: place("in the kitchen") },
  ];
  expect(await text(where, rivals[0]!.value, { rivals })).toBe(
    "there are two mugs: one on the desk in the study and one in the kitchen",
  );
  const sizes = [
    { thing: redMug, value: numberOf(0.1, "m") },
    { thing: whiteMug, value: numberOf(0.2, "m") },
  ];
  expect(await text("size(the(things()))", sizes[0]!.value, { rivals: sizes })).toBe(
    "the red one: 10 cm; the white one: 20 cm",
  );
  const same = sizes.map((one) => ({ ...one, value: sizes[0]!.value }));
  expect(await text("size(the(things()))", sizes[0]!.value, { rivals: same })).toBe("10 cm");
});

it("tells the reasons for not answering apart", async () => {
  const status = async (expression: string, value: Value) => {
    const said = await say(scan(expression), value, CONTEXT);
    return [said.status, said.text, said.binary];
  };
  expect(await status("place(the(things()))", unknownValue("cannot-act", ""))).toEqual([
    "insufficient",
    "I can only look, remember and tell: I cannot do that.",
    undefined,
  ]);
  expect(await status("place(the(things()))", unknownValue("false-premise", "the bathroom is blue"))).toEqual(
    ["false-premise", "The bathroom is blue.", undefined],
  );
  expect(await status("exists(things())", unknownValue("never-seen", "I have not seen a piano."))).toEqual([
    "not-seen",
    "no: I have not seen a piano.",
    false,
  ]);
  expect(
    await status("not(exists(things()))", unknownValue("looked-absent", "I looked, and there is no piano.")),
  ).toEqual(["looked-absent", "yes: I looked, and there is no piano.", true]);
});

it("quotes what is no noun of known words", async () => {
  const unseen = (phrase: string) => unknownValue("never-seen", `I have not seen a ${phrase}.`);
  const known = new Set(["spoons", "silver"]);
  const knows = (word: string) => known.has(word);
  expect(await text("place(things())", unseen("spoons thx"), { knows })).toBe(
    "I have not seen anything called “spoons thx”.",
  );
  const absent = unknownValue("looked-absent", "I looked, and there is no foo bar in the kitchen");
  expect(await text("place(things())", absent, { knows })).toBe(
    "I looked, and there is nothing called “foo bar” in the kitchen.",
  );
  expect(await text("place(things())", unseen("silver spoons"), { knows })).toBe(
    "I have not seen any silver spoons.",
  );
});

it("calls guesses guesses and habits habits", async () => {
  const place = wordsOf("place", [{ words: "in the kitchen", thing: redMug }]);
  expect(await text("likely(place(things()))", place)).toBe("probably in the kitchen (a guess)");
  expect(await text("usual(place(things()))", place)).toBe("usually in the kitchen");
});

it("says numbers side by side, and each member by itself", async () => {
  const [six, four] = [numberOf(6, "things"), numberOf(4, "things")] as const;
  const more = { ...wordsOf("comparison", [{ words: "chairs" }]), measured: [six, four] };
  const asked = 'largest(count(things()), count(things()), among: ["chairs", "tables"])';
  expect(await text(asked, more)).toBe("chairs (6 against 4)");
  const tie = { ...wordsOf("tie", [{ words: "the same" }]), measured: [four, four] };
  expect(await text(asked, tie)).toBe("the same (4)");
  const each = wordsOf("each", [
    { words: "", room: room("kitchen"), value: four },
    { words: "", room: room("study"), value: numberOf(0, "things") },
  ]);
  expect(await text("each(rooms(), count(in(things(), it())))", each)).toBe("kitchen: 4; study: none");
});

it("says how long ago a moment was with the moment", async () => {
  const said = await text('duration(when(the(things(category: "mug"))))', numberOf(60, "s"));
  expect(said).toMatch(/^60 seconds, since \d\d:\d\d:\d\d$/);
  expect(await text('duration(the(things(category: "mug")))', numberOf(60, "s"))).toBe("60 seconds");
});

it("tells a door by the rooms that it joins", async () => {
  const door = thing("brown door", { attributes: { colour: "brown" }, roomId: "kitchen" });
  const surroundings = {
    ...CONTEXT.surroundings!,
    joinedBy: async () => [room("hallway"), room("kitchen")] as const,
  };
  const which = 'name(affected(changes(things(category: "door"), kinds: ["opened"])))';
  const said = await text(which, wordsOf("name", [{ thing: door, words: "door" }]), { surroundings });
  expect(said).toBe("brown door between the hallway and the kitchen");
});
