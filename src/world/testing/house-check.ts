import { startSnapshot } from "../house/solids.ts";
import type { House, HouseSnapshot } from "../house/types.ts";
import { floating, interpenetrations } from "./house-check/contact.ts";
import { enclosure } from "./house-check/enclosure.ts";
import type { Fault } from "./house-check/fault.ts";
import { freeSpace } from "./house-check/free-space.ts";
import { planFaults } from "./house-check/plan.ts";
import { relationFaults } from "./house-check/relations.ts";
import { type Upright, upright } from "./house-check/upright.ts";

export type { Fault } from "./house-check/fault.ts";

/**
 * Checks a house, or any moment of a timeline, independently: it reads solids and records and shares no placing code
 * with the generator. An empty list means: floor in one piece for a robot of 0.2 m radius, nothing floating or more
 * than 1 cm inside another, every hidden thing enclosed, doors where stated, relations confirmed.
 */
export function checkSnapshot(scene: HouseSnapshot): Fault[] {
  const solids = new Map<string, readonly Upright[]>(
    scene.house.things.map((thing) => [
      thing.id,
      scene.solidsOf(thing.id).map((solid) => upright(thing.id, solid)),
    ]),
  );
  return [
    ...recordFaults(scene.house),
    ...interpenetrations(scene, solids),
    ...floating(scene, solids),
    ...enclosure(scene, solids),
    ...planFaults(scene, solids),
    ...freeSpace(scene, solids),
    ...relationFaults(scene, solids),
  ];
}

export function checkHouse(house: House): Fault[] {
  return checkSnapshot(startSnapshot(house));
}

function recordFaults({ things, starts }: House): Fault[] {
  const faults: Fault[] = [];
  if (new Set(things.map((t) => t.id)).size !== things.length)
    faults.push({ code: "record", thing: "house", detail: "ids are not unique" });
  things.forEach((thing, i) => {
    if (thing.number !== i + 1)
      faults.push({ code: "record", thing: thing.id, detail: `number ${thing.number} at index ${i}` });
  });
  if (starts.length !== things.length)
    faults.push({ code: "record", thing: "house", detail: "things and starts differ in number" });
  return faults;
}
