import type { HouseThing, Room } from "../../../world/house/types.ts";
import { listed } from "../../../world/questions/phrases.ts";
import { clock, isSlot, metres, type PlaceFacts, span } from "./facts.ts";
import { describe, heightAndSpot, knownWords, lines, presenceLines } from "./rooms.ts";

/** What each kind of area opens to; areas have no doors between them. */
const OPENS_TO: Readonly<Record<string, string>> = {
  aisle: "the cross aisle (at the end with the lowest bay numbers) and the rear aisle (at the other end)",
  "staging bay": "the cross aisle; mesh fences part it from the staging bays beside it",
  "cross aisle": "every aisle on one side, every staging bay on the other",
  "rear aisle": "every aisle",
};

/** The meaning of codes and the layout of areas, as a person there would describe them. */
export function layoutLines(facts: PlaceFacts): string[] {
  const { rooms } = facts.house;
  const names = (type: string) => listed(rooms.filter((room) => room.type === type).map(({ name }) => name));
  return [
    "One hall on one storey. From the loading docks inwards: the staging bays, each with a dock door in the outer wall;",
    "the cross aisle along all of them; the aisles side by side, with a rack on either side; the rear aisle behind.",
    "",
    `- aisles, side by side in this order, the first on the left for somebody who comes from the docks: ${names("aisle")}`,
    `- staging bays, side by side in the same order: ${names("staging bay")}; DOCK 1 is in staging 1, and so on`,
    "- A slot, a part of a shelf, holds one box. Its code stands on the beam in front: A-03-2 is aisle A, bay 03, level 2.",
    "  Bays are counted from the cross aisle, odd numbers on the left, even ones on the right; so 03 is beside 01 and 05,",
    "  and across from 04. Level 1 is the lowest, 3 the highest.",
    "- A box has a stock code on a white label; several boxes may have the same one. A pallet holds up to four boxes.",
  ];
}

/** An area with its size and its content at the end, slot by slot if it has racks. */
export function areaLines(facts: PlaceFacts, room: Room): string[] {
  const [a, , c] = room.polygon.points as [Point, Point, Point];
  const [x, y] = [c.x - a.x, c.y - a.y];
  const here = facts.things.filter(({ id, type }) => type !== "person" && facts.roomAt(id) === room.id);
  const slots = here.filter(isSlot);
  const codes = new Set(slots.map(({ id }) => id));
  const others = here.filter(
    ({ id }) => !codes.has(id) && !codes.has(facts.placement(id)?.supportedBy ?? ""),
  );
  return [
    `### ${facts.roomName(room.id)}: ${(x * y).toFixed(1)} m² of floor, ${metres(x)} × ${metres(y)}`,
    "",
    `- opens to ${OPENS_TO[room.type] ?? "its surroundings"}`,
    ...presenceLines(facts, room.id),
    "",
    ...(slots.length === 0 ? [] : [`${slots.length} slots, ${emptyWords(facts, slots)}:`]),
    ...slots.map((slot) => `- ${slotLine(facts, slot)}`),
    ...(slots.length === 0 ? [] : [""]),
    ...(others.length === 0 ? ["Nothing stands or hangs here.", ""] : ["What stands and hangs here:"]),
    ...(others.length === 0 ? [] : [...lines(facts, others), ""]),
  ];
}

type Point = { readonly x: number; readonly y: number };

function emptyWords(facts: PlaceFacts, slots: readonly HouseThing[]): string {
  const empty = slots.filter(({ id }) => boxIn(facts, id) === undefined).length;
  return empty === 0 ? "none of them empty" : `${empty} of them empty`;
}

const boxIn = (facts: PlaceFacts, slot: string): HouseThing | undefined =>
  facts.things.find(({ id }) => facts.placement(id)?.supportedBy === slot);

/** "A-03-2: **box KX-402**: brown, …", "A-03-3: empty; slot seen …". */
function slotLine(facts: PlaceFacts, slot: HouseThing): string {
  const box = boxIn(facts, slot.id);
  const leave = leaving(facts, slot.id);
  const before =
    leave === undefined
      ? []
      : [`until ${clock(leave.timeUs)} ${facts.nameOf(leave.box)} was in it (see what happened)`];
  if (box === undefined) {
    const seen =
      leave === undefined ? `slot ${facts.looks(slot.id)}` : emptySeen(facts, slot.id, leave.timeUs);
    return [`${slot.text}: empty`, ...before, seen].join("; ");
  }
  const sinceUs = facts.sinceUs(box.id);
  const isNew = sinceUs > facts.timeline.startUs;
  const emptyUs = leave?.timeUs ?? -Infinity;
  return [
    `${slot.text}: ${describe(facts, box)}`,
    heightAndSpot(facts, box.id),
    knownWords(facts, box.id),
    ...before,
    ...(isNew ? [`empty before; ${emptySeen(facts, slot.id, emptyUs, sinceUs - 1)}`] : []),
  ].join("; ");
}

/** The last box that was taken out of a slot. */
function leaving(facts: PlaceFacts, slot: string): { box: string; timeUs: number } | undefined {
  return facts.things
    .flatMap(({ id }) =>
      facts.timeline
        .historyOf(id)
        .segments.flatMap(({ placement, toUs }) =>
          placement?.supportedBy === slot && toUs !== null && toUs <= facts.endUs
            ? [{ box: id, timeUs: toUs }]
            : [],
        ),
    )
    .sort((a, b) => a.timeUs - b.timeUs)
    .at(-1);
}

function emptySeen(facts: PlaceFacts, slot: string, fromUs: number, toUs = facts.endUs): string {
  const looks = facts.robots.flatMap(({ name, sight }) => {
    const frames = sight.clear(slot, fromUs, toUs);
    return frames.length === 0 ? [] : [`by ${name} ${span(frames)}`];
  });
  return looks.length === 0 ? "never seen empty" : `seen empty ${looks.join(", ")}`;
}

/** How many slots are empty, by area. */
export function emptySlotLine(facts: PlaceFacts): string {
  const empty = facts.things.filter((thing) => isSlot(thing) && boxIn(facts, thing.id) === undefined);
  const areas = [...Map.groupBy(empty, ({ id }) => facts.roomAt(id))];
  return `- empty slots: ${empty.length} (${areas.map(([room, there]) => `${facts.roomName(room)} ${there.length}`).join("; ")})`;
}

/** Stock codes shared by several boxes, with the place of each. */
export function codeLines(facts: PlaceFacts): string[] {
  const boxes = facts.things.filter(
    ({ category, id }) => category === "box" && facts.placement(id) !== undefined,
  );
  const shared = [...Map.groupBy(boxes, ({ text }) => text ?? "")].filter(([, alike]) => alike.length > 1);
  if (shared.length === 0) return ["- each code is on one box only"];
  return shared.map(([code, alike]) => {
    const places = alike.map(({ id }) => {
      const words = facts.fullPlace(facts.placement(id)!);
      return facts.isWellSeen(id) ? words : `${words} (hardly or never seen)`;
    });
    return `- ${code}: ${alike.length} boxes: ${places.join("; ")}`;
  });
}
