import type { GlanceTruth } from "../agents/index.ts";
import type { Timeline } from "../dynamics/index.ts";
import type { ParsedOptions } from "./options.ts";
import type { RecordedAgent } from "./schedule.ts";

export interface FrameTruth extends GlanceTruth {
  readonly index: number;
  readonly agentId: string;
  readonly trueUs: number;
}

/**
 * Everything true about a recording that must not be in it: the house, the events, the agents' true poses and the
 * thing behind each segment. Read by evaluators only.
 */
export function truthDocument(
  options: ParsedOptions,
  timeline: Timeline,
  agents: readonly RecordedAgent[],
  frames: readonly FrameTruth[],
) {
  const { house, events, startUs, durationUs } = timeline;
  const { out: _out, workers: _workers, ...settings } = options;
  return {
    version: 1,
    settings,
    startUs,
    durationUs,
    agents: agents.map(({ id, isUnreliable, clock, mapFrame, mapFromWorld, levels }) => ({
      id,
      isUnreliable,
      clockOffsetUs: clock.offsetUs,
      mapFrame,
      mapFromWorld,
      levels,
    })),
    house: {
      seed: house.seed,
      rooms: house.rooms,
      openings: house.openings,
      stairs: house.stairs,
      things: house.things,
      people: house.people,
    },
    histories: Object.fromEntries(house.things.map(({ id }) => [id, timeline.historyOf(id)])),
    events,
    frames: frames.map(({ visible, ...frame }) => ({
      ...frame,
      visible: visible.map(({ thing, pixels, fraction, bbox, depthM, truncated }) => ({
        thing: house.things[thing - 1]!.id,
        pixels,
        fraction: Math.round(fraction * 1e4) / 1e4,
        bbox,
        depthM: Math.round(depthM * 1e3) / 1e3,
        truncated,
      })),
    })),
  };
}
