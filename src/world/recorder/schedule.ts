import { compose, IDENTITY, invert, type Random, type Transform } from "../../geometry/index.ts";
import type { TimedEdge } from "../../sensors/index.ts";
import type { Trajectory } from "../agents/index.ts";
import {
  AgentClock,
  arrival,
  type Belief,
  DriftingPose,
  levelsFor,
  mapOffset,
  type NoiseLevels,
} from "../noise/index.ts";
import { quatFromYaw } from "../sensors/index.ts";

/** An agent with everything that is decided about it before the first picture. */
export interface RecordedAgent {
  readonly id: string;
  readonly trajectory: Trajectory;
  readonly levels: NoiseLevels;
  readonly isUnreliable: boolean;
  readonly clock: AgentClock;
  readonly mapFrame: string;
  /** Where the world lies in the agent's map: identity unless its offset is unknown. */
  readonly mapFromWorld: Transform;
}

/** One frame to be taken. */
export interface Shot {
  readonly agent: RecordedAgent;
  /** Count within the agent. */
  readonly number: number;
  readonly trueUs: number;
  readonly stampUs: number;
  readonly receivedAtUs: number;
  readonly mapFromBody: Transform;
  readonly belief: Belief | undefined;
}

export type ScheduledItem =
  | { readonly kind: "shot"; readonly shot: Shot }
  | { readonly kind: "edge"; readonly edge: TimedEdge };

/** The agents of a recording; the last of several is the unreliable one, where noise asks for one. */
export function makeAgents(
  random: Random,
  trajectories: readonly Trajectory[],
  levels: NoiseLevels,
  prefix: string,
): RecordedAgent[] {
  return trajectories.map((trajectory, n) => {
    const id = `${prefix}-${n + 1}`;
    const own = random.fork(id);
    const isUnreliable =
      levels.unreliable + levels.falseLabels > 0 && trajectories.length > 1 && n === trajectories.length - 1;
    const isLost = levels.frameOffset > 0 && n > 0;
    return {
      id,
      trajectory,
      levels: levelsFor(levels, isUnreliable),
      isUnreliable,
      clock: new AgentClock(own.fork("clock"), levels.time),
      mapFrame: isLost ? `${id}.map` : "world",
      mapFromWorld: isLost ? mapOffset(own.fork("map"), levels.frameOffset) : IDENTITY,
    };
  });
}

/**
 * Everything that will reach the recorder, in order of arrival: poses drift, stamps follow the agents' clocks,
 * packets come late or never. Corrections arrive with the frame in which the agent found them.
 */
export function schedule(
  random: Random,
  agents: readonly RecordedAgent[],
  time: { readonly startUs: number; readonly endUs: number; readonly fps: number },
): ScheduledItem[] {
  const items: { atUs: number; rank: number; item: ScheduledItem }[] = [];
  agents.forEach((agent, order) => {
    const own = random.fork(agent.id);
    const stamps = own.fork("stamps");
    const network = own.fork("network");
    const drift =
      agent.levels.pose > 0
        ? new DriftingPose(own.fork("drift"), agent.levels.pose, {
            agentId: agent.id,
            mapFrame: agent.mapFrame,
          })
        : undefined;
    let lastStampUs = -Infinity;
    for (let number = 0; ; number++) {
      const trueUs = time.startUs + Math.round((number * 1e6) / time.fps);
      if (trueUs >= time.endUs) break;
      const { positionInWorld, yawRad } = agent.trajectory.at(trueUs);
      const mapFromBody = compose(agent.mapFromWorld, { p: positionInWorld, q: quatFromYaw(yawRad) });
      const belief = drift?.advance(mapFromBody);
      // A jittering clock never stands still or runs backwards.
      const stampUs = Math.max(lastStampUs + 1, agent.clock.stamp(stamps, trueUs));
      lastStampUs = stampUs;
      const receivedAtUs = arrival(network, agent.levels.network, trueUs);
      const knownUs = receivedAtUs ?? trueUs;
      const rank = number * agents.length + order;
      for (const edge of belief?.edges ?? []) {
        items.push({ atUs: knownUs, rank, item: { kind: "edge", edge: { receivedAtUs: knownUs, edge } } });
      }
      if (receivedAtUs === undefined) continue;
      const shot = { agent, number, trueUs, stampUs, receivedAtUs, mapFromBody, belief };
      items.push({ atUs: receivedAtUs, rank, item: { kind: "shot", shot } });
    }
  });
  return items.sort((a, b) => a.atUs - b.atUs || a.rank - b.rank).map(({ item }) => item);
}

/** The camera in the frame in which the body is given, from the true poses of both. */
export function bodyFromCamera(worldFromBody: Transform, worldFromCamera: Transform): Transform {
  return compose(invert(worldFromBody), worldFromCamera);
}
