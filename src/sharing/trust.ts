import { eachHit, type MemoryReader } from "../memory/index.ts";
import type { Sighting } from "../schema/core.ts";
import type { Doubted } from "../tracking/index.ts";

/** The observations of each state. */
type Looks = ReadonlyMap<string, readonly Sighting[]>;

/** The latest observations of a robot that are compared; with fewer than the least it cannot be judged. */
const LOOKS = 2_000;
const LEAST = 100;
/** From this many observations on, a thing is what most of them call it. */
const OFTEN = 5;
/** A robot with a lower share of agreeing observations is doubted where another robot is not. */
const DOUBTED = 0.8;

/** The highest reliability assumed of a robot, and the most observations of a doubted robot that are read. */
const SUREST = 0.95;
const MOST_LOOKS = 100_000;

/**
 * The reliability of the category labels of a map's robots: the share of their observations, of things they have seen
 * often, that agree with the believed category. Good detectors are near .95. Undefined where they have seen too little.
 */
export async function trustIn(
  reader: MemoryReader,
  sceneId: string,
  agents: readonly string[],
): Promise<number | undefined> {
  const where = { sceneId: [sceneId], author: [...agents] };
  const { hits } = await reader.search({ kinds: ["detection"], where, rank: "latest", limit: LOOKS });
  const said = Map.groupBy(
    hits.flatMap(({ record }) =>
      record.kind === "detection" && record.stateId !== undefined
        ? [{ stateId: record.stateId, category: record.category }]
        : [],
    ),
    ({ stateId }) => stateId,
  );
  const often = [...said].filter(([, looks]) => looks.length >= OFTEN);
  const states = await reader.get(often.map(([id]) => id));
  let [agreed, all] = [0, 0];
  for (const [n, [, looks]] of often.entries()) {
    const state = states[n];
    if (state?.kind !== "state") continue;
    const believed = state.perceived?.category ?? state.category;
    all += looks.length;
    agreed += looks.filter(({ category }) => category === believed).length;
  }
  return all < LEAST ? undefined : agreed / all;
}

/** Which of two maps is doubted beside the other, if one is. */
export function doubtedOf(
  first: number | undefined,
  second: number | undefined,
): "first" | "second" | undefined {
  const [a, b] = [first ?? 1, second ?? 1];
  if (Math.min(a, b) >= DOUBTED || Math.max(a, b) < DOUBTED) return undefined;
  return a < b ? "first" : "second";
}

/**
 * Which of two maps is doubted in favour of the other, if one is, and what its detections say of each of its things. A
 * robot that is right with probability t, and else names any of the other K − 1 kinds, makes a kind t (K − 1) / (1 − t)
 * times likelier with each detection that names it (Dawid and Skene 1979, with one rate for all kinds).
 */
export async function hearsayIn(
  reader: MemoryReader,
  sceneId: string,
  first: readonly string[],
  second: readonly string[],
  looks: Looks,
): Promise<Doubted | undefined> {
  const trust = [await trustIn(reader, sceneId, first), await trustIn(reader, sceneId, second)] as const;
  const map = doubtedOf(...trust);
  if (map === undefined) return undefined;
  const calls = await callsBy(reader, sceneId, map === "first" ? first : second, looks);
  const kinds = Math.max(2, new Set([...calls.values()].flatMap((own) => [...own.keys()])).size);
  const natsOf = (t = SUREST) => Math.log((Math.min(SUREST, t) * (kinds - 1)) / (1 - Math.min(SUREST, t)));
  const [a, b] = [natsOf(trust[0]), natsOf(trust[1])];
  const [perLook, lookNats] = map === "first" ? [Math.max(0, a), b] : [Math.max(0, b), a];
  const nats = new Map(
    [...calls].map(([id, own]) => [id, new Map([...own].map(([kind, n]) => [kind, n * perLook]))]),
  );
  return { map, nats, lookNats, kinds };
}

/**
 * For each track, how often these robots called it what. A detection from before its thing was believed names no state:
 * then a sighting names the detection.
 */
async function callsBy(
  reader: MemoryReader,
  sceneId: string,
  agents: readonly string[],
  looks: Looks,
): Promise<Map<string, Map<string, number>>> {
  const where = { sceneId: [sceneId], author: [...agents] };
  const trackOf = new Map<string, string>();
  for await (const { record } of eachHit(reader, "state", { where })) trackOf.set(record.id, record.trackId);
  const seenAs = new Map<string, string>();
  for (const [stateId, seen] of looks)
    for (const { detectionId } of seen) if (detectionId !== undefined) seenAs.set(detectionId, stateId);
  const calls = new Map<string, Map<string, number>>();
  let read = 0;
  for await (const { record } of eachHit(reader, "detection", { where })) {
    if (read++ === MOST_LOOKS) break;
    const { id, stateId = seenAs.get(id), category } = record;
    const trackId = stateId === undefined ? undefined : trackOf.get(stateId);
    if (trackId === undefined || category === undefined) continue;
    const own = calls.get(trackId) ?? new Map<string, number>();
    calls.set(trackId, own.set(category, (own.get(category) ?? 0) + 1));
  }
  return calls;
}
