import { distance, type Random, type TimeUs } from "../../../geometry/index.ts";
import { goAlong } from "../../dynamics/people.ts";
import { roomAt, Timeline } from "../../dynamics/timeline.ts";
import { WorldState } from "../../dynamics/world-state.ts";
import type { Placement } from "../../house/types.ts";
import { happen } from "../happen.ts";
import type { Lanes } from "../lanes.ts";
import type { CampusPlan, ParkingPlace } from "./layout.ts";

const CAR_MPS = 6;
const S = 1_000_000;
/** People are seen walking; where they stop they stay for a while. */
const REST_S = [5, 40] as const;

interface LifeOptions {
  readonly startUs: number;
  readonly durationUs: number;
  readonly rate: number;
  readonly people: number;
}

/** A day on a campus: people walk from crossing to crossing, cars come through the gate, park, and leave again. */
export function liveCampus(plan: CampusPlan, options: LifeOptions, random: Random): Timeline {
  const { startUs, durationUs, rate, people } = options;
  const state = new WorldState(plan.house, startUs);
  const walkers = plan.house.things.flatMap(({ type }, i) => (type === "person" ? [i] : []));
  for (const person of walkers.slice(0, people))
    stroll(plan, state, person, startUs, startUs + durationUs, random.fork(`walk/${person}`));
  const traffic = new Traffic(plan, state);
  happen({ startUs, durationUs, rate, random: random.fork("events") }, (timeUs, own) =>
    own.chance(0.5) ? traffic.arrive(timeUs, own) : traffic.leave(timeUs, own),
  );
  const events = [...state.events].sort((a, b) => a.timeUs - b.timeUs || a.endUs - b.endUs);
  return new Timeline(plan.house, startUs, durationUs, events, state.histories());
}

/** From crossing to crossing until the end, on the side of the path. */
function stroll(
  plan: CampusPlan,
  state: WorldState,
  person: number,
  startUs: TimeUs,
  endUs: TimeUs,
  random: Random,
): void {
  const lanes = plan.lanes.beside(1.6, 1.6);
  let at = random.int(0, lanes.crossings.length);
  const { size } = plan.house.starts[person]!.look;
  const { x, y } = lanes.crossings[at]!;
  state.move(
    person,
    plan.placement(size, { x, y, room: roomAt(plan.house, { x, y, z: 0 }) ?? null }),
    startUs,
    "start",
  );
  for (let now = startUs + S; ; ) {
    const next = random.pick(lanes.nextTo(at));
    const arrivesUs = now + (distance(lanes.crossings[at]!, lanes.crossings[next]!) / 1.1) * S;
    if (arrivesUs > endUs) return;
    now = goAlong(state, person, [lanes.crossings[next]!], now) + Math.round(random.range(...REST_S) * S);
    at = next;
  }
}

/** Cars and the places they park in. */
class Traffic {
  readonly #plan: CampusPlan;
  readonly #state: WorldState;
  readonly #roads: Lanes;

  constructor(plan: CampusPlan, state: WorldState) {
    this.#plan = plan;
    this.#state = state;
    this.#roads = plan.lanes.beside(-1.2, -1.2);
  }

  arrive(timeUs: TimeUs, random: Random): TimeUs | undefined {
    const coming = this.#cars().filter((i) => this.#state.placements[i] === undefined && !this.#hasBeen(i));
    const free = this.#plan.parking.filter((place) => !this.#isTaken(place));
    if (coming.length === 0 || free.length === 0) return undefined;
    const car = random.pick(coming);
    const { stand } = random.pick(free);
    const { size } = this.#plan.house.starts[car]!.look;
    const { gate } = this.#plan;
    const state = this.#state;
    state.move(
      car,
      this.#plan.placement(size, { ...gate, room: roomAt(this.#plan.house, gate) ?? null }),
      timeUs,
      "add",
    );
    const way = this.#roads.path(gate, { x: stand.x, y: stand.y, z: 0 })!;
    const parkedUs = goAlong(state, car, way, timeUs + S, [], CAR_MPS);
    const to = this.#plan.placement(size, stand);
    state.move(car, to, parkedUs + S, "park");
    state.note({ type: "add", timeUs, endUs: parkedUs + S, thing: this.#id(car), who: null, to });
    return parkedUs + S;
  }

  leave(timeUs: TimeUs, random: Random): TimeUs | undefined {
    const here = this.#cars().filter((i) => this.#state.placements[i] !== undefined);
    if (here.length === 0) return undefined;
    const car = random.pick(here);
    const state = this.#state;
    const from = state.placements[car]!;
    const way = this.#roads.path({ ...from.centre, z: 0 }, this.#plan.gate)!;
    const goneUs = goAlong(state, car, way, timeUs, [], CAR_MPS) + S;
    state.move(car, undefined, goneUs, "remove");
    state.note({ type: "remove", timeUs, endUs: goneUs, thing: this.#id(car), who: null, from });
    return goneUs;
  }

  #cars(): number[] {
    return this.#plan.house.things.flatMap(({ type }, i) => (type === "vehicle" ? [i] : []));
  }

  #isTaken({ stand }: ParkingPlace): boolean {
    return this.#cars().some((i) => isAt(this.#state.placements[i], stand));
  }

  #id(i: number): string {
    return this.#plan.house.things[i]!.id;
  }

  #hasBeen(i: number): boolean {
    return this.#state.events.some(({ type, thing }) => type === "add" && thing === this.#id(i));
  }
}

function isAt(placement: Placement | undefined, { x, y }: { x: number; y: number }): boolean {
  return (
    placement !== undefined && Math.abs(placement.centre.x - x) < 1 && Math.abs(placement.centre.y - y) < 1
  );
}
