import { Belief } from "../../belief/belief.ts";
import { AWAY } from "../../belief/presence.ts";
import type { KnownThing } from "../../belief/thing.ts";
import { apply, type FrameGraph, type Point2, type Vec3 } from "../../geometry/index.ts";
import type { FloorRaster } from "../../map/index.ts";
import { eachHit, type Hit, type HitOf, type MemoryReader } from "../../memory/index.ts";
import { type RecordOf, WORLD_FRAME } from "../../schema/core.ts";
import { ringedRooms } from "../world/rooms.ts";
import { readStoreys } from "../world/storeys.ts";
import { floorAt, floorsOf, isMergedAway, lowest } from "../world/world.ts";
import { type Drawing, type DrawnGround, type DrawnPath, type DrawnThing, GROUND } from "./drawing.ts";
import { openingsOf } from "./openings.ts";

export interface DrawingOptions {
  /** The moment to be drawn; default: the latest that the memory knows. */
  readonly atUs?: number;
  readonly title?: string;
  /** Draw the ground from the submaps begun by then; default true. */
  readonly ground?: boolean;
  readonly sceneId?: string;
}

/** Distance between points of a trajectory. */
const STEP_M = 0.15;
/** A longer jump is not drawn: the pose was corrected, or the mover was out of sight. */
const JUMP_M = 1.5;
/** Assumed height of a camera, and of a person's centre, above the floor. */
const BODY_M = 0.9;
/** Drawn size of a thing without extent. */
const POINT_M = 0.1;

/** Reads what a picture shows: rooms, things with their states at the time, moves, trajectories. */
export async function readDrawing(reader: MemoryReader, options: DrawingOptions = {}): Promise<Drawing> {
  const { lastUs } = await reader.stats();
  const atUs = options.atUs ?? lastUs ?? 0;
  const graph = await reader.frames();
  const belief = new Belief({ reader, nowUs: atUs, sceneId: options.sceneId });
  const rooms = (await ringedRooms(belief, graph)).map(({ record, ring }) => ({
    name: record.name,
    corners: ring,
  }));
  const tracks = await gathered(eachHit(reader, "track"), atUs);
  const states = await gathered(eachHit(reader, "state"), atUs);
  const storeys = options.ground === false ? [] : await readStoreys(reader, options);
  const floorsM = floorsOf([
    ...rooms.map(({ corners }) => lowest(corners)),
    ...storeys.map(({ floorZ }) => floorZ),
  ]);
  const typeOf = new Map(tracks.map(({ record }) => [record.id, record.type]));
  const isMover = ({ trackId }: { readonly trackId: string }) =>
    ["person", "mover"].includes(typeOf.get(trackId) ?? "");
  const resting = states.filter(({ record }) => !isMover(record) && !isMergedAway(record));
  const paths = await agentPaths(reader, atUs);
  const ground = storeys.map((storey) => groundOf(storey, floorAt(floorsM, storey.floorZ)));
  const drawnRooms = rooms.map(({ name, corners }) => ({
    name,
    ring: corners,
    floor: floorAt(floorsM, lowest(corners)),
  }));
  return {
    title: options.title ?? "memory",
    subtitle: `${momentOf(atUs)}, map revision ${graph.revision}`,
    floorsM,
    rooms: drawnRooms,
    things: [
      ...thingsOf(await stillThere(belief, isMover), graph, floorsM, false),
      ...thingsOf(await goneFrom(resting, belief), graph, floorsM, true),
    ],
    moves: movesOf(resting, floorsM),
    people: await peopleOf(
      reader,
      states.filter(({ record }) => isMover(record)),
      graph,
      floorsM,
      atUs,
    ),
    agents: paths.map(({ name, points }) => ({ name, legs: legsOf(points, floorsM) })),
    ground,
    openings: ground.flatMap((one) => openingsOf(one, drawnRooms)),
  };
}

function groundOf(storey: FloorRaster, floor: number): DrawnGround {
  const { originX, originY, cellM, width, height, state, wall } = storey;
  return {
    floor,
    originM: { x: originX, y: originY },
    cellM,
    columns: width,
    rows: height,
    cells: state.map((value, i) => {
      if (!wall[i]) return value;
      return value === GROUND.free ? GROUND.lintel : GROUND.wall;
    }),
  };
}

async function stillThere(
  belief: Belief,
  isMover: (thing: KnownThing) => boolean,
): Promise<readonly KnownThing[]> {
  return (await belief.inventory()).filter((thing) => !isMover(thing));
}

/** The last places of things that are gone from them; a moved thing has an arrow instead. */
async function goneFrom(states: readonly HitOf<"state">[], belief: Belief): Promise<readonly KnownThing[]> {
  const present = new Set((await belief.inventory()).map(({ trackId }) => trackId));
  const lastOf = new Map(states.map(({ record }) => [record.trackId, record.id]));
  const gone = new Map<string, KnownThing>();
  for (const [trackId, stateId] of lastOf) {
    if (present.has(trackId)) continue;
    const thing = await belief.thingOfState(stateId, 1);
    if (thing && AWAY.has((await belief.standing(thing)).status)) gone.set(thing.trackId, thing);
  }
  return [...gone.values()];
}

function thingsOf(
  things: readonly KnownThing[],
  graph: FrameGraph,
  floorsM: readonly number[],
  isGone: boolean,
): DrawnThing[] {
  return things.flatMap(({ state, box, position }): DrawnThing[] => {
    if (position === undefined || state.anchor === undefined) return [];
    const bottom = box?.min.z ?? position.z;
    const floor = floorAt(floorsM, bottom);
    const isOverhead = bottom > floorsM[floor]! + OVERHEAD_M;
    return [{ name: state.category, ring: outlineOf(state, graph), floor, isGone, isOverhead }];
  });
}

/** Above this height a thing is over a person's head. */
const OVERHEAD_M = 1.75;

function movesOf(states: readonly HitOf<"state">[], floorsM: readonly number[]): Drawing["moves"] {
  const known = new Map(states.map((state) => [state.record.id, state]));
  return states.flatMap(({ record, position }) => {
    const from = record.movedFrom && known.get(record.movedFrom.stateId)?.position;
    if (!from || !position) return [];
    return [{ name: record.name, from, to: position, floor: floorAt(floorsM, position.z) }];
  });
}

async function peopleOf(
  reader: MemoryReader,
  states: readonly HitOf<"state">[],
  graph: FrameGraph,
  floorsM: readonly number[],
  atUs: number,
): Promise<DrawnPath[]> {
  const people: DrawnPath[] = [];
  for (const [, own] of Map.groupBy(states, ({ record }) => record.trackId)) {
    const sightings = await reader.sightings({
      stateIds: own.map(({ record }) => record.id),
      outcomes: ["seen"],
      during: { fromUs: own[0]!.record.validFromUs, toUs: atUs + 1 },
      order: "earliest",
    });
    const points = sightings.flatMap(({ anchor }) => {
      const worldFromSubmap = anchor && graph.resolve(WORLD_FRAME, anchor.submap);
      return anchor && worldFromSubmap ? [apply(worldFromSubmap, anchor.p)] : [];
    });
    people.push({ name: own[0]!.record.name, legs: legsOf(thinned(points), floorsM) });
  }
  return people;
}

/** The trajectory of each agent by its observations; by its views or captions in memories without observations. */
async function agentPaths(reader: MemoryReader, atUs: number): Promise<{ name: string; points: Vec3[] }[]> {
  for (const kind of ["observation", "view", "caption"] as const) {
    const points = new Map<string, Vec3[]>();
    for await (const { record, position } of eachHit(reader, kind)) {
      if (position === undefined || record.validFromUs > atUs) continue;
      const own = points.get(record.author);
      const last = own?.at(-1);
      if (last && Math.hypot(position.x - last.x, position.y - last.y, position.z - last.z) < STEP_M)
        continue;
      if (own) own.push(position);
      else points.set(record.author, [position]);
    }
    if (points.size > 0) return [...points].map(([name, list]) => ({ name, points: list }));
  }
  return [];
}

function thinned(points: readonly Vec3[]): Vec3[] {
  const kept: Vec3[] = [];
  for (const point of points) {
    const last = kept.at(-1);
    if (!last || Math.hypot(point.x - last.x, point.y - last.y) >= STEP_M) kept.push(point);
  }
  return kept;
}

/** Breaks a trajectory where the floor changes and where it jumps. */
export function legsOf(points: readonly Vec3[], floorsM: readonly number[]): DrawnPath["legs"] {
  const legs: { floor: number; points: Point2[] }[] = [];
  for (const { x, y, z } of points) {
    const floor = floorAt(floorsM, z - BODY_M);
    const leg = legs.at(-1);
    const last = leg?.points.at(-1);
    const goesOn = leg?.floor === floor && last && Math.hypot(x - last.x, y - last.y) <= JUMP_M;
    if (goesOn) leg.points.push({ x, y });
    else legs.push({ floor, points: [{ x, y }] });
  }
  return legs;
}

/** The outline of a state's box on the floor, rotated with its submap. */
function outlineOf({ anchor, extent }: RecordOf<"state">, graph: FrameGraph): Point2[] {
  const worldFromSubmap = graph.resolve(WORLD_FRAME, anchor!.submap);
  if (worldFromSubmap === undefined) return [];
  const [x, y] = [Math.max(POINT_M, extent?.x ?? 0) / 2, Math.max(POINT_M, extent?.y ?? 0) / 2];
  const { p } = anchor!;
  return [
    { ...p, x: p.x - x, y: p.y - y },
    { ...p, x: p.x + x, y: p.y - y },
    { ...p, x: p.x + x, y: p.y + y },
    { ...p, x: p.x - x, y: p.y + y },
  ].map((corner) => apply(worldFromSubmap, corner));
}

async function gathered<H extends Hit>(all: AsyncIterable<H>, atUs: number): Promise<H[]> {
  const list: H[] = [];
  for await (const hit of all) if (hit.record.validFromUs <= atUs) list.push(hit);
  return list;
}

function momentOf(timeUs: number): string {
  return `${new Date(timeUs / 1000).toISOString().replace("T", " ").slice(0, 19)} UTC`;
}
