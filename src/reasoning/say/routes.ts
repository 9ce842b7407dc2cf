import type { RouteValue } from "../algebra/value.ts";
import { metresText } from "./figures.ts";
import { list, numberWord, withThe } from "./grammar.ts";
import { nounOf, theThing } from "./naming.ts";
import { type SayContext, type Spoken, setOf } from "./said.ts";

/** A route as its rooms and doors, with its length. */
export function sayRoute({ rooms, doors, lengthM, to, side }: RouteValue, _context: SayContext): Spoken {
  const names = rooms.map(({ name }) => name).filter((name, n, all) => name !== all[n - 1]);
  const end = to.thing ? theThing(to.thing) : names.length > 0 ? withThe(names.at(-1)!) : "there";
  const through = names.slice(1, to.thing ? undefined : -1);
  const start = names[0];
  const way =
    names.length < 2
      ? start === undefined
        ? `straight to ${end}`
        : to.thing
          ? `${end} is in ${withThe(start!)}, where you start${side === undefined ? "" : `, ${SIDES[side]}`}`
          : `you are in ${withThe(start!)} already`
      : [
          `from ${withThe(start!)}`,
          ...(through.length > 0 ? [`through ${list(through.map(withThe))}`] : []),
          `to ${end}`,
        ].join(" ");
  const own = doors.map(nounOf).filter((name) => name !== "door" && name !== "doorway");
  const passed =
    own.length > 0 ? [`by ${list(own.map(withThe))}`] : doors.length > 0 ? [countDoors(doors.length)] : [];
  return {
    type: "text",
    text: [way, ...passed, metresText(lengthM)].join(", "),
    quantity: { value: lengthM, unit: "m" },
    position: {
      point: to.point,
      frame: "world",
      ...(to.thing && { trackId: to.thing.trackId }),
      ...(names.length > 0 && { region: names.at(-1)! }),
    },
    set: setOf(names),
    ...(to.thing ? { goal: to.thing } : { goalPlace: to.point }),
  };
}

const SIDES: Readonly<Record<string, string>> = {
  front: "in front of you",
  behind: "behind you",
  left: "to your left",
  right: "to your right",
};

function countDoors(n: number): string {
  return n === 1 ? "through one door" : `through ${numberWord(n)} doors`;
}
