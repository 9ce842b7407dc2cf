import { middleOf } from "../../belief/room-names.ts";
import type { KnownThing } from "../../belief/thing.ts";
import { distance, type Vec3 } from "../../geometry/index.ts";
import { type Goal, LociError, type PlaceRef, type Route, type RouteEnd } from "../../schema/core.ts";
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
  const start = await startOf(from, scope);
  const ends = await endsAt(to, scope);
  const { way, to: end } = await bestWay(start.point, ends, scope);
  return {
    from: told(start),
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
  const start =
    from === undefined ? scope.pose && { point: scope.pose.position } : await startOf(from, scope);
  const near = start
    ? ends.toSorted((a, b) => distance(a.point, start.point) - distance(b.point, start.point))
    : ends;
  const end = near[0]!;
  const map = await scope.map?.();
  if (end.thing?.position && end.thing.box) {
    const { position, box, trackId, state } = end.thing;
    return {
      to: told(end),
      goal: goalToSee({ position, box, trackId, roomId: state.regionId }, start?.point, map) ?? null,
    };
  }
  const pose = start && { ...(scope.pose ?? NOBODY), position: start.point };
  const finding = { status: "answered" as const, goalPlace: end.point };
  return { to: told(end), goal: (await navGoalOf(finding, pose, async () => map)) ?? null };
}

const NOBODY = { agentId: "", timeUs: 0, yawRad: 0, observationId: "" };

async function startOf(from: PlaceRef | undefined, scope: Scope): Promise<End> {
  if (from !== undefined) return (await endsAt(from, scope))[0]!;
  if (scope.pose === undefined)
    throw new LociError(
      "invalid-input",
      "nobody knows where the agent stands; say from where the way begins",
    );
  return { point: scope.viewer?.position ?? scope.pose.position };
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
