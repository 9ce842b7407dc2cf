import type { RoomView } from "../../belief/room-names.ts";
import type { KnownThing } from "../../belief/thing.ts";
import { type Box, boxFromPoints, extentOf, inflate, unionBoxes } from "../../geometry/index.ts";
import { type Expression, isLociError } from "../../schema/index.ts";
import { evaluate } from "../algebra/evaluate.ts";
import { gistOf } from "../algebra/gist.ts";
import type { Scope } from "../algebra/operator.ts";
import { type KnownValue, unknownValue, type Value } from "../algebra/value.ts";
import { type LikelyPose, likelyPoses, type Situation } from "./poses.ts";
import type { Meant, Side, Stance } from "./terms.ts";

/** A situation as read: "I am sitting on the bed facing the window with the lamp to my left". */
export interface SituationRead {
  readonly relation?: Stance | undefined;
  readonly anchor?: Expression | undefined;
  readonly facing?: Expression | undefined;
  readonly sides: readonly {
    readonly side: Side | number;
    readonly thing: Expression;
    readonly isInReach?: boolean | undefined;
  }[];
}

/** The radius around named things in which a speaker may stand (m). */
const AROUND_M = 3;
/** Obstacles between these heights (m): people step over lower ones and walk under higher ones. */
const SOLID_M = { least: 0.25, under: 1.2 };
const MOST_MEANT = 12;

/**
 * The poses that a situation may mean, best first, over the things in the memory; none where no named thing is known.
 * The first one, or all of them by probability, are viewers to evaluate a question with.
 */
export async function situate(read: SituationRead, scope: Scope): Promise<LikelyPose[]> {
  const anchor = read.anchor && (await meantBy(read.anchor, scope));
  const facing = read.facing && (await meantBy(read.facing, scope));
  const sides = await Promise.all(
    read.sides.map(async ({ thing, ...side }) => ({ ...side, meant: await meantBy(thing, scope) })),
  );
  const stance: Situation["stance"] =
    anchor && anchor.length > 0
      ? { relation: read.relation ?? "at", meant: anchor }
      : facing && facing.length > 0
        ? { relation: "facing", meant: facing }
        : undefined;
  const known = [stance?.meant ?? [], facing ?? [], ...sides.map(({ meant }) => meant)].flat();
  if (known.length === 0) return [];
  const bounds = await groundAround(stance?.meant ?? known, scope);
  return likelyPoses({
    stance,
    ...(facing && facing.length > 0 && { facing }),
    sides: sides.filter(({ meant }) => meant.length > 0),
    solid: await solidIn(bounds, scope),
    bounds,
  });
}

/** The boxes that an expression may mean; all of them where it is ambiguous. */
async function meantBy(expression: Expression, scope: Scope): Promise<Meant[]> {
  const value = await evaluate(expression, scope).catch((error: unknown) => {
    // A reading that is invalid in the algebra is ignored.
    if (isLociError(error) && error.code === "invalid-input") return unknownValue("not-understood", "");
    throw error;
  });
  const things = thingsIn(value);
  if (things.length > 0)
    return things.slice(0, MOST_MEANT).flatMap(({ box, fit }) => (box ? [{ box, weight: fit }] : []));
  const rooms = value.kind === "rooms" ? value.rooms : [];
  return rooms.slice(0, MOST_MEANT).flatMap((room) => {
    const box = outlineBox(room);
    return box ? [{ box, weight: 1 }] : [];
  });
}

function thingsIn(value: Value): readonly KnownThing[] {
  if (value.kind === "unknown") return value.choices ?? [];
  return value.kind === "things" ? [...value.things, ...(value.rivals ?? [])] : [];
}

function outlineBox({ record }: RoomView): Box | undefined {
  return boxFromPoints(record.hull ?? []);
}

/**
 * The floor within reach of the named things, as far as it is known: the rooms there, otherwise the surrounding things.
 */
async function groundAround(meant: readonly Meant[], { memory }: Scope): Promise<Box> {
  const near = inflate(unionBoxes(meant[0]!.box, ...meant.slice(1).map(({ box }) => box)), AROUND_M);
  const rooms = (await memory.rooms()).flatMap((room) => outlineBox(room) ?? []);
  const things = await memory.around({ type: "box", min: near.min, max: near.max });
  const all = rooms.length > 0 ? rooms : things.flatMap(({ box }) => box ?? []);
  if (all.length === 0) return near;
  const whole = unionBoxes(all[0]!, ...all.slice(1));
  return {
    min: {
      x: Math.max(near.min.x, whole.min.x),
      y: Math.max(near.min.y, whole.min.y),
      z: near.min.z + AROUND_M,
    },
    max: { x: Math.min(near.max.x, whole.max.x), y: Math.min(near.max.y, whole.max.y), z: near.max.z },
  };
}

async function solidIn(bounds: Box, { memory }: Scope): Promise<Box[]> {
  const high = { ...bounds.max, z: bounds.max.z + AROUND_M };
  const things = await memory.around({
    type: "box",
    min: { ...bounds.min, z: bounds.min.z - AROUND_M },
    max: high,
  });
  const floorZ = Math.min(...things.flatMap(({ box }) => box?.min.z ?? []));
  return things.flatMap(({ box }) =>
    box && extentOf(box).z > SOLID_M.least && box.min.z < floorZ + SOLID_M.under ? [box] : [],
  );
}

/**
 * Evaluates a question from several possible poses: the value with the largest total probability, with that as its
 * confidence. A known value from some pose goes before an unknown one from another.
 */
export async function evaluateFrom(
  expression: Expression,
  poses: readonly LikelyPose[],
  scope: Scope,
): Promise<Value> {
  if (poses.length === 0) return evaluate(expression, scope);
  const whole = poses.reduce((sum, { p }) => sum + p, 0);
  const votes = new Map<string, { readonly value: Value; p: number }>();
  for (const { position, yawRad, p } of poses) {
    // A speaker who gives their position in a room means whole sides of it.
    const viewer = { position, yawRad, looksInto: (await scope.memory.roomAt(position))?.id };
    const value = await evaluate(expression, { ...scope, viewer });
    const key = gistOf(value);
    const vote = votes.get(key);
    const share = (p / whole) * (value.kind === "unknown" ? UNKNOWN : 1);
    if (vote) vote.p += share;
    else votes.set(key, { value, p: share });
  }
  const [best] = [...votes.values()].toSorted((a, b) => b.p - a.p);
  const { value, p } = best!;
  return value.kind === "unknown" ? value : ({ ...value, p: value.p * p } as KnownValue);
}

const UNKNOWN = 0.2;
