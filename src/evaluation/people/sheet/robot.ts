import { listed } from "../../../world/questions/phrases.ts";
import type { SeenFrame } from "../../../world/questions/world.ts";
import { clock, metres, type PlaceFacts, type SheetRobot } from "./facts.ts";

/** Rooms crossed faster are only the edge of a doorway. */
const CROSSED_US = 1_000_000;
const MAX_AROUND = 18;
/** Something directly above or below has no direction. */
const OVERHEAD_M = 0.4;
const SECTORS = ["ahead", "to its left", "behind it", "to its right"] as const;

/** The rooms of each robot with times, and its final pose. */
export function robotLines(facts: PlaceFacts): string[] {
  if (facts.robots.length === 1) return ownLines(facts, facts.robots[0]!);
  return [
    ...facts.robots.flatMap((robot) => [`### ${robot.name}`, "", ...ownLines(facts, robot), ""]),
    ...apartLines(facts),
  ];
}

function ownLines(facts: PlaceFacts, { sight: { frames } }: SheetRobot): string[] {
  const [first, last] = [frames[0]!, frames.at(-1)!];
  const stays = staysOf(frames).map(
    ([from, to, room]) => `- ${clock(from)}–${clock(to)} ${facts.roomName(room)}`,
  );
  return [
    `It starts in ${facts.theRoom(first.room)} and drives ${lengthOf(frames).toFixed(0)} m in all.`,
    "",
    ...stays,
    "",
    `At the end (${clock(facts.endUs)}) it stands in ${facts.roomOfPoint(last.positionInWorld)} @${last.positionInWorld.x.toFixed(1)},${last.positionInWorld.y.toFixed(1)}. As it stands and looks then:`,
    ...aroundLines(facts, last),
  ];
}

/** What is around the robot, by quarter, nearest first; only what it saw well. */
function aroundLines(facts: PlaceFacts, { positionInWorld: at, yawRad, room }: SeenFrame): string[] {
  const near = facts.things
    .flatMap(({ id }) => {
      const placement = facts.placement(id);
      if (placement === undefined || placement.room !== room || !facts.isWellSeen(id)) return [];
      const [dx, dy] = [placement.centre.x - at.x, placement.centre.y - at.y];
      const turn = (Math.atan2(dy, dx) - yawRad + 4.25 * Math.PI) % (2 * Math.PI);
      return [{ id, metres: Math.hypot(dx, dy), sector: Math.floor(turn / (Math.PI / 2)) % 4 }];
    })
    .filter((one) => one.metres > OVERHEAD_M)
    .sort((a, b) => a.metres - b.metres)
    .slice(0, MAX_AROUND);
  return SECTORS.map((words, sector) => {
    const there = near
      .filter((one) => one.sector === sector)
      .map((one) => `${facts.nameOf(one.id)} (${metres(one.metres)})`);
    return `- ${words}: ${there.length === 0 ? `nothing of this ${facts.family === "house" ? "room" : "area"}` : listed(there)}`;
  });
}

/** The final distances between robots; they do not appear in each other's pictures. */
function apartLines(facts: PlaceFacts): string[] {
  const ends = facts.robots.map(({ name, sight }) => ({ name, at: sight.frames.at(-1)!.positionInWorld }));
  const pairs = ends.flatMap((a, i) =>
    ends
      .slice(i + 1)
      .map(
        (b) =>
          `${a.name} and ${b.name} are ${metres(Math.hypot(a.at.x - b.at.x, a.at.y - b.at.y, a.at.z - b.at.z))} apart`,
      ),
  );
  return [`At the end ${listed(pairs)}. Robots do not see one another.`];
}

function staysOf(frames: readonly SeenFrame[]): [number, number, string][] {
  const stays: [number, number, string][] = [];
  for (const { timeUs, room } of frames) {
    const last = stays.at(-1);
    if (room === null) continue;
    if (last?.[2] === room) last[1] = timeUs;
    else stays.push([timeUs, timeUs, room]);
  }
  return stays.filter(([from, to]) => to - from >= CROSSED_US);
}

function lengthOf(frames: readonly SeenFrame[]): number {
  return frames.slice(1).reduce((sum, { positionInWorld: p }, i) => {
    const q = frames[i]!.positionInWorld;
    return sum + Math.hypot(p.x - q.x, p.y - q.y, p.z - q.z);
  }, 0);
}
