import { isValidInterval, type Vec3 } from "../geometry/index.ts";
import { LIMITS, LociError, RECORD_KINDS } from "../schema/core.ts";
import type { RankBy, SearchRequest, SpaceKey } from "./request.ts";
import { DEFAULT_LIMIT, DEFAULT_POOL } from "./request.ts";

/** A request with its defaults filled in and every number known to be sane. */
export interface CheckedRequest extends SearchRequest {
  readonly rank: RankBy;
  readonly limit: number;
  readonly pool: number;
}

/** Refuses what no engine should have to think about; the same for all of them. */
export function checkRequest(request: SearchRequest): CheckedRequest {
  const { kinds, meaning, space, time, where } = request;
  if (kinds) {
    for (const kind of kinds)
      if (!(RECORD_KINDS as readonly string[]).includes(kind)) fail(`kinds: unknown kind "${kind}"`);
  }
  const limit = request.limit ?? DEFAULT_LIMIT;
  integer("limit", limit, 1, LIMITS.hitsPerSearch);
  const pool = meaning?.pool ?? Math.max(DEFAULT_POOL, limit);
  integer("meaning.pool", pool, 1, LIMITS.hitsPerSearch);
  if (meaning) {
    if (meaning.words !== undefined && meaning.words.length > LIMITS.queryChars) {
      fail(`meaning.words: at most ${LIMITS.queryChars} characters, got ${meaning.words.length}`);
    }
    if (meaning.minCosine !== undefined) finite("meaning.minCosine", meaning.minCosine);
    if (meaning.minZ !== undefined) finite("meaning.minZ", meaning.minZ);
    const threshold = meaning.minCosine !== undefined || meaning.minZ !== undefined;
    if (threshold && meaning.vector === undefined && meaning.image === undefined) {
      fail("meaning: minCosine and minZ need a vector or an image to compare with");
    }
  }
  if (request.approximate !== undefined && typeof request.approximate !== "boolean")
    fail("approximate: true or false expected");
  if (space) checkSpace(space);
  if (time) {
    if (time.overlaps && !isValidInterval(time.overlaps))
      fail("time.overlaps: an interval ends after it starts");
    for (const name of ["before", "after"] as const) {
      const value = time[name];
      if (value !== undefined && !Number.isSafeInteger(value))
        fail(`time.${name}: whole microseconds expected`);
    }
  }
  if (where) {
    for (const list of Object.values(where))
      if (Array.isArray(list) && list.length > LIMITS.hitsPerSearch) fail("where: list too long");
  }
  return { ...request, limit, pool, rank: rankOf(request) };
}

function rankOf(request: SearchRequest): RankBy {
  const { meaning, space, rank } = request;
  const given: RankBy[] = [];
  if (meaning?.vector) given.push("meaning");
  if (meaning?.image) given.push("image");
  if (meaning?.words !== undefined) given.push("words");
  const measurable = space !== undefined && space.type !== "box" && space.type !== "region";
  if (rank === undefined) {
    if (given.length > 1) return "fused";
    return given[0] ?? (measurable ? "distance" : "latest");
  }
  if ((rank === "meaning" || rank === "image" || rank === "words") && !given.includes(rank)) {
    fail(`rank: "${rank}" needs that meaning key`);
  }
  if (rank === "fused" && given.length === 0) fail('rank: "fused" needs at least one meaning key');
  if (rank === "distance" && !measurable)
    fail('rank: "distance" needs a space key with a point to measure from');
  return rank;
}

function checkSpace(space: SpaceKey): void {
  switch (space.type) {
    case "box":
      point("space.min", space.min);
      point("space.max", space.max);
      if (space.min.x > space.max.x || space.min.y > space.max.y || space.min.z > space.max.z) {
        fail("space: a box has min ≤ max on every axis");
      }
      return;
    case "radius":
      point("space.centre", space.centre);
      if (!(space.radiusM >= 0 && Number.isFinite(space.radiusM))) fail("space.radiusM: metres ≥ 0 expected");
      return;
    case "nearest":
      point("space.point", space.point);
      if (space.maxM !== undefined && !(space.maxM >= 0)) fail("space.maxM: metres ≥ 0 expected");
      return;
    case "cone":
      point("space.apex", space.apex);
      point("space.axis", space.axis);
      if (!(space.halfAngleRad > 0 && space.halfAngleRad <= Math.PI))
        fail("space.halfAngleRad: (0, π] expected");
      if (!(space.rangeM >= 0 && Number.isFinite(space.rangeM))) fail("space.rangeM: metres ≥ 0 expected");
      if (Math.abs(Math.hypot(space.axis.x, space.axis.y, space.axis.z) - 1) > 1e-6)
        fail("space.axis: a unit vector expected");
      return;
    case "region":
      if (space.points.length < 3) fail("space.points: a polygon has at least three points");
      if (space.points.length > LIMITS.polygonPoints) fail(`space.points: at most ${LIMITS.polygonPoints}`);
      for (const p of space.points) point("space.points", { ...p, z: 0 });
      for (const z of [space.minZ, space.maxZ]) if (z !== undefined) finite("space.minZ, maxZ", z);
      return;
    case "frustum":
      point("space.worldFromCamera.p", space.worldFromCamera.p);
      if (!(space.nearM >= 0 && space.farM > space.nearM && Number.isFinite(space.farM))) {
        fail("space: a frustum has 0 ≤ nearM < farM");
      }
      for (const name of ["tanHalfWidth", "tanHalfHeight"] as const) {
        if (!(space[name] > 0 && Number.isFinite(space[name])))
          fail(`space.${name}: a finite number above 0 expected`);
      }
      if (Math.abs(Math.hypot(...Object.values(space.worldFromCamera.q)) - 1) > 1e-6) {
        fail("space.worldFromCamera.q: a unit quaternion expected");
      }
      return;
    default:
      fail(`space.type: unknown type "${(space as { type: string }).type}"`);
  }
}

function point(name: string, p: Vec3): void {
  coordinate(name, p.x);
  coordinate(name, p.y);
  coordinate(name, p.z);
}

function coordinate(name: string, value: number): void {
  if (!(Math.abs(value) <= LIMITS.coordinateM)) fail(`${name}: finite metres expected, got ${value}`);
}

function finite(name: string, value: number): void {
  if (!Number.isFinite(value)) fail(`${name}: a finite number expected, got ${value}`);
}

function integer(name: string, value: number, min: number, max: number): void {
  if (!Number.isSafeInteger(value) || value < min || value > max)
    fail(`${name}: a whole number from ${min} to ${max} expected, got ${value}`);
}

function fail(message: string): never {
  throw new LociError("invalid-input", message);
}
