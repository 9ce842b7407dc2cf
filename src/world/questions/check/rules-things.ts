import { type Asked, first, must } from "./asked.ts";
import { liesBetween, roomOnTop, separationM } from "./shapes.ts";

/** Derives the answer of one kind of question again; what it returns is the fault, if any. */
export type Rule = (asked: Asked) => string | undefined;

const sameSet = (a: readonly string[], b: readonly string[]): boolean =>
  [...a].sort().join("|") === [...b].sort().join("|");

function isNoDarkScreen(a: Asked): string | undefined {
  return must(a.truth.state(a.targets[0]!, "power", a.atUs) !== "off", "a screen that is off says nothing");
}

const yes = (a: Asked): boolean => a.question.answer.type === "binary" && a.question.answer.value;
export const isBinary = (a: Asked, holds: boolean): string | undefined =>
  must(yes(a) === holds, `the truth says ${holds}`);

export const isCount = (a: Asked, count: number): string | undefined => {
  const { answer } = a.question;
  const said = answer.type === "count" ? answer.count : Number(answer.text);
  return must(said === count, `counted ${count}, the answer says ${said}`);
};

export const isQuantity = (a: Asked, value: number, slack: number): string | undefined => {
  const { answer } = a.question;
  const said = answer.type === "quantity" ? answer.quantity.value : Number.NaN;
  return must(Math.abs(said - value) <= slack, `measured ${value}, the answer says ${said}`);
};

export const isAt = (a: Asked, id: string): string | undefined => {
  const { answer } = a.question;
  const p = "position" in answer ? answer.position : undefined;
  const centre = a.place(id)?.centre;
  const off =
    p === undefined || centre === undefined
      ? Infinity
      : Math.hypot(p.x - centre.x, p.y - centre.y, p.z - centre.z);
  return must(off < 0.01, `${id} is ${off} m from the answer`);
};

/** The only member of a list is the first target, and the answer names it. */
const isOnly = (a: Asked, found: readonly string[]): string | undefined =>
  first(
    must(sameSet(found, [a.targets[0]!]), `expected only ${a.targets[0]}, found ${found.join(", ")}`),
    must(a.isName(a.text, a.targets[0]!), `"${a.text}" does not name ${a.targets[0]}`),
  );

const neighbours = (a: Asked, anchor: string, withinM: number): string[] => {
  const here = a.place(anchor)!;
  return a.truth.present(a.atUs).filter((id) => {
    const there = a.place(id)!;
    return (
      id !== anchor &&
      there.room === here.room &&
      a.isFloorFurniture(id) &&
      separationM(here, there) < withinM
    );
  });
};

const area = (a: Asked, room: string): number => {
  const points = a.room(room)!.polygon.points;
  const twice = points.reduce((sum, p, i) => {
    const q = points[(i + 1) % points.length]!;
    return sum + p.x * q.y - q.x * p.y;
  }, 0);
  return Math.abs(twice) / 2;
};

const volume = (a: Asked, id: string): number => {
  const { x, y, z } = a.place(id)!.extent;
  return x * y * z;
};

const diagonal = (a: Asked, id: string): number => {
  const { x, y, z } = a.place(id)!.extent;
  return Math.hypot(x, y, z);
};

/** The option that was right is the first of the listed things. */
const isFirstOfFour = (
  a: Asked,
  value: (id: string) => number,
  factor: number,
  addM: number,
): string | undefined => {
  const four = a.targets.slice(0, 4);
  const [best, ...rest] = four.map(value) as [number, ...number[]];
  const referent = a.question.options?.indexOf(a.text) ?? -1;
  return first(
    must(referent >= 0, "the right answer is among the options"),
    must(
      rest.every((other) => best >= other * factor && best - other >= addM),
      `no clear first of ${four.join(", ")}`,
    ),
  );
};

export const THING_RULES: Readonly<Record<string, Rule>> = {
  "recognition/on": (a) => isOnly(a, a.resting(a.targets[1]!)),
  "recognition/all-on": (a) => {
    const { answer } = a.question;
    const names = a.resting(a.targets.at(-1)!).map((id) => a.truth.thing(id).name);
    return must(answer.type === "set" && sameSet(answer.items, names), `found ${names.join(", ")}`);
  },
  "recognition/in": (a) =>
    isOnly(
      a,
      a.truth.present(a.atUs).filter((id) => a.place(id)!.insideOf === a.targets[1]),
    ),
  "recognition/next-to": (a) =>
    first(isOnly(a, neighbours(a, a.targets[1]!, 0.5)), isOnly(a, neighbours(a, a.targets[1]!, 0.68))),
  "recognition/between": (a) => {
    const [, one, two] = a.targets as [string, string, string];
    const found = a.truth
      .present(a.atUs)
      .filter(
        (id) =>
          id !== one &&
          id !== two &&
          a.isFloorFurniture(id) &&
          liesBetween(a.place(id)!, a.place(one)!, a.place(two)!),
      );
    return isOnly(a, found);
  },
  "recognition/says": (a) => {
    const said = a.truth.thing(a.targets[0]!).text!;
    return first(
      isOnly(
        a,
        a.truth.things.filter(({ text }) => text === said).map(({ id }) => id),
      ),
      must(a.question.text.includes(said), "the question quotes the text"),
      isNoDarkScreen(a),
    );
  },
  "localisation/where": (a) =>
    first(
      must(a.saysPlace(a.text, a.place(a.targets[0]!)!), `"${a.text}" is not its place`),
      isAt(a, a.targets[0]!),
    ),
  "localisation/room": (a) =>
    must(
      a.roomNamed(a.text)?.id === a.place(a.targets[0]!)!.room,
      `it is in ${a.place(a.targets[0]!)!.room}`,
    ),
  "localisation/point": (a) => isAt(a, a.targets[0]!),
  "attribute/colour": (a) => must(a.truth.thing(a.targets[0]!).colour === a.text, "another colour"),
  "attribute/material": (a) => must(a.truth.thing(a.targets[0]!).material === a.text, "another material"),
  "attribute/text": (a) =>
    first(must(a.truth.thing(a.targets[0]!).text === a.text, "another text"), isNoDarkScreen(a)),
  "attribute/height": (a) => isQuantity(a, a.place(a.targets[0]!)!.extent.z, 0.006),
  "attribute/colours": (a) => {
    const { answer } = a.question;
    const all = a.called(a.about<string>("noun"));
    const colours = [...new Set(all.map((id) => a.truth.thing(id).colour!))];
    return first(
      must(sameSet(all, a.targets), `there are ${all.join(", ")}`),
      must(answer.type === "set" && sameSet(answer.items, colours), `colours are ${colours.join(", ")}`),
    );
  },
  "relationship/same-room": (a) => isBinary(a, a.place(a.targets[0]!)!.room === a.place(a.targets[1]!)!.room),
  "relationship/same-colour": (a) =>
    isBinary(a, a.truth.thing(a.targets[0]!).colour === a.truth.thing(a.targets[1]!).colour),
  "relationship/same-surface": (a) =>
    isBinary(a, a.place(a.targets[0]!)!.supportedBy === a.place(a.targets[1]!)!.supportedBy),
  "relationship/on": (a) => isBinary(a, a.resting(a.targets[1]!).includes(a.targets[0]!)),
  "relationship/which-same-room": (a) => {
    const anchor = a.place(a.targets[4]!)!.room;
    const same = a.targets.slice(0, 4).filter((id) => a.place(id)!.room === anchor);
    return must(sameSet(same, [a.targets[0]!]), `in the same room: ${same.join(", ")}`);
  },
  "relationship/which-same-colour": (a) => {
    const { colour } = a.truth.thing(a.targets[4]!);
    const same = a.targets.slice(0, 4).filter((id) => a.truth.thing(id).colour === colour);
    return must(sameSet(same, [a.targets[0]!]), `of the same colour: ${same.join(", ")}`);
  },
  "counting/room": (a) => isCount(a, a.called(a.about<string>("noun"), a.about<string>("room")).length),
  "counting/house": (a) => isCount(a, a.called(a.about<string>("noun")).length),
  "counting/on": (a) => isCount(a, a.resting(a.about<string>("anchor")).length),
  "counting/around": (a) => {
    const anchor = a.place(a.about<string>("anchor"))!;
    const near = (m: number): number =>
      a.called("chair", anchor.room!).filter((id) => separationM(a.place(id)!, anchor) < m).length;
    return first(isCount(a, near(0.8)), isCount(a, near(1.05)));
  },
  "counting/rooms-with": (a) => {
    const rooms = new Set(a.called(a.about<string>("noun")).map((id) => a.place(id)!.room));
    return isCount(a, rooms.size);
  },
  "comparison/bigger": (a) => {
    const [x, y] = [volume(a, a.targets[0]!), volume(a, a.targets[1]!)];
    const wider = diagonal(a, a.targets[0]!) >= diagonal(a, a.targets[1]!);
    return first(
      isBinary(a, x > y),
      isBinary(a, wider),
      must(Math.max(x, y) >= 1.149 * Math.min(x, y), "too close to call"),
    );
  },
  "comparison/taller": (a) => {
    const [x, y] = [a.place(a.targets[0]!)!.extent.z, a.place(a.targets[1]!)!.extent.z];
    return first(isBinary(a, x > y), must(Math.max(x, y) >= 1.149 * Math.min(x, y), "too close to call"));
  },
  "comparison/closer": (a) => {
    const [one, two, three] = a.targets.map((id) => a.place(id)!);
    const difference = separationM(one!, three!) - separationM(one!, two!);
    return first(isBinary(a, difference > 0), must(Math.abs(difference) > 0.49, "too close to call"));
  },
  "comparison/room-bigger": (a) => {
    const [x, y] = a.question.regions.map((room) => area(a, room)) as [number, number];
    return first(isBinary(a, x > y), must(Math.max(x, y) >= 1.149 * Math.min(x, y), "too close to call"));
  },
  "comparison/more": (a) => {
    const noun = a.about<string>("noun");
    const [x, y] = a.question.regions.map((room) => a.called(noun, room).length) as [number, number];
    return first(isBinary(a, x > y), must(x !== y, "a tie"));
  },
  "comparison/largest": (a) =>
    first(
      isFirstOfFour(a, (id) => volume(a, id), 1.149, 0),
      isFirstOfFour(a, (id) => diagonal(a, id), 1, -1e-9),
    ),
  "comparison/nearest": (a) => {
    const anchor = a.place(a.targets[4]!)!;
    return isFirstOfFour(a, (id) => 100 - separationM(a.place(id)!, anchor), 1, 0.49);
  },
  "comparison/room-most": (a) => {
    const noun = a.about<string>("noun");
    const counts = a.truth.rooms
      .map(({ id }) => ({ id, n: a.called(noun, id).length }))
      .sort((x, y) => y.n - x.n);
    const named = a.roomNamed(a.text)?.id;
    return must(counts[0]!.n > counts[1]!.n && counts[0]!.id === named, `most are in ${counts[0]!.id}`);
  },
  "comparison/room-largest": (a) => {
    const areas = a.question.regions.map((room) => ({ room, m2: area(a, room) })).sort((x, y) => y.m2 - x.m2);
    const clear = areas[0]!.m2 >= 1.149 * areas[1]!.m2;
    return must(clear && a.roomNamed(a.text)?.id === areas[0]!.room, `the largest is ${areas[0]!.room}`);
  },
  "existence/room": (a) => {
    const room = a.about<string>("room");
    return first(
      isBinary(a, a.called(a.about<string>("noun"), room).length > 0),
      must(a.lookedOver(room), "not looked over"),
    );
  },
  "existence/house": (a) => isBinary(a, a.called(a.about<string>("noun")).length > 0),
  "existence/state": (a) => {
    const all = a.called(a.about<string>("noun"), a.about<string>("room"));
    const values = all.map((id) => a.truth.state(id, a.about<string>("fluent"), a.atUs));
    return isBinary(a, values.includes(a.about<string>("value")));
  },
  "capacity/anything-on": (a) => isBinary(a, a.resting(a.targets[0]!).length > 0),
  "capacity/room-for": (a) => {
    const [host, guest] = [a.place(a.targets[0]!)!, a.place(a.targets[1]!)!];
    const others = a.resting(a.targets[0]!).map((id) => a.place(id)!);
    const fits = (f: number): boolean => roomOnTop(host, others, guest.extent.x * f, guest.extent.y * f);
    // A search at centimetre steps may miss what an exact one finds, so each side keeps some of its margin.
    return yes(a) ? must(fits(1.2), "it does not fit") : must(!fits(0.9), "it fits");
  },
  "capacity/seats": (a) => {
    const places: Record<string, number> = { "two-seat sofa": 2, "three-seat sofa": 3 };
    const room = a.about<string>("room");
    const free = a.truth
      .present(a.atUs)
      .filter((id) => a.place(id)!.room === room && a.truth.state(id, "occupancy", a.atUs) === "free")
      .reduce((sum, id) => sum + (places[a.truth.thing(id).name] ?? 1), 0);
    return isCount(a, free);
  },
  "state/is": (a) =>
    isBinary(a, a.truth.state(a.targets[0]!, a.about<string>("fluent"), a.atUs) === a.about<string>("value")),
  "state/which": (a) =>
    must(a.truth.state(a.targets[0]!, a.about<string>("fluent"), a.atUs) === a.text, "another state"),
  "state/last-seen": (a) => {
    const lastUs = a.clear(a.targets[0]!).at(-1)!.timeUs;
    return isBinary(
      a,
      a.truth.state(a.targets[0]!, a.about<string>("fluent"), lastUs) === a.about<string>("value"),
    );
  },
};
