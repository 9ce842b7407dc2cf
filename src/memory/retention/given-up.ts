import { blobRefOf, contentId, type RecordOf, type Stored } from "../../schema/core.ts";
import { eachHit } from "../each-hit.ts";
import type { MemoryReader } from "../port.ts";
import { plain, ROW_BYTES } from "./gather.ts";
import type { Slimmed } from "./slim.ts";
import { packTimes, unpackTimes } from "./times.ts";

type Observation = Stored<RecordOf<"observation">> | RecordOf<"observation">;

/** How many of the latest times are kept per sensor; older packets are taken as new. About three bytes each. */
const MAX_TIMES = 4_000_000;
/** As many as an agent may name. */
const MAX_SENSORS = 64;

/**
 * Records the times of observations that are given up: one record per agent, three bytes an observation, so that the
 * same packets are recognised if they come again. It is written before the observations go.
 */
export async function noteGivenUp(reader: MemoryReader, looks: readonly Observation[]): Promise<Slimmed[]> {
  const noted: Slimmed[] = [];
  const byAgent = Map.groupBy(looks, ({ sceneId, author, labels }) =>
    contentId("looks", sceneId, author, ...labels.toSorted()),
  );
  for (const [id, own] of byAgent) {
    const [known] = (await reader.get([id])) as (Stored<RecordOf<"agent">> | undefined)[];
    const times = new Map<string, number[]>();
    for (const { sensorId, times: ref } of known?.givenUp ?? []) {
      const packed = await reader.blob(ref);
      if (packed) times.set(sensorId, [...unpackTimes(packed)]);
    }
    for (const { sensorId, validFromUs } of own) {
      const list = times.get(sensorId);
      if (list) list.push(validFromUs);
      else if (times.size < MAX_SENSORS) times.set(sensorId, [validFromUs]);
    }
    const packed = Array.from(times, ([sensorId, list]) => ({
      sensorId,
      bytes: packTimes(list, MAX_TIMES),
    }));
    const { sceneId, author, labels } = own[0]!;
    const record: RecordOf<"agent"> = {
      ...(known === undefined
        ? {
            kind: "agent",
            id,
            sceneId,
            author,
            labels,
            validToUs: null,
            text: [],
            name: author,
            bodyFrame: author,
            sensors: [],
            capabilities: [],
            trust: 1,
          }
        : plain(known)),
      validFromUs: own.reduce(
        (first, { validFromUs }) => Math.min(first, validFromUs),
        known?.validFromUs ?? Infinity,
      ),
      givenUp: packed.map(({ sensorId, bytes }) => ({ sensorId, times: blobRefOf(bytes) })),
    };
    const blobs = packed.map(({ bytes }) => bytes);
    noted.push({
      record,
      versions: known === undefined ? [] : (await reader.history(id)).map(({ version }) => version),
      bytes: known === undefined ? -ROW_BYTES - blobs.reduce((sum, { length }) => sum + length, 0) : 0,
      blobs,
    });
  }
  return noted;
}

/** The observations of a scene that were given up. */
export class GivenUpObservations {
  readonly #times: ReadonlyMap<string, readonly Float64Array[]>;

  private constructor(times: ReadonlyMap<string, readonly Float64Array[]>) {
    this.#times = times;
  }

  static async read(reader: MemoryReader, sceneId: string): Promise<GivenUpObservations> {
    const times = new Map<string, Float64Array[]>();
    for await (const { record } of eachHit(reader, "agent", { where: { sceneId: [sceneId] } })) {
      for (const { sensorId, times: ref } of record.givenUp ?? []) {
        const packed = await reader.blob(ref);
        if (!packed) continue;
        const key = keyOf(record.author, sensorId);
        times.set(key, [...(times.get(key) ?? []), unpackTimes(packed)]);
      }
    }
    return new GivenUpObservations(times);
  }

  has({ agentId, sensorId, timeUs }: { agentId: string; sensorId: string; timeUs: number }): boolean {
    return (this.#times.get(keyOf(agentId, sensorId)) ?? []).some((times) => isAmong(times, timeUs));
  }
}

function keyOf(agentId: string, sensorId: string): string {
  return JSON.stringify([agentId, sensorId]);
}

function isAmong(sorted: Float64Array, value: number): boolean {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (sorted[middle]! < value) low = middle + 1;
    else high = middle;
  }
  return sorted[low] === value;
}
