import { distance } from "../../geometry/index.ts";
import { evidenceOfRecord, type Finding, type RuleContext } from "../finding.ts";
import type { Subgoal } from "../need.ts";
import { isRoom } from "../parse/noun-phrase.ts";
import { middleOf, namedRooms } from "../recall/room-names.ts";
import { listOf, metresText } from "../words/phrases.ts";

/** Where a room is: "where is the kitchen", "take me to the garage". Undefined where no room of that name is known. */
export async function locateRoom(goal: Subgoal, context: RuleContext): Promise<Finding | undefined> {
  const { target, relations, region } = goal;
  if (!isRoom(target) || relations.length > 0 || region !== undefined) return undefined;
  // "The red toilet" is no room: those have no colour.
  if (Object.keys(target.attributes).length > 0) return undefined;
  const rooms = await context.recall.rooms();
  const from = context.pose?.position;
  const found = namedRooms(rooms, target)
    .map((room) => ({ ...room, middle: middleOf(room) }))
    .toSorted((a, b) => (from ? distance(from, a.middle) - distance(from, b.middle) : 0));
  const [best] = found;
  if (!best) return undefined;
  const storeys = new Set(rooms.map(({ storey }) => storey)).size > 1;
  const where = [
    ...(storeys ? [best.storey === 0 ? "downstairs" : "upstairs"] : []),
    ...(from ? [`${metresText(distance(from, best.middle))} from here`] : []),
  ];
  return {
    status: "answered",
    text: `the ${best.name}${where.length > 0 ? `: ${where.join(", ")}` : ""}`,
    position: { point: best.middle, region: best.name },
    goalPlace: best.middle,
    set: [...new Set(found.map(({ name }) => name))].slice(0, 16),
    evidence: found
      .slice(0, 5)
      .map(({ record, name, middle }) => evidenceOfRecord(record, record.text[0] ?? name, 1, middle)),
    confidence: found.length > 1 ? 0.7 : 0.85,
    ...(found.length > 1 && {
      contradictions: [`${found.length} rooms fit: ${listOf(found.slice(0, 4).map(({ name }) => name))}`],
    }),
  };
}
