import { eachHit, type MemoryReader } from "../memory/index.ts";
import { contentId, type RecordInput } from "../schema/core.ts";
import { withoutStamps } from "./redraw.ts";

/** Readings closer together than this do not measure a clock's drift. */
const DRIFT_SPAN_US = 3_600_000_000;
/** A drift is reported if it is this many standard deviations from zero. */
const SURE_SD = 3;

/** How far another clock is ahead of this one; below nought where it is behind. */
export interface ClockReading {
  readonly aheadUs: number;
  readonly sdUs: number;
}

/** The clock of a robot against the memory's, as it was last read. */
export interface RobotClock extends ClockReading {
  readonly agentId: string;
  /** How many parts per million it runs too fast; only known from readings far apart. */
  readonly driftPpm?: number;
}

/** A robot whose observations came with a sync, and every label that they had. */
export interface SyncedRobot {
  readonly sceneId: string;
  readonly agentId: string;
  readonly labels: readonly string[];
}

/**
 * The offset of another clock that was read between two readings of this one (Cristian 1989): taken at their middle,
 * with half the interval between them as the largest error.
 */
export function clockReading(beforeUs: number, theirsUs: number, afterUs: number): ClockReading {
  const tookUs = Math.max(0, afterUs - beforeUs);
  return { aheadUs: Math.round(theirsUs - (beforeUs + afterUs) / 2), sdUs: tookUs / Math.sqrt(12) };
}

/** The clock records of a memory's robots: one record each, whose versions are its readings. */
export async function clockRecords(
  reader: MemoryReader,
  robots: readonly SyncedRobot[],
  { aheadUs, sdUs }: ClockReading,
  atUs: number,
): Promise<RecordInput[]> {
  const ids = robots.map(({ sceneId, agentId }) => contentId("clock", sceneId, agentId));
  const known = await reader.get(ids);
  return robots.map(({ sceneId, agentId, labels }, n) => {
    const before = known[n];
    return {
      ...(before?.kind === "agent"
        ? withoutStamps(before)
        : { kind: "agent" as const, name: agentId, bodyFrame: agentId, validFromUs: atUs, validToUs: null }),
      ...{ id: ids[n]!, sceneId, author: agentId, labels: [...labels] },
      clockOffset: { us: aheadUs, sdUs },
    };
  });
}

/** The clocks of a scene's robots, as far as they are known. */
export async function clocksIn(reader: MemoryReader, sceneId: string): Promise<RobotClock[]> {
  const clocks: RobotClock[] = [];
  for await (const { record } of eachHit(reader, "agent", { where: { sceneId: [sceneId] } })) {
    const { id, author, clockOffset } = record;
    if (clockOffset === undefined) continue;
    const driftPpm = await driftOf(reader, id);
    clocks.push({
      agentId: author,
      aheadUs: clockOffset.us,
      sdUs: clockOffset.sdUs,
      ...(driftPpm !== undefined && { driftPpm }),
    });
  }
  return clocks.sort((a, b) => (a.agentId < b.agentId ? -1 : 1));
}

/** By the first reading and the last. */
async function driftOf(reader: MemoryReader, id: string): Promise<number | undefined> {
  const readings = (await reader.history(id)).flatMap((version) =>
    version.kind === "agent" && version.clockOffset
      ? [{ atUs: version.recordedAtUs, ...version.clockOffset }]
      : [],
  );
  readings.sort((a, b) => a.atUs - b.atUs);
  const [first, last] = [readings[0], readings.at(-1)];
  if (!first || !last || last.atUs - first.atUs < DRIFT_SPAN_US) return undefined;
  const gainedUs = last.us - first.us;
  if (Math.abs(gainedUs) < SURE_SD * Math.hypot(first.sdUs, last.sdUs)) return undefined;
  return (gainedUs / (last.atUs - first.atUs)) * 1e6;
}

/** How far the clocks of one map's robots are ahead of another's: by the middle one of those known, and the memory's own else. */
export function aheadOf(
  clocks: readonly RobotClock[],
  agents: readonly string[],
  others: readonly string[],
): number {
  const middle = (ids: readonly string[]) => {
    const known = clocks.filter(({ agentId }) => ids.includes(agentId)).map(({ aheadUs }) => aheadUs);
    return known.sort((a, b) => a - b)[known.length >> 1] ?? 0;
  };
  return middle(agents) - middle(others);
}
