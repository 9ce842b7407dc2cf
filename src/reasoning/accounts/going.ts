import { lastPose } from "../../belief/poses.ts";
import { middleOf } from "../../belief/room-names.ts";
import type { KnownThing } from "../../belief/thing.ts";
import { distance, type Vec3 } from "../../geometry/index.ts";
import {
  type Goal,
  LociError,
  type NavGoal,
  type PlaceRef,
  type Route,
  type RouteEnd,
} from "../../schema/core.ts";
import { bestWay, type End, endsOf } from "../algebra/ends.ts";
import { evaluate } from "../algebra/evaluate.ts";
import type { Scope } from "../algebra/operator.ts";
import { endOf } from "../listings.ts";
import { goalToSee, navGoalOf } from "../nav-goal.ts";

/** The route from a place, or from the agent, to a place: a line with rooms and doors. */
export async function routeBetween(
  { from, to }: { readonly from?: PlaceRef | undefined; readonly to: PlaceRef },
  scope: Scope,
): Promise<Route> {
  const ends = await endsAt(to, scope);
  const start = await startOf(from, ends, scope);
  if (start === undefined)
    throw new LociError(
      "invalid-input",
      "nobody knows where the agent stands; say from where the way begins",
    );
  const { way, to: end } = await bestWay(start.point, ends, scope);
  return {
    from: { ...told(start), ...(start.agentId !== undefined && { agent: start.agentId }) },
    to: told(end),
    by: way.by,
    lengthM: way.lengthM,
    points: [...way.points],
    rooms: way.rooms.map(({ id, name }) => ({ id, name })),
    doors: way.doors.flatMap((door) => (door.position ? [told({ point: door.position, thing: door })] : [])),
  };
}

/** The pose from which a robot sees a thing, or in a room or at a point, and its distance. */
export async function goalFor(
  { from, to }: { readonly from?: PlaceRef | undefined; readonly to: PlaceRef },
  scope: Scope,
): Promise<Goal> {
  const ends = await endsAt(to, scope);
  const start = await startOf(from, ends, scope);
  const agent = start?.agentId === undefined ? {} : { agent: start.agentId };
  const near = start
    ? ends.toSorted((a, b) => distance(a.point, start.point) - distance(b.point, start.point))
    : ends;
  const end = near[0]!;
  const map = await scope.map?.();
  if (end.thing?.position && end.thing.box) {
    const { position, box, trackId, state } = end.thing;
    const goal = goalToSee({ position, box, trackId, roomId: state.regionId }, start?.point, map);
    return { to: told(end), goal: named(goal, end), ...agent };
  }
  const pose = start && { ...(scope.pose ?? NOBODY), position: start.point };
  const finding = { status: "answered" as const, goalPlace: end.point };
  return {
    to: told(end),
    goal: named(await navGoalOf(finding, pose, async () => map), end),
    ...agent,
  };
}

/** The goal with the name of what it leads to. */
function named(goal: NavGoal | undefined, { thing, room }: End): NavGoal | null {
  const name = thing?.name ?? room?.name;
  return goal === undefined ? null : { ...goal, ...(name !== undefined && { name }) };
}

const NOBODY = { agentId: "", timeUs: 0, yawRad: 0, observationId: "" };

interface Start extends End {
  /** The robot that stands there. */
  readonly agentId?: string | undefined;
}

/** Most robots that are compared; a fleet beyond that says which one it asks for. */
const MOST_ROBOTS = 64;

/** The given start; else where the asked robot stands; else the robot that is nearest to an end, by straight line. */
async function startOf(
  from: PlaceRef | undefined,
  ends: readonly End[],
  scope: Scope,
): Promise<Start | undefined> {
  if (from !== undefined) return (await endsAt(from, scope))[0]!;
  const { memory, agentId, pose, viewer } = scope;
  if (viewer) return { point: viewer.position };
  const others = agentId === undefined ? (await memory.agents()).slice(0, MOST_ROBOTS) : [];
  if (others.length < 2) return pose && { point: pose.position, agentId: pose.agentId };
  const poses = await Promise.all(others.map((id) => lastPose(memory, memory.nowUs, id)));
  const apart = (point: Vec3) => Math.min(...ends.map((end) => distance(end.point, point)));
  const [nearest] = poses
    .flatMap((one) => one ?? [])
    .toSorted((a, b) => apart(a.position) - apart(b.position));
  return nearest && { point: nearest.position, agentId: nearest.agentId };
}

/** The places that a reference may mean, the likeliest first; at least one. */
async function endsAt(ref: PlaceRef, scope: Scope): Promise<End[]> {
  if (typeof ref !== "string") return [{ point: ref }];
  const known = await endOfRecord(ref, scope);
  if (known) return [known];
  const value = await evaluate(await endOf(ref, scope), scope);
  const ends = value.kind === "unknown" ? [] : await endsOf(value, scope);
  if (ends.length === 0)
    throw new LociError("unknown-id", `there is no "${ref.slice(0, 60)}" that a way could lead to`);
  return ends;
}

const THINGS: ReadonlySet<string> = new Set(["state", "track"]);

/** The place of a record by its id: of a thing its present place. */
async function endOfRecord(id: string, { memory }: Scope): Promise<End | undefined> {
  const [hit] = await memory.search({ where: { ids: [id] }, limit: 1 });
  const { record, position } = hit ?? {};
  if (record === undefined) return undefined;
  if (record.kind === "region" && record.type === "room") {
    const room = (await memory.rooms()).find((one) => one.id === id);
    return room && { point: middleOf(room), room };
  }
  const thing = THINGS.has(record.kind) ? await memory.thingById(id) : undefined;
  if (thing) return thing.position && { point: thing.position, thing };
  return position && { point: position };
}

function told({
  point,
  thing,
  room,
}: {
  point: Vec3;
  thing?: KnownThing | undefined;
  room?: End["room"];
}): RouteEnd {
  const { name, id } = thing ? { name: thing.name, id: thing.trackId } : (room ?? {});
  return { position: point, ...(name !== undefined && { name }), ...(id !== undefined && { id }) };
}
