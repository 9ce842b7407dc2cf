import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { contentId, LociError, type RecordInput, type SightingInput } from "../../schema/index.ts";
import { type Dataset, type DatasetScene, readJson, SOME_TIME_US } from "./dataset.ts";
import { moveQuestions } from "./move-questions.ts";
import { midnightUs, type Stay } from "./stay.ts";

const daySchema = z
  .object({
    lines: z.array(z.array(z.string())).max(100_000),
    /** Minutes since midnight, one for each entry of `lines`. */
    timestamps: z.array(z.number().min(0).max(2_880)),
  })
  .refine(
    ({ lines, timestamps }) => lines.length === timestamps.length,
    "as many timestamps as lines expected",
  );

const ACTION = /^\[([A-Z]+)\] <([a-z0-9_]+)> \((\d+)\)(?: <([a-z0-9_]+)> \((\d+)\))? \[\d+\]$/;
const MINUTE_US = 60_000_000;
/** Steps with one timestamp happen in sequence, a second apart. */
const STEP_US = 1_000_000;
const CONTAINER =
  /cabinet|fridge|freezer|drawer|closet|wardrobe|box|basket|machine|dishwasher|microwave|oven|sink|trash|bag|holder/;

interface Action {
  readonly verb: string;
  readonly thing: string;
  readonly thingId: string;
  readonly place?: { readonly name: string; readonly id: string };
  readonly day: number;
  readonly timeUs: number;
}

/**
 * HOMER+: a household's days as scripts of moves. Each TELEPORT puts a thing on or in a place; until its first move
 * of a day nothing is known of it, because days are generated independently. There are no positions: places are names
 * of furniture.
 */
export function loadHomerPlus(folder: string): Dataset {
  return {
    name: "homer-plus",
    scenes: householdsIn(folder).map(({ id, path }) => householdOf(id, path)),
    excluded: [],
    notes: [
      "The days have no date: day 0 is set to 2000-01-01. Each day is taken by itself.",
      "Places are names of furniture without coordinates.",
    ],
  };
}

/** The stays of every household, for methods that learn from them. */
export function homerStays(folder: string): { readonly id: string; readonly stays: readonly Stay[] }[] {
  return householdsIn(folder).map(({ id, path }) => ({ id, stays: staysOf(allActions(path)) }));
}

function householdsIn(folder: string): { readonly id: string; readonly path: string }[] {
  const households = isFolderOfDays(folder)
    ? [{ id: "homer-plus", path: folder }]
    : existsSync(folder)
      ? readdirSync(folder)
          .sort()
          .map((name) => ({ id: `homer-plus-${name}`, path: join(folder, name) }))
          .filter(({ path }) => isFolderOfDays(path))
      : [];
  if (households.length === 0)
    throw new LociError(
      "invalid-input",
      `homer-plus: expected days as 000.json, 001.json … in ${folder} or in its folders, found none`,
    );
  return households;
}

function daysIn(folder: string): string[] {
  return readdirSync(folder)
    .filter((name) => /^\d+\.json$/.test(name))
    .sort();
}

function isFolderOfDays(folder: string): boolean {
  return (statSync(folder, { throwIfNoEntry: false })?.isDirectory() ?? false) && daysIn(folder).length > 0;
}

function householdOf(id: string, folder: string): DatasetScene {
  const actions = allActions(folder);
  const stays = staysOf(actions);
  return {
    id,
    questions: moveQuestions(stays, daysIn(folder).length),
    records: [
      ...placeRecords(stays),
      ...thingRecords(stays),
      ...stays.flatMap((stay) => stayRecords(stay, supportOf(stay, stays))),
      ...actions.flatMap(eventRecords),
    ],
    sightings: stays.map(sightingOf),
  };
}

function allActions(folder: string): Action[] {
  return daysIn(folder).flatMap((file, day) =>
    actionsOf(readJson("homer-plus", folder, file, daySchema), file, day),
  );
}

function actionsOf(script: z.infer<typeof daySchema>, file: string, day: number): Action[] {
  let lastUs = Number.NEGATIVE_INFINITY;
  return script.lines.flatMap((lines, i) =>
    lines.map((line) => {
      const found = ACTION.exec(line);
      if (found === null)
        throw new LociError(
          "invalid-input",
          `homer-plus: ${file}, step ${i}: expected [ACTION] <thing> (id) …, got ${line}`,
        );
      const [, verb, thing, thingId, place, placeId] = found;
      lastUs = Math.max(midnightUs(day) + Math.round(script.timestamps[i]! * MINUTE_US), lastUs + STEP_US);
      return {
        verb: verb!,
        thing: words(thing!),
        thingId: thingId!,
        day,
        timeUs: lastUs,
        ...(place === undefined ? {} : { place: { name: words(place), id: placeId! } }),
      };
    }),
  );
}

function staysOf(actions: readonly Action[]): Stay[] {
  const moves = actions.filter(({ verb, place }) => verb === "TELEPORT" && place !== undefined);
  return moves.map((move, i) => {
    const { thing, thingId, place, day, timeUs } = move;
    const next = moves.slice(i + 1).find((other) => other.thingId === thingId && other.day === day);
    return {
      stateId: contentId("state", thing, thingId, day, timeUs),
      trackId: contentId("track", thing, thingId),
      thing,
      place: place!.name,
      where: `${CONTAINER.test(place!.name) ? "in" : "on"} the ${place!.name}`,
      day,
      fromUs: timeUs,
      toUs: next?.timeUs ?? midnightUs(day + 1),
    };
  });
}

/**
 * A thing may be put on another thing (tooth paste on a toothbrush): then its support is that thing's state of that
 * time.
 */
function supportOf({ place, day, fromUs }: Stay, stays: readonly Stay[]): string {
  const thing = stays.find(
    (other) => other.thing === place && other.day === day && other.fromUs <= fromUs && fromUs < other.toUs,
  );
  return thing?.stateId ?? placeStateId(place);
}

function stayRecords(
  { stateId, trackId, thing, where, fromUs, toUs }: Stay,
  supportId: string,
): RecordInput[] {
  const inside = where.startsWith("in ");
  return [
    {
      kind: "state",
      id: stateId,
      trackId,
      name: thing,
      category: thing,
      text: [`${thing} ${where}`],
      validFromUs: fromUs,
      validToUs: toUs,
      ...(inside ? { insideOf: supportId } : { supportedBy: supportId }),
    },
    {
      kind: "event",
      id: contentId("event", "move", stateId),
      type: "move",
      who: [stateId],
      text: [`${thing} was put ${where}`],
      validFromUs: fromUs,
      validToUs: fromUs + 1,
      detail: { trackId },
    },
  ];
}

function thingRecords(stays: readonly Stay[]): RecordInput[] {
  return [...Map.groupBy(stays, ({ trackId }) => trackId)].map(([id, [stay]]) => ({
    kind: "track",
    id,
    name: stay!.thing,
    category: stay!.thing,
    text: [stay!.thing],
    validFromUs: SOME_TIME_US,
    validToUs: null,
  }));
}

/** Every place as a thing that never moves. */
function placeRecords(stays: readonly Stay[]): RecordInput[] {
  const places = stays.filter((stay) => supportOf(stay, stays) === placeStateId(stay.place));
  return [...new Set(places.map(({ place }) => place))].sort().flatMap((place): RecordInput[] => {
    const common = {
      name: place,
      category: place,
      text: [place],
      validFromUs: SOME_TIME_US,
      validToUs: null,
    };
    const trackId = contentId("track", "place", place);
    return [
      { ...common, kind: "track", id: trackId },
      { ...common, kind: "state", id: placeStateId(place), trackId },
    ];
  });
}

/** Opening, switching and handling as events; moves are represented by the states that they begin. */
function eventRecords({ verb, thing, thingId, timeUs }: Action): RecordInput[] {
  if (verb === "TELEPORT") return [];
  const changes: Readonly<Record<string, readonly [string, boolean]>> = {
    OPEN: ["open", true],
    CLOSE: ["open", false],
    SWITCHON: ["on", true],
    SWITCHOFF: ["on", false],
  };
  const change = changes[verb];
  return [
    {
      kind: "event",
      id: contentId("event", verb, thing, thingId, timeUs),
      type: change === undefined ? "interaction" : "state-change",
      text: [
        `${verb.toLowerCase().replace("switchon", "switch on").replace("switchoff", "switch off")} ${thing}`,
      ],
      validFromUs: timeUs,
      validToUs: timeUs + 1,
      detail: {
        thing,
        action: verb.toLowerCase(),
        ...(change === undefined ? {} : { attribute: change[0], value: change[1] }),
      },
    },
  ];
}

function sightingOf({ stateId, fromUs }: Stay): SightingInput {
  return { stateId, timeUs: fromUs, outcome: "seen" };
}

function placeStateId(place: string): string {
  return contentId("state", "place", place);
}

function words(name: string): string {
  return name.replaceAll("_", " ");
}
