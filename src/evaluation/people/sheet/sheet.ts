import type { HouseThing } from "../../../world/house/types.ts";
import type { QuestionWorld } from "../../../world/questions/index.ts";
import { listed } from "../../../world/questions/phrases.ts";
import { areaLines, codeLines, emptySlotLine, layoutLines } from "./areas.ts";
import { clock, kindOf, PlaceFacts, type SheetFamily } from "./facts.ts";
import { happeningLines } from "./happenings.ts";
import { personLines, vehicleLines } from "./people.ts";
import { robotLines } from "./robot.ts";
import { describe, roomLines } from "./rooms.ts";

/**
 * The truth sheet of a place: everything that a question writer may know, as Markdown in plain words. It states what
 * is true and what each robot saw of it and when, and never how the memory stores or reads anything.
 */
export function truthSheet(world: QuestionWorld, family: SheetFamily = "house"): string {
  const facts = new PlaceFacts(world, family);
  return `${[
    `# ${family === "house" ? "House" : "Warehouse"} ${facts.house.seed}`,
    "",
    ...preface(facts),
    "",
    ...(family === "house" ? housePart(facts) : warehousePart(facts)),
    `## No longer in the ${family}`,
    "",
    ...goneLines(facts),
    "",
    "## How many there are of each kind",
    "",
    ...countLines(facts),
    "",
    ...(family === "house" ? [] : ["## Stock codes on several boxes", "", ...codeLines(facts), ""]),
    "## People",
    "",
    ...personLines(facts),
    "",
    ...(family === "house" ? [] : ["## Forklifts", "", ...vehicleLines(facts)]),
    "## What happened",
    "",
    ...happeningLines(facts),
    "",
    facts.robots.length === 1 ? "## The robot's way" : "## Each robot's way",
    "",
    ...robotLines(facts),
  ].join("\n")}\n`;
}

function housePart(facts: PlaceFacts): string[] {
  const { rooms } = facts.house;
  return [
    "## Storeys and rooms",
    "",
    ...overview(facts),
    "",
    ...rooms.flatMap((room) => roomLines(facts, room)),
  ];
}

function warehousePart(facts: PlaceFacts): string[] {
  const { rooms } = facts.house;
  return ["## The hall", "", ...layoutLines(facts), "", ...rooms.flatMap((room) => areaLines(facts, room))];
}

function preface(facts: PlaceFacts): string[] {
  const { robots, family } = facts;
  const day = new Date(facts.timeline.startUs / 1000).toUTCString().slice(0, 16);
  const names = listed(robots.map(({ name }) => name));
  const isOne = robots.length === 1;
  const [who, known] = isOne
    ? ["One robot", ONE_KNOWS]
    : [`${COUNTS[robots.length]} robots, ${names},`, SEVERAL_KNOW];
  return [
    `${who} toured this ${family} on ${day}, from ${clock(facts.timeline.startUs)} to ${clock(facts.endUs)}. Questions are asked`,
    `right then: **now is ${clock(facts.endUs)}**. Everything below is so now, unless a time stands with it.`,
    "",
    "- Sizes are width × depth × height. “@x,y” are metres on the floor plan, for measuring between the middles of",
    `  things; nobody asks with them. Numbers behind names (“${family === "house" ? "mug" : "pallet"} 2”) are this sheet's own: nobody else knows them.`,
    ...known,
    ...(family === "house" ? HOUSE_NAMES : WAREHOUSE_NAMES),
  ];
}

const ONE_KNOWS = [
  "- A look is one picture with the thing well in sight. What was never seen the robot cannot know; what was hardly",
  "  seen or only glimpsed it may know or not. Of what happened behind its back it knows what it saw afterwards.",
];
const SEVERAL_KNOW = [
  "- A look is one robot's picture with the thing well in sight. What no robot saw they cannot know; what was hardly seen",
  "  or only glimpsed they may know or not. Of what happened behind their backs they know what one saw afterwards.",
  "- They went about at the same time, and what one of them saw they know together; it is still that one that saw it.",
];
const HOUSE_NAMES = [
  "- A thing's kind comes first, in brackets a finer name: “**mug 2** (coffee mug)”. People use either.",
];
const WAREHOUSE_NAMES = [
  "- What bears a code is called by it (“box KX-402”, “slot A-03-2”). A letter behind a code (“box KX-402 (b)”) is this",
  "  sheet's own, for boxes that bear the same one.",
];
const COUNTS = ["No", "One", "Two", "Three", "Four"] as const;

function overview(facts: PlaceFacts): string[] {
  const { house } = facts;
  const levels = Array.from({ length: house.floors }, (_, floor) => {
    const rooms = house.rooms.filter((room) => room.floor === floor).map(({ id }) => facts.roomName(id));
    return `- ${facts.storey(floor)}: ${listed(rooms)}`;
  });
  const stairs = house.stairs.map(
    ({ foot, head }) => `- stairs lead from ${facts.roomOfPoint(foot)} up to ${facts.roomOfPoint(head)}`,
  );
  const storeys = house.floors === 1 ? "One storey" : "Two storeys";
  return [`${storeys}, ${house.rooms.length} rooms.`, "", ...levels, ...stairs];
}

function goneLines(facts: PlaceFacts): string[] {
  const gone = facts.things.filter(({ id, type }) => type !== "person" && facts.placement(id) === undefined);
  if (gone.length === 0) return ["- nothing was taken away"];
  return gone.map((thing) => `- ${describe(facts, thing)}; ${facts.looks(thing.id)}; see what happened`);
}

/** Categories with several things, by room; those not seen well are listed separately. */
function countLines(facts: PlaceFacts): string[] {
  const present = facts.things.filter(
    ({ id, type }) => type !== "person" && facts.placement(id) !== undefined,
  );
  const kinds = [...Map.groupBy(present, kindOf)].sort(([a], [b]) => (a < b ? -1 : 1));
  const several = kinds.filter(([, things]) => things.length > 1);
  const single = kinds.filter(([, things]) => things.length === 1);
  return [
    ...(facts.family === "house" ? [] : [emptySlotLine(facts)]),
    ...several.map(([kind, things]) => `- ${kind}: ${things.length} (${byRoom(facts, things)})`),
    `- exactly one each: ${single.map(([kind]) => kind).join(", ")}`,
  ];
}

function byRoom(facts: PlaceFacts, things: readonly HouseThing[]): string {
  const rooms = [...Map.groupBy(things, ({ id }) => facts.placement(id)?.room ?? null)];
  return rooms
    .map(([room, there]) => {
      const never = there.filter(({ id }) => !facts.sight.isSeen(id)).length;
      const hardly = there.filter(({ id }) => !facts.isWellSeen(id)).length - never;
      const doubts = [
        ...(hardly === 0 ? [] : [`${hardly} hardly seen or glimpsed`]),
        ...(never === 0 ? [] : [`${never} never seen`]),
      ];
      return `${facts.roomName(room)} ${there.length}${doubts.length === 0 ? "" : `, of them ${doubts.join(", ")}`}`;
    })
    .join("; ");
}
