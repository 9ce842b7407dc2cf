import type { Vec3 } from "../../../geometry/index.ts";
import { hangsOn } from "../../../ontology/index.ts";
import type { Recall } from "../../recall/recall.ts";
import type { Thing } from "../../recall/thing.ts";
import { withThe } from "../../say/grammar.ts";

/** "on the kitchen counter in the kitchen", as far as it is known. */
export async function placeOf(thing: Thing, recall: Recall): Promise<string> {
  const holder = await holderText(thing, recall);
  const room = await recall.roomOf(thing);
  const parts = [holder ?? "", room ? `in ${withThe(room.name)}` : ""].filter((part) => part !== "");
  return parts.join(" ") || (thing.position ? `at ${coordinates(thing.position)}` : "somewhere unknown");
}

/** So many of what is elsewhere are told where they are; nobody hears of more. */
const MOST_TOLD = 6;

/** Things that are not where they were asked for, the likeliest with where they are instead. */
export async function elsewhere(
  things: readonly Thing[],
  part: "room" | "relation",
  recall: Recall,
): Promise<Thing[]> {
  const told = things.toSorted((a, b) => b.fit - a.fit).slice(0, MOST_TOLD);
  const says = new Map<Thing, string>();
  for (const thing of told) says.set(thing, `is ${await placeOf(thing, recall)}`);
  return things.map((thing) => ({
    ...thing,
    against: [...(thing.against ?? []), { part, says: says.get(thing) ?? "is elsewhere" }],
  }));
}

/** "on the table", "in the drawer"; undefined for what stands by itself. */
export async function holderText({ state }: Thing, recall: Recall): Promise<string | undefined> {
  // What hangs on a wall is not on what stands below it.
  const id = state.insideOf ?? (hangsOn(state.category) === "wall" ? undefined : state.supportedBy);
  if (id === undefined) return undefined;
  const [record] = await recall.options.reader.get([id]);
  if (record?.kind !== "state") return undefined;
  return `${state.insideOf === undefined ? "on" : "in"} the ${record.category}`;
}

function coordinates({ x, y, z }: Vec3): string {
  return `(${x.toFixed(1)}, ${y.toFixed(1)}, ${z.toFixed(1)})`;
}
