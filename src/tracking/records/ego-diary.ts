import type { Box, Transform, Vec3 } from "../../geometry/index.ts";
import { compose, distance, yawOf } from "../../geometry/index.ts";
import type { Percept, RecordInput } from "../../schema/core.ts";
import { COMMON } from "../settings/common.ts";
import { RECORDS } from "../settings/records.ts";
import type { TrackedThing } from "../tracker.ts";
import type { RecordInputOf } from "./journal.ts";
import { eventRecord } from "./thing-records.ts";

export interface EgoDiaryOptions {
  readonly sceneId: string;
  /** Things near a place; passing one of furniture size is recorded; default none. */
  readonly landmarks?: ((near: Box) => Iterable<TrackedThing>) | undefined;
}

interface Moment {
  readonly timeUs: number;
  readonly position: Vec3;
  readonly yawRad: number;
  readonly submap: string;
  readonly positionInSubmap: Vec3;
  readonly labels: readonly string[];
}

interface Approach {
  nearestM: number;
  readonly thing: TrackedThing;
  moment: Moment;
}

interface Agent {
  last: Moment | undefined;
  /** The time at which it stopped. */
  stoppedAt: Moment | undefined;
  toldStop: boolean;
  turn: { readonly from: Moment; totalRad: number; untilUs: number } | undefined;
  regionId: string | undefined;
  near: Map<string, Approach>;
}

/**
 * The agents' own actions: stopped, turned, passed something, entered and left regions (docs/formulas.md#own-doings).
 */
export class EgoDiary {
  readonly #options: EgoDiaryOptions;
  readonly #agents = new Map<string, Agent>();

  constructor(options: EgoDiaryOptions) {
    this.#options = options;
  }

  /** `regionId` is the region of the pose by the map, where the map knows one. Late frames are left out. */
  observe(percept: Percept, regionId?: string | undefined): { records: RecordInput[] } {
    const agent = this.#agentOf(percept.agentId);
    const moment = momentOf(percept);
    const records: RecordInput[] = [];
    const { last } = agent;
    if (last && moment.timeUs <= last.timeUs) return { records };
    if (last && moment.timeUs - last.timeUs > RECORDS.gapUs) this.#forget(agent);
    if (agent.last) {
      this.#stop(percept.agentId, agent, agent.last, moment, records);
      this.#turn(percept.agentId, agent, agent.last, moment, records);
    }
    this.#pass(percept.agentId, agent, moment, records);
    this.#enter(percept.agentId, agent, moment, regionId, records);
    agent.last = moment;
    return { records };
  }

  /** The end of a recording: a stop or a passage in progress is recorded as far as it went. */
  finish(): { records: RecordInput[] } {
    const records: RecordInput[] = [];
    for (const [agentId, agent] of this.#agents) {
      for (const approach of agent.near.values()) records.push(this.#passed(agentId, approach));
      if (agent.toldStop && agent.last) records.push(this.#stopped(agentId, agent, agent.last.timeUs));
      if (agent.turn) records.push(...this.#turned(agentId, agent));
      this.#forget(agent);
    }
    return { records };
  }

  #agentOf(agentId: string): Agent {
    let agent = this.#agents.get(agentId);
    if (!agent) {
      agent = {
        last: undefined,
        stoppedAt: undefined,
        toldStop: false,
        turn: undefined,
        regionId: undefined,
        near: new Map(),
      };
      this.#agents.set(agentId, agent);
    }
    return agent;
  }

  #forget(agent: Agent): void {
    agent.last = undefined;
    agent.stoppedAt = undefined;
    agent.toldStop = false;
    agent.turn = undefined;
    agent.near.clear();
  }

  /** Recorded when it has lasted long enough, and again with its true end. */
  #stop(agentId: string, agent: Agent, last: Moment, now: Moment, records: RecordInput[]): void {
    const speed = distance(last.position, now.position) / ((now.timeUs - last.timeUs) / 1e6);
    // Between two submaps the pose may jump without a real movement.
    if (last.submap === now.submap && speed >= RECORDS.stopSpeedMps) {
      if (agent.toldStop) records.push(this.#stopped(agentId, agent, last.timeUs));
      agent.stoppedAt = undefined;
      agent.toldStop = false;
      return;
    }
    agent.stoppedAt ??= last;
    if (agent.toldStop || now.timeUs - agent.stoppedAt.timeUs < COMMON.momentUs) return;
    agent.toldStop = true;
    records.push(this.#stopped(agentId, agent, now.timeUs));
  }

  #stopped(agentId: string, agent: Agent, untilUs: number): RecordInput {
    return this.#event(agentId, "stop", agent.stoppedAt!, untilUs, {}, "stopped", agent.regionId);
  }

  /** A turn continues while its direction does, and is recorded when it is over. */
  #turn(agentId: string, agent: Agent, last: Moment, now: Moment, records: RecordInput[]): void {
    const step = wrapped(now.yawRad - last.yawRad);
    const { turn } = agent;
    if (turn && Math.abs(step) > RECORDS.stillRad && step > 0 === turn.totalRad > 0) {
      turn.totalRad += step;
      turn.untilUs = now.timeUs;
    } else {
      if (turn) records.push(...this.#turned(agentId, agent));
      agent.turn =
        Math.abs(step) > RECORDS.stillRad ? { from: last, totalRad: step, untilUs: now.timeUs } : undefined;
    }
  }

  /** Slow bends are no turns: 60° within three seconds are required, on average over the turn. */
  #turned(agentId: string, agent: Agent): RecordInput[] {
    const { from, totalRad, untilUs } = agent.turn!;
    const rate = Math.abs(totalRad) / Math.max(1, untilUs - from.timeUs);
    if (Math.abs(totalRad) < RECORDS.turnRad || rate < RECORDS.turnRad / COMMON.momentUs) return [];
    const direction = totalRad > 0 ? "left" : "right";
    const detail = { direction, degrees: Math.round((Math.abs(totalRad) * 180) / Math.PI) };
    return [this.#event(agentId, "turn", from, untilUs, detail, `turned ${direction}`, agent.regionId)];
  }

  #pass(agentId: string, agent: Agent, now: Moment, records: RecordInput[]): void {
    for (const thing of this.#options.landmarks?.(around(now.position)) ?? []) {
      const { min, max } = thing.boxInWorld;
      if (thing.type !== "object" || max.x - min.x + (max.y - min.y) < COMMON.largeM) continue;
      const metres = groundDistance(now.position, thing);
      const approach = agent.near.get(thing.trackId);
      if (metres < COMMON.nearM && !approach && agent.near.size < RECORDS.maxNear) {
        agent.near.set(thing.trackId, { nearestM: metres, thing, moment: now });
      } else if (approach && metres < approach.nearestM) {
        approach.nearestM = metres;
        approach.moment = now;
      }
    }
    for (const [trackId, approach] of agent.near) {
      if (groundDistance(now.position, approach.thing) <= COMMON.nearM + COMMON.largeM) continue;
      records.push(this.#passed(agentId, approach));
      agent.near.delete(trackId);
    }
  }

  #passed(agentId: string, { thing, moment, nearestM }: Approach): RecordInput {
    const detail = { distanceM: Math.round(nearestM * 100) / 100, trackId: thing.trackId };
    const line = `passed the ${thing.name}`;
    return this.#event(agentId, "pass", moment, moment.timeUs + 1, detail, line, undefined, thing.stateId);
  }

  #enter(
    agentId: string,
    agent: Agent,
    now: Moment,
    regionId: string | undefined,
    records: RecordInput[],
  ): void {
    if (regionId === undefined || regionId === agent.regionId) return;
    if (agent.regionId !== undefined) {
      records.push(this.#event(agentId, "exit", now, now.timeUs + 1, {}, "left", agent.regionId));
    }
    records.push(this.#event(agentId, "enter", now, now.timeUs + 1, {}, "entered", regionId));
    agent.regionId = regionId;
  }

  #event(
    agentId: string,
    type: RecordInputOf<"event">["type"],
    at: Moment,
    toUs: number,
    detail: NonNullable<RecordInputOf<"event">["detail"]>,
    line: string,
    regionId?: string | undefined,
    who?: string,
  ): RecordInput {
    return eventRecord({
      type,
      sceneId: this.#options.sceneId,
      author: agentId,
      labels: at.labels,
      fromUs: at.timeUs,
      toUs,
      who: who === undefined ? [] : [who],
      anchor: { submap: at.submap, p: at.positionInSubmap },
      detail: { agentId, ...detail },
      line: `${agentId} ${line}`,
      regionId,
    });
  }
}

function momentOf(percept: Percept): Moment {
  const worldFromCamera: Transform = compose(percept.worldFromSubmap, percept.submapFromCamera);
  return {
    timeUs: percept.timeUs,
    position: worldFromCamera.p,
    yawRad: headingOf(worldFromCamera),
    submap: percept.submap,
    positionInSubmap: percept.submapFromCamera.p,
    labels: percept.labels,
  };
}

/** The camera's heading over the ground: its +Z axis, or its +Y when it looks straight down. */
function headingOf({ q }: Transform): number {
  const forward = { x: 2 * (q.x * q.z + q.w * q.y), y: 2 * (q.y * q.z - q.w * q.x) };
  return forward.x === 0 && forward.y === 0 ? yawOf(q) : Math.atan2(forward.y, forward.x);
}

/** Every place that can be passed from here. */
function around({ x, y, z }: Vec3): Box {
  const reach = COMMON.nearM + 1;
  return {
    min: { x: x - reach, y: y - reach, z: z - reach },
    max: { x: x + reach, y: y + reach, z: z + reach },
  };
}

function wrapped(rad: number): number {
  return rad - 2 * Math.PI * Math.round(rad / (2 * Math.PI));
}

function groundDistance({ x, y }: Vec3, { boxInWorld: { min, max } }: TrackedThing): number {
  const dx = Math.max(0, min.x - x, x - max.x);
  const dy = Math.max(0, min.y - y, y - max.y);
  return Math.sqrt(dx * dx + dy * dy);
}
