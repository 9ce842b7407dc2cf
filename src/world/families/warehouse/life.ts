import type { Random, TimeUs, Vec3 } from "../../../geometry/index.ts";
import { type Cargo, goAlong, inArms } from "../../dynamics/people.ts";
import { roomAt, Timeline } from "../../dynamics/timeline.ts";
import { WorldState } from "../../dynamics/world-state.ts";
import type { Stand } from "../grounds.ts";
import { happen } from "../happen.ts";
import { onPallet, type PalletPlace, type Slot, type WarehousePlan } from "./layout.ts";
import { PALLET } from "./shapes.ts";

const FORKLIFT_MPS = 1.6;
/** The position of a forklift's load relative to its centre, and its height when carried. */
const FORKS = { aheadM: 1.35, liftM: 0.22 } as const;
const S = 1_000_000;

interface LifeOptions {
  readonly startUs: number;
  readonly durationUs: number;
  readonly rate: number;
  readonly workers: number;
}

/**
 * Shifts of a warehouse: workers put deliveries away and pick orders, forklifts bring pallets from the docks and take
 * them out, and occasionally a box changes its slot unseen.
 */
export function liveWarehouse(plan: WarehousePlan, options: LifeOptions, random: Random): Timeline {
  const { startUs, durationUs, rate, workers } = options;
  const state = new WorldState(plan.house, startUs);
  const floor = new ShopFloor(plan, state);
  floor.begin(workers, startUs, random.fork("begin"));
  happen({ startUs, durationUs, rate, random: random.fork("events") }, (timeUs, own) =>
    own.weighted(
      [floor.putAway, floor.pick, floor.relocate, floor.deliver, floor.ship],
      [0.34, 0.26, 0.18, 0.14, 0.08],
    )(timeUs, own),
  );
  const events = [...state.events].sort((a, b) => a.timeUs - b.timeUs || a.endUs - b.endUs);
  return new Timeline(plan.house, startUs, durationUs, events, state.histories());
}

type Happening = (timeUs: TimeUs, random: Random) => TimeUs | undefined;

/** The place of everything while the day is being written. */
class ShopFloor {
  readonly #plan: WarehousePlan;
  readonly #state: WorldState;
  readonly #workers: number[] = [];
  readonly #walkways;

  constructor(plan: WarehousePlan, state: WorldState) {
    this.#plan = plan;
    this.#state = state;
    this.#walkways = plan.lanes.beside(0.7, 0.7);
  }

  begin(workers: number, startUs: TimeUs, random: Random): void {
    const { things } = this.#plan.house;
    const people = things.flatMap(({ type }, i) => (type === "person" ? [i] : [])).slice(0, workers);
    for (const person of people) {
      const { x, y } = random.pick(this.#walkways.crossings);
      const room = roomAt(this.#plan.house, { x, y, z: 0 });
      if (room === undefined) continue;
      const { size } = this.#plan.house.starts[person]!.look;
      this.#state.move(person, this.#plan.placement(size, { x, y, room }), startUs, "start");
      this.#workers.push(person);
    }
  }

  /** A worker carries a box from a pallet to a free slot. */
  readonly putAway: Happening = (timeUs, random) => {
    const box = pickFrom(
      random,
      this.#boxes((on) => on === "pallet"),
    );
    const slot = pickFrom(random, this.#freeSlots());
    return box === undefined || slot === undefined ? undefined : this.#carry(box, slot.stand, timeUs, random);
  };

  /** A worker carries a box from its slot to a pallet. */
  readonly pick: Happening = (timeUs, random) => {
    const box = pickFrom(
      random,
      this.#boxes((on) => on === "shelf"),
    );
    const spot = pickFrom(random, this.#freePalletSpots());
    return box === undefined || spot === undefined ? undefined : this.#carry(box, spot, timeUs, random);
  };

  /** A box changes its slot unseen. */
  readonly relocate: Happening = (timeUs, random) => {
    const box = pickFrom(
      random,
      this.#boxes((on) => on === "shelf"),
    );
    const slot = pickFrom(random, this.#freeSlots());
    if (box === undefined || slot === undefined) return undefined;
    const from = this.#state.placements[box]!;
    const to = this.#plan.placement(from.extent, slot.stand);
    this.#state.move(box, to, timeUs, "move");
    this.#state.note({ type: "move", timeUs, endUs: timeUs, thing: this.#id(box), who: null, from, to });
    return timeUs;
  };

  /** A forklift brings a loaded pallet from a dock to a free place. */
  readonly deliver: Happening = (timeUs, random) => {
    const lift = pickFrom(random, this.#all("forklift"));
    const pallet = this.#all("pallet").find(
      (i) => this.#state.placements[i] === undefined && !this.#hasBeen(i),
    );
    const place = pickFrom(random, this.#freePlaces());
    if (lift === undefined || pallet === undefined || place === undefined) return undefined;
    const dock = random.pick(this.#plan.docks);
    const load = this.#loadOf(pallet);
    const arrivedUs = this.#drive(lift, dock, timeUs) + 2 * S;
    this.#setDown(pallet, load, dock, arrivedUs, "add");
    for (const i of [pallet, ...load]) this.#note("add", i, arrivedUs, arrivedUs);
    return this.#haul(lift, pallet, load, place.stand, arrivedUs + 4 * S);
  };

  /** A forklift takes a pallet with what is on it to a dock, and a lorry takes it away. */
  readonly ship: Happening = (timeUs, random) => {
    const lift = pickFrom(random, this.#all("forklift"));
    const pallet = pickFrom(
      random,
      this.#all("pallet").filter((i) => this.#on(i).length > 0),
    );
    if (lift === undefined || pallet === undefined) return undefined;
    const dock = random.pick(this.#plan.docks);
    const load = this.#on(pallet);
    const { x, y } = this.#state.placements[pallet]!.centre;
    const there = this.#drive(lift, { x, y }, timeUs) + 3 * S;
    const goneUs = this.#haul(lift, pallet, load, dock, there) + 5 * S;
    for (const i of [pallet, ...load]) {
      this.#note("remove", i, goneUs, goneUs);
      this.#state.move(i, undefined, goneUs, "remove");
    }
    return goneUs;
  };

  #carry(box: number, to: Stand, timeUs: TimeUs, random: Random): TimeUs | undefined {
    const worker = pickFrom(random, this.#workers);
    if (worker === undefined) return undefined;
    const state = this.#state;
    const from = state.placements[box]!;
    const target = this.#plan.placement(from.extent, to);
    const pickedUs = goAlong(state, worker, this.#way(worker, from.centre), timeUs) + 1.5 * S;
    const way = this.#way(worker, target.centre);
    const putUs = goAlong(state, worker, way, pickedUs, [inArms(state, box)]) + S;
    state.move(box, target, putUs, "carry");
    const who = this.#id(worker);
    state.note({
      type: "carry",
      timeUs: pickedUs,
      endUs: putUs,
      thing: this.#id(box),
      who,
      from,
      to: target,
    });
    return putUs;
  }

  /** Carries a pallet and its load on the forks to a place; returns when it stands there. */
  #haul(lift: number, pallet: number, load: readonly number[], to: Stand, timeUs: TimeUs): TimeUs {
    const state = this.#state;
    const before = [pallet, ...load].map((i) => state.placements[i]!);
    const base = before[0]!.centre;
    const cargo: Cargo[] = [pallet, ...load].map((thing, n) => {
      const { centre } = before[n]!;
      const above = n === 0 ? 0 : PALLET.heightM;
      const at = { x: FORKS.aheadM + centre.x - base.x, y: centre.y - base.y, z: FORKS.liftM + above };
      return { thing, at };
    });
    const endUs = goAlong(state, lift, this.#way(lift, to, 1.3, false), timeUs, cargo, FORKLIFT_MPS) + 2 * S;
    this.#setDown(pallet, load, to, endUs, "carry");
    [pallet, ...load].forEach((thing, n) => {
      const to = state.placements[thing]!;
      const who = this.#id(lift);
      state.note({ type: "carry", timeUs, endUs, thing: this.#id(thing), who, from: before[n]!, to });
    });
    return endUs;
  }

  #setDown(pallet: number, load: readonly number[], at: Stand, timeUs: TimeUs, reason: string): void {
    const size = (i: number) => this.#plan.house.starts[i]!.look.size;
    this.#state.move(pallet, this.#plan.placement(size(pallet), at), timeUs, reason);
    load.forEach((box, n) => {
      const stand = onPallet(at, this.#id(pallet), n);
      this.#state.move(box, this.#plan.placement(size(box), stand), timeUs, reason);
    });
  }

  #drive(lift: number, to: { x: number; y: number }, timeUs: TimeUs): TimeUs {
    return goAlong(this.#state, lift, this.#way(lift, to, 1.6, false), timeUs, [], FORKLIFT_MPS);
  }

  /** Along the lanes to within a step of a place: people keep to one side of them, forklifts to the middle. */
  #way(mover: number, to: { x: number; y: number }, shortM = 0.5, isWalking = true): readonly Vec3[] {
    const { centre } = this.#state.placements[mover]!;
    const lanes = isWalking ? this.#walkways : this.#plan.lanes;
    const way = [...lanes.path({ ...centre, z: 0 }, { x: to.x, y: to.y, z: 0 })!];
    const [before, last] = way.slice(-2) as [Vec3, Vec3];
    const [dx, dy] = [last.x - before.x, last.y - before.y];
    const length = Math.sqrt(dx * dx + dy * dy);
    const share = length > shortM ? (length - shortM) / length : 0;
    return [...way.slice(0, -1), { x: before.x + dx * share, y: before.y + dy * share, z: 0 }];
  }

  #note(type: "add" | "remove", i: number, timeUs: TimeUs, endUs: TimeUs): void {
    const placement = this.#state.placements[i]!;
    const where = type === "add" ? { to: placement } : { from: placement };
    this.#state.note({ type, timeUs, endUs, thing: this.#id(i), who: null, ...where });
  }

  #id(i: number): string {
    return this.#plan.house.things[i]!.id;
  }

  #all(category: string): number[] {
    return this.#plan.house.things.flatMap((thing, i) => (thing.category === category ? [i] : []));
  }

  #boxes(isOn: (category: string) => boolean): number[] {
    return this.#all("box").filter((i) => {
      const host = this.#state.placements[i]?.supportedBy;
      return host !== undefined && isOn(this.#state.thing(this.#state.index(host)).category);
    });
  }

  #on(pallet: number): number[] {
    const id = this.#id(pallet);
    return this.#all("box").filter((i) => this.#state.placements[i]?.supportedBy === id);
  }

  /** The boxes of a pallet follow it in the list of things. */
  #loadOf(pallet: number): number[] {
    const { things } = this.#plan.house;
    const load: number[] = [];
    for (let i = pallet + 1; things[i]?.category === "box"; i++) load.push(i);
    return load;
  }

  #freeSlots(): Slot[] {
    const taken = new Set(this.#state.placements.map((placement) => placement?.supportedBy));
    return this.#plan.slots.filter(({ stand }) => !taken.has(stand.on));
  }

  #freePlaces(): PalletPlace[] {
    const pallets = this.#all("pallet").flatMap((i) => this.#state.placements[i] ?? []);
    return this.#plan.palletPlaces.filter(
      ({ stand }) => !pallets.some(({ centre }) => near(centre, stand, PALLET.sizeM)),
    );
  }

  #freePalletSpots(): Stand[] {
    const boxes = this.#all("box").flatMap((i) => this.#state.placements[i] ?? []);
    return this.#all("pallet").flatMap((i) => {
      const placement = this.#state.placements[i];
      if (placement === undefined) return [];
      const { centre, room } = placement;
      const spots = [0, 1, 2, 3].map((n) => onPallet({ x: centre.x, y: centre.y, room }, this.#id(i), n));
      return spots.filter(
        (spot) => !boxes.some((other) => other.supportedBy === this.#id(i) && near(other.centre, spot, 0.3)),
      );
    });
  }

  #hasBeen(i: number): boolean {
    return this.#state.events.some(({ type, thing }) => type === "add" && thing === this.#id(i));
  }
}

function near(a: { x: number; y: number }, b: { x: number; y: number }, withinM: number): boolean {
  return Math.abs(a.x - b.x) < withinM && Math.abs(a.y - b.y) < withinM;
}

function pickFrom<T>(random: Random, items: readonly T[]): T | undefined {
  return items.length === 0 ? undefined : random.pick(items);
}
