import type { Vec3 } from "../../../geometry/index.ts";
import { hangsOn } from "../../../ontology/index.ts";
import type { Recall } from "../../recall/recall.ts";
import type { Thing } from "../../recall/thing.ts";

/** "on the kitchen counter in the kitchen", as far as it is known. */
export async function placeOf(thing: Thing, recall: Recall): Promise<string> {
  const holder = await holderText(thing, recall);
  const room = await recall.roomOf(thing);
  const parts = [holder ?? "", room ? `in the ${room.name}` : ""].filter((part) => part !== "");
  return parts.join(" ") || (thing.position ? `at ${coordinates(thing.position)}` : "somewhere unknown");
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
