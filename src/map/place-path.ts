import { distance, type Vec3 } from "../geometry/index.ts";
import type { FloorPlan, Path } from "./paths.ts";
import type { Place } from "./places.ts";

/**
 * A path between storeys: on the grid to some place, by edges between places (stairs were walked), and on the grid
 * again. Dijkstra over the places; undefined if no agent ever walked there.
 */
export function pathByPlaces(
  from: Vec3,
  to: Vec3,
  places: readonly Place[],
  { fromPlan, toPlan }: { readonly fromPlan: FloorPlan; readonly toPlan: FloorPlan },
): Path | undefined {
  const there = fromPlan.distanceField(from);
  const back = toPlan.distanceField(to);
  const byId = new Map(places.map((place) => [place.id, place]));
  const cost = new Map<string, number>();
  const came = new Map<string, string>();
  for (const { id, positionInWorld } of places) {
    const isOn = Math.abs(positionInWorld.z - fromPlan.raster.floorZ) < 0.5;
    const reached = isOn ? there.at(positionInWorld) : Infinity;
    if (reached < Infinity) cost.set(id, reached);
  }
  const done = new Set<string>();
  let [last, best] = [undefined as Place | undefined, Infinity];
  for (;;) {
    let [at, least] = ["", Infinity];
    for (const [id, reached] of cost) if (!done.has(id) && reached < least) [at, least] = [id, reached];
    if (least >= best) break;
    done.add(at);
    const place = byId.get(at)!;
    const isOn = Math.abs(place.positionInWorld.z - toPlan.raster.floorZ) < 0.5;
    const whole = isOn ? least + back.at(place.positionInWorld) : Infinity;
    if (whole < best) [last, best] = [place, whole];
    for (const [id] of place.edges) {
      const next = byId.get(id);
      if (next === undefined) continue;
      const reached = least + distance(place.positionInWorld, next.positionInWorld);
      if (reached >= (cost.get(id) ?? Infinity)) continue;
      cost.set(id, reached);
      came.set(id, at);
    }
  }
  if (last === undefined) return undefined;
  const middle = [last];
  for (let id = came.get(last.id); id !== undefined; id = came.get(id)) middle.unshift(byId.get(id)!);
  const points = [
    ...(fromPlan.path(from, middle[0]!.positionInWorld)?.points ?? [from]),
    ...middle.map(({ positionInWorld }) => positionInWorld),
    ...(toPlan.path(last.positionInWorld, to)?.points ?? [to]),
  ];
  let lengthM = 0;
  for (let i = 1; i < points.length; i++) lengthM += distance(points[i - 1]!, points[i]!);
  return { points, lengthM };
}
