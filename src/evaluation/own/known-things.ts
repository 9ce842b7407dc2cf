import type { MemoryReader } from "../../memory/index.ts";
import type { Stored } from "../../schema/core.ts";
import type { SpacedView } from "./spaced-views.ts";

/** A thing as questions refer to it. */
export interface KnownThing {
  readonly trackId: string;
  readonly stateId: string;
  readonly category: string;
  readonly colour: string | undefined;
  readonly room: string | undefined;
  /** Cubic metres of its box. */
  readonly volumeM3: number | undefined;
  /** A description that fits no other thing of the memory; undefined if there is none. */
  readonly called: string | undefined;
  /** Whether one of the spaced views shows it. */
  readonly isShown: boolean;
}

const READ = 10_000;

/** The things currently believed to be there, each with an unambiguous description. */
export async function knownThings(
  reader: MemoryReader,
  views: readonly SpacedView[],
  nowUs: number,
): Promise<KnownThing[]> {
  const time = { overlaps: { fromUs: nowUs, toUs: nowUs + 1 } };
  const { hits } = await reader.search({ kinds: ["state"], time, rank: "latest", limit: READ });
  const states = hits.flatMap(({ record }) => (record.kind === "state" ? [record] : []));
  const rooms = await roomNames(reader, states);
  const shown = new Set(views.flatMap(({ view }) => view.visible.map(({ stateId }) => stateId)));
  const plain = states.map((state) => plainThing(state, rooms.get(state.regionId ?? ""), shown));
  const counts = new Map<string, number>();
  for (const name of plain.flatMap(namesOf)) counts.set(name, (counts.get(name) ?? 0) + 1);
  return plain.map((thing) => ({
    ...thing,
    called: namesOf(thing).find((name) => counts.get(name) === 1),
  }));
}

type State = Extract<Stored, { kind: "state" }>;

function plainThing(state: State, room: string | undefined, shown: ReadonlySet<string>) {
  const { extent, attributes } = state;
  const colour = attributes["colour"]?.value;
  return {
    trackId: state.trackId,
    stateId: state.id,
    category: state.category,
    colour: typeof colour === "string" ? colour : undefined,
    room,
    volumeM3: extent && extent.x * extent.y * extent.z,
    isShown: shown.has(state.id),
  };
}

/** From plain to exact: a mug, a red mug, a mug in the kitchen, a red mug in the kitchen. */
function namesOf({ category, colour, room }: Pick<KnownThing, "category" | "colour" | "room">): string[] {
  const at = room === undefined ? [] : [` in the ${room}`];
  const kinds = colour === undefined ? [] : [`${colour} ${category}`];
  return [category, ...kinds, ...[category, ...kinds].flatMap((name) => at.map((place) => name + place))];
}

async function roomNames(reader: MemoryReader, states: readonly State[]): Promise<Map<string, string>> {
  const ids = [...new Set(states.flatMap(({ regionId }) => regionId ?? []))];
  const regions = ids.length === 0 ? [] : await reader.get(ids);
  const named = regions.flatMap((region) =>
    region?.kind === "region" ? [[region.id, region.name] as const] : [],
  );
  // Two bedrooms with one name do not identify a place.
  const counts = new Map<string, number>();
  for (const [, name] of named) counts.set(name, (counts.get(name) ?? 0) + 1);
  return new Map(named.filter(([, name]) => name !== "" && counts.get(name) === 1));
}
