import type { HouseThing } from "../../../world/house/types.ts";
import type { QuestionWorld } from "../../../world/questions/index.ts";
import { listed } from "../../../world/questions/phrases.ts";
import { clock, HouseFacts } from "./facts.ts";
import { happeningLines, personLines } from "./happenings.ts";
import { robotLines } from "./robot.ts";
import { describe, roomLines } from "./rooms.ts";

/**
 * The truth sheet of a house: all that somebody who writes questions about it may know, as Markdown, in the words of
 * people. It says what is so, what the robot saw of it and when, and never how the memory stores or reads anything.
 */
export function truthSheet(world: QuestionWorld): string {
  const facts = new HouseFacts(world);
  const { house } = facts;
  return `${[
    `# House ${house.seed}`,
    "",
    ...preface(facts),
    "",
    "## Storeys and rooms",
    "",
    ...overview(facts),
    "",
    ...house.rooms.flatMap((room) => roomLines(facts, room)),
    "## No longer in the house",
    "",
    ...goneLines(facts),
    "",
    "## How many there are of each kind",
    "",
    ...countLines(facts),
    "",
    "## People",
    "",
    ...personLines(facts),
    "",
    "## What happened",
    "",
    ...happeningLines(facts),
    "",
    "## The robot's way",
    "",
    ...robotLines(facts),
  ].join("\n")}\n`;
}

function preface(facts: HouseFacts): string[] {
  const day = new Date(facts.timeline.startUs / 1000).toUTCString().slice(0, 16);
  return [
    `One robot toured this house on ${day}, from ${clock(facts.timeline.startUs)} to ${clock(facts.endUs)}. Questions are asked`,
    `right then: **now is ${clock(facts.endUs)}**. Everything below is so now, unless a time stands with it.`,
    "",
    "- Sizes are width × depth × height. “@x,y” are metres on the floor plan, for measuring between the middles of",
    "  things; nobody asks with them. Numbers behind names (“mug 2”) are this sheet's own: nobody else knows them.",
    "- A look is one picture with the thing well in sight. What was never seen the robot cannot know; what was hardly",
    "  seen or only glimpsed it may know or not. Of what happened behind its back it knows what it saw afterwards.",
    "- A thing's kind comes first, in brackets a finer name: “**mug 2** (coffee mug)”. People use either.",
  ];
}

function overview(facts: HouseFacts): string[] {
  const { house } = facts;
  const levels = Array.from({ length: house.floors }, (_, floor) => {
    const rooms = house.rooms.filter((room) => room.floor === floor).map(({ id }) => facts.roomName(id));
    return `- ${facts.storey(floor)}: ${listed(rooms)}`;
  });
  const stairs = house.stairs.map(
    ({ foot, head }) =>
      `- stairs lead from the ${facts.roomOfPoint(foot)} up to the ${facts.roomOfPoint(head)}`,
  );
  const storeys = house.floors === 1 ? "One storey" : "Two storeys";
  return [`${storeys}, ${house.rooms.length} rooms.`, "", ...levels, ...stairs];
}

function goneLines(facts: HouseFacts): string[] {
  const gone = facts.things.filter(({ id, type }) => type !== "person" && facts.placement(id) === undefined);
  if (gone.length === 0) return ["- nothing was taken away"];
  return gone.map((thing) => `- ${describe(facts, thing)}; ${facts.looks(thing.id)}; see what happened`);
}

/** Kinds with several of them, by room; what was not seen well is told apart. */
function countLines(facts: HouseFacts): string[] {
  const present = facts.things.filter(
    ({ id, type }) => type !== "person" && facts.placement(id) !== undefined,
  );
  const kinds = [...Map.groupBy(present, ({ category }) => category)].sort(([a], [b]) => (a < b ? -1 : 1));
  const several = kinds.filter(([, things]) => things.length > 1);
  const single = kinds.filter(([, things]) => things.length === 1);
  return [
    ...several.map(([kind, things]) => `- ${kind}: ${things.length} (${byRoom(facts, things)})`),
    `- exactly one each: ${single.map(([kind]) => kind).join(", ")}`,
  ];
}

function byRoom(facts: HouseFacts, things: readonly HouseThing[]): string {
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
