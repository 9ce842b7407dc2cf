import type { Belief } from "../../belief/belief.ts";
import { ownSteps, type Visit, visitsOf } from "../../belief/looks.ts";
import { area, type RoomView } from "../../belief/room-names.ts";
import { enclosingSides } from "../../geometry/index.ts";
import { LIMITS } from "../../schema/core.ts";
import { areaText, metresText } from "../say/figures.ts";
import { storeyName } from "../say/things.ts";
import { doorwaysOf } from "../ways/doorways.ts";
import type { EvidenceContext } from "./context.ts";
import { roomFact, shortOf } from "./facts.ts";
import { spanText } from "./times.ts";

/** The most visits of a room that are given, the last ones. */
const MOST_VISITS = 4;

/**
 * A room on one line: "r1 kitchen · 12 m², 4.1 m by 2.9 m · ground floor · looked at 80 % · leads to r2 hallway (t13 open) ·
 * visited 09:02:06–09:02:53". The two lengths are the sides of the rectangle around it.
 */
export async function roomCard(one: RoomView, context: EvidenceContext): Promise<string> {
  const { memory } = context;
  const share = Math.round(one.record.coverage * 100);
  const fact = await roomFact(one, context);
  const parts = [`${fact.id} ${one.name}`];
  const size = sizeText(one);
  if (size !== undefined) parts.push(size);
  parts.push(storeyName(one.storey), share === 0 ? "never looked at" : `${share} % looked at`);
  const doors: string[] = [];
  for (const { a, b, door } of await doorwaysOf(memory)) {
    const other = a.id === one.id ? b : b.id === one.id ? a : undefined;
    if (!other) continue;
    const openness = door?.state.attributes["openness"]?.value;
    const told = door ? ` (${[shortOf(door, context), openness].filter(Boolean).join(" ")})` : "";
    doors.push(`${(await roomFact(other, context)).name}${told}`);
  }
  if (doors.length > 0) parts.push(`leads to ${doors.join(", ")}`);
  const visits = (await visitsBy(memory)).filter(({ room: { id } }) => id === one.id);
  const told = visits.slice(-MOST_VISITS).map(({ fromUs, toUs }) => spanText(fromUs, toUs, memory.nowUs));
  const more = visits.length > told.length ? `${visits.length} times, last ` : "";
  parts.push(told.length > 0 ? `visited ${more}${told.join(", ")}` : "never entered");
  return parts.join(" · ");
}

/** Its area and sides, where its outline is known. */
function sizeText(one: RoomView): string | undefined {
  const m2 = area(one);
  if (m2 === 0) return undefined;
  const [long, short] = enclosingSides(one.record.hull ?? []);
  return `${areaText(m2)}, ${metresText(long)} by ${metresText(short)}`;
}

/** The robot's visits of rooms, until now. */
export async function visitsBy(memory: Belief): Promise<Visit[]> {
  const steps = await ownSteps({ memory }, { fromUs: -LIMITS.timeUs, toUs: memory.nowUs + 1 });
  return visitsOf(steps, memory);
}
