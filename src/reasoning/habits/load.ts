import type { Interval } from "../../geometry/index.ts";
import type { Hit, MemoryReader } from "../../memory/index.ts";
import { LIMITS, type RecordOf, type Stored } from "../../schema/core.ts";
import { learnHabits } from "./learn.ts";
import { DAY_US, MINUTE_US } from "./local-time.ts";
import { MOST_DAYS } from "./parameters.ts";
import { ELSEWHERE, type HabitInput, type HabitModel, type HabitStay, type ObservedSpan } from "./types.ts";

type StateRecord = Stored<RecordOf<"state">>;

export interface HabitsOptions {
  readonly nowUs: number;
  /**
   * The subject: its support or container (default), the room, or an attribute such as "power", whose values are then
   * the places.
   */
  readonly by?: "place" | "room" | { readonly attribute: string };
  /** Another name for the place of a stay, for callers that know rooms better; undefined leaves the stay out. */
  readonly placeOf?: (state: StateRecord) => string | undefined | Promise<string | undefined>;
  readonly signal?: AbortSignal;
}

/** The habits of one thing, their input, and an example record of every place. */
export interface Habits {
  readonly model: HabitModel;
  readonly input: HabitInput;
  /** By place key: the name of the furniture or room, where it is one. */
  readonly places: ReadonlyMap<string, string>;
  /** The stays' records, earliest first: the evidence. */
  readonly stateIds: readonly string[];
}

const MOST_STAYS = 2_000;
const MOST_CHANGES = 2_000;
/** A sighting counts for the minutes around it. */
const LOOK_US = 10 * MINUTE_US;
/** Changes of a thing's state are recorded within this of its place. */
const AT_THING_M = 3;

/**
 * The habits of one thing by its tracks (its own and those merged into it): one search for its stays, one for their
 * sightings and one for absences, one read for their supports; for an attribute one more for its changes. The cost
 * grows with the thing's own past, which is bounded, and not with the memory.
 */
export async function habitsOf(
  reader: MemoryReader,
  trackIds: readonly string[],
  options: HabitsOptions,
): Promise<Habits> {
  const { nowUs, by = "place", signal } = options;
  const during = { fromUs: Math.max(-LIMITS.timeUs, nowUs - MOST_DAYS * DAY_US), toUs: nowUs + 1 };
  const call = signal ? { signal } : {};
  const found = await reader.search(
    {
      kinds: ["state"],
      where: { owner: trackIds },
      time: { overlaps: during },
      limit: MOST_STAYS,
      rank: "latest",
    },
    call,
  );
  const hits = found.hits.toReversed() as (Hit & { record: StateRecord })[];
  const states = hits.map(({ record }) => record);
  const stateIds = states.map(({ id }) => id);
  const looks = await looksAt(reader, stateIds, during, "seen");
  const missed = await looksAt(reader, stateIds, during, "absent");
  const named =
    options.placeOf === undefined && typeof by === "string" ? await namesOf(reader, states, by) : undefined;
  const places = new Map([...(named?.values() ?? [])].map(({ key, name }) => [key, name]));
  const keyOf = options.placeOf ?? ((state: StateRecord) => named?.get(state.id)?.key);
  const stays =
    typeof by === "string"
      ? withGaps(await staysOf(states, looks, keyOf, nowUs), missed)
      : await valuesOf(reader, hits, looks, by.attribute, during, call);
  const input: HabitInput = {
    stays,
    observed: observedSpans([...looks.values(), ...(typeof by === "string" ? missed.values() : [])].flat()),
    nowUs,
  };
  return { model: learnHabits(input), input, places, stateIds };
}

/** When the place of a thing was known: the minutes around each observation, as far as no other one is nearer. */
export function observedSpans(looksUs: readonly number[]): ObservedSpan[] {
  const looks = [...new Set(looksUs)].sort((a, b) => a - b);
  return looks.map((lookUs, n) => ({
    fromUs: Math.floor(lookUs - Math.min(LOOK_US, (lookUs - (looks[n - 1] ?? -Infinity)) / 2)),
    toUs: Math.floor(lookUs + Math.min(LOOK_US, ((looks[n + 1] ?? Infinity) - lookUs) / 2)),
  }));
}

/** The times at which each state was seen or missed; of very many the latest. */
async function looksAt(
  reader: MemoryReader,
  stateIds: readonly string[],
  during: Interval,
  outcome: "seen" | "absent",
): Promise<ReadonlyMap<string, number[]>> {
  if (stateIds.length === 0) return new Map();
  const looks = await reader.sightings({
    stateIds,
    during,
    outcomes: [outcome],
    order: "latest",
    limit: LIMITS.hitsPerSearch,
  });
  const byState = Map.groupBy(looks, ({ stateId }) => stateId);
  return new Map(
    Array.from(byState, ([id, own]) => [id, own.map(({ timeUs }) => timeUs).sort((a, b) => a - b)]),
  );
}

interface NamedPlace {
  readonly key: string;
  readonly name: string;
}

/** The support of each stay, by its track; otherwise its room. A stay with neither is left out. */
async function namesOf(
  reader: MemoryReader,
  states: readonly StateRecord[],
  by: "place" | "room",
): Promise<ReadonlyMap<string, NamedPlace>> {
  const hostOf = ({ insideOf, supportedBy }: StateRecord) => insideOf ?? supportedBy;
  const held = by === "place" ? states.flatMap((state) => hostOf(state) ?? []) : [];
  const ids = [...new Set([...held, ...states.flatMap(({ regionId }) => regionId ?? [])])];
  const records = new Map((await reader.get(ids)).map((record, i) => [ids[i]!, record]));
  const out = new Map<string, NamedPlace>();
  for (const state of states) {
    const host = by === "place" ? records.get(hostOf(state) ?? "") : undefined;
    const region = records.get(state.regionId ?? "");
    if (host?.kind === "state") out.set(state.id, { key: host.trackId, name: host.name });
    else if (region?.kind === "region") out.set(state.id, { key: region.id, name: region.name });
  }
  return out;
}

async function staysOf(
  states: readonly StateRecord[],
  looks: ReadonlyMap<string, readonly number[]>,
  keyOf: (state: StateRecord) => string | undefined | Promise<string | undefined>,
  nowUs: number,
): Promise<HabitStay[]> {
  const stays: HabitStay[] = [];
  for (const state of states) {
    const placeKey = await keyOf(state);
    const { validFromUs: fromUs, validToUs: toUs } = state;
    if (placeKey !== undefined && fromUs <= nowUs)
      stays.push({ placeKey, fromUs, toUs, lastSeenUs: looks.get(state.id)?.at(-1) ?? fromUs });
  }
  return stays;
}

/** Between a miss and the next sighting, it was elsewhere. */
function withGaps(stays: readonly HabitStay[], missed: ReadonlyMap<string, readonly number[]>): HabitStay[] {
  const inVain = [...missed.values()].flat().sort((a, b) => a - b);
  const inOrder = stays.toSorted((a, b) => a.fromUs - b.fromUs);
  return inOrder.flatMap((stay, n) => {
    const nextUs = inOrder[n + 1]?.fromUs ?? null;
    const looks = inVain.filter((us) => us > stay.lastSeenUs && (nextUs === null || us < nextUs));
    const fromUs = looks[0];
    if (fromUs === undefined) return [stay];
    const gap = { placeKey: ELSEWHERE, fromUs, toUs: nextUs, lastSeenUs: looks.at(-1)! };
    return [{ ...stay, toUs: fromUs }, gap];
  });
}

/** The values of an attribute over time, from the changes that were noticed and its present value. */
async function valuesOf(
  reader: MemoryReader,
  hits: readonly (Hit & { record: StateRecord })[],
  looks: ReadonlyMap<string, readonly number[]>,
  attribute: string,
  during: Interval,
  call: { readonly signal?: AbortSignal },
): Promise<HabitStay[]> {
  const first = hits[0]?.record;
  const own = new Set(hits.map(({ record }) => record.id));
  const latest = hits.findLast(({ record }) => record.attributes[attribute] !== undefined);
  if (first === undefined || latest === undefined) return [];
  const { position } = latest;
  const found = await reader.search(
    {
      kinds: ["event"],
      where: { category: ["state-change"], sceneId: [first.sceneId] },
      time: { overlaps: during },
      ...(position && { space: { type: "radius", centre: position, radiusM: AT_THING_M } as const }),
      rank: "earliest",
      limit: MOST_CHANGES,
    },
    call,
  );
  const changes = found.hits.flatMap(({ record }) =>
    record.kind === "event" &&
    record.detail["attribute"] === attribute &&
    record.who.some((id) => own.has(id))
      ? [
          {
            atUs: record.validToUs ?? record.validFromUs,
            from: record.detail["from"],
            to: record.detail["to"],
          },
        ]
      : [],
  );
  const seen = [...looks.values()].flat().sort((a, b) => a - b);
  const startUs = Math.max(during.fromUs, first.validFromUs);
  const now = latest.record.attributes[attribute]!;
  const values = [
    { atUs: startUs, value: changes[0]?.from ?? now.value },
    ...changes.map(({ atUs, to }) => ({ atUs, value: to })),
  ];
  return values.map(({ atUs, value }, n) => {
    const toUs = values[n + 1]?.atUs ?? null;
    const lastSeenUs = seen.findLast((us) => us >= atUs && (toUs === null || us < toUs)) ?? atUs;
    return { placeKey: String(value), fromUs: atUs, toUs, lastSeenUs };
  });
}
