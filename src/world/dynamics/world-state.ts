import type { Box, TimeUs } from "../../geometry/index.ts";
import { boxesClash, boxOfSolid } from "../house/collide.ts";
import { shelvesOf } from "../house/models.ts";
import { overlap, rectAround } from "../house/plan/rect.ts";
import { solidsFor } from "../house/solids.ts";
import type { Slot } from "../house/stock/slot.ts";
import {
  type FluentName,
  type FluentValues,
  type House,
  type HouseSnapshot,
  type HouseThing,
  isMover,
  type Placement,
} from "../house/types.ts";
import { cosOfStep, sinOfStep, stepOfYaw, turnedHalf } from "../house/yaw.ts";
import { FreeSpace } from "../navigation/free-space.ts";
import type { Solid } from "../solid.ts";
import type { FluentChange, History, PathPoint, Segment, WorldEvent } from "./types.ts";

/** Radius of a person: people fit wherever robots of the usual size do. */
const PERSON_RADIUS_M = 0.28;

/** The world while the timeline is being written: its present state, and the histories so far. */
export class WorldState {
  readonly house: House;
  readonly events: WorldEvent[] = [];
  readonly placements: (Placement | undefined)[];
  readonly fluents: { [name in FluentName]?: string }[];
  readonly #segments: Segment[][];
  readonly #changes: { [name in FluentName]?: FluentChange[] }[];
  readonly #indexOf: ReadonlyMap<string, number>;
  readonly #solids: (Solid[] | undefined)[];
  readonly #boxes: (Box[] | undefined)[];
  #space: FreeSpace | undefined;
  #robotSpace: FreeSpace | undefined;

  constructor(house: House, startUs: TimeUs) {
    this.house = house;
    this.#indexOf = new Map(house.things.map((thing, i) => [thing.id, i]));
    this.placements = house.starts.map(({ placement }) => (placement.room === null ? undefined : placement));
    this.fluents = house.starts.map(({ fluents }) => ({ ...fluents }));
    this.#segments = this.placements.map((placement) => [
      { fromUs: startUs, toUs: null, placement, reason: "start" },
    ]);
    this.#changes = this.fluents.map((values) => {
      const changes: { [name in FluentName]?: FluentChange[] } = {};
      for (const [name, value] of Object.entries(values))
        changes[name as FluentName] = [{ timeUs: startUs, value }];
      return changes;
    });
    this.#solids = house.things.map(() => undefined);
    this.#boxes = house.things.map(() => undefined);
  }

  index(id: string): number {
    return this.#indexOf.get(id)!;
  }

  thing(i: number): HouseThing {
    return this.house.things[i]!;
  }

  histories(): History[] {
    return this.#segments.map((segments, i) => ({ segments, fluents: this.#changes[i]! }));
  }

  /** From now on the thing is in this place (or nowhere), or moves along a path. */
  move(
    i: number,
    placement: Placement | undefined,
    timeUs: TimeUs,
    reason: string,
    path?: readonly PathPoint[],
  ): void {
    const segments = this.#segments[i]!;
    const last = segments.at(-1)!;
    if (last.fromUs === timeUs) segments.pop();
    else segments[segments.length - 1] = { ...last, toUs: timeUs };
    segments.push({ fromUs: timeUs, toUs: null, placement, reason, ...(path === undefined ? {} : { path }) });
    this.placements[i] = placement;
    this.#touch(i);
  }

  setFluent(i: number, name: FluentName, value: string, timeUs: TimeUs): void {
    this.fluents[i]![name] = value;
    const changes = this.#changes[i]![name]!;
    if (changes.at(-1)!.timeUs === timeUs) changes.pop();
    changes.push({ timeUs, value });
    this.#touch(i);
    if (name !== "openness") return;
    for (const content of this.contentsOf(i)) {
      const placement = this.placements[content]!;
      this.placements[content] = { ...placement, hidden: value === "closed" };
    }
  }

  note(event: Omit<WorldEvent, "id">): void {
    this.events.push({ id: `event-${this.events.length + 1}`, ...event });
  }

  contentsOf(i: number): number[] {
    const { id } = this.thing(i);
    return this.placements.flatMap((placement, j) => (placement?.insideOf === id ? [j] : []));
  }

  solids(i: number): readonly Solid[] {
    const placement = this.placements[i];
    if (placement === undefined) return [];
    this.#solids[i] ??= solidsFor(this.thing(i), this.house.starts[i]!.look, placement, this.fluents[i]!);
    return this.#solids[i]!;
  }

  /** The boxes of a thing as it would be in another place or state. */
  boxesIf(i: number, placement: Placement, fluents: FluentValues): Box[] {
    return solidsFor(this.thing(i), this.house.starts[i]!.look, placement, fluents).map(boxOfSolid);
  }

  /** Whether boxes run into anything but the excepted things. */
  clashes(boxes: readonly Box[], except: ReadonlySet<number>): boolean {
    for (let i = 0; i < this.placements.length; i++) {
      if (this.placements[i] === undefined || except.has(i)) continue;
      this.#boxes[i] ??= this.solids(i).map(boxOfSolid);
      for (const mine of boxes)
        for (const theirs of this.#boxes[i]!) if (boxesClash(mine, theirs)) return true;
    }
    return false;
  }

  /** Whether a box reaches into the whole box of a piece of furniture, hollow or not; rugs do not count. */
  withinFurniture(box: Box): boolean {
    return this.placements.some((placement, i) => {
      if (placement === undefined || this.thing(i).type !== "furniture" || placement.extent.z < 0.05)
        return false;
      return boxesClash(
        box,
        boxOfSolid({ centre: placement.centre, size: placement.extent, yawRad: placement.yawRad }),
      );
    });
  }

  /** The shelves of a piece of furniture with what stands on them now. */
  slotsOf(host: number): Slot[] {
    const placement = this.placements[host];
    if (placement === undefined) return [];
    const { id } = this.thing(host);
    const on = this.placements.filter((p): p is Placement => p?.supportedBy === id);
    return shelvesOf(this.house.starts[host]!.look, this.fluents[host]!).map((shelf) => {
      const z = placement.centre.z - placement.extent.z / 2 + shelf.z;
      const area = { x0: shelf.minX, y0: shelf.minY, x1: shelf.maxX, y1: shelf.maxY };
      const items = on
        .filter((p) => Math.abs(p.centre.z - p.extent.z / 2 - z) < 0.02)
        .map((p) => localRect(p, placement));
      return {
        host: id,
        hostPlacement: placement,
        shelf,
        items: items.filter((item) => overlap(item, area)),
      };
    });
  }

  scene(): HouseSnapshot {
    return {
      house: this.house,
      placementOf: (id) => this.placements[this.index(id)],
      fluentOf: (id, fluent) => this.fluents[this.index(id)]![fluent],
      solidsOf: (id) => this.solids(this.index(id)),
    };
  }

  /** Where people can walk as things are. */
  space(): FreeSpace {
    this.#space ??= new FreeSpace(this.scene(), { radiusM: PERSON_RADIUS_M, heightM: 1.9 });
    return this.#space;
  }

  /** Where a robot of the usual size can drive as things are. */
  robotSpace(): FreeSpace {
    this.#robotSpace ??= new FreeSpace(this.scene());
    return this.#robotSpace;
  }

  #touch(i: number): void {
    this.#solids[i] = undefined;
    this.#boxes[i] = undefined;
    if (isMover(this.thing(i))) return;
    this.#space = undefined;
    this.#robotSpace = undefined;
  }
}

function localRect(p: Placement, host: Placement) {
  const step = stepOfYaw(host.yawRad);
  const dx = p.centre.x - host.centre.x;
  const dy = p.centre.y - host.centre.y;
  const half = turnedHalf(p.extent.x, p.extent.y, stepOfYaw(p.yawRad) - step);
  return rectAround(
    dx * cosOfStep(step) + dy * sinOfStep(step),
    dy * cosOfStep(step) - dx * sinOfStep(step),
    half.x,
    half.y,
  );
}
