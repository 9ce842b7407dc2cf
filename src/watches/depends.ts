import type { Change } from "../memory/index.ts";
import { type Description, describedBy, headFit, operatorNamed, thingOptions } from "../reasoning/index.ts";
import type { Dependencies, Expression, RecordKind, Stored } from "../schema/core.ts";

/** Operators that read states only of their arguments' things. */
const OF_THEIR_OWN: ReadonlySet<string> = new Set(["things", "within", "place", "relate"]);
/** Below this fit a thing is never found under a name. */
const MIN_FIT = 0.5;

/** What an expression depends on: the kinds its operators read, the categories and the rooms that it names. */
export function dependenciesOf(expression: Expression): Dependencies {
  const kinds = new Set<RecordKind>();
  const categories = new Set<string>();
  const rooms = new Set<string>();
  let [anything, anywhere] = [false, false];
  const visit = (node: Expression, isWithin: boolean) => {
    const { reads = [] } = operatorNamed(node.op);
    for (const kind of reads) kinds.add(kind);
    if (node.op === "things") {
      const { head } = describedBy(thingOptions.parse(node.with));
      if (head === "object") anything = true;
      else categories.add(head);
      if (!isWithin) anywhere = true;
    } else if (reads.includes("state") && !OF_THEIR_OWN.has(node.op)) anything = anywhere = true;
    if (node.op === "rooms" && typeof node.with["name"] === "string") rooms.add(node.with["name"]);
    const inRooms = node.op === "in" && node.of[1]?.op === "rooms" && node.of[1].with["name"] !== undefined;
    for (const [n, inner] of node.of.entries()) visit(inner, isWithin || (inRooms && n === 0));
  };
  visit(expression, false);
  return {
    kinds: [...kinds].sort(),
    categories: anything || categories.size === 0 ? null : [...categories].sort(),
    rooms: anywhere || rooms.size === 0 ? null : [...rooms].sort(),
  };
}

/** What decides whether a commit affects a watch. */
export interface Waiting {
  readonly dependsOn: Dependencies;
  /** Ids that it reported, or that its answer rests on. */
  readonly known: ReadonlySet<string>;
  /** Ids of the rooms that it names, as of the last evaluation. */
  readonly roomIds: ReadonlySet<string>;
  mayRead(labels: readonly string[]): boolean;
}

/** Whether a commit may change the answer, so that it has to be evaluated again. */
export function isTouched({ put, sightings, frames, forgotten }: Change, waiting: Waiting): boolean {
  const { kinds } = waiting.dependsOn;
  // A moved map moves everything with a position.
  if (frames > 0 && (kinds.includes("state") || kinds.includes("region"))) return true;
  if (forgotten.some((id) => waiting.known.has(id))) return true;
  if (sightings.some(({ stateId }) => waiting.known.has(stateId))) return true;
  return put.some((record) => waiting.mayRead(record.labels) && isAbout(record, waiting));
}

function isAbout(
  record: Stored,
  { dependsOn: { kinds, categories, rooms }, known, roomIds }: Waiting,
): boolean {
  if (known.has(record.id) || ("trackId" in record && known.has(record.trackId))) return true;
  if (!kinds.includes(record.kind)) return false;
  if (record.kind !== "state" && record.kind !== "track") return true;
  if (categories !== null && !categories.some((head) => headFit(described(head), record) >= MIN_FIT))
    return false;
  const isElsewhere =
    record.kind === "state" && record.regionId !== undefined && !roomIds.has(record.regionId);
  return rooms === null || !isElsewhere;
}

function described(head: string): Description {
  return { head, mods: [], attributes: {}, phrase: head };
}
